"""Whichever system call fails: the right error code, no lost descriptor, and the next request works."""

import errno
import os
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from forge_daemon.reading.files.disk import HELD_BYTES
from forge_daemon.reading.files.document import Document
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ErrorCode, ReadError
from tests.hostile.conftest import Figure
from tests.workspace.readers import read, reader_of
from tests.workspace.workspaces import folder, link, open_descriptors, write

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="the system calls of POSIX")

ERRNOS = [errno.EIO, errno.EINTR, errno.EMFILE, errno.ENOMEM, errno.EACCES, errno.ESTALE, errno.ENXIO]
CALLS = ("open", "fstat", "pread", "readlink", "stat", "scandir", "close", "lstat")
BY_ERRNO = {
    errno.EACCES: {ErrorCode.PERMISSION_DENIED},
    errno.ENXIO: {ErrorCode.NOT_FILE, ErrorCode.INTERNAL},
}
"""Whatever else the system says is an `INTERNAL`."""


class Call(NamedTuple):
    name: str
    about_settings: bool
    can_fail: bool
    """Closing what was never opened for reading, a descriptor of O_PATH, has nothing to write back."""


class Injector:
    """Wraps system calls: counts them, and makes one of them, or all after it, fail."""

    def __init__(self) -> None:
        self.calls: list[Call] = []
        self.failed: list[Call] = []
        self._at, self._number, self._for_good = 0, 0, False
        self._settings_descriptors: set[int] = set()
        self._path_descriptors: set[int] = set()

    @contextmanager
    def failing(self, at: int, number: int, for_good: bool) -> Iterator[None]:
        self.calls, self.failed = [], []
        self._at, self._number, self._for_good = at, number, for_good
        try:
            yield
        finally:
            self._at = 0

    def between(self, name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        def injected(*args: Any, **kwargs: Any) -> Any:
            about_settings = str(args[0]).endswith(".toml") or args[0] in self._settings_descriptors
            can_fail = not (name == "close" and args[0] in self._path_descriptors)
            self.calls.append(Call(name, about_settings, can_fail))
            here = len(self.calls)
            fails = can_fail and (0 < self._at == here or (self._for_good and 0 < self._at < here))
            if fails:
                self.failed.append(self.calls[-1])
            if fails and name != "close":
                raise OSError(self._number, os.strerror(self._number))
            result = call(*args, **kwargs)
            if name == "open":
                self._opened(result, about_settings, args[1])
            if name == "close":
                self._settings_descriptors.discard(args[0])
                self._path_descriptors.discard(args[0])
            if fails:  # a close that fails has closed
                raise OSError(self._number, os.strerror(self._number))
            return result

        return injected

    def _opened(self, descriptor: int, about_settings: bool, flags: int) -> None:
        if about_settings:
            self._settings_descriptors.add(descriptor)
        if flags & getattr(os, "O_PATH", 0):
            self._path_descriptors.add(descriptor)


@pytest.fixture
def injector(monkeypatch: pytest.MonkeyPatch) -> Injector:
    injector = Injector()
    for name in CALLS:
        monkeypatch.setattr(os, name, injector.between(name, getattr(os, name)))
    return injector


Scenario = Callable[[Path], Callable[[], str]]
"""Prepares a workspace; what is given back reads from it."""


def small(base: Path) -> Callable[[], str]:
    reader = reader_of(folder(base / "ws"))
    write(base / "ws/dir/file", "text\n")
    return lambda: read(reader, "dir/file").answer


def large(base: Path) -> Callable[[], str]:
    reader = reader_of(folder(base / "ws"))
    write(base / "ws/file", "x" * (HELD_BYTES + 1))
    return lambda: read(reader, "file").answer


def through_links(base: Path) -> Callable[[], str]:
    reader = reader_of(folder(base / "ws"))
    write(base / "ws/dir/file", "text\n")
    link(base / "ws/dir/link", "../other")
    link(base / "ws/other", base / "ws/dir/file")
    return lambda: read(reader, "dir/link").answer


def not_there(base: Path) -> Callable[[], str]:
    reader = reader_of(folder(base / "ws"))
    write(base / "ws/file.txt", "text\n")
    return lambda: read(reader, "fiel.txt").answer


def in_one_of_two_folders(base: Path) -> Callable[[], str]:
    reader = reader_of(folder(base / "ws"), folder(base / "other"))
    write(base / "other/file", "text\n")
    return lambda: read(reader, "file").answer


def with_settings(base: Path) -> Callable[[], str]:
    reader = reader_of(folder(base / "ws"))
    write(base / "ws/forge.toml", '[policy]\ndeny = ["secret"]\n')
    write(base / "ws/file", "text\n")
    write(base / "ws/secret", "SECRET")
    read(reader, "file")
    return lambda: read(reader, "file").answer


def denied_by_settings(base: Path) -> Callable[[], str]:
    with_settings(base)
    reader = reader_of(folder(base / "ws"))
    read(reader, "file")
    return lambda: read(reader, "secret").answer


def with_a_document_open(base: Path) -> Callable[[], str]:
    reader = reader_of(folder(base / "ws"))
    write(base / "ws/file", "on the disk\n")
    link(base / "ws/link", "file")
    reader.documents.put(str(base / "ws/link"), Document("in the editor\n", 1))
    return lambda: read(reader, "file").answer


SCENARIOS: list[Scenario] = [
    small,
    large,
    through_links,
    not_there,
    in_one_of_two_folders,
    with_settings,
    denied_by_settings,
    with_a_document_open,
]


def outcome(ask: Callable[[], str]) -> str:
    try:
        return f"={ask()}"
    except ReadError as error:
        assert tempfile.gettempdir() not in f"{error.message} {error.data()}"
        return error.code


def right_outcomes(failed: list[Call], number: int, healthy: str, has_policy: bool) -> set[str]:
    """A fault may be made good (an interrupted call by another) or not matter (a hint, a settings file as it was)."""
    right = {healthy}
    if any(call.about_settings for call in failed) and not has_policy:
        # Whether there is a policy now is unknown, and no earlier one can stay in force: nothing is read.
        right.add(ErrorCode.POLICY_DENIED)
    if any(not call.about_settings for call in failed):
        right |= BY_ERRNO.get(number, {ErrorCode.INTERNAL})
    if any(call.name in ("lstat", "readlink") for call in failed):
        # Where a document leads cannot be told at the moment, so the file's own text is all there is.
        right.add("=on the disk\n")
    return right


@pytest.mark.parametrize("for_good", [False, True], ids=["once", "for good"])
@pytest.mark.parametrize("scenario", SCENARIOS, ids=lambda scenario: scenario.__name__)
def test_every_call_that_fails_is_answered_rightly(
    tmp_path: Path, injector: Injector, figure: Figure, scenario: Scenario, for_good: bool
) -> None:
    ask = scenario(tmp_path.resolve())
    injector.calls = []
    healthy = outcome(ask)
    calls = injector.calls
    assert calls
    has_policy = scenario in (with_settings, denied_by_settings)
    before = open_descriptors()
    injected = 0
    for number in ERRNOS:
        for at, call in enumerate(calls, 1):
            if not call.can_fail:
                continue
            with injector.failing(at, number, for_good):
                found = outcome(ask)
            # What is proved and remembered differs from time to time, so another call than in the healthy run may fail.
            failed = injector.failed
            assert found in right_outcomes(failed, number, healthy, has_policy), (failed, errno.errorcode[number])
            assert open_descriptors() == before, (failed, errno.errorcode[number])
            assert outcome(ask) == healthy, (failed, errno.errorcode[number])
            injected += bool(failed)
    figure("faults injected", "in process, right code each, no descriptor lost", injected)


def test_a_fault_of_the_file_itself_is_not_made_good(tmp_path: Path, injector: Injector) -> None:
    ask = small(tmp_path.resolve())
    injector.calls = []
    outcome(ask)
    reads = [at for at, call in enumerate(injector.calls, 1) if call.name == "pread"]
    assert reads
    for number in ERRNOS:
        with injector.failing(reads[0], number, for_good=False):
            found = outcome(ask)
        assert found in BY_ERRNO.get(number, {ErrorCode.INTERNAL})


def test_no_descriptor_left_is_said_and_passes(tmp_path: Path) -> None:
    """A process that really has no descriptors left."""
    import resource

    reader: Reader = reader_of(folder(tmp_path.resolve() / "ws"))
    write(tmp_path / "ws/file", "text\n")
    assert read(reader, "file").answer == "text\n"
    limits = resource.getrlimit(resource.RLIMIT_NOFILE)
    used = max(int(name) for name in os.listdir("/dev/fd")) + 1
    held: list[int] = []
    resource.setrlimit(resource.RLIMIT_NOFILE, (used + 8, limits[1]))
    try:
        with pytest.raises(OSError, match="Too many open files"):
            while True:
                held.append(os.open(tmp_path, os.O_RDONLY))
        for free in range(4):
            assert outcome(lambda: read(reader, "file").answer) == (ErrorCode.INTERNAL if free < 3 else "=text\n")
            os.close(held.pop())
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, limits)
        for fd in held:
            os.close(fd)
