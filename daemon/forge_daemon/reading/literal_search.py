"""A literal, searched in the raw bytes.

UTF-8 makes that the same as searching the text: a character's bytes are never part of another's, nor of a
malformed sequence. `fits` tells the few literals for which it is not.
"""

from .columns import Position, Span, column_of_offset
from .decoding import REPLACEMENT
from .source import Source, Watch

_BLOCK = 1024 * 1024
_BACKWARD_BLOCK = _BLOCK // 8
"""Backward, the worst case grows with the literal's length, and other threads wait for it."""
_CANDIDATES = 64


class LiteralSearch:
    """One literal, case-sensitive."""

    def __init__(self, pattern: str) -> None:
        self._needle = pattern.encode()
        self._characters = len(pattern)

    @staticmethod
    def fits(pattern: str) -> bool:
        """A malformed sequence is shown as U+FFFD, and the end of a line is not part of its text."""
        return REPLACEMENT not in pattern and not pattern.endswith("\r")

    def __enter__(self) -> "LiteralSearch":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def first(self, source: Source, start: Position, floor: int, watch: Watch) -> Span | None:
        """The first match at or after `start`."""
        needle, offset = self._needle, start.offset
        rare_at = _rarest(needle, source.read_at(offset, _BACKWARD_BLOCK))
        while source.size - offset >= len(needle):
            watch(offset, source.size)
            found = _find(needle, rare_at, source.read_at(offset, _BLOCK + len(needle) - 1))
            if found >= 0:
                return self._span(source, offset + found, floor, watch)
            offset += _BLOCK
        return None

    def last(self, source: Source, start: Position, floor: int, watch: Watch) -> Span | None:
        """The last match before `start`."""
        needle, end = self._needle, start.offset
        while end > floor:
            watch(source.size - end, source.size)
            offset = max(floor, end - _BACKWARD_BLOCK)
            found = source.read_at(offset, end - offset + len(needle) - 1).rfind(needle)
            if found >= 0:
                return self._span(source, offset + found, floor, watch)
            end = offset
        return None

    def _span(self, source: Source, offset: int, floor: int, watch: Watch) -> Span:
        line_start = _line_start(source, offset, floor, watch)
        column = column_of_offset(source, line_start, offset, watch)
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


def _line_start(source: Source, offset: int, floor: int, watch: Watch) -> int:
    while offset > floor:
        watch(offset, source.size)
        start = max(floor, offset - _BACKWARD_BLOCK)
        newline = source.read_at(start, offset - start).rfind(b"\n")
        if newline >= 0:
            return start + newline + 1
        offset = start
    return floor
