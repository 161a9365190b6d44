"""Where lines start. Newlines are counted by stride; a line is then located within its stride."""

import threading
from array import array
from bisect import bisect_left
from collections.abc import Callable, Sequence

from forge_daemon.reading.files.file_bytes import FileChanged
from forge_daemon.reading.texts.text import Text

from .newlines import NEWLINE, STRIDE, count_by_stride, count_strides_in_parallel, first_newlines

MIN_BATCH = 256 * 1024
MAX_BATCH = 64 * 1024 * 1024
"""How far a scan goes before it can be cancelled, and may go too far."""
_BLOCK = 64 * 1024


class StrideCounts:
    """A sparse index: how many things (newlines, matching lines) begin before each stride of a text.

    Covers as much of the text as was needed so far, and is extended as the text grows.

    Only whole strides are counted: what follows them may still change. Several readers may extend the same counts;
    they take turns, so that nothing is counted twice.
    """

    def __init__(self) -> None:
        self.before = array("Q", [0])
        """Element i: how many begin before offset i * STRIDE."""
        self._lock = threading.Lock()

    @property
    def memory(self) -> int:
        return self.before.itemsize * len(self.before)

    @property
    def covered(self) -> int:
        """How many bytes of the text are counted."""
        return (len(self.before) - 1) * STRIDE

    def extend(self, count_from: Callable[[int], Sequence[int]]) -> bool:
        """Count further: `count_from` gets an offset, and returns the counts of the next strides.

        Returns whether there were any.
        """
        with self._lock:
            counts = count_from(self.covered)
            total = self.before[-1]
            for count in counts:
                total += count
                self.before.append(total)
        return bool(counts)


class LineIndex:
    """The lines of a text, for one reader. What was counted is shared by all readers of the file."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._counts = text.know(("lines",), StrideCounts)
        self._batch = MIN_BATCH

    def count(self) -> int:
        """How many lines there are. A last line without newline counts."""
        length = self._text.length()
        self._extend(reach=length)
        return self.newlines_before(length) + (length > 0 and self._text.read_at(length - 1, 1) != NEWLINE)

    def covers(self, offset: int) -> bool:
        """Whether the newlines before an offset were counted."""
        return self._counts.covered >= offset

    def start_of(self, line: int, reach: int | None = None) -> int | None:
        """Where a line starts, or None if it starts after `reach` or not at all.

        A line that would start just after a newline at the very end has a start too: the text's length.
        """
        needed = line - 1
        if needed == 0:
            return 0
        self._extend(needed=needed, reach=reach)
        before = self._counts.before
        stride = bisect_left(before, needed) - 1
        offset = stride * STRIDE
        block = self._text.read_at(offset, STRIDE)
        found, after = first_newlines(block, needed - before[stride])
        is_counted = stride + 1 < len(before)
        if is_counted and found + block.count(NEWLINE, after) != before[stride + 1] - before[stride]:
            raise FileChanged  # although it seemed to have only grown
        if found < needed - before[stride]:
            return None
        start = offset + after
        return start if reach is None or start <= reach else None

    def line_at(self, offset: int) -> int:
        """The number of the line that contains an offset."""
        self._extend(reach=offset)
        return 1 + self.newlines_before(offset)

    def newlines_before(self, offset: int) -> int:
        """How many newlines precede an offset up to which they were counted."""
        stride = min(offset // STRIDE, len(self._counts.before) - 1)
        start = stride * STRIDE
        inside = count_by_stride(self._text.read_at(start, offset - start)) if offset > start else []
        return self._counts.before[stride] + sum(inside)

    def start_of_line_at(self, offset: int) -> int:
        """Where the line that contains an offset starts; after a newline, the offset itself."""
        start = max(0, offset - _BLOCK)
        newline = self._text.read_at(start, offset - start).rfind(NEWLINE)
        if newline >= 0 or start == 0:
            return start + newline + 1
        found = self.start_of(self.line_at(offset))
        assert found is not None, "a line that was counted has a start"
        return found

    def end_of_line_at(self, offset: int) -> int:
        """Where the line that contains an offset ends, its newline included."""
        block = self._text.read_at(offset, _BLOCK)
        newline = block.find(NEWLINE)
        if newline >= 0:
            return offset + newline + 1
        if len(block) < _BLOCK:
            return offset + len(block)
        after = self.start_of(self.line_at(offset) + 1)
        return self._text.length() if after is None else after

    def lines_before(self, offset: int, lines: int) -> int:
        """Where the line starts that is so many lines before the one that starts at an offset."""
        return self.start_of(max(1, self.line_at(offset) - lines)) or 0

    def lines_after(self, offset: int, lines: int) -> int:
        """Where the line starts that is so many lines after the one that starts at an offset, or the end."""
        start = self.start_of(self.line_at(offset) + lines)
        return self._text.length() if start is None else start

    def _extend(self, *, needed: int | None = None, reach: int | None = None) -> None:
        """Count until `needed` newlines are known, or all before `reach`, or all there are."""
        counts = self._counts
        while not (
            (needed is not None and counts.before[-1] >= needed)
            or (reach is not None and counts.covered + STRIDE > reach)
        ):
            self._text.report(counts.covered)
            if not counts.extend(self._count_from):
                return

    def _count_from(self, start: int) -> list[int]:
        text = self._text
        if not text.is_plain:  # what follows may not be needed, and has to be made first
            block = text.read_at(start, MIN_BATCH)
            return count_by_stride(block[: len(block) // STRIDE * STRIDE])
        end = min(start + self._batch, text.length() // STRIDE * STRIDE)
        self._batch = min(2 * self._batch, MAX_BATCH)
        return count_strides_in_parallel(text.read_at, start, end)
