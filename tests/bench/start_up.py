"""From nothing to the first answer."""

import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from time import perf_counter
from typing import Any

from .client import Peer
from .contest import FORGE, PLAIN_PYGLS, Contest, vscode_abilities
from .row import Bar, Figures, Row, Skipped
from .timing import alternate, time_command


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
        lambda: time_command(*command, cwd=folder),
        lambda: time_command(sys.executable, "-c", "pass", cwd=folder),
    )
    return Figures(ours, theirs)


ROWS = [
    Row("start", "spawn to initialize answered, against plain pygls", Bar(1.1, aim=0.5), _initialize),
    Row("command", "forge-read read FILE --head 20, against python -c pass", Bar(5), _command_line),
]
