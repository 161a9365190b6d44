"""Where lines start: sparse, so that a file of any size takes a few bytes per stride, not per line.

Newlines are counted per stride; the one line asked for is then searched within its stride. An index grows
as far as somebody needed it. Several readers may grow the same one: they take turns, so that nothing is
counted twice.
"""

from array import array
from bisect import bisect_left
from threading import Lock

from forge_daemon.reading.sources.source import FileChanged, Progress, ReadAt

from .newlines import after_newline
from .scan import Scan

STRIDE = 32 * 1024
_A_WHILE = 0.0005
"""Seconds: no longer than somebody can wait who must answer at once."""


class LineIndex:
    """The newlines of `size` bytes."""

    __slots__ = ("_growing", "_newlines_before", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        self._growing = Lock()
        # Element i: how many newlines stand before offset i * STRIDE; the last one may stand for `size`.
        self._newlines_before = array("Q", [0])

    @property
    def most_memory(self) -> int:
        """What it takes once it covers everything."""
        return self._newlines_before.itemsize * (self.size // STRIDE + 2)

    def count(self, read_at: ReadAt, progress: Progress) -> int:
        """All newlines."""
        if self._covered == self.size:
            return self._newlines_before[-1]
        return self._grown(read_at, progress, None, self.size)[-1]

    def line_start(
        self,
        line: int,
        read_at: ReadAt,
        progress: Progress,
        reach: int | None = None,
    ) -> int | None:
        """Where a line starts, or None where fewer newlines than that precede `reach`.

        A line that would start just behind a newline at the very end has a start too: `size`.
        """
        needed = line - 1
        if needed == 0:
            return 0
        reach = self.size if reach is None else min(reach, self.size)
        marks = self._grown(read_at, progress, needed, reach)
        if marks[-1] < needed:
            return None
        stride = bisect_left(marks, needed) - 1
        offset = stride * STRIDE
        try:
            start = offset + after_newline(read_at(offset, STRIDE), needed - marks[stride])
        except ValueError:
            # The newlines that were counted here are gone.
            raise FileChanged from None
        return start if start <= reach else None

    def line_at(self, offset: int, read_at: ReadAt, progress: Progress) -> int:
        """The number of the line an offset belongs to."""
        self._grown(read_at, progress, None, offset)
        return 1 + (self.newlines_before(offset, read_at) or 0)

    def newlines_before(self, offset: int, read_at: ReadAt) -> int | None:
        """How many newlines precede an offset, where the index reaches that far already."""
        stride = offset // STRIDE
        if stride >= len(self._newlines_before):
            return None
        start = stride * STRIDE
        return self._newlines_before[stride] + read_at(start, offset - start).count(b"\n")

    def _grown(
        self,
        read_at: ReadAt,
        progress: Progress,
        needed: int | None,
        reach: int,
    ) -> "array[int]":
        """The marks, grown until `needed` newlines are covered, or `reach` bytes are."""
        if self._covers(needed, reach):
            return self._newlines_before
        scan = Scan(read_at, self._covered, self.size, STRIDE)
        while not self._covers(needed, reach):
            progress(self._covered, self.size)
            # Whoever comes first counts on for all; the others look every now and then how far it is.
            if self._growing.acquire(timeout=_A_WHILE):
                try:
                    if not self._covers(needed, reach):
                        self._append(scan.count_from(self._covered))
                finally:
                    self._growing.release()
        return self._newlines_before

    @property
    def _covered(self) -> int:
        covered = (len(self._newlines_before) - 1) * STRIDE
        return covered if covered < self.size else self.size

    def _covers(self, needed: int | None, reach: int) -> bool:
        return self._covered >= reach or (needed is not None and self._newlines_before[-1] >= needed)

    def _append(self, counts: list[int]) -> None:
        newlines = self._newlines_before[-1]
        for found in counts:
            newlines += found
            self._newlines_before.append(newlines)
