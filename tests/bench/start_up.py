"""From nothing to the first answer."""

import subprocess
import sys
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from time import perf_counter
from typing import Any

from .client import Peer
from .contest import FORGE, MINIMAL_MCP, PLAIN_PYGLS, Contest, vscode_abilities
from .framing import LINES
from .row import Bar, Figures, Row, Skipped
from .timing import alternate, processor_seconds_of_command, time_command


def _initialize(contest: Contest) -> Figures:
    params = contest.initialize_params(vscode_abilities())
    ours, theirs = alternate(
        contest.repeat(30),
        lambda: _time_initialize(FORGE, params),
        lambda: _time_initialize(PLAIN_PYGLS, params),
    )
    return Figures(ours, theirs)


def _time_initialize(command: Sequence[str], params: dict[str, Any]) -> list[float]:
    started = perf_counter()
    peer = Peer(command)
    try:
        peer.request("initialize", params)
        return [perf_counter() - started]
    finally:
        peer.close()


def _mcp(contest: Contest) -> Figures:
    if find_spec("mcp") is None:
        raise Skipped("the official SDK is not installed")
    folder = contest.files.folder
    command = (sys.executable, "-m", "forge_daemon", "mcp", str(folder))
    ours, theirs = alternate(
        contest.repeat(30), lambda: _time_tools_listed(command), lambda: _time_tools_listed(MINIMAL_MCP)
    )
    return Figures(ours, theirs)


def _time_tools_listed(command: Sequence[str]) -> list[float]:
    started = perf_counter()
    peer = Peer(command, LINES)
    try:
        client = {"name": "bench", "version": "1"}
        peer.request("initialize", {"protocolVersion": "2025-11-25", "capabilities": {}, "clientInfo": client})
        peer.notify("notifications/initialized", {})
        peer.request("tools/list", {})
        return [perf_counter() - started]
    finally:
        peer.close()


def _command_line(contest: Contest) -> Figures:
    script = Path(sys.executable).with_name("forge-read")
    command = (str(script), "read", contest.files.text().name, "--head", "20")
    folder = contest.files.folder
    try:
        time_command(*command, cwd=folder)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Skipped(f"forge-read read does not work here: {error}") from None
    ours, theirs = alternate(
        contest.repeat(60),
        lambda: processor_seconds_of_command(*command, cwd=folder),
        lambda: processor_seconds_of_command(sys.executable, "-c", "pass", cwd=folder),
    )
    return Figures(ours, theirs)


ROWS = [
    Row("start", "spawn to initialize answered, against plain pygls", Bar(1.1, aim=0.5), _initialize),
    Row("mcp-start", "forge-read mcp, spawn to tools listed, against the official SDK", Bar(0.4), _mcp),
    Row("command", "forge-read read FILE --head 20, against python -c pass", Bar(4.5), _command_line),
]
