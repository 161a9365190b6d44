"""Cuts the same columns from consecutive lines."""

from collections.abc import Iterator

from forge_daemon.light_typing import Literal, NamedTuple
from forge_daemon.reading.columns import end_of_line, offset_of_column, part_of_line
from forge_daemon.reading.decoding import Decoded, Eol
from forge_daemon.reading.encodings.encoding import REPLACEMENT
from forge_daemon.reading.sources.source import Progress, Source

from .cut import Cut, cut_lines, decode_shown, smaller
from .locate import Start
from .window import MAX_CONTENT_BYTES, ClippedLine, Columns, WindowRequest

_BLOCK = 64 * 1024


def cut_columns(source: Source, start: Start, request: WindowRequest, columns: Columns, progress: Progress) -> Cut:
    """Cut some characters of each line. An answer ends after a line, whatever its length."""
    room = MAX_CONTENT_BYTES if request.max_bytes is None else request.max_bytes
    if (whole := _lines_that_fit(source, start, request._replace(max_bytes=room), columns)) is not None:
        return whole
    selected = None if start.last is None else max(0, start.last - start.line + 1)
    page = smaller(selected, request.max_lines)
    lines: list[str] = []
    clipped: list[ClippedLine] = []
    returns = errors = 0
    offset = start.offset
    stopped_by: Literal["lines", "bytes"] | None = None
    for line in lines_in_part(source, offset, columns, room, progress):
        if len(lines) == page:
            stopped_by = None if selected == page else "lines"
            break
        size = len(line.text.encode())
        if lines and size > room:
            stopped_by = "bytes"
            break
        room -= size
        if line.omitted_bytes:
            clipped.append(ClippedLine(start.line + len(lines), line.omitted_bytes))
        lines.append(line.text)
        returns += line.ends_in_return
        errors += line.errors
        offset = line.next_line
    text = "".join(lines)
    newlines = text.count("\n")
    eol: Eol = "none" if not newlines else "lf" if not returns else "crlf" if returns == newlines else "mixed"
    decoded = Decoded(text, errors, eol)
    at_end = stopped_by is None and len(lines) != selected
    return Cut(decoded, offset - start.offset, len(lines), stopped_by, False, at_end, tuple(clipped))


def _lines_that_fit(source: Source, start: Start, request: WindowRequest, columns: Columns) -> Cut | None:
    """The page as it is without columns, if that is the same: most lines are shorter than the columns asked for."""
    if columns.start > 0 or source.unpacked is not None or start.stop < source.size:
        return None
    first = source.read_at(start.offset, columns.number + 1)
    if len(first) > columns.number and b"\n" not in first:
        return None  # a long line is not read in vain
    cut = cut_lines(source, start, request)
    if cut.stopped_by == "bytes" or max(map(len, cut.decoded.text.split("\n"))) > columns.number:
        return None
    return cut._replace(clipped_lines=())


class LinePart(NamedTuple):
    text: str
    """With the newline, if the line has one."""
    omitted_bytes: int
    next_line: int
    ends_in_return: bool
    errors: int
    """Malformed sequences."""


def lines_in_part(
    source: Source, offset: int, columns: Columns, most_bytes: int, progress: Progress
) -> Iterator[LinePart]:
    """The same part of one line after the other."""
    chunk, chunk_at = b"", offset
    state = source.encoding.state_at(source.read_at, offset) if source.encoding.stateful else b""
    first, last = columns.start, columns.start + columns.number
    while source.has_more_at(offset):
        newline = chunk.find(b"\n", offset - chunk_at)
        if newline < 0:
            chunk, chunk_at = source.read_at(offset, _BLOCK), offset
            newline = chunk.find(b"\n")
        if newline >= 0:
            raw = chunk[offset - chunk_at : newline + 1]
            decoded = decode_shown(source, raw, state)
            text, has_errors = decoded.text[:-1], decoded.errors > 0
            end, next_line = offset + len(raw) - 1 - raw.endswith(b"\r\n"), offset + len(raw)
            part = _fitting(text[first:last], most_bytes)
            after = end
            if len(text) > first + len(part):
                after = offset_of_column(source, offset, first + len(part), progress)
        else:
            part_at = offset_of_column(source, offset, first, progress)
            part = _fitting(part_of_line(source, part_at, min(columns.number, most_bytes), progress)[0], most_bytes)
            after = part_of_line(source, part_at, len(part), progress)[1]
            end, next_line = end_of_line(source, after, progress)
            has_errors = True
        has_newline = source.read_at(next_line - 1, 1) == b"\n" if newline < 0 else True
        yield LinePart(
            part + "\n" if has_newline else part,
            end - after,
            next_line,
            has_newline and next_line - end == 2,
            # A U+FFFD written in the file is not an error; in a line with both, they cannot be distinguished.
            part.count(REPLACEMENT) if has_errors else 0,
        )
        offset, state = next_line, b""


def _fitting(text: str, most_bytes: int) -> str:
    """As many characters as fit beside a newline, but at least one."""
    if len(text) * 4 < most_bytes:
        return text
    return text.encode()[: max(0, most_bytes - 1)].decode(errors="ignore") or text[:1]
