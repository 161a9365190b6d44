"""Counts newlines through a file, in growing batches: small reads stay small, and long scans are fast."""

from threading import Condition

from forge_daemon.light_typing import TYPE_CHECKING

from .newlines import count_by_stride, fast_counter

if TYPE_CHECKING:
    from forge_daemon.reading.sources.source import ReadAt

FIRST_BATCH = 256 * 1024
BLOCK = 2 * 1024 * 1024
"""Read and counted at once. Smaller ones would fit better into the processor's
cache, but the more there are, the more often scans and readers wait for each other."""
LARGEST_BATCH = 8 * 1024 * 1024
"""How far a scan goes before it can be stopped."""
LONG = 1024 * 1024
"""From here on it pays to load stringzilla."""


class Scan:
    """One reader's scan of a file."""

    turn = Condition()
    """Of all files together: one for each would take more memory than everything else that is known of a small file."""

    def __init__(self, read_at: "ReadAt", start: int, end: int, stride: int) -> None:
        self._read_at = read_at
        self._end = end
        self._stride = stride
        self._batch = FIRST_BATCH
        self._count = (fast_counter() if end - start >= LONG else None) or count_by_stride

    def count_from(self, start: int) -> list[int]:
        """The newlines of the next strides."""
        until = min(start + self._batch, self._end)
        self._batch = min(self._batch * 2, LARGEST_BATCH)
        counts: list[int] = []
        for offset in range(start, until, BLOCK):
            counts += self._count(self._read_at(offset, min(BLOCK, until - offset)), self._stride)
        return counts
