"""Where a window's bytes come from, and how to tell whether they are still the same bytes."""

import os
import time
from collections.abc import Callable
from typing import TYPE_CHECKING, Literal, NamedTuple

from forge_daemon.reading.digest import digest

if TYPE_CHECKING:
    from forge_daemon.reading.lines.line_index import LineIndex

ReadAt = Callable[[int, int], bytes]
"""`(offset, length)` to exactly that many bytes, or fewer only where the source ends."""

Progress = Callable[[int, int], None]
"""Called now and then in long work with `(bytes done, bytes in all)`; raises to stop it."""


class NotAtOnce(Exception):
    """This may take long, and whoever asked cannot wait: it has to be done elsewhere."""


class FileChanged(Exception):
    """The file did not hold still while it was read."""


class Stat(NamedTuple):
    """One look at an open file."""

    status: os.stat_result
    not_before_ns: int
    """By the clock: it was looked at then, or later."""


def stat_of(fd: int) -> Stat:
    now = time.time_ns()
    return Stat(os.fstat(fd), now)


class Identity(NamedTuple):
    """What changes when a file does, as far as the file system tells."""

    device: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, status: os.stat_result) -> "Identity":
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, status.st_ctime_ns)

    def stable(self, now_ns: int) -> bool:
        """Whether a later change is certain to show.

        Two writes within one tick of the file system's clock leave the same times, so a file that was
        written just before we looked may change again unseen. The coarsest clock in use ticks every two
        seconds.
        """
        return max(self.mtime_ns, self.ctime_ns) < now_ns - CLOCK_TICK_NS


CLOCK_TICK_NS = 2_100_000_000


class Source(NamedTuple):
    """The bytes of one file or document, at one moment."""

    kind: Literal["disk", "buffer"]
    size: int
    read_at: ReadAt
    etag: str
    line_index: "LineIndex"
    mtime_ms: int | None
    document_version: int | None = None

    @property
    def may_be_binary(self) -> bool:
        return self.kind == "disk"


def etag_of(*parts: bytes) -> str:
    import base64

    return base64.urlsafe_b64encode(digest(*parts, size=ETAG_BYTES)).rstrip(b"=").decode()


ETAG_BYTES = 16
