"""`forge-read doctor`: the facts a bug report needs, and a test of the daemon."""

import os
import platform
import sys
import tempfile
from collections.abc import Iterator

from forge_daemon import __version__
from forge_daemon.light_typing import NamedTuple
from forge_daemon.workspace import sandbox, windows
from forge_daemon.workspace.settings import Problem, SettingsStore, user_settings_path
from forge_daemon.workspace.walk import READ
from forge_protocol import PROTOCOL_VERSION

from .arguments import Options
from .output import Output
from .trial import TrialFailed, try_daemon

PACKAGES = ("pygls", "lsprotocol", "cattrs", "attrs", "orjson", "google-re2", "stringzilla")
MAY_BE_ABSENT = {
    "orjson": "answers are slower",
    "google-re2": "regular expressions are searched much more slowly",
    "stringzilla": "lines are counted and literals found more slowly",
}
_SUBJECT_WIDTH = 14


class Finding(NamedTuple):
    subject: str
    words: str
    remedy: str | None = None
    """What to do about it; None where nothing is wrong."""


def doctor(_options: Options) -> int:
    output = Output()
    healthy = True
    for finding in _findings():
        healthy = healthy and finding.remedy is None
        output.write(output.named(f"{finding.subject:<{_SUBJECT_WIDTH}}{finding.words}") + "\n")
        if finding.remedy is not None:
            output.write(output.named(f"{'':<{_SUBJECT_WIDTH}}-> {finding.remedy}") + "\n")
    output.write("\neverything works\n" if healthy else "\nsomething is wrong: see ->\n")
    output.close()
    return 0 if healthy else 1


def _findings() -> Iterator[Finding]:
    yield Finding("forge-read", f"{__version__}, protocol {PROTOCOL_VERSION}")
    yield Finding("python", f"{platform.python_version()} ({platform.python_implementation()}), {sys.executable}")
    yield Finding("platform", platform.platform())
    yield from map(_package, PACKAGES)
    yield Finding("sandbox", _sandbox())
    yield from _settings()
    yield _daemon()


def _package(name: str) -> Finding:
    from importlib.metadata import PackageNotFoundError, version

    try:
        return Finding(name, version(name))
    except PackageNotFoundError:
        if name in MAY_BE_ABSENT:
            return Finding(name, f"not installed: {MAY_BE_ABSENT[name]}; results are the same")
        return Finding(name, "not installed", "install forge-read again: it needs this package")


def _sandbox() -> str:
    """How files are opened on this machine. Old kernels lack `openat2`, and containers may forbid it."""
    if windows.ACTIVE:
        return "handles: each name of a path is opened relative to the directory before it"
    if sandbox.open_directly is None:
        return "walk: a path is opened one name at a time"
    with tempfile.TemporaryDirectory() as directory:
        root = os.open(directory, os.O_RDONLY)
        try:
            os.close(sandbox.open_directly(root, ".", READ))
        except OSError as error:
            return f"walk: a path is opened one name at a time, because openat2 fails: {error.strerror}"
        finally:
            os.close(root)
    return "openat2"


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
    place = f"{problem.file}:{problem.line}" if problem.line else f"{problem.file}"
    words = f"{place}: {problem.key}: {problem.message}" if problem.key else f"{place}: {problem.message}"
    remedy = (
        "correct it: until then it is left out; where it is policy, nothing is read"
        if problem.severity == "error"
        else None
    )
    return Finding(problem.severity, words, remedy)


def _daemon() -> Finding:
    try:
        seconds = try_daemon()
    except TrialFailed as failure:
        return Finding("daemon", f"{failure}", "report this, with what `forge-read serve` writes to stderr")
    return Finding("daemon", f"started, read a file and ended in {seconds:.1f} s")
