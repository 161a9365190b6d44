"""Searches for a literal in the raw bytes.

UTF-8 makes that the same as searching the text: a character's bytes are never part of another's, nor of a
malformed sequence. `fits` is False for the few literals for which it is not.
"""

import re
from collections.abc import Callable
from functools import cache
from typing import cast

from forge_daemon.reading.columns import Position, Span, column_of_offset
from forge_daemon.reading.encodings.encoding import REPLACEMENT
from forge_daemon.reading.sources.source import Progress, Source

from .letter_case import AnyCase, case_of
from .matching_processes import Proceed
from .re2_search import re2_search
from .regions import line_starts, regions_of

_BLOCK = 1024 * 1024
_BACKWARD_BLOCK = _BLOCK // 8
"""Backward, the worst case grows with the literal's length, and other threads wait for it."""
_CANDIDATES = 64
_MOST_REGIONS = 256
"""In a block. Where more lines match it is faster to look for the next one in any other way."""
_MOST_FOUND = 1024
"""In a block. Where more lines match it is faster to look into every line."""
_WIDEST_CHARACTER = 4


class LiteralSearch:
    """One literal, in its own case or in any."""

    def __init__(self, pattern: str, *, ignore_case: bool) -> None:
        self.exact_literal = None if ignore_case else pattern
        """What a line must hold to match."""
        self._case = case_of(pattern, ignored=ignore_case)
        self._needle = self._case.fold(pattern.encode())
        self.characters = len(pattern)
        self.overlap = len(pattern) * _WIDEST_CHARACTER
        """No match is longer, whatever its letters' forms."""
        any_case = isinstance(self._case, AnyCase) and pattern.isascii()
        self._re2 = re2_search(b"(?i)" + re.escape(pattern.encode())) if any_case else None

    @staticmethod
    def fits(pattern: str) -> bool:
        """A malformed sequence is shown as U+FFFD, and the end of a line is not part of its text."""
        return REPLACEMENT not in pattern and not pattern.endswith("\r")

    def __enter__(self) -> "LiteralSearch":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def first(self, source: Source, start: Position, floor: int, progress: Progress) -> Span | None:
        """The first match at or after `start`."""
        return self.first_before(source, start, floor, progress, b"")[0]

    def first_before(
        self, source: Source, start: Position, floor: int, progress: Progress, stop: bytes
    ) -> tuple[Span | None, int]:
        """The same, but only before a byte at which to stop; with the offset of that byte, or of the end."""
        offset, length = start.offset, self._length_of(_BLOCK)
        find = self._finder(source.read_at(offset, self._length_of(_BACKWARD_BLOCK)))
        while offset < source.size:
            progress(offset, source.size)
            block = source.read_at(offset, length + self.overlap)
            found, stop_at = find(block), block.find(stop) if stop else -1
            if found >= 0 and not 0 <= stop_at < found:
                return self._span(source, offset + found, floor, progress), offset + found
            if stop_at >= 0:
                return None, offset + stop_at
            offset += length
        return None, source.size

    def last(self, source: Source, start: Position, floor: int, progress: Progress) -> Span | None:
        """The last match before `start`."""
        needle, fold, end = self._needle, self._case.fold, start.offset
        length = self._length_of(_BACKWARD_BLOCK)
        while end > floor:
            progress(source.size - end, source.size)
            offset = max(floor, end - length)
            block = source.read_at(offset, end - offset + self.overlap)
            folded, starts = fold(block), end - offset
            if len(folded) < len(block):
                starts = len(fold(block[:starts]))
            found = folded.rfind(needle, 0, starts + len(needle) - 1)
            if found >= 0:
                return self._span(source, offset + self._case.origin(block, found), floor, progress)
            end = offset
        return None

    def matching_lines(self, block: bytes, _proceed: Proceed) -> list[int]:
        """Where in a block of whole lines those start that match."""
        starts: list[int] = []
        rest = 0
        if self._re2 is not None and block.isascii():
            regions = regions_of(block, self._re2, _MOST_REGIONS)
            starts = [start for start, _ in regions]
            if len(regions) <= _MOST_REGIONS:
                return starts
            rest = starts.pop()
        folded = self._case.fold(block)
        if len(folded) < len(block):
            return self._rows(block, folded)
        needle, find = self._needle, find_from()
        for _ in range(_MOST_FOUND):
            if (found := find(folded, needle, rest)) < 0:
                return starts
            starts.append(folded.rfind(b"\n", rest, found) + 1 or rest)
            rest = folded.find(b"\n", found) + 1
            if not rest:
                return starts
        return starts + [rest + start for start in self._rows(block[rest:], folded[rest:])]

    def count(self, block: bytes, _proceed: Proceed) -> int:
        """How many lines of a block match."""
        folded, needle, find = self._case.fold(block), self._needle, find_from()
        number, position = 0, 0
        while (found := find(folded, needle, position)) >= 0:
            number += 1
            position = folded.find(b"\n", found) + 1
            if not position:
                break
        return number

    def _rows(self, block: bytes, folded: bytes) -> list[int]:
        """The same, by looking into every line."""
        needle = self._needle
        return [start for start, line in zip(line_starts(block), folded.split(b"\n"), strict=True) if needle in line]

    def _finder(self, sample: bytes) -> Callable[[bytes], int]:
        """Where a block has its first match, or -1."""
        if not isinstance(self._case, AnyCase):
            return fast_find(self._needle, sample)
        find, case, re2 = fast_find(self._needle, self._case.fold(sample)), self._case, self._re2

        def find_in_any_case(block: bytes) -> int:
            if re2 is not None and block.isascii():
                return match[0] if (match := re2(block, 0)) else -1
            found = find(case.fold(block))
            return case.origin(block, found) if found >= 0 else -1

        return find_in_any_case

    def _length_of(self, block: int) -> int:
        """The more work there is for each byte, the shorter the block."""
        return max(block // self._case.cost, self.overlap)

    def _span(self, source: Source, offset: int, floor: int, progress: Progress) -> Span:
        start_of_line = line_start(source, offset, floor, progress)
        column = column_of_offset(source, start_of_line, offset, progress)
        return Span(start_of_line, column, column + self.characters)


@cache
def find_from() -> Callable[[bytes, bytes, int], int]:
    """Does what `bytes.find` does, several times faster with stringzilla."""
    try:
        from stringzilla import find
    except ImportError:
        return bytes.find
    return cast(Callable[[bytes, bytes, int], int], find)


def fast_find(needle: bytes, sample: bytes) -> Callable[[bytes], int]:
    """Does what `block.find(needle)` does, several times faster in blocks like the sample."""
    try:
        from stringzilla import find

        return lambda block: find(block, needle)
    except ImportError:
        rare_at = needle.index(min(set(needle), key=sample.count))
        return lambda block: _find(needle, rare_at, block)


def _find(needle: bytes, rare_at: int, block: bytes) -> int:
    """As `block.find(needle)`, but many times faster where one byte of the needle is rare in the block."""
    rare = needle[rare_at : rare_at + 1]
    candidate = block.find(rare, rare_at)
    for _ in range(_CANDIDATES):
        if candidate < 0:
            return -1
        if block.startswith(needle, candidate - rare_at):
            return candidate - rare_at
        candidate = block.find(rare, candidate + 1)
    return block.find(needle, candidate - rare_at) if candidate >= 0 else -1


def line_start(source: Source, offset: int, floor: int, progress: Progress) -> int:
    while offset > floor:
        progress(offset, source.size)
        start = max(floor, offset - _BACKWARD_BLOCK)
        newline = source.read_at(start, offset - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        offset = start
    return floor
