"""What rows are measured with: files and contenders."""

import json
import sys
from collections.abc import Sequence
from contextlib import ExitStack
from functools import cached_property
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from .client import Peer
from .files import GIB, MIB, Files
from .framing import HEADERS, LINES, Framing
from .npm import filesystem_server
from .row import Curves
from .timing import resident_bytes

_CONTENDERS = Path(__file__).parent / "contenders"
FORGE = [sys.executable, "-m", "forge_daemon", "serve"]
PLAIN_PYGLS = [sys.executable, str(_CONTENDERS / "plain_pygls.py")]
MINIMAL_MCP = [sys.executable, str(_CONTENDERS / "minimal_mcp.py")]
ECHO = [sys.executable, str(_CONTENDERS / "echo.py")]
WINDOW_LINES = 200


class Contest:
    """The files and the contenders, each there once a row asks for it."""

    def __init__(self, cache: Path, *, quick: bool) -> None:
        self.cache = cache
        self.quick = quick
        self.files = Files(cache)
        self.curves: Curves = {}
        """What rows found out about growth."""
        self.memory_at_start = 0
        """What the daemon took before it was asked anything."""
        self._running = ExitStack()

    def __enter__(self) -> "Contest":
        return self

    def __exit__(self, *_: object) -> None:
        self._running.close()

    # How much is measured ------------------------------------------------------------------------

    def repeat(self, times: int) -> int:
        return max(3, times // 10) if self.quick else times

    @property
    def log(self) -> Path:
        """A log too large to be counted for a window, even in a quick run."""
        return self.files.log(128 * MIB if self.quick else GIB)

    @property
    def deep_line(self) -> int:
        return 1_000_000 if self.quick else 10_000_000

    @property
    def endless_log(self) -> Path:
        """A log that takes long enough to count to measure other requests meanwhile."""
        return self.files.log(GIB if self.quick else 4 * GIB)

    # The contenders ------------------------------------------------------------------------------

    def start(self, command: Sequence[str], framing: Framing = HEADERS) -> Peer:
        peer = Peer(command, framing)
        self._running.callback(peer.close)
        return peer

    @cached_property
    def forge(self) -> Peer:
        """The same daemon for all rows, so that its memory tells of all of them."""
        peer = self.start(FORGE)
        self.shake_hands(peer, {"capabilities": {}})
        self.memory_at_start = resident_bytes(peer.pid)
        return peer

    def another_forge(self) -> Peer:
        """One of a row's own."""
        peer = self.start(FORGE)
        self.shake_hands(peer, {"capabilities": {}})
        return peer

    @cached_property
    def plain_pygls(self) -> Peer:
        peer = self.start(PLAIN_PYGLS)
        self.shake_hands(peer, {"capabilities": {}})
        return peer

    @cached_property
    def echo(self) -> Peer:
        """Returns the daemon's own answer for the window of the text."""
        peer = self.start(ECHO)
        peer.request("say", self.forge.request("forge/readFile", window(self.files.module())))
        return peer

    @cached_property
    def filesystem_server(self) -> Peer:
        peer = self.start([*filesystem_server(self.cache), str(self.files.folder)], LINES)
        client = {"name": "bench", "version": "1"}
        peer.request("initialize", {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": client})
        peer.notify("notifications/initialized", {})
        return peer

    def shake_hands(self, peer: Peer, capabilities: dict[str, Any]) -> None:
        peer.request("initialize", self.initialize_params(capabilities))
        peer.notify("initialized", {})

    def initialize_params(self, capabilities: dict[str, Any]) -> dict[str, Any]:
        folder = {"uri": self.files.folder.as_uri(), "name": "files"}
        return {"processId": None, "rootUri": None, "workspaceFolders": [folder], **capabilities}

    def forget(self) -> None:
        """Restart the daemon, so that it knows no file."""
        self.forge.request("workspace/executeCommand", {"command": "forge.cache.clear", "arguments": [{}]})

    def time_cold(self, method: str, params: dict[str, Any]) -> list[float]:
        self.forget()
        return self.forge.time(method, params)


def window(path: Path, start_line: int = 1) -> dict[str, Any]:
    return {"path": path.name, "start_line": start_line, "max_lines": WINDOW_LINES}


def vscode_abilities() -> dict[str, Any]:
    """What a real VS Code says of itself, as pytest-lsp recorded it."""
    package = find_spec("pytest_lsp")
    assert package is not None
    assert package.origin is not None
    newest = max((Path(package.origin).parent / "clients").glob("visual_studio_code_*.json"))
    capabilities: dict[str, Any] = json.loads(newest.read_text())
    return capabilities
