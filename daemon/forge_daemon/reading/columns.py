"""Columns of a line, in code points, and where in the file they are. Lines of any length, piece by piece."""

from typing import NamedTuple

from .decoding import character_boundary
from .sources.source import Progress, Source

_PIECE = 16 * 1024
_LOOK_AHEAD = 4
"""A cut on a character boundary needs to see the character behind it."""


class Position(NamedTuple):
    """Between two characters of a line."""

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
    """The column behind the last one."""


def offset_of_column(source: Source, line_start: int, column: int, progress: Progress) -> int:
    """Where the character at a column, counted from 0, starts. Behind the line's text is its end."""
    offset, ended = line_start, False
    while column > 0 and not ended:
        progress(offset, source.size)
        piece, ended = _piece_of_line(source, offset)
        characters = len(piece.decode(errors="replace"))
        if characters >= column:
            return offset + _length_of(piece, column)
        column -= characters
        offset += len(piece)
    return offset


def column_of_offset(source: Source, line_start: int, offset: int, progress: Progress) -> int:
    """How many characters of the line stand before an offset at which one starts."""
    column = 0
    while line_start < offset:
        progress(line_start, source.size)
        piece = source.read_at(line_start, min(offset - line_start, _PIECE + _LOOK_AHEAD))
        if len(piece) > _PIECE:
            piece = piece[: character_boundary(piece, _PIECE)]
        column += len(piece.decode(errors="replace"))
        line_start += len(piece)
    return column


def _piece_of_line(source: Source, offset: int) -> tuple[bytes, bool]:
    """Some bytes of the line's text, and whether the text ends with them."""
    piece = source.read_at(offset, _PIECE + _LOOK_AHEAD)
    newline = piece.find(b"\n")
    if newline >= 0:
        return piece[:newline].removesuffix(b"\r"), True
    if len(piece) <= _PIECE:
        return piece, True
    return piece[: character_boundary(piece, _PIECE)], False


def _length_of(piece: bytes, characters: int) -> int:
    """How many bytes the first so many characters take, each malformed sequence being one."""
    length = 0
    while True:
        try:
            text, malformed = piece[length:].decode(), 0
        except UnicodeDecodeError as error:
            text, malformed = piece[length : length + error.start].decode(), error.end - error.start
        if characters <= len(text):
            return length + len(text[:characters].encode())
        characters -= len(text) + 1
        length += len(text.encode()) + malformed
