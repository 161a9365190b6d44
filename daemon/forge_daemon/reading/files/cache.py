"""What is known of files that were read before: one cache per workspace folder, bounded in bytes."""

import threading
from collections import OrderedDict
from typing import NamedTuple

from .file_bytes import Knowledge
from .same_file import Identity

ENTRY_BYTES = 2000
"""What Python takes for an entry, beside what is counted."""


class KnownFile(NamedTuple):
    identity: Identity
    etag: str
    knowledge: Knowledge
    fingerprint: bytes
    """See `same_file`."""
    held: bytes | None = None
    """All of a small file."""
    is_growing: bool = False
    """The file was seen to grow, and to change in no other way."""

    @property
    def memory(self) -> int:
        return ENTRY_BYTES + self.knowledge.memory + len(self.held or b"")


class CacheFigures(NamedTuple):
    entries: int
    bytes: int
    hits: int
    misses: int
    evictions: int


class FileCache:
    """Files by device and inode; the least recently used is evicted first. Thread-safe."""

    def __init__(self, max_bytes: int) -> None:
        self._lock = threading.Lock()
        self._files: OrderedDict[tuple[int, int], tuple[KnownFile, int]] = OrderedDict()
        """Each with the memory that it took when it was last read."""
        self._max_bytes = max_bytes
        self._bytes = self._hits = self._misses = self._evictions = 0

    def get(self, identity: Identity) -> KnownFile | None:
        found = self._files.get(identity[:2])
        return found and found[0]

    def count(self, *, hit: bool) -> None:
        """Count one read of a file for the statistics."""
        with self._lock:
            self._hits += hit
            self._misses += not hit

    def put(self, file: KnownFile) -> None:
        """Add a file, or update how much memory it takes."""
        key, size = file.identity[:2], file.memory
        with self._lock:
            self._drop(key)
            if size <= self._max_bytes:
                self._files[key] = file, size
                self._bytes += size
                self._evict()

    def forget(self, identity: Identity) -> None:
        with self._lock:
            self._drop(identity[:2])

    def clear(self) -> None:
        with self._lock:
            self._files.clear()
            self._bytes = 0

    def resize(self, max_bytes: int) -> None:
        if max_bytes == self._max_bytes:
            return
        with self._lock:
            self._max_bytes = max_bytes
            self._evict()

    def figures(self) -> CacheFigures:
        with self._lock:
            return CacheFigures(len(self._files), self._bytes, self._hits, self._misses, self._evictions)

    def _drop(self, key: tuple[int, int]) -> None:
        _, size = self._files.pop(key, (None, 0))
        self._bytes -= size

    def _evict(self) -> None:
        while self._bytes > self._max_bytes:
            self._drop(next(iter(self._files)))
            self._evictions += 1
