"""A small file that is read again whenever it may have changed."""

import errno
import os
import stat
import sys
import time
from _thread import allocate_lock as Lock
from itertools import count

from forge_daemon.light_typing import TYPE_CHECKING, NamedTuple
from forge_daemon.reading.sources.source import change_time_ns

from .folder import normal_path
from .storage import IsLocal, is_local

if TYPE_CHECKING:
    from threading import Thread

LARGEST_FILE = 256 * 1024
YOUNG_NS = 2_100_000_000
"""A file written less than this ago can be written again without its times moving: it is not trusted yet."""

PATIENCE_SECONDS = 1.0
"""Longer than storage that works takes to answer; also how long an answer of storage that is not local is believed."""

_CAN_ASK = os.access in os.supports_follow_symlinks

Identity = tuple[int, int, int, int, int]


class Unreadable(NamedTuple):
    """A file that exists but could not be read, and why."""

    reason: str


_LINK = Unreadable("a symbolic link, which is not followed")

Contents = bytes | Unreadable | None
"""None: there is no such file."""


class MustWait(Exception):
    """The file is on storage that may not answer at once."""


class FileState(NamedTuple):
    """The state of a file. The identity is None if a later change might not show in it."""

    identity: Identity | None
    contents: Contents
    number: int
    """Later looks have larger ones."""


class WatchedFile:
    """What was last read of a file. Costs one `stat` as long as nothing changes."""

    def __init__(self, path: str, *, follow_links: bool) -> None:
        self._path = path
        self._follow_links = follow_links
        self._seen = FileState(None, None, 0)
        self._numbers = count(1)
        self._lock = Lock()
        self._looking: Thread | None = None
        self._answered = -PATIENCE_SECONDS

    def watch(self, path: str) -> None:
        """Watch the file at this path from now on."""
        self._path = path
        self._answered = -PATIENCE_SECONDS

    def look_briefly(self) -> FileState | None:
        """Like `look`, but does not wait for storage that does not answer: what was last read then applies."""
        if sys.platform != "linux" or is_local(self._path):
            return self.look()
        if self.is_fresh():
            return None
        from threading import Thread

        looks: list[FileState | None] = []
        with self._lock:
            # Until something was seen, each caller looks: a file that was never looked at is not a missing file.
            if self._seen.number and self._looking is not None and self._looking.is_alive():
                return None
            looking = self._looking = Thread(target=lambda: looks.append(self.look()), name="settings", daemon=True)
            looking.start()
        looking.join(PATIENCE_SECONDS)
        if looks:
            self._answered = time.monotonic()
            return looks[0]
        if self._seen.number:
            return None
        return FileState(None, Unreadable("cannot be read: its storage does not answer"), next(self._numbers))

    def is_fresh(self) -> bool:
        """Whether storage that is not local answered a moment ago, and what it said is known."""
        return bool(self._seen.number) and time.monotonic() - self._answered < PATIENCE_SECONDS

    def look_inline(self, local_now: IsLocal | None = None) -> FileState | None:
        """Like `look_briefly`, but raises `MustWait` instead of blocking."""
        if (local_now or is_local)(self._path):
            return self.look()
        if self.is_fresh():
            return None
        raise MustWait

    def look(self) -> FileState | None:
        """What the file is now, or None where it is known to be as it was. Needs no lock, and may block."""
        seen = self._seen
        # Most folders have no such file and never will: this costs a fraction of a `stat` that fails.
        is_absent = seen.number and seen.contents is None and _CAN_ASK
        if is_absent and not os.access(self._path, os.F_OK, follow_symlinks=self._follow_links):
            return None
        number, now = next(self._numbers), time.time_ns()
        try:
            status, changed_ns = self._status()
            identity = status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, changed_ns
            if identity == seen.identity:
                return None
            contents = self._read(status)
        except (FileNotFoundError, NotADirectoryError):
            return FileState(None, None, number)
        except OSError as error:
            is_link = error.errno == errno.ELOOP and not self._follow_links
            return FileState(None, _LINK if is_link else Unreadable(f"cannot be read: {error.strerror}"), number)
        is_stable = max(status.st_mtime_ns, changed_ns) < now - YOUNG_NS
        return FileState(identity if is_stable else None, contents, number)

    def is_outdated(self, state: FileState) -> bool:
        """Whether another thread, which looked later, has already stored what it saw."""
        return state.number < self._seen.number

    def is_news(self, state: FileState) -> bool:
        return state.contents != self._seen.contents

    def remember(self, state: FileState) -> None:
        """Make `look` compare with this. To be called once everything derived from it is in place."""
        self._seen = state

    def _status(self) -> tuple[os.stat_result, int]:
        """Also when the file was last changed, which Windows reports only for open files."""
        if sys.platform == "win32":
            descriptor = self._open(self._path, os.O_RDONLY)
            try:
                status = os.fstat(descriptor)
                return status, change_time_ns(descriptor, status)
            finally:
                os.close(descriptor)
        status = os.stat(self._path, follow_symlinks=self._follow_links)
        return status, status.st_ctime_ns

    def _read(self, status: os.stat_result) -> bytes | Unreadable:
        if stat.S_ISLNK(status.st_mode):
            return _LINK
        if not stat.S_ISREG(status.st_mode):
            return Unreadable("not a regular file")
        with open(self._path, "rb", opener=self._open) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                return Unreadable("not a regular file")
            contents = file.read(LARGEST_FILE + 1)
        return contents if len(contents) <= LARGEST_FILE else Unreadable("larger than 256 KiB")

    def _open(self, path: str, flags: int) -> int:
        if sys.platform == "win32":
            from .windows_entries import open_path

            # It shares everything: an editor may replace the file meanwhile.
            return open_path(normal_path(path), follow_links=self._follow_links)
        # What was a regular file a moment ago may be a FIFO or a link by now.
        flags |= getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOCTTY", 0)
        if not self._follow_links:
            flags |= getattr(os, "O_NOFOLLOW", 0)
        return os.open(path, flags)
