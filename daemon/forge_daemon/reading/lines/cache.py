"""Line indexes of files read before: one cache per workspace folder, bounded in bytes.

The least recently used entry is evicted first. An entry is valid for one state of a file. Small files are held whole
and compared byte for byte, so that not even a change that leaves no trace in the file's times is missed.
"""

from _thread import allocate_lock as Lock
from collections import OrderedDict
from collections.abc import Callable

from forge_daemon.light_typing import NamedTuple
from forge_daemon.reading.sources.source import Identity, Source

from .file_clock import FileClocks
from .line_index import LineIndex

_ENTRY_OVERHEAD = 6000
"""The most that Python takes for an entry, with its line index and findings, beside what is counted."""


class Entry(NamedTuple):
    identity: Identity
    etag: str
    line_index: LineIndex
    held: bytes | None = None
    """All of a small file's bytes."""
    source: Source | None = None
    """Where they are read from."""
    ends_digest: bytes = b""
    """It tells whether the file only grew."""
    looked_ns: int = 0
    """By our clock: the file was in this state then, or later."""
    growing: bool = False
    """The file was seen to grow, and to change in no other way."""

    @property
    def memory(self) -> int:
        """It may grow as the file is read."""
        index = self.line_index
        return _ENTRY_OVERHEAD + index.most_memory + index.marks.learned_memory + len(self.held or b"")


class CacheFigures(NamedTuple):
    entries: int
    bytes: int
    hits: int
    misses: int
    evictions: int


class LineIndexCache:
    """Safe to use from several threads."""

    def __init__(self, max_bytes: int) -> None:
        self.clocks = FileClocks()
        self._lock = Lock()
        self._entries: OrderedDict[tuple[int, int], Entry] = OrderedDict()
        self._counted: dict[tuple[int, int], int] = {}
        """The bytes of each entry, when it was last looked at."""
        self._max_bytes = max_bytes
        self._bytes = self._hits = self._misses = self._evictions = 0

    def look_up(self, identity: Identity, holds: Callable[[Entry], bool], *, counts: bool = True) -> Entry | None:
        """The entry of this file, if it is still valid. `counts`: whether this is a hit or a miss in the statistics."""
        key = identity[:2]
        entry = self._entries.get(key)
        if entry is not None:
            if entry.identity.ctime_ns != identity.ctime_ns:
                # The time of the last change is the file system's own: no program can set it.
                self.clocks.note_change(identity.device, identity.ctime_ns, entry.looked_ns)
            if not holds(entry):
                entry = None
        with self._lock:
            if entry is None:
                self._misses += counts
            else:
                self._hits += counts
                if key in self._entries:
                    self._entries.move_to_end(key)
        return entry

    def put(self, entry: Entry) -> None:
        with self._lock:
            self._drop(entry.identity[:2])
            self._entries[entry.identity[:2]] = entry
            self._count(entry)

    def count_again(self, entry: Entry) -> None:
        """Update the memory of an entry: more may be known of the file than when it was added."""
        with self._lock:
            if self._entries.get(entry.identity[:2]) is entry:
                self._bytes -= self._counted.pop(entry.identity[:2])
                self._count(entry)

    def forget(self, device: int, inode: int) -> None:
        """Drop what is known of a file and must not be trusted any more."""
        with self._lock:
            self._drop((device, inode))

    def clear(self) -> None:
        with self._lock:
            self._entries.clear()
            self._counted.clear()
            self._bytes = 0

    def resize(self, max_bytes: int) -> None:
        if max_bytes == self._max_bytes:  # as nearly always
            return
        with self._lock:
            self._max_bytes = max_bytes
            self._evict()

    def figures(self) -> CacheFigures:
        with self._lock:
            return CacheFigures(len(self._entries), self._bytes, self._hits, self._misses, self._evictions)

    def _count(self, entry: Entry) -> None:
        key, memory = entry.identity[:2], entry.memory
        self._counted[key] = memory
        self._bytes += memory
        if memory > self._max_bytes:
            self._drop(key)
        self._evict()

    def _drop(self, key: tuple[int, int]) -> None:
        if self._entries.pop(key, None) is not None:
            self._bytes -= self._counted.pop(key)

    def _evict(self) -> None:
        while self._bytes > self._max_bytes:
            self._drop(next(iter(self._entries)))
            self._evictions += 1
