"""Where lines start: sparse, so that a file of any size takes a few bytes per stride, not per line.

Newlines are counted per stride; the one line asked for is then searched within its stride. An index grows
as far as somebody needed it, and several readers may grow the same one: each works on a copy and publishes
it whole.
"""

from array import array
from bisect import bisect_left

from .newlines import after_newline
from .scan import count_strides
from .source import FileChanged, ReadAt, Watch

STRIDE = 32 * 1024


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

    def line_at(self, offset: int, read_at: ReadAt, watch: Watch) -> int:
        """The number of the line an offset belongs to."""
        self._grown(read_at, watch, None, offset)
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
        watch(covered, self.size)
        try:
            for counts in count_strides(read_at, covered, self.size, STRIDE):
                newlines = marks[-1]
                for found in counts:
                    newlines += found
                    marks.append(newlines)
                covered = min((len(marks) - 1) * STRIDE, self.size)
                if covered >= reach or (needed is not None and newlines >= needed):
                    break
                watch(covered, self.size)
        finally:
            # What was counted is true even if the scan was stopped.
            if len(marks) > len(self._newlines_before):
                self._newlines_before = marks
        return marks
