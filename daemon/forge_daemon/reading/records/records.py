"""Where the records of a text lie, and their levels."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from forge_daemon.reading.lines.newlines import after_newline
from forge_daemon.reading.texts.text import Text

from .format import MAX_RECORD_LINES, Format, Head, Header, detect_format
from .formats import Row
from .levels import Level

HEAD_BYTES = 64 * 1024
"""By so much of a text its format is decided."""
MAX_RECORD_BYTES = 1024 * 1024
"""Lines that start further from their header are records of their own, without level and time."""
_FIRST_LOOK = 4 * 1024
_MAX_HEADER = 16 * 1024
"""The time of a record stands within so much of its first line."""


class Record(NamedTuple):
    """Offsets within a block."""

    start: int
    end: int
    level: Level | None
    has_header: bool = True
    """It starts with its first line: it is not the rest of a record that is too long."""


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

    def within(self, block: bytes, offset: int, level: Level | None = None) -> list[Record]:
        """The records of a block of whole lines, which starts at an offset of the text, with a header if possible.

        With a level, neighbouring records below it are one, without a level.
        """
        heads = self.format.levels(block)
        if offset == 0 and (not heads or heads[0][0] > 0):
            heads.insert(0, (0, None))
        first = heads[0][0] if heads else len(block)
        records = list(_lines(block, 0, first))
        if level is not None:
            heads = list(_merged(heads, level))
        for (start, each), (end, _) in pairwise([*heads, (len(block), None)]):
            if end - start < MAX_RECORD_LINES:
                records.append(Record(start, end, each))
            else:
                records += _parts(block, start, end, each)
        return records

    def count_levels(self, block: bytes, offset: int) -> Counter[Level | None]:
        """How many records of each level start in a block of whole lines, which starts at an offset of the text."""
        if next(self.format.record_starts(block), None) == 0:
            levels = self.format.count_levels(block)
            if block.count(b"\n") + 1 - levels.total() < MAX_RECORD_LINES and len(block) <= MAX_RECORD_BYTES:
                return levels  # none is too long for one record
        start = self.start_before(offset)
        before = self.text.read_at(start, offset - start)
        return Counter(each.level for each in self.within(before + block, start) if each.start >= len(before))

    def header_at(self, offset: int) -> Header | None:
        """What a line says that starts at an offset, if it starts a record."""
        line, _, _ = self.text.read_at(offset, _MAX_HEADER).partition(b"\n")
        return self.format.header(line)

    def timed(self, start: int, end: int) -> Iterator[Timed]:
        """The records with a time that start between two offsets."""
        before = max(0, start - 1)
        block = self.text.read_at(before, end - before + _MAX_HEADER)
        for found in self._starts(before, block):
            if not start <= before + found < end:
                continue
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


def _merged(heads: Iterable[Head], level: Level) -> Iterator[Head]:
    is_below = False
    for start, each in heads:
        if each is not None and each >= level:
            is_below = False
            yield start, each
        elif not is_below:
            is_below = True
            yield start, None


def _parts(block: bytes, start: int, end: int, level: Level | None) -> Iterator[Record]:
    """A record that may be too long, in parts of as many lines as a record may have."""
    limit, has_header = end, True
    if end - start > MAX_RECORD_BYTES:
        limit = block.find(b"\n", start + MAX_RECORD_BYTES - 1, end) + 1 or end
    while block.count(b"\n", start, limit) > MAX_RECORD_LINES:
        cut = start + after_newline(block[start:limit], MAX_RECORD_LINES)
        yield Record(start, cut, level, has_header)
        start, has_header = cut, False
    yield Record(start, limit, level, has_header)
    yield from _lines(block, limit, end)


def _lines(block: bytes, start: int, end: int) -> Iterator[Record]:
    """Each line as a record without a level or a header."""
    while start < end:
        line_end = block.find(b"\n", start, end) + 1 or end
        yield Record(start, line_end, None, has_header=False)
        start = line_end


def at_least(records: Sequence[Record], level: Level) -> list[tuple[int, int]]:
    """Start and end of runs of records with this level or a higher one."""
    runs: list[tuple[int, int]] = []
    for record in records:
        if record.level is None or record.level < level:
            continue
        if runs and runs[-1][1] == record.start:
            runs[-1] = (runs[-1][0], record.end)
        else:
            runs.append((record.start, record.end))
    return runs
