"""A real Neovim in a real terminal: keys in, the screen out."""

import shlex
import subprocess
import tempfile
from pathlib import Path
from typing import Any

from .nvim import arguments, environment, wait_until


class Terminal:
    """Neovim inside tmux, on a server of its own."""

    def __init__(
        self,
        binary: str,
        home: Path,
        cwd: Path,
        *files: str,
        options: dict[str, Any] | None = None,
        size: tuple[int, int] = (80, 16),
        plain: bool = False,
    ) -> None:
        """Plain: Neovim as it comes, without the plugin."""
        self._runtime = tempfile.TemporaryDirectory(prefix="tmux")  # Sockets need short paths.
        variables = environment(home, self._runtime.name)
        self._tmux = ["tmux", "-S", f"{self._runtime.name}/s", "-f", "/dev/null"]
        how = ["-u", "NONE", "-i", "NONE", "-n"] if plain else arguments(home, options)
        command = shlex.join([binary, *how, *files])
        width, height = map(str, size)
        settings = [f"-e{name}={variables[name]}" for name in variables if name.startswith(("XDG_", "HOME", "NVIM_"))]
        self._run(
            "new-session", "-d", "-x", width, "-y", height, "-c", str(cwd), *settings, f"TERM=xterm-256color {command}"
        )
        self._run("set-option", "-g", "status", "off")

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(self, *_: object) -> None:
        subprocess.run([*self._tmux, "kill-server"], capture_output=True)
        self._runtime.cleanup()

    def type(self, text: str) -> None:
        self._run("send-keys", "-l", text)

    def press(self, *keys: str) -> None:
        """Keys by their names in tmux: Enter, C-f, Escape."""
        self._run("send-keys", *keys)

    def command(self, text: str) -> None:
        self.type(f":{text}")
        self.press("Enter")

    def screen(self, *, colours: bool = False) -> str:
        return self._run("capture-pane", "-p", *(["-e", "-N"] if colours else []))

    def rows(self) -> list[str]:
        """The screen, without the spaces that only align."""
        return [" ".join(line.split()) for line in self.screen().splitlines()]

    def shows(self, text: str) -> bool:
        """Whether the text comes to stand somewhere on the screen; if it does not, what stands there is printed."""
        seen = wait_until(lambda: text in self.screen())
        if not seen:
            print(self.screen())
        return seen

    @property
    def pid(self) -> int:
        return int(self._run("display-message", "-p", "#{pane_pid}"))

    def is_gone(self) -> bool:
        return wait_until(lambda: subprocess.run([*self._tmux, "has-session"], capture_output=True).returncode != 0)

    def _run(self, *command: str) -> str:
        return subprocess.run([*self._tmux, *command], check=True, capture_output=True, text=True).stdout
