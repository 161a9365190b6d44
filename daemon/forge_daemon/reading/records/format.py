"""Recognises the format of a text, and with it where records begin, their levels and their times."""

import re
from collections import Counter
from collections.abc import Iterator
from datetime import datetime
from functools import cache, cached_property, lru_cache
from itertools import accumulate
from typing import NamedTuple

from forge_daemon.reading.lines.newlines import count_lines

from .formats import LEVEL_WORD, ROWS, TEXT, Row
from .levels import Level, level_named, level_of_severity, level_of_status
from .shapes import Judged, ShapedBlock, Shapes
from .times import time_of

MAX_RECORD_LINES = 1_000
"""What follows is a record of its own, with the same level and time."""
_MAX_SAMPLE_LINES = 1_000
_MIN_SHARE = 10
"""One of so many lines must start a record, unless the first one does."""


class Header(NamedTuple):
    """What a line says that starts a record."""

    time: datetime | None
    """With a zone if the log has one."""
    level: Level | None


class _Expressions:
    """Those of one format, compiled when they are needed: most formats are only looked for."""

    def __init__(self, row: Row) -> None:
        self._row = row
        self._start = b"(?=[%b])(?:%b)" % (row.first, row.start)

    @cached_property
    def start(self) -> re.Pattern[bytes]:
        """The start of a record."""
        return re.compile(self._start)

    @cached_property
    def time(self) -> re.Pattern[bytes]:
        """Found in every header that has a time, with the groups of `time_of`."""
        return re.compile(rb"\A" + self._row.start if self._row.time is None else self._row.time)

    @cached_property
    def starts(self) -> re.Pattern[bytes]:
        """The newline before a record. `re` is fast at finding a literal."""
        return re.compile(rb"\n(?=" + re.sub(rb"\(\?P<\w+>", b"(?:", self._start) + b")")

    @cached_property
    def headers(self) -> re.Pattern[bytes]:
        """Like `starts`, with groups for the level: at most one of them matches, named after its kind."""
        later_level = b"(?:%s|)" % self._row.later_level
        for group in (b"level", b"priority"):
            if b"(?P<%s>" % group in self._row.start:
                later_level = b"(?(%s)|%s)" % (group, later_level)
        # Other groups would only take time.
        unnamed = rb"\(\?P<(?!level|priority|status|later_level|word)\w+>"
        return re.compile(rb"\n(?=" + re.sub(unnamed, b"(?:", self._start + later_level) + b")")


_expressions = cache(_Expressions)


class Format:
    """How a text marks its records. It knows no files: lines and blocks of whole lines are given."""

    def __init__(self, row: Row, modified: datetime) -> None:
        """`modified` is the file's mtime in local time, without a zone: it has what times leave out."""
        self.row = row
        self.name = row.name
        self.has_times = row.has_times
        self._modified = modified
        self._expressions = _expressions(row)
        self._shapes = Shapes(row.first, self._judge)

    def starts_record(self, line: bytes) -> bool:
        """Whether a line looks as those do that start a record, with a time if the format has times."""
        is_start = self._expressions.start.match(line) is not None
        return is_start and not (self.has_times and self.time(line) is None)

    def header(self, line: bytes) -> Header | None:
        """Time and level of a line that starts a record; None for one that belongs to the record before it."""
        match = self._expressions.headers.match(b"\n" + line)
        return Header(self.time(line), self._level(match.groups())) if match is not None else None

    def time(self, line: bytes) -> datetime | None:
        """That of a line that starts a record."""
        found = self._expressions.time.search(line) if self.has_times else None
        return time_of(found, self._modified) if found is not None else None

    def record_starts(self, block: bytes) -> Iterator[int]:
        """Where records begin."""
        if self._expressions.start.match(block) is not None:
            yield 0
        for newline in self._expressions.starts.finditer(block):
            yield newline.end()

    def heads(self, block: bytes) -> tuple[list[int], list[Level | None]]:
        """Where records begin, and their levels. That is faster than a header for each."""
        # Splitting gives the text between newlines before records, and the groups of each.
        headers = self._expressions.headers
        pieces, step = headers.split(b"\n" + block), headers.groups + 1
        lengths = accumulate(map(len, pieces[:-1:step]))
        names = list(zip(*(pieces[1 + group :: step] for group in range(headers.groups)), strict=True))
        levels = {each: self._level(each) for each in set(names)}
        return [newlines + length for newlines, length in enumerate(lengths)], [levels[each] for each in names]

    def scan(self, block: bytes) -> ShapedBlock | None:
        """The records of a block of lines whose headers are much alike. That is many times faster again."""
        return self._shapes.scan(block)

    def count_levels(self, block: bytes) -> tuple[int, Counter[Level | None]]:
        """How many lines a block has, and how many records begin with each level."""
        if (shaped := self.scan(block)) is not None:
            return shaped.lines, shaped.levels
        levels: Counter[Level | None] = Counter()
        for names, count in Counter(self._expressions.headers.findall(b"\n" + block)).items():
            levels[self._level(names if isinstance(names, tuple) else (names,))] += count
        return count_lines(block), levels

    def _judge(self, line: bytes) -> Judged | None:
        match = self._expressions.headers.match(b"\n" + line)
        if match is None:
            return None
        level, kind = self._level(match.groups()), match.lastgroup
        # A word may count because a key is missing in all of the line.
        if kind in ("level", "later_level") or (kind == "word" and self.row.later_level is LEVEL_WORD):
            start = self._expressions.start.match(line)
            assert start is not None
            return Judged(level, match[kind], max(start.end(), match.end(kind) - 1))
        return Judged(level, b"", 0)

    def _level(self, names: tuple[bytes | None, ...]) -> Level | None:
        """By what the groups of a header matched."""
        kinds = zip(self._expressions.headers.groupindex, names, strict=True)
        return next((_level_of(kind, name) for kind, name in kinds if name), None)


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
    firsts = {line[:1] for line in lines}
    for row in ROWS:
        if not any(re.match(b"[%b]" % row.first, first) for first in firsts):
            continue  # and so its expressions are not compiled
        form = Format(row, modified)
        starts = [line for line in lines if form.starts_record(line)]
        is_frequent = len(starts) * _MIN_SHARE >= len(lines) or starts[:1] == lines[:1]
        if len(starts) > most and is_frequent:
            best, most = form, len(starts)
    return best
