"""Where the records of a text lie, and their levels."""

import re
from bisect import bisect_left
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import cached_property
from itertools import pairwise
from typing import NamedTuple

from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.texts.text import Text

from .format import MAX_RECORD_LINES, Format, Header, detect_format
from .formats import Row
from .levels import Level
from .shapes import ShapedBlock

HEAD_BYTES = 64 * 1024
"""By so much of a text its format is decided."""
MAX_RECORD_BYTES = 1024 * 1024
"""Lines that start further from their header are records of their own, without level and time."""
_FIRST_LOOK = 4 * 1024
_LAST_LINES = 1024
"""Where the last record of a block is looked for first."""
_NEWLINE = re.compile(b"\n")
_MAX_HEADER = 16 * 1024
"""The time of a record stands within so much of its first line."""


class BlockRecords:
    """The records of a block of whole lines, one after the other. They are looked for when they are needed."""

    def __init__(self, format_: Format, block: bytes, offset: int) -> None:
        """`offset`: where the block starts in the text, with a header if possible."""
        self._format = format_
        self._block = block
        self._is_first = offset == 0

    def at_least(self, level: Level) -> list[tuple[int, int]]:
        """Start and end of runs of records with this level or a higher one."""
        if self._shaped is not None:
            return self._shaped.at_least(level)
        runs: list[tuple[int, int]] = []
        for (start, end), each in zip(pairwise(self._found[0]), self._found[1], strict=True):
            if each is not None and each >= level:
                if runs and runs[-1][1] == start:
                    start = runs.pop()[0]
                runs.append((start, end))
        return runs

    def headers(self) -> list[tuple[int, int]]:
        """Start and end of the first line of each record."""
        bounds, headless = self._bounds
        return [
            (start, self._block.find(b"\n", start, end) + 1 or end)
            for start, end in pairwise(bounds)
            if start not in headless
        ]

    @property
    def bounds(self) -> list[int]:
        """Where each begins, and where the last one ends."""
        return self._bounds[0]

    @property
    def levels(self) -> list[Level | None]:
        return self._found[1]

    @cached_property
    def _bounds(self) -> tuple[list[int], set[int]]:
        """Also where those begin that are the rest of a record that is too long."""
        starts = self._shaped.starts() if self._shaped is not None else []
        if starts[:1] == [0]:
            return [*starts, len(self._block)], set()
        return self._found[0], self._found[2]

    @cached_property
    def _shaped(self) -> ShapedBlock | None:
        """If no record is too long."""
        shaped = self._format.scan(self._block)
        is_known = shaped is not None and _are_short(self._block, shaped.lines - shaped.levels.total())
        return shaped if is_known else None

    @cached_property
    def _found(self) -> tuple[list[int], list[Level | None], set[int]]:
        block, headless = self._block, set[int]()
        starts, levels = self._format.heads(block)
        if self._is_first and starts[:1] != [0]:
            starts.insert(0, 0)
            levels.insert(0, None)
        bounds = [*starts, len(block)]
        for at in range(len(levels))[::-1]:
            start, end = bounds[at : at + 2]
            if end - start >= MAX_RECORD_LINES and not _are_short(block[start:end], block.count(b"\n", start, end)):
                parts, lines = _divided(block, start, end)
                bounds[at + 1 : at + 1] = [*parts, *lines]
                levels[at + 1 : at + 1] = [levels[at]] * len(parts) + [None] * len(lines)
                headless.update(parts, lines)
        if bounds[0] > 0:
            first = [0, *_line_starts(block, 0, bounds[0])]
            bounds[:0] = first
            levels[:0] = [None] * len(first)
            headless.update(first)
        return bounds, levels, headless


class Timed(NamedTuple):
    """A record that has a time."""

    offset: int
    time: datetime


class Records:
    def __init__(self, text: Text) -> None:
        self.text = text
        self.format = format_of(text)

    def start_before(self, offset: int) -> int:
        """Where the header of a line that starts at an offset is, or one before it; the offset, if it has none."""
        size = _FIRST_LOOK
        while True:
            start = max(0, offset - size)
            starts = list(self._starts(start, self.text.read_at(start, offset - start)))
            if starts:
                return start + starts[-1]
            if start == 0:
                return 0
            if size >= MAX_RECORD_BYTES:
                return offset
            size = min(4 * size, MAX_RECORD_BYTES)

    def end_after(self, offset: int) -> int:
        """Where the record ends that a line before an offset belongs to; further, if the end is not near."""
        size = _FIRST_LOOK
        while True:
            block = self.text.read_at(offset, size)
            whole = block if len(block) < size else block[: block.rfind(b"\n") + 1]
            for start in self.format.record_starts(whole):
                return offset + start
            if len(block) < size or size >= MAX_RECORD_BYTES:
                return offset + len(whole)
            size = min(4 * size, MAX_RECORD_BYTES)

    def within(self, block: bytes, offset: int) -> BlockRecords:
        """The records of a block of whole lines, which starts at an offset of the text, with a header if possible."""
        return BlockRecords(self.format, block, offset)

    def whole_records(self, block: bytes, offset: int) -> bytes:
        """As much of a text from an offset on as ends with a record: less than a block of it, if possible."""
        end = block.rfind(b"\n") + 1
        for size in (_LAST_LINES, end):
            tail = max(0, end - size)
            if starts := [start for start in self._starts(offset + tail, block[tail:end]) if tail + start > 0]:
                return block[: tail + starts[-1]]
        line_end = LineIndex(self.text).end_of_line_at(offset + end)
        start = self.start_before(line_end)
        return self.text.read_at(offset, (start if start > offset else line_end) - offset)

    def count_levels(self, block: bytes, offset: int) -> tuple[int, Counter[Level | None]]:
        """The lines of a block that ends with a record, and how many records of each level start in it."""
        lines, levels = self.format.count_levels(block)
        if next(self.format.record_starts(block), None) == 0 and _are_short(block, lines - levels.total()):
            return lines, levels
        start = self.start_before(offset)
        before = self.text.read_at(start, offset - start)
        records = self.within(before + block, start)
        return lines, Counter(records.levels[bisect_left(records.bounds, len(before)) :])

    def header_at(self, offset: int) -> Header | None:
        """What a line says that starts at an offset, if it starts a record."""
        line, _, _ = self.text.read_at(offset, _MAX_HEADER).partition(b"\n")
        return self.format.header(line)

    def timed(self, start: int, end: int, *, last_first: bool = False) -> Iterator[Timed]:
        """The records with a time that start between two offsets."""
        before = max(0, start - 1)
        block = self.text.read_at(before, end - before + _MAX_HEADER)
        within = (found for found in self._starts(before, block) if start <= before + found < end)
        for found in reversed(list(within)) if last_first else within:
            newline = block.find(b"\n", found)
            time = self.format.time(block[found : newline if newline >= 0 else len(block)])
            if time is not None:
                yield Timed(before + found, time)

    def _starts(self, offset: int, block: bytes) -> Iterator[int]:
        """Where records start in a block that may start inside a line."""
        for start in self.format.record_starts(block):
            if start or offset == 0:
                yield start


class _Detected:
    """The format of a text. That of a short one is decided anew when it has grown."""

    memory = 256

    def __init__(self) -> None:
        self._known: tuple[Row, int] | None = None

    def format(self, head: bytes, modified: datetime) -> Format:
        if self._known is None or self._known[1] != len(head):
            found = detect_format(head, len(head) < HEAD_BYTES, modified)
            self._known = found.row, len(head)
        return Format(self._known[0], modified)


def format_of(text: Text) -> Format:
    try:
        modified = datetime.fromtimestamp((text.file.mtime_ms or 0) / 1000)
    except (OverflowError, OSError, ValueError):  # no such year, or not on this system
        modified = datetime.now()
    return text.know(("format",), _Detected).format(text.read_at(0, HEAD_BYTES), modified)


def _are_short(block: bytes, lines: int) -> bool:
    """Whether no record of a block is too long if so many of its lines start none."""
    return lines < MAX_RECORD_LINES and len(block) <= MAX_RECORD_BYTES


def _divided(block: bytes, start: int, end: int) -> tuple[list[int], list[int]]:
    """A record that is too long: parts of as many lines as a record may have, and further on its lines."""
    limit = end
    if end - start > MAX_RECORD_BYTES:
        limit = block.find(b"\n", start + MAX_RECORD_BYTES - 1, end) + 1 or end
    parts = _line_starts(block, start, limit)[MAX_RECORD_LINES - 1 :: MAX_RECORD_LINES]
    return parts, [limit, *_line_starts(block, limit, end)] if limit < end else []


def _line_starts(block: bytes, start: int, end: int) -> list[int]:
    """Where lines start between two offsets."""
    return [newline.end() for newline in _NEWLINE.finditer(block, start, end) if newline.end() < end]
