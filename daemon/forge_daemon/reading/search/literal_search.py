"""A literal, searched in the raw bytes.

UTF-8 makes that the same as searching the text: a character's bytes are never part of another's, nor of a
malformed sequence. `fits` tells the few literals for which it is not.
"""

from forge_daemon.reading.columns import Position, Span, column_of_offset
from forge_daemon.reading.decoding import REPLACEMENT
from forge_daemon.reading.sources.source import Progress, Source

from .letter_case import case_of

_BLOCK = 1024 * 1024
_BACKWARD_BLOCK = _BLOCK // 8
"""Backward, the worst case grows with the literal's length, and other threads wait for it."""
_CANDIDATES = 64
_WIDEST_CHARACTER = 4


class LiteralSearch:
    """One literal, in its own case or in any."""

    def __init__(self, pattern: str, *, ignore_case: bool) -> None:
        self._case = case_of(pattern, ignored=ignore_case)
        self._needle = self._case.fold(pattern.encode())
        self._characters = len(pattern)
        self._overlap = len(pattern) * _WIDEST_CHARACTER
        """No match is longer, whatever its letters' forms."""

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
        needle, fold, offset = self._needle, self._case.fold, start.offset
        rare_at = _rarest(needle, fold(source.read_at(offset, self._length_of(_BACKWARD_BLOCK))))
        length = self._length_of(_BLOCK)
        while offset < source.size:
            progress(offset, source.size)
            block = source.read_at(offset, length + self._overlap)
            found = _find(needle, rare_at, fold(block))
            if found >= 0:
                return self._span(source, offset + self._case.origin(block, found), floor, progress)
            offset += length
        return None

    def last(self, source: Source, start: Position, floor: int, progress: Progress) -> Span | None:
        """The last match before `start`."""
        needle, fold, end = self._needle, self._case.fold, start.offset
        length = self._length_of(_BACKWARD_BLOCK)
        while end > floor:
            progress(source.size - end, source.size)
            offset = max(floor, end - length)
            block = source.read_at(offset, end - offset + self._overlap)
            folded, starts = fold(block), end - offset
            if len(folded) < len(block):
                starts = len(fold(block[:starts]))
            found = folded.rfind(needle, 0, starts + len(needle) - 1)
            if found >= 0:
                return self._span(source, offset + self._case.origin(block, found), floor, progress)
            end = offset
        return None

    def _length_of(self, block: int) -> int:
        """The more there is to be done for each byte, the fewer are taken at once."""
        return max(block // self._case.cost, self._overlap)

    def _span(self, source: Source, offset: int, floor: int, progress: Progress) -> Span:
        line_start = _line_start(source, offset, floor, progress)
        column = column_of_offset(source, line_start, offset, progress)
        return Span(line_start, column, column + self._characters)


def _rarest(needle: bytes, sample: bytes) -> int:
    """Where in the needle the byte stands that the sample has least of."""
    return needle.index(min(set(needle), key=sample.count))


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


def _line_start(source: Source, offset: int, floor: int, progress: Progress) -> int:
    while offset > floor:
        progress(offset, source.size)
        start = max(floor, offset - _BACKWARD_BLOCK)
        newline = source.read_at(start, offset - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        offset = start
    return floor
