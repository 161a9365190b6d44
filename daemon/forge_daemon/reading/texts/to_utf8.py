"""Converts a text of another encoding to UTF-8."""

from collections.abc import Iterator

from .derived import Point, Stage, Step
from .encodings.encoding import PIECE, Encoding
from .source import End, Input


class ToUtf8(Stage):
    """The stage. A restart point is an offset of the source between two characters."""

    def __init__(self, encoding: Encoding, bom: int) -> None:
        """`bom`: the length of a byte order mark, which is left out."""
        self._encoding = encoding
        self._start = bom, b""

    def steps(self, source: Input, start: Point) -> Iterator[Step | End]:
        offset, prefix = start.state or self._start
        while True:
            piece = source.read_at(offset, PIECE)
            text, length, prefix_after = self._encoding.convert(piece, prefix)
            if length:
                offset, prefix = offset + length, prefix_after
                yield Step(text, (offset, prefix))
            else:
                end = source.end()
                yield End(self._encoding.finish(piece + end.flush, prefix), end.failure)
