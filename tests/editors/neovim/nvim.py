"""A real Neovim with the plugin in a pseudo-terminal: Lua goes in, JSON comes out, keys are typed."""

import contextlib
import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import tempfile
import termios
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from .rpc import Channel

REPOSITORY = Path(__file__).resolve().parents[3]
PLUGIN = REPOSITORY / "editors" / "neovim"
DAEMON = [sys.executable, "-m", "forge_daemon", "serve"]
ROWS, COLUMNS = 24, 120
STATUS_REQUEST, STATUS_REPORT = b"\x1b[5n", b"\x1b[0n"
"""Neovim 0.12 asks the terminal whether it is there, and complains where no answer comes."""
PATIENCE = 30.0
"""Long enough for a busy machine; a test that needs it has failed."""

Lua = str


class Nvim:
    """Driven through its socket.

    It draws its screen on a pseudo-terminal, because without one events like CursorMoved never come.
    """

    def __init__(self, binary: str, home: Path, cwd: Path, *files: str, options: dict[str, Any] | None = None) -> None:
        self._typed = 0
        self._runtime = tempfile.TemporaryDirectory(prefix="nvim")  # Sockets need short paths.
        self._socket = f"{self._runtime.name}/s"
        self.environment = environment(home, self._runtime.name)
        self._screen, terminal = pty.openpty()
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", ROWS, COLUMNS, 0, 0))
        self.process = subprocess.Popen(
            [binary, "--listen", self._socket, *arguments(home, options), *files],
            cwd=cwd,
            env={**self.environment, "TERM": "xterm-256color"},
            stdin=terminal,
            stdout=terminal,
            stderr=terminal,
            start_new_session=True,
        )
        os.close(terminal)
        self._drawing = threading.Thread(target=self._discard_drawing, daemon=True)
        self._drawing.start()
        self._channel = connected(self._socket)
        self.wait_for("vim.v.vim_did_enter == 1")

    def __enter__(self) -> "Nvim":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        self._channel.close()
        self._drawing.join(PATIENCE)
        os.close(self._screen)
        self._runtime.cleanup()

    def lua(self, code: Lua, *arguments: Any) -> Any:
        """What a chunk of Lua returns; its arguments are in `...`."""
        wrapped = (
            "local arguments = vim.json.decode(..., { luanil = { array = true } })\n"
            f"local ok, value = xpcall(function(...) {code}\nend, debug.traceback, unpack(arguments))\n"
            "return vim.json.encode({ ok = ok, value = value })"
        )
        answer = json.loads(self._channel.request("nvim_exec_lua", wrapped, [json.dumps(arguments)]))
        assert answer["ok"], answer["value"]
        return answer.get("value")

    def command(self, command: str) -> None:
        self.lua("vim.cmd(...)", command)

    def type(self, keys: str) -> None:
        """As a person would: mappings and the command line included."""
        self._channel.request("nvim_input", keys)

    def type_to_the_end(self, keys: str) -> None:
        """Type, and wait until all of it was done."""
        self._typed += 1
        self.type(f"{keys}<Cmd>let g:typed = {self._typed}<CR>")
        self.wait_for("vim.g.typed == ... and not (require('forge.view').of() or {}).cancel", self._typed)

    def answer(self, key: str) -> None:
        """Wait until it asks something, and press a key."""

        def asks() -> bool:
            state = self._channel.request("nvim_get_mode")
            return bool(state["blocking"] or state["mode"].startswith(("c", "r")))

        assert wait_until(asks), "it asks nothing"
        self.type(key)

    def wait_for(self, condition: Lua, *arguments: Any) -> None:
        """Until the Lua expression is true."""
        seen = wait_until(lambda: bool(self.lua(f"return {condition}", *arguments)))
        assert seen, f"never: {condition}; {self.state()}"

    def state(self) -> str:
        return (
            f"messages: {self.messages()!r}; line: {self.line()[:200]!r} {self.where()}; "
            f"log: {self.lua('return require([[forge.log]]).lines()')}"
        )

    def wake_daemon(self) -> None:
        """Its start may take long on a busy machine; what follows does not."""
        self.lua("require('forge').read('missing', nil, function() end)")
        self.wait_for("require('forge.daemon').ready() ~= nil")

    def start_afresh(self, directory: Path) -> None:
        self.lua(
            """
            vim.cmd("silent! only! | silent! %bwipeout!")
            vim.cmd.cd(...)
            vim.cmd("messages clear")
            vim.o.ignorecase, vim.o.smartcase, vim.o.wrapscan = false, false, true
            vim.o.number, vim.o.relativenumber = false, false
            """,
            str(directory),
        )

    def open(self, path: object) -> None:
        """Open a window, and wait for its first lines."""
        self.command(f"Forge open {path}")
        self.wait_for("require('forge.view').of() and require('forge.view').of().etag ~= nil")

    def line(self) -> str:
        """The text the cursor is in."""
        return str(self.lua("return vim.fn.getline('.')"))

    def where(self) -> str:
        """As the statusline says it."""
        return str(self.lua("return require('forge').statusline()"))

    def wait_for_line(self, text: str) -> None:
        self.wait_for("vim.fn.getline('.') == ...", text)

    def wait_for_message(self, text: str) -> None:
        self.wait_for("vim.fn.execute('messages'):find(..., 1, true) ~= nil", text)

    def messages(self) -> str:
        return str(self.lua("return vim.fn.execute('messages')"))

    @contextlib.contextmanager
    def hearing(self) -> Iterator[Callable[[], str]]:
        """What was said last, also where it is not kept."""
        self.lua(
            """
            _G.echo, _G.told = vim.api.nvim_echo, ""
            vim.api.nvim_echo = function(chunks, ...)
              _G.told = chunks[1][1]
              return _G.echo(chunks, ...)
            end
            """
        )
        yield lambda: str(self.lua("return _G.told"))
        self.lua("vim.api.nvim_echo = _G.echo")

    @contextlib.contextmanager
    def slow_daemon(self) -> Iterator[None]:
        """What is asked meanwhile is answered later."""
        (daemon,) = self.lua("return vim.api.nvim_get_proc_children(vim.fn.getpid())")
        os.kill(daemon, signal.SIGSTOP)
        status = Path(f"/proc/{daemon}/stat")
        assert wait_until(lambda: not status.exists() or status.read_text().rpartition(") ")[2].startswith("T"))
        try:
            yield
        finally:
            os.kill(daemon, signal.SIGCONT)

    def quit(self) -> int:
        with contextlib.suppress(OSError):  # It may be gone before it can say so.
            self.type("<C-\\><C-n>:qa!<CR>")
        return self.process.wait(PATIENCE)

    def _discard_drawing(self) -> None:
        with contextlib.suppress(OSError):  # The terminal is gone with Neovim.
            while drawn := os.read(self._screen, 65536):
                if STATUS_REQUEST in drawn:
                    os.write(self._screen, STATUS_REPORT)


def environment(home: Path, runtime: str) -> dict[str, str]:
    """Nothing of the person who runs the tests gets in."""
    folders = {f"XDG_{name}_HOME": str(home / name.lower()) for name in ("CONFIG", "DATA", "STATE", "CACHE")}
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("NVIM", "VIM", "XDG_"))}
    log = str(home / "nvim.log")  # Otherwise it may go to the working directory.
    return {**kept, **folders, "HOME": str(home), "XDG_RUNTIME_DIR": runtime, "NVIM_LOG_FILE": log}


def arguments(home: Path, options: dict[str, Any] | None = None) -> list[str]:
    """An init file that does what a user's would: the plugin on the runtime path, and `vim.g.forge`."""
    home.mkdir(parents=True, exist_ok=True)
    init = home / "init.lua"
    settings = json.dumps({"cmd": DAEMON, **(options or {})})
    init.write_text(
        f"vim.opt.runtimepath:prepend({json.dumps(str(PLUGIN))})\nvim.g.forge = vim.json.decode([==[{settings}]==])\n"
    )
    return ["-u", str(init), "-i", "NONE", "-n"]


def wait_until(condition: Callable[[], bool]) -> bool:
    deadline = time.monotonic() + PATIENCE
    while not (met := condition()) and time.monotonic() < deadline:
        time.sleep(0.02)
    return met


def connected(path: str) -> Channel:
    """The channel to a Neovim that has just been started."""
    channels: list[Channel] = []

    def connect() -> bool:
        with contextlib.suppress(OSError):
            channels.append(Channel(path, PATIENCE))
        return bool(channels)

    assert wait_until(connect), "Neovim does not answer"
    return channels[0]
