"""The real command in a real process, in a pipe or on a terminal."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

COMMAND = (sys.executable, "-m", "forge_daemon")
PATIENCE = 60.0
"""Long enough for a busy machine; a test that needs it has failed."""
INTERRUPTED = 130 if sys.platform == "win32" else -signal.SIGINT
"""How a command that is interrupted ends. By the signal itself, which a shell tells as 130, it ends loops as well."""
_PROGRESS = re.compile(r"\r(?:\[[#.]+\] +\d+ % of [\d,]+ MB|\x1b\[K)")
NO_SETTINGS = os.path.join(os.sep, "nowhere", "forge.toml")


class Outcome(NamedTuple):
    code: int
    output: str
    complaint: str


def environment(**changes: str) -> dict[str, str]:
    """Without the settings and colour preferences of the person who runs the tests."""
    kept = {name: value for name, value in os.environ.items() if name not in ("NO_COLOR", "TERM")}
    return kept | {"FORGE_READ_CONFIG": NO_SETTINGS, "TERM": "xterm"} | changes


def environment_of_interrupted() -> dict[str, str]:
    """Without coverage: interrupted at the wrong moment, it waits for its own lock for ever."""
    return {name: value for name, value in environment().items() if not name.startswith("COVERAGE_")}


def run(*arguments: str, at: Path, **changes: str) -> Outcome:
    """In a pipe, with nothing to read."""
    done = subprocess.run(
        [*COMMAND, *arguments],
        cwd=at,
        env=environment(**changes),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=PATIENCE,
    )
    return Outcome(done.returncode, done.stdout.decode(), complaint(done.stderr))


def piped(text: bytes, *arguments: str, at: Path) -> tuple[int, str]:
    """Exit code and output, with standard input from a pipe. Nothing may be written to stderr."""
    done = subprocess.run(
        [*COMMAND, *arguments], cwd=at, env=environment(), input=text, capture_output=True, timeout=PATIENCE
    )
    assert done.stderr == b""
    return done.returncode, done.stdout.decode()


def complaint(written: bytes) -> str:
    """What was written to stderr. Windows ends lines there as it does everywhere else."""
    return written.decode().replace("\r\n", "\n")


def run_on_terminal(*arguments: str, at: Path, **changes: str) -> Outcome:
    """Both streams are the terminal. Progress bars, which a slow machine draws, are left out."""
    code, shown = _on_terminal([*COMMAND, *arguments], at, environment(**changes))
    return Outcome(code, _PROGRESS.sub("", shown), "")


def type_on_terminal(*command: str, typed: str, at: Path) -> str:
    """Run a program with typed input, which must end it. Returns what it shows."""
    return _on_terminal(command, at, environment(), typed)[1]


def _on_terminal(command: Sequence[str], at: Path, env: dict[str, str], typed: str = "") -> tuple[int, str]:
    import pty

    ours, theirs = pty.openpty()
    with subprocess.Popen(command, cwd=at, env=env, stdin=theirs, stdout=theirs, stderr=theirs) as child:
        os.close(theirs)
        os.write(ours, typed.encode())
        shown = b""
        while data := _read(ours):
            shown += data
        os.close(ours)
        code = child.wait(PATIENCE)
    return code, shown.decode().replace("\r\n", "\n")  # a terminal ends lines so


def _read(terminal: int) -> bytes:
    try:
        return os.read(terminal, 65536)
    except OSError:  # how Linux says that the other side is closed
        return b""
