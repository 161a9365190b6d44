"""The bytes of one file or open document, at one moment."""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Literal, NamedTuple, Protocol, TypeVar

ReadAt = Callable[[int, int], bytes]
"""`(offset, length)` to exactly that many bytes, or fewer only at the end."""

Progress = Callable[[int, int], None]
"""Called regularly during long work with `(bytes done, bytes in all)`; raises to stop it."""

SMALL_BYTES = 1024 * 1024
"""A file up to this size is held in memory while it is read."""


def no_progress(_done: int, _total: int) -> None:
    """For work whose progress is not shown and which is not cancelled."""


MAX_ITEMS = 32
"""The most items in `Knowledge`."""


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


class HasMemory(Protocol):
    @property
    def memory(self) -> int:
        """In bytes. May grow."""


T = TypeVar("T", bound=HasMemory)


class Knowledge:
    """What was learned of one file: line counts, restart points, matches. Kept while the file only grows.

    Objects by key, the least recently used of which are dropped. Thread-safe; its objects must be too.
    """

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._items: OrderedDict[Hashable, HasMemory] = OrderedDict()

    @property
    def memory(self) -> int:
        with self._lock:
            return sum([item.memory for item in self._items.values()])

    def get(self, key: tuple[Hashable, ...], make: Callable[[], T]) -> T:
        """The object under a key; one key always has the same type."""
        with self._lock:
            item = self._items.get(key)
            if item is None:
                item = self._items[key] = make()
                if len(self._items) > MAX_ITEMS:
                    self._items.popitem(last=False)
            self._items.move_to_end(key)
            return item  # type: ignore[return-value]

    def put(self, key: tuple[Hashable, ...], item: HasMemory) -> None:
        """In the place of what is there."""
        with self._lock:
            self._items[key] = item


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
    fingerprint: bytes = b""
    """A digest of its first and last bytes (`same_file`), if it is known."""
    members: tuple[Member, ...] = ()
    """The files of a rotated set, the oldest first."""
    newest: int = 0
    """How many files a part of a rotated set has, counted from the newest."""

    @property
    def is_set(self) -> bool:
        """Whether its text is that of several files."""
        return len(self.members) > 1
