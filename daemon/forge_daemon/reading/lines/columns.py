"""Maps columns of a line, in code points, to offsets in the text and back. Lines may have any length.

Some columns of a long line are remembered once it was scanned, so that any part of it is found quickly.
"""

from bisect import bisect_right
from collections.abc import Iterator
from typing import NamedTuple

from forge_daemon.reading.texts.text import Text

from . import utf8

PIECE = 16 * 1024
CHECKPOINT_SPACING = 256 * 1024
MAX_LONG_LINES = 8
_CHECKPOINT_MEMORY = 128


class Checkpoint(NamedTuple):
    offset: int
    column: int


class Checkpoints:
    """Some columns of the long lines of one text, by where the line starts."""

    def __init__(self) -> None:
        self._lines: dict[int, list[Checkpoint]] = {}

    @property
    def memory(self) -> int:
        return _CHECKPOINT_MEMORY * sum(map(len, list(self._lines.values())))

    def of_line(self, line_start: int) -> list[Checkpoint]:
        return self._lines.get(line_start) or [Checkpoint(line_start, 0)]

    def offer(self, line_start: int, checkpoint: Checkpoint) -> None:
        known = self.of_line(line_start)
        if checkpoint.offset < known[-1].offset + CHECKPOINT_SPACING:
            return
        if line_start not in self._lines and len(self._lines) >= MAX_LONG_LINES:
            self._lines = {}
        self._lines[line_start] = [*known, checkpoint]


class _Piece(NamedTuple):
    offset: int
    data: bytes
    text: str
    is_last: bool


class Columns:
    """The columns of a text's lines, counted from 0."""

    def __init__(self, text: Text) -> None:
        self._text = text
        self._known = text.know(("columns",), Checkpoints)

    def offset_of(self, line_start: int, column: int) -> int:
        """Where the character at a column starts. After the line's text is its end."""
        if column == 0:
            return line_start
        checkpoints = self._known.of_line(line_start)
        start, before = checkpoints[bisect_right(checkpoints, column, key=lambda each: each.column) - 1]
        for piece in self._pieces(start):
            if before + len(piece.text) >= column:
                return piece.offset + utf8.offset_of(piece.data, column - before)
            before += len(piece.text)
            start = piece.offset + len(piece.data)
            if not piece.is_last:
                self._known.offer(line_start, Checkpoint(start, before))
        return start

    def column_at(self, line_start: int, offset: int) -> int:
        """How many characters of the line precede an offset at which a character starts."""
        checkpoints = self._known.of_line(line_start)
        start, column = checkpoints[bisect_right(checkpoints, offset, key=lambda each: each.offset) - 1]
        for piece in self._pieces(start, offset):
            column += len(piece.text)
            start = piece.offset + len(piece.data)
            if start < offset:
                self._known.offer(line_start, Checkpoint(start, column))
        return column

    def part(self, offset: int, characters: int) -> tuple[str, int, int]:
        """Up to `characters` characters of a line from `offset`, how many are malformed, and the offset after them."""
        parts: list[str] = []
        errors = 0
        for piece in self._pieces(offset):
            data = piece.data
            if len(piece.text) > characters:
                data = data[: utf8.offset_of(data, characters)]
            text, malformed = utf8.decode(data)
            parts.append(text)
            errors += malformed
            offset = piece.offset + len(data)
            characters -= len(text)
            if characters <= 0:
                break
        return "".join(parts), errors, offset

    def _pieces(self, offset: int, end: int | None = None) -> Iterator[_Piece]:
        """A line from `offset`, where a character starts, to its end or to `end`."""
        is_last = False
        while not is_last:
            self._text.report(offset)
            length = PIECE + utf8.LOOK_AHEAD if end is None else min(PIECE + utf8.LOOK_AHEAD, end - offset)
            data = self._text.read_at(offset, length)
            newline = data.find(b"\n")
            is_last = newline >= 0 or len(data) <= PIECE
            if newline >= 0:
                data = data[:newline].removesuffix(b"\r")
            elif not is_last:
                data = data[: utf8.boundary(data, PIECE)]
            yield _Piece(offset, data, utf8.decode(data)[0], is_last)
            offset += len(data)
