"""The bytes of one file or open document, at one moment."""

from collections.abc import Callable
from typing import Literal, NamedTuple, Protocol

from .knowledge import Knowledge

ReadAt = Callable[[int, int], bytes]
"""`(offset, length)` to exactly that many bytes, or fewer only at the end."""

Progress = Callable[[int, int], None]
"""Called regularly during long work with `(bytes done, bytes in all)`; raises to stop it."""

SMALL_BYTES = 1024 * 1024
"""A file up to this size is held in memory while it is read."""


def no_progress(_done: int, _total: int) -> None:
    """For work whose progress is not shown and which is not cancelled."""


class FileChanged(Exception):
    """The file changed while it was read, and not only by growing."""


class Member(Protocol):
    """A file of a rotated set. Only the newest may change."""

    size: int
    key: bytes
    """As in `FileBytes`."""
    identity: bytes
    """Changes whenever the file does."""
    is_racy: bool
    start_line: int | None
    """The number of its first line in the text of the set, once it is known."""
    reason: str | None
    """Why all of it is left out, or the rest of it."""

    def open(self) -> "FileBytes | None":
        """The file as it is now, usable until some others were opened; None if it may not be read."""


class FileBytes(NamedTuple):
    """A snapshot: a file that grows is read as far as it reached when it was opened."""

    kind: Literal["disk", "buffer"]
    size: int
    read_at: ReadAt
    etag: str
    mtime_ms: int | None
    knowledge: Knowledge
    """What was learned of the file and stays true while it only grows."""
    is_racy: bool = False
    """The file was written a moment ago, and may change again without a change of its times."""
    key: bytes = b""
    """Names the file whatever it contains; empty for a document, which never counts as grown."""
    document_version: int | None = None
    changed_ms: int | None = None
    """When an open document was last changed."""
    members: tuple[Member, ...] = ()
    """Of a rotated set: its files, the oldest first."""
    newest: int = 0
    """Of a part of a rotated set: how many files it has, counted from the newest."""

    @classmethod
    def held(cls, data: bytes) -> "FileBytes":
        """A file on disk that is read once: nothing is remembered of it, so it has no `etag`."""
        return cls("disk", len(data), lambda offset, length: data[offset : offset + length], "", None, Knowledge())

    @property
    def is_set(self) -> bool:
        """Whether its text is that of several files."""
        return len(self.members) > 1
