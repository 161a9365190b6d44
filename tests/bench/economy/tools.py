"""The tools, each as a model sees it: a call's arguments and the text that comes back."""

import json
import subprocess
import sys
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

from tests.bench.client import BrokenPeer, Peer
from tests.bench.framing import LINES
from tests.bench.npm import DESKTOP_COMMANDER, filesystem_server, npm_server
from tests.bench.row import Skipped

from . import tokens

TEXT_EDITOR = ("mcp-text-editor==1.0.2", "mcp<2")


class Tool:
    """An MCP server, and what its answers have cost since the last `reset`."""

    def __init__(self, name: str, command: Sequence[str], *, numbers_lines: bool) -> None:
        self.name = name
        self.numbers_lines = numbers_lines
        self.calls = 0
        self.spent = 0
        """Tokens of the answers' text. Images are not counted."""
        self.seen = ""
        self._peer = Peer(command, LINES)
        client = {"name": "economy", "version": "1"}
        self._ask("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        self._peer.notify("notifications/initialized", {})
        self.definitions = tokens.count(json.dumps(self._ask("tools/list", {})["tools"], separators=(",", ":")))

    def reset(self) -> None:
        self.calls, self.spent, self.seen = 0, 0, ""

    def __call__(self, tool: str, **arguments: Any) -> str:
        """The text of the answer."""
        result = self._ask("tools/call", {"name": tool, "arguments": arguments})
        text = "\n".join(block["text"] for block in result["content"] if block["type"] == "text")
        self.calls += 1
        self.spent += tokens.count(text)
        self.seen += text + "\n"
        return text

    def close(self) -> None:
        self._peer.close()

    def _ask(self, method: str, params: dict[str, Any]) -> Any:
        try:
            return self._peer.request(method, params)
        except BrokenPeer as refused:
            if method != "tools/call":
                raise
            return {"content": [{"type": "text", "text": str(refused)}]}


def forge(folder: Path, _cache: Path) -> Tool:
    return Tool("forge-read", [sys.executable, "-m", "forge_daemon", "mcp", str(folder)], numbers_lines=True)


def filesystem(folder: Path, cache: Path) -> Tool:
    return Tool("server-filesystem", [*filesystem_server(cache), str(folder)], numbers_lines=False)


def text_editor(_folder: Path, cache: Path) -> Tool:
    """It reads line ranges of several files, and answers with JSON."""
    environment = cache / "mcp-text-editor-1.0.2"
    program = environment / "bin" / "mcp-text-editor"
    if not program.exists():
        create = [sys.executable, "-m", "venv", str(environment)]
        install = [str(environment / "bin" / "python"), "-m", "pip", "install", "--quiet", *TEXT_EDITOR]
        for step in (create, install):
            if subprocess.run(step, capture_output=True).returncode:
                raise Skipped(f"{TEXT_EDITOR[0]} cannot be installed")
    return Tool("mcp-text-editor", [str(program)], numbers_lines=False)


def desktop_commander(_folder: Path, cache: Path) -> Tool:
    """It reads parts of files, and searches with ripgrep, if that is installed."""
    home = cache / "desktop-commander-home"  # it writes its settings there
    home.mkdir(exist_ok=True)
    program = ["env", f"HOME={home}", *npm_server(cache, DESKTOP_COMMANDER)]
    return Tool("desktop-commander", program, numbers_lines=False)


MAKERS: list[Callable[[Path, Path], Tool]] = [forge, filesystem, text_editor, desktop_commander]
