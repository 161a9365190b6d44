"""Finds the records of a block by the shapes of their headers: a few literals instead of an expression for each line.

The shape of a header is its text up to the level, with a 0 for every digit. No expression of a format tells one digit
from another, so lines of one shape have one level. Where the lines that have a known shape, and those that begin with
a byte with which no record begins, are nearly all lines of a block, only the others are looked at one by one.
"""

import re
from collections import Counter
from collections.abc import Callable, Mapping
from functools import lru_cache
from typing import NamedTuple

from .levels import Level

try:
    from stringzilla import count as _count
    from stringzilla import translate as _translate
except ImportError:
    _count, _translate = bytes.count, bytes.translate

_NO_RECORD = 8
"""Written over the first byte of a line that starts no record. Others are marked by their level, or 0."""
_MARKS = bytes(range(_NO_RECORD + 1))
_UNMARKED = bytes.maketrans(_MARKS, b"\x7f" * len(_MARKS))
_WITHOUT_DIGITS = _UNMARKED.translate(bytes.maketrans(b"123456789", b"0" * 9))
_MAX_SHAPES = 32
_MAX_LENGTH = 256
"""Or compiling them would take longer than it saves."""
_MAX_LOOKS = 16
"""Lines of a block that are looked at for a new shape."""
_MIN_SHARE = 32
"""A shape is that of one line of so many at least. At most so many lines are looked at one by one."""


class Judged(NamedTuple):
    """What a line says that starts a record."""

    level: Level | None
    name: bytes
    """How the level is written."""
    end: int
    """Only what comes before, and the byte here, decides about that; 0: it may be all of the line."""


Judge = Callable[[bytes], Judged | None]


class ShapedBlock(NamedTuple):
    """A block in which every line that starts a record has a shape, or a mark."""

    text: bytes | bytearray
    """Each line after its newline, and as long as in the block."""
    first: bytes
    shapes: Mapping[bytes, Level]
    levels: Counter[Level | None]
    """How many records begin with each."""
    lines: int

    def starts(self) -> list[int]:
        """Where records begin."""
        return [found.start() for found in _starts(tuple(self.shapes)).finditer(self.text)]

    def at_least(self, level: Level) -> list[tuple[int, int]]:
        """Start and end of runs of records with this level or a higher one."""
        passing = [each for each in self.levels if each is not None and each >= level]
        if not passing:
            return []
        shapes = tuple(shape for shape, each in self.shapes.items() if each >= level)
        runs = _runs(self.first, shapes, level)
        return [(found.start(), found.end()) for found in runs.finditer(self.text)]


class _Learned(NamedTuple):
    shapes: Mapping[bytes, Level]
    table: bytes
    """To translate a block: levels that are numbers keep their digits."""


class Shapes:
    """Those in one text, learned on the way. Thread-safe."""

    def __init__(self, first: bytes, judge: Judge) -> None:
        """`first`: the class of bytes that a record may begin with."""
        self._first = first
        self._judge = judge
        self._learned: _Learned | None = None
        others = re.sub(b"[%b]" % first, b"", bytes(range(256))).replace(b"\n", b"")
        self._others = bytes.maketrans(others, b" " * len(others))

    def scan(self, block: bytes) -> ShapedBlock | None:
        """The records of a block of whole lines; None if they have too many shapes."""
        known = self._learned or self._begin(block)
        if known is None:
            return None
        lines_only = memoryview(block)[: len(block) - block.endswith(b"\n")]
        text: bytes = _translate(b"".join((b"\n", lines_only)), known.table)
        shaped: bytes | bytearray = text
        unexplained = lines = _count(text, b"\n")
        counts: dict[bytes, int] = {}
        levels: Counter[Level | None] = Counter()
        for shape in known.shapes:
            if unexplained:
                counts[shape] = _count(text, shape)
                unexplained -= counts[shape]
        if unexplained:
            plain = _translate(text, self._others)
            rest = lines - _count(plain, b"\n ") - _count(plain, b"\n\n")
            learned = self._learn(block, text, known, counts, rest)
            if learned is None:
                return None
            known = self._learned = learned
            if rest > sum(counts.values()):
                shaped = self._marked(block, text, known, levels)
        for shape, count in counts.items():
            levels[known.shapes[shape]] += count
        return ShapedBlock(shaped, self._first, known.shapes, levels, lines)

    def _begin(self, block: bytes) -> _Learned | None:
        judged = self._judge(_line(block, 0))
        if judged is None or not judged.end:
            return None
        return _Learned({}, _UNMARKED if judged.name.isdigit() else _WITHOUT_DIGITS)

    def _learn(
        self, block: bytes, text: bytes, known: _Learned, counts: dict[bytes, int], lines: int
    ) -> _Learned | None:
        """Also count new shapes, until but a few lines have others; None if that cannot be achieved."""
        few, position = max(1, lines // _MIN_SHARE), 0
        for _ in range(_MAX_LOOKS):
            if lines - sum(counts.values()) <= few:
                return known
            found = _unexplained(self._first, tuple(known.shapes)).search(text, position)
            if found is None:
                return known
            position = found.end()
            judged = self._judge(_line(block, found.start()))
            shape = _shape(text, found.start(), judged, known) if judged else None
            if judged and judged.level and shape and (count := _count(text, shape)) >= few:
                counts[shape] = count
                known = known._replace(shapes={**known.shapes, shape: judged.level})
        return None

    def _marked(self, block: bytes, text: bytes, known: _Learned, levels: Counter[Level | None]) -> bytearray:
        marked = bytearray(text)
        for found in _unexplained(self._first, tuple(known.shapes)).finditer(text):
            judged = self._judge(_line(block, found.start()))
            marked[found.end()] = _NO_RECORD if judged is None else judged.level or 0
            if judged is not None:
                levels[judged.level] += 1
        return marked


def _shape(text: bytes, start: int, judged: Judged, known: _Learned) -> bytes | None:
    """That of a line, with the newline before it and a byte after what decides; None if it has none of use."""
    shape = text[start : start + judged.end + 2]
    is_whole = len(shape) == judged.end + 2 and b"\x7f" not in shape and b"\n" not in shape[1:]
    is_readable = judged.name.isdigit() == (known.table is _UNMARKED)
    is_new = not any(other.startswith(shape) for other in known.shapes)  # or lines would be counted twice
    is_free = len(known.shapes) < _MAX_SHAPES and len(shape) <= _MAX_LENGTH
    return shape if judged.end and is_whole and is_readable and is_new and is_free else None


def _line(block: bytes, start: int) -> bytes:
    end = block.find(b"\n", start)
    return bytes(block[start : end if end >= 0 else len(block)])


@lru_cache(32)
def _unexplained(first: bytes, shapes: tuple[bytes, ...]) -> re.Pattern[bytes]:
    """The newline before a line that may start a record, and has none of the shapes."""
    known = b"|".join(re.escape(shape[1:]) for shape in shapes) or rb"\Z."
    return re.compile(rb"\n(?=[%b])(?!%b)" % (first, known))


@lru_cache(32)
def _starts(shapes: tuple[bytes, ...]) -> re.Pattern[bytes]:
    return re.compile(rb"\n(?:%b)" % b"|".join([*(re.escape(shape[1:]) for shape in shapes), rb"[\x00-\x07]"]))


@lru_cache(32)
def _runs(first: bytes, shapes: tuple[bytes, ...], level: Level) -> re.Pattern[bytes]:
    """Records in a row with this level or a higher one, each line with the newline before it."""
    starts = [re.escape(shape[1:]) for shape in shapes] + [b"[\\x%02x-\\x07]" % level]
    record = rb"\n(?:%b)[^\n]*+(?>(?:\n(?:\x08|(?![\x00-\x07%b]))[^\n]*+)*)" % (b"|".join(starts), first)
    return re.compile(rb"%b(?>(?:%b)*)" % (record, record))
