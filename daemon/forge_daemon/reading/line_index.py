"""Where lines start: sparse, so that a file of any size takes a few bytes per stride, not per line.

Newlines are counted per stride; the one line asked for is then searched within its stride. An index grows
as far as somebody needed it, and several readers may grow the same one: each works on a copy and publishes
it whole.
"""

from array import array
from bisect import bisect_left

from .newlines import after_newline, count_by_stride
from .source import FileChanged, ReadAt, Watch

STRIDE = 32 * 1024
BLOCK = 1024 * 1024
"""Read at once while scanning; also how often a scan can be stopped."""


class LineIndex:
    """The newlines of `size` bytes."""

    __slots__ = ("_newlines_before", "size")

    def __init__(self, size: int) -> None:
        self.size = size
        # Element i: how many newlines stand before offset i * STRIDE; the last one may stand for `size`.
        self._newlines_before = array("Q", [0])

    @property
    def most_memory(self) -> int:
        """What it takes once it covers everything."""
        return self._newlines_before.itemsize * (self.size // STRIDE + 2)

    def count(self, read_at: ReadAt, watch: Watch) -> int:
        """All newlines."""
        return self._grown(read_at, watch, None, self.size)[-1]

    def line_start(
        self,
        line: int,
        read_at: ReadAt,
        watch: Watch,
        reach: int | None = None,
    ) -> int | None:
        """Where a line starts, or None where fewer newlines than that precede `reach`.

        A line that would start just behind a newline at the very end has a start too: `size`.
        """
        needed = line - 1
        if needed == 0:
            return 0
        reach = self.size if reach is None else min(reach, self.size)
        marks = self._grown(read_at, watch, needed, reach)
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
        watch: Watch,
        needed: int | None,
        reach: int,
    ) -> "array[int]":
        """The marks, grown until `needed` newlines are covered, or `reach` bytes are."""
        marks = self._newlines_before
        covered = min((len(marks) - 1) * STRIDE, self.size)
        if covered >= reach or (needed is not None and marks[-1] >= needed):
            return marks
        marks = marks[:]
        try:
            while covered < reach and (needed is None or marks[-1] < needed):
                watch(covered, self.size)
                block = read_at(covered, min(BLOCK, self.size - covered))
                newlines = marks[-1]
                for found in count_by_stride(block, STRIDE):
                    newlines += found
                    marks.append(newlines)
                covered += len(block)
        finally:
            # What was counted is true even if the scan was stopped.
            if len(marks) > len(self._newlines_before):
                self._newlines_before = marks
        return marks
