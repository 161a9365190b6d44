"""Recognises the format of a text, and with it where records begin, their levels and their times."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import cache, lru_cache
from typing import NamedTuple

from .formats import ROWS, TEXT, Row
from .levels import Level, level_named, level_of_severity, level_of_status
from .times import time_of

MAX_RECORD_LINES = 1_000
"""What follows is a record of its own, with the same level and time."""
_MAX_SAMPLE_LINES = 1_000
_MIN_SHARE = 10
"""Of so many lines one must start a record, unless the first one does."""

Block = bytes | bytearray
Head = tuple[int, Level | None]
"""Where a record begins, and its level."""


class Header(NamedTuple):
    """What a line says that starts a record."""

    time: datetime | None
    """With a zone if the log has one."""
    level: Level | None


class _Expressions(NamedTuple):
    header: re.Pattern[bytes]
    """The start of a record, on to its level: at most one of the groups matches, and is named after its kind."""
    time: re.Pattern[bytes]
    """Found in every header that has a time, with the groups of `time_of`."""
    starts: re.Pattern[bytes]
    """The newline before a record. `re` is fast at finding a literal."""
    headers: re.Pattern[bytes]
    """That newline and the header."""


class Format:
    """How a text marks its records. It knows no files: lines and blocks of whole lines are given."""

    def __init__(self, row: Row, modified: datetime) -> None:
        """`modified` is the file's mtime in local time, without a zone: it has what times leave out."""
        self.row = row
        self.name = row.name
        self.has_times = row.has_times
        self._modified = modified
        self._expressions = _compiled(row)

    def header(self, line: bytes) -> Header | None:
        """Time and level of a line that starts a record; None for one that belongs to the record before it."""
        match = self._expressions.header.match(line)
        if match is None:
            return None
        return Header(self.time(line), _level_of(kind, match[kind]) if (kind := match.lastgroup) else None)

    def time(self, line: bytes) -> datetime | None:
        """That of a line that starts a record."""
        found = self._expressions.time.search(line) if self.has_times else None
        return time_of(found, self._modified) if found is not None else None

    def record_starts(self, block: Block) -> Iterator[int]:
        """Where records begin."""
        if self._expressions.header.match(block) is not None:
            yield 0
        for newline in self._expressions.starts.finditer(block):
            yield newline.end()

    def levels(self, block: Block) -> list[Head]:
        """Where records begin, each with its level. That is faster than a header for each."""
        matches = self._expressions.headers.finditer(b"\n" + block)
        return [(each.start(), _level_of(kind, each[kind]) if (kind := each.lastgroup) else None) for each in matches]

    def count_levels(self, block: Block) -> Counter[Level | None]:
        """How many records begin with each level. That is faster again."""
        headers = self._expressions.headers
        levels: Counter[Level | None] = Counter()
        for found, count in Counter(headers.findall(b"\n" + block)).items():
            names = found if headers.groups > 1 else (found,)
            kinds = zip(headers.groupindex, names, strict=True)
            levels[next((_level_of(kind, name) for kind, name in kinds if name), None)] += count
        return levels


@lru_cache(256)
def _level_of(kind: str, name: bytes) -> Level | None:
    if kind == "status":
        return level_of_status(name)
    return level_of_severity(int(name)) if kind == "priority" else level_named(name)


def detect_format(head: bytes, whole: bool, modified: datetime) -> Format:
    """The format that most lines at the beginning of a text have; that of plain text, if only few have one.

    `head` is the first 64 KiB; its last line is cut off unless that is the `whole` text.
    """
    lines = head.split(b"\n")[: None if whole else -1]
    lines = [line for line in lines[:_MAX_SAMPLE_LINES] if line.strip()]
    best, most = Format(TEXT, modified), 0
    for row in ROWS:
        form = Format(row, modified)
        starts = [line for line in lines if (header := form.header(line)) and (header.time or not form.has_times)]
        is_frequent = len(starts) * _MIN_SHARE >= len(lines) or starts[:1] == lines[:1]
        if len(starts) > most and is_frequent:
            best, most = form, len(starts)
    return best


@cache
def _compiled(row: Row) -> _Expressions:
    later_level = b"(?:%s|)" % row.later_level
    for group in (b"level", b"priority"):
        if b"(?P<%s>" % group in row.start:
            later_level = b"(?(%s)|%s)" % (group, later_level)
    # Other groups would only take time.
    header = re.sub(rb"\(\?P<(?!level|priority|status|later_level|word)\w+>", b"(?:", row.start + later_level)
    return _Expressions(
        header=re.compile(header),
        time=re.compile(rb"\A" + row.start if row.time is None else row.time),
        starts=re.compile(rb"\n(?=" + re.sub(rb"\(\?P<\w+>", b"(?:", row.start) + b")"),
        headers=re.compile(rb"\n" + header),
    )
