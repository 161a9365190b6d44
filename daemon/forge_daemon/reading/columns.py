"""Maps columns of a line, in code points as shown, to offsets in the file and back. Lines may have any length.

The offsets of some columns of a long line are remembered once it was scanned, so that any part is found quickly.
"""

from bisect import bisect_right
from collections.abc import Iterator

from forge_daemon.light_typing import NamedTuple

from .ansi import end_of_finished, length_of_shown, strip
from .encodings.encoding import SingleByte
from .sources.source import Progress, Source

_PIECE = 16 * 1024
_LOOK_AHEAD = 8
"""A cut on a character boundary needs to see the character after it."""
_APART = 256 * 1024
"""Bytes between two columns that are remembered."""
_LONG_LINES = 8


class Position(NamedTuple):
    """A position between two characters of a line."""

    line_start: int
    """In the file."""
    column: int
    """From 0."""
    offset: int
    """In the file."""


class Span(NamedTuple):
    """Some characters of a line."""

    line_start: int
    start: int
    """From 0."""
    end: int
    """The column after the last one."""


class Piece(NamedTuple):
    """Some characters of a line, without its end."""

    offset: int
    data: bytes
    state: bytes
    text: str
    """As it is shown."""
    is_last: bool


def offset_of_column(source: Source, line_start: int, column: int, progress: Progress) -> int:
    """Where the character at a column, counted from 0, starts. After the line's text is its end."""
    if column == 0:
        return line_start
    if isinstance(source.encoding, SingleByte) and not source.strip_ansi:
        return min(line_start + column, end_of_line(source, line_start, progress)[0])
    marks = _marks(source, line_start)
    start, before = marks[bisect_right(marks, column, key=lambda mark: mark[1]) - 1]
    for piece in pieces_of_line(source, start):
        progress(piece.offset, source.size)
        if before + len(piece.text) >= column:
            return piece.offset + _length_of(source, piece, column - before)
        before += len(piece.text)
        start = piece.offset + len(piece.data)
        if not piece.is_last:
            _remember(source, line_start, start, before)
    return start


def column_of_offset(source: Source, line_start: int, offset: int, progress: Progress) -> int:
    """How many characters of the line precede `offset`, where a character starts."""
    marks = _marks(source, line_start)
    start, column = marks[bisect_right(marks, offset, key=lambda mark: mark[0]) - 1]
    for piece in pieces_of_line(source, start, offset):
        progress(piece.offset, source.size)
        column += len(piece.text)
        start = piece.offset + len(piece.data)
        if start < offset:
            _remember(source, line_start, start, column)
    return column


def part_of_line(source: Source, offset: int, characters: int, progress: Progress) -> tuple[str, int, bool]:
    """Up to `characters` characters from `offset`, the offset after them, and whether the line continues."""
    parts: list[str] = []
    for piece in pieces_of_line(source, offset):
        progress(piece.offset, source.size)
        if len(piece.text) > characters:
            parts.append(piece.text[:characters])
            return "".join(parts), piece.offset + _length_of(source, piece, characters), True
        parts.append(piece.text)
        characters -= len(piece.text)
        offset = piece.offset + len(piece.data)
        if piece.is_last:
            return "".join(parts), offset, False
    return "".join(parts), offset, False


def end_of_line(source: Source, offset: int, progress: Progress) -> tuple[int, int]:
    """Where the text of the line at `offset` ends, and where the next line starts."""
    newline = source.line_index.next_newline(offset, source.read_at, progress)
    if newline is None:
        return source.size, source.size
    return newline - (newline > offset and source.read_at(newline - 1, 1) == b"\r"), newline + 1


def pieces_of_line(source: Source, offset: int, end: int | None = None) -> Iterator[Piece]:
    """A line from `offset`, where a character starts, to its end or to `end`."""
    encoding = source.encoding
    state = encoding.state_at(source.read_at, offset) if encoding.stateful else b""
    is_last = False
    while not is_last:
        length = _PIECE + _LOOK_AHEAD if end is None else min(_PIECE + _LOOK_AHEAD, end - offset)
        data = source.read_at(offset, length)
        newline = data.find(b"\n")
        is_last = newline >= 0 or len(data) <= _PIECE
        if newline >= 0:
            data = data[:newline].removesuffix(b"\r")
        elif not is_last:
            data = data[: encoding.boundary(data, _PIECE, state)]
        text = encoding.decode(data, state)[0]
        if source.strip_ansi:
            finished = len(text) if is_last else end_of_finished(text)
            if finished < len(text):
                data, text = data[: encoding.offset_of(data, finished, state)], text[:finished]
            text = strip(text)
        yield Piece(offset, data, state, text, is_last)
        state = encoding.state_after(data, state)
        offset += len(data)


def _length_of(source: Source, piece: Piece, characters: int) -> int:
    """How many bytes the first `characters` of a piece take, with the escape sequences before them."""
    if source.strip_ansi and characters:
        raw = source.encoding.decode(piece.data, piece.state)[0]
        if len(raw) > len(piece.text):
            characters = length_of_shown(raw, characters)
    return source.encoding.offset_of(piece.data, characters, piece.state)


def _marks(source: Source, line_start: int) -> list[tuple[int, int]]:
    """The known offsets and columns of a line."""
    return source.line_index.marks.columns.get(_key(source, line_start)) or [(line_start, 0)]


def _remember(source: Source, line_start: int, offset: int, column: int) -> None:
    known, key = source.line_index.marks.columns, _key(source, line_start)
    marks = known.get(key) or [(line_start, 0)]
    if offset < marks[-1][0] + _APART:
        return
    if key not in known and len(known) >= _LONG_LINES:
        known.clear()
    known[key] = [*marks, (offset, column)]


def _key(source: Source, line_start: int) -> tuple[str, int]:
    return f"{source.encoding.name}{source.strip_ansi:d}", line_start
