"""A literal in a line that is too long for a block, searched piece by piece in the text as it is shown."""

from collections.abc import Iterator

from forge_daemon.reading.columns import Position, Span, offset_of_column, pieces_of_line
from forge_daemon.reading.lines.line_index import LineIndex
from forge_daemon.reading.sources.source import Progress, Source

from .literal_search import LiteralSearch

_TOGETHER = 256 * 1024
"""Characters that are searched together."""


def first_in_line(
    search: LiteralSearch, source: Source, line_start: int, column: int, progress: Progress
) -> Span | None:
    """The first match at or after a column, counted from 0."""
    for start, text in _texts(source, line_start, column, search.characters - 1, progress):
        if (found := search.first(shown_source(text.encode()), Position(0, 0, 0), 0, progress)) is not None:
            return Span(line_start, start + found.start, start + found.end)
    return None


def last_in_line(
    search: LiteralSearch, source: Source, line_start: int, before: int | None, progress: Progress
) -> Span | None:
    """The last match that starts before a column; None means in the whole line."""
    last: Span | None = None
    for start, text in _texts(source, line_start, 0, search.characters - 1, progress):
        column = len(text) if before is None else min(before - start, len(text))
        if column <= 0:
            break
        shown = shown_source(text.encode())
        position = Position(0, column, offset_of_column(shown, 0, column, progress))
        if (found := search.last(shown, position, 0, progress)) is not None:
            last = Span(line_start, start + found.start, start + found.end)
    return last


def shown_source(text: bytes) -> Source:
    """Text to search in, in UTF-8."""
    return Source(
        kind="buffer",
        size=len(text),
        read_at=lambda offset, length: text[offset : offset + length],
        etag="",
        line_index=LineIndex(len(text)),
        mtime_ms=None,
    )


def _texts(source: Source, line_start: int, column: int, overlap: int, progress: Progress) -> Iterator[tuple[int, str]]:
    """Parts of a line from a column on, with their columns. Each repeats the last characters of the one before it."""
    parts, length = [""], 0
    for piece in pieces_of_line(source, offset_of_column(source, line_start, column, progress)):
        progress(piece.offset, source.size)
        parts.append(piece.text)
        length += len(piece.text)
        if piece.is_last or length >= _TOGETHER:
            text = "".join(parts)
            yield column, text
            kept = text[len(text) - overlap :] if 0 < overlap < len(text) else text * bool(overlap)
            column += len(text) - len(kept)
            parts, length = [kept], 0
