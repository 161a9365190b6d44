"""`forge-read doctor`: the facts a bug report needs, and a test of the daemon."""

import os
import platform
import subprocess
import sys
import tempfile
from argparse import Namespace
from collections.abc import Iterator, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any, NamedTuple

from forge_daemon import __version__
from forge_daemon.rpc.framing import frame
from forge_daemon.rpc.json_text import encode
from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.settings import Problem, SettingsStore, user_settings_path
from forge_protocol import PROTOCOL_VERSION

from .output import Output

PACKAGES = ("pygls", "lsprotocol", "cattrs", "attrs", "pathspec", "orjson", "google-re2", "stringzilla")
MAY_BE_ABSENT = {
    "orjson": "answers are slower",
    "google-re2": "regular expressions are searched much more slowly",
    "stringzilla": "lines are counted and literals found more slowly",
}
TIMEOUT_SECONDS = 60.0
"""The first start on a slow or busy machine can take half of it."""
_SUBJECT_WIDTH = 14
_TEXT = "read by the daemon"
_REPORT_IT = "report this, with what `forge-read serve` writes to stderr"


class Finding(NamedTuple):
    subject: str
    words: str
    remedy: str | None = None
    """What to do about it; None where nothing is wrong."""


def doctor(_options: Namespace) -> int:
    output = Output()
    healthy = True
    for finding in _findings():
        healthy = healthy and finding.remedy is None
        output.write(output.named(f"{finding.subject:<{_SUBJECT_WIDTH}}{finding.words}") + "\n")
        if finding.remedy is not None:
            output.write(output.named(f"{'':<{_SUBJECT_WIDTH}}-> {finding.remedy}") + "\n")
    output.write("\neverything works\n" if healthy else "\nproblems found, see the lines marked ->\n")
    output.flush()
    return 0 if healthy else 1


def _findings() -> Iterator[Finding]:
    yield Finding("forge-read", f"{__version__}, protocol {PROTOCOL_VERSION}")
    yield Finding("python", f"{platform.python_version()} ({platform.python_implementation()}), {sys.executable}")
    yield Finding("platform", platform.platform())
    yield from map(_package, PACKAGES)
    yield from _settings()
    yield _daemon()


def _package(name: str) -> Finding:
    try:
        return Finding(name, version(name))
    except PackageNotFoundError:
        if name in MAY_BE_ABSENT:
            return Finding(name, f"not installed: {MAY_BE_ABSENT[name]}; results are the same")
        return Finding(name, "not installed", "install forge-read again: it needs this package")


def _settings() -> Iterator[Finding]:
    path = user_settings_path()
    try:
        folder = os.getcwd()
    except OSError:
        yield Finding("folder", "the working directory was removed", "change to another one")
        return
    store = SettingsStore()
    store.for_folder(folder)
    problems = store.problems()
    yield Finding("settings", path if os.path.exists(path) else f"{path} (does not exist: defaults apply)")
    yield Finding("folder", folder)
    yield from map(_problem, problems)


def _problem(problem: Problem) -> Finding:
    name = problem.path or problem.file
    place = f"{name}:{problem.line}" if problem.line else f"{name}"
    words = f"{place}: {problem.key}: {problem.message}" if problem.key else f"{place}: {problem.message}"
    remedy = (
        "fix this setting; until then it is ignored (a broken [policy] blocks all reads)"
        if problem.severity == "error"
        else None
    )
    return Finding(problem.severity, words, remedy)


def _daemon(command: Sequence[str] = (sys.executable, "-m", "forge_daemon", "serve")) -> Finding:
    """A short session with a real daemon: start, read a file, shut down. Its stderr is ours, for the bug report."""
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, "file"), "w", encoding="utf-8") as file:
            file.write(_TEXT)
        root = {"processId": os.getpid(), "rootUri": folder_from_path(directory).uri, "capabilities": {}}
        messages: list[dict[str, Any]] = [
            {"id": 1, "method": "initialize", "params": root},
            {"method": "initialized", "params": {}},
            {"id": 2, "method": "forge/readFile", "params": {"path": "file"}},
            {"id": 3, "method": "shutdown"},
            {"method": "exit"},
        ]
        session = b"".join(frame(encode({"jsonrpc": "2.0", **message})) for message in messages)
        try:
            daemon = subprocess.run(
                command, input=session, stdout=subprocess.PIPE, timeout=TIMEOUT_SECONDS, check=False
            )
        except (OSError, subprocess.TimeoutExpired) as error:
            return Finding("daemon", f"{error}", _REPORT_IT)
    if daemon.returncode != 0 or _TEXT.encode() not in daemon.stdout:
        return Finding("daemon", f"did not read a file, exit code {daemon.returncode}", _REPORT_IT)
    return Finding("daemon", "started, read a file and ended")
