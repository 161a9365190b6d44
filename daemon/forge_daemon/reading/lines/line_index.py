"""Where lines start: sparse, so that a file of any size takes a few bytes per stride, not per line.

Newlines are counted per stride; a line is then located within its stride. Marks cover as much of the file as
was needed so far, and are extended as it grows.
"""

from array import array
from bisect import bisect_left
from collections.abc import Iterator

from forge_daemon.light_typing import TYPE_CHECKING, NamedTuple, Protocol
from forge_daemon.reading.encodings.encoding import Encoding
from forge_daemon.reading.sources.source import FileChanged, Progress, ReadAt

from .newlines import NEWLINE, first_newlines

if TYPE_CHECKING:
    from forge_daemon.reading.search.filter_index import FilterIndex

    from .scan import Scan

STRIDE = 32 * 1024
_BLOCK = 1024 * 1024
_COLUMN_MEMORY = 128
"""Of one known column: a tuple of two integers."""
_WAIT_SECONDS = 0.05
"""How long a reader waits for another one's count before it asks again whether it was cancelled."""


class Learned(Protocol):
    @property
    def memory(self) -> int: ...


class Understood(NamedTuple):
    """What a file's first bytes say."""

    encoding: Encoding | None
    """None: it is binary."""
    bom: int
    is_gzip: bool


class Marks:
    """How many newlines precede each whole stride of one file, which may still grow.

    Several readers may extend the same marks. They take turns, so that nothing is counted twice.
    """

    def __init__(self) -> None:
        self.before = array("Q", [0])
        """Element i: how many newlines stand before offset i * STRIDE."""
        self.filters: dict[tuple[object, int], FilterIndex] = {}
        """Where lines match, by filter and by the offset from which on that is known."""
        self.derived: dict[str, Learned] = {}
        """What is known of the texts that are made from the file's bytes, by how they are made."""
        self.understood: dict[object, Understood] = {}
        """Whether its bytes are text, and of which kind, by what was asked for."""
        self.columns: dict[tuple[str, int], list[tuple[int, int]]] = {}
        """Offsets and columns within long lines, by how the text is read and where the line starts."""
        self._counting = False

    @property
    def memory(self) -> int:
        return self.before.itemsize * len(self.before) + self.learned_memory

    @property
    def learned_memory(self) -> int:
        """The memory of filters, derived texts and columns of long lines, in bytes."""
        if not (self.filters or self.derived or self.columns):
            return 0
        learned: list[Learned] = [*self.filters.values(), *self.derived.values()]
        return sum(each.memory for each in learned) + _COLUMN_MEMORY * sum(map(len, self.columns.values()))

    @property
    def covered(self) -> int:
        """How many bytes the marks cover."""
        return (len(self.before) - 1) * STRIDE

    def extend(self, scan: "Scan") -> None:
        """Count further, or wait a moment while another reader does."""
        with scan.turn:
            if self._counting:
                scan.turn.wait(_WAIT_SECONDS)
                return
            self._counting = True
        try:
            counts = scan.count_from(self.covered)
            newlines = self.before[-1]
            for found in counts:
                newlines += found
                self.before.append(newlines)
        finally:
            with scan.turn:
                self._counting = False
                scan.turn.notify_all()


class LineIndex:
    """The newlines of a file's first `size` bytes."""

    __slots__ = ("_newlines", "marks", "size")

    def __init__(self, size: int, marks: Marks | None = None) -> None:
        self.size = size
        self.marks = marks or Marks()
        self._newlines: int | None = None
        """All of them, once they were counted."""

    @property
    def _strides(self) -> int:
        """Whole ones."""
        return self.size // STRIDE

    @property
    def most_memory(self) -> int:
        """The bytes of memory it takes once it covers everything."""
        return self.marks.before.itemsize * (self._strides + 2)

    def is_counted(self, line: int | None = None) -> bool:
        """Whether a line's start, or the number of all newlines, is known without a scan."""
        before = self.marks.before
        return len(before) > self._strides or (line is not None and before[-1] >= line - 1)

    def count(self, read_at: ReadAt, progress: Progress) -> int:
        """All newlines."""
        if self._newlines is None:
            self._extend(read_at, progress, None, self.size)
            start = self._strides * STRIDE
            after_marks = read_at(start, self.size - start).count(NEWLINE)
            self._newlines = self.marks.before[self._strides] + after_marks
        return self._newlines

    def line_start(
        self,
        line: int,
        read_at: ReadAt,
        progress: Progress,
        reach: int | None = None,
    ) -> int | None:
        """Where a line starts, or None if it starts after `reach` or not at all.

        A line that would start just after a newline at the very end has a start too: `size`.
        """
        needed = line - 1
        if needed == 0:
            return 0
        reach = self.size if reach is None else min(reach, self.size)
        self._extend(read_at, progress, needed, reach)
        before = self.marks.before
        stride = bisect_left(before, needed, 0, min(len(before), self._strides + 1)) - 1
        offset = stride * STRIDE
        block = read_at(offset, STRIDE)
        found, after = first_newlines(block, needed - before[stride])
        is_counted = stride < self._strides and stride + 1 < len(before)
        if is_counted and found + block.count(NEWLINE, after) != before[stride + 1] - before[stride]:
            raise FileChanged  # since then
        if found < needed - before[stride]:
            return None
        start = offset + after
        return start if start <= reach else None

    def line_at(self, offset: int, read_at: ReadAt, progress: Progress) -> int:
        """The number of the line that contains an offset."""
        self._extend(read_at, progress, None, offset)
        return 1 + (self.newlines_before(offset, read_at) or 0)

    def newlines_before(self, offset: int, read_at: ReadAt) -> int | None:
        """How many newlines precede an offset, where the marks reach that far already."""
        stride = offset // STRIDE
        if stride >= len(self.marks.before):
            return None
        start = stride * STRIDE
        return self.marks.before[stride] + read_at(start, offset - start).count(NEWLINE)

    def next_newline(self, offset: int, read_at: ReadAt, progress: Progress) -> int | None:
        """Where the first newline at or after an offset is. Remembered for long lines."""
        found = read_at(offset, _BLOCK).find(NEWLINE)
        if found >= 0:
            return offset + found
        after = self.line_start(self.line_at(offset, read_at, progress) + 1, read_at, progress)
        return None if after is None else after - 1

    def recount(self, read_at: ReadAt, progress: Progress, start: int = 0) -> bool:
        """Whether counting again from `start`, a whole number of strides, gives the same marks."""
        before = self.marks.before
        end = min(self.marks.covered, self._strides * STRIDE)
        for offset, found in self._counts(read_at, progress, start, end):
            stride = offset // STRIDE
            if found != before[stride + 1] - before[stride]:
                return False
        return True

    def _counts(self, read_at: ReadAt, progress: Progress, start: int, end: int) -> Iterator[tuple[int, int]]:
        from .scan import Scan

        scan = Scan(read_at, start, end, STRIDE)
        while start < end:
            progress(start, end)
            for found in scan.count_from(start):
                yield start, found
                start += STRIDE

    def _extend(self, read_at: ReadAt, progress: Progress, needed: int | None, reach: int) -> None:
        """Extend the marks to `needed` newlines, or to all whole strides before `reach`."""
        before = self.marks.before

        def is_enough() -> bool:
            strides = min(reach, self.size) // STRIDE
            return len(before) > strides or (needed is not None and before[-1] >= needed)

        if is_enough():
            return
        scan = self._scan(read_at, self.size if needed is not None else reach)
        while not is_enough():
            progress(self.marks.covered, self.size)
            self.marks.extend(scan)

    def _scan(self, read_at: ReadAt, reach: int) -> "Scan":
        from .scan import Scan

        return Scan(read_at, self.marks.covered, min(reach, self.size) // STRIDE * STRIDE, STRIDE)
