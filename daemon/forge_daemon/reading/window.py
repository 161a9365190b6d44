"""Cut the window: from a source and a resolved request to the text, and to the facts about what was cut."""

from collections.abc import Iterator
from typing import TYPE_CHECKING, Literal, NamedTuple

from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .ansi import ESC, LONGEST_SEQUENCE, end_of_finished, end_of_first
from .columns import end_of_line, offset_of_column, part_of_line
from .cursor import Cursor, check_cursor, cursor_at, needs_scan
from .decoding import WIDEST_REPLACEMENT, Decoded, Eol, decode, incomplete_at_end
from .encodings import REPLACEMENT, UTF_8
from .lines.newlines import after_newline, first_newlines
from .selection import LastLines, Lines, Selection
from .sources.source import Progress, Source, no_progress
from .text import (
    AUTOMATIC,
    TextForm,
    counts_lines,
    find_end,
    how_to_read,
    is_compressed,
    no_lines,
    open_text,
    progress_of,
    require_whole,
)

if TYPE_CHECKING:
    from .search.line_filter import LineFilter

MAX_CONTENT_BYTES = 1024 * 1024
"""The most content of one answer, numbers not counted."""

COUNT_LINES_UP_TO = 64 * 1024 * 1024
"""Above this size a window does not wait for the file's lines to be counted."""

_BYTES_PER_LINE = 96
"""A guess, for the first read."""
_LOOK_AHEAD = 8
"""A cut on a character boundary needs to see the character after it."""
_UNFINISHED_LINE = 4096
"""So far back a character is looked for that the end of the file cuts."""
_TAIL_BLOCK = 64 * 1024


class WindowRequest(NamedTuple):
    """What a surface wants of a file, whichever surface it is."""

    selection: Selection = None
    max_lines: int | None = None
    max_bytes: int | None = MAX_CONTENT_BYTES
    max_bytes_of: Literal["content", "file"] = "content"
    """They differ where malformed bytes are shown as U+FFFD, which takes three."""
    reach: int | None = None
    """The furthest byte a line selection may touch, from the start; for the last lines, from the end."""
    count_lines_up_to: int = COUNT_LINES_UP_TO
    on_binary: Literal["base64", "refuse"] = "base64"
    whole_lines: bool = False
    """Leave out a last line that is not terminated. `next_cursor` then stands before it, though nothing was cut."""
    if_none_match: str | None = None
    max_file_size: int | None = None
    line_filter: "LineFilter | None" = None
    """The file as if it had only the lines that match."""
    form: TextForm = AUTOMATIC
    columns: "Columns | None" = None


class Columns(NamedTuple):
    """Of every line only these characters."""

    start: int
    """From 0."""
    number: int


class ClippedLine(NamedTuple):
    line: int
    omitted_bytes: int
    """After the part that is shown."""


class Facts(NamedTuple):
    """The file, or document, as a whole."""

    byte_length: int
    line_count: int | None
    mtime_ms: int | None
    encoding: str
    bom: bool
    ends_with_newline: bool
    etag: str
    source: Literal["disk", "buffer"]
    document_version: int | None
    changed_ms: int | None = None
    """When an open document was last changed."""
    compression: Literal["gzip"] | None = None
    text_byte_length: int | None = None
    """Of what was compressed, where it is known."""


class BinaryPage(NamedTuple):
    data: bytes
    byte_offset: int


class Window(NamedTuple):
    """The part of it that is the answer."""

    facts: Facts
    start_line: int
    content: str = ""
    returned_line_count: int = 0
    eol: Eol = "none"
    decode_errors: int = 0
    truncated_by: Literal["lines", "bytes"] | None = None
    next_start_line: int | None = None
    next_cursor: Cursor | None = None
    end_cursor: Cursor | None = None
    """Where the answer reaches the end of the file: what is appended starts here."""
    binary: BinaryPage | None = None
    not_modified: bool = False
    line_numbers: list[int] | None = None
    """Of the lines that match a filter, in the file."""
    clipped_lines: tuple[ClippedLine, ...] | None = None
    """Of a window of some columns."""


class ScanLimitExceeded(ReadError):
    """`reached` is a line number, or a number of last lines, that would have been within reach; 0: none."""

    def __init__(self, reason: str, reached: int) -> None:
        super().__init__(ErrorCode.SCAN_LIMIT_EXCEEDED, reason)
        self.reached = reached


def read_window(source: Source, request: WindowRequest, progress: Progress) -> Window:
    """The checks that need the file, in the contract's order, and then the window."""
    if request.max_file_size is not None and source.size > request.max_file_size:
        raise ReadError(
            ErrorCode.SIZE_LIMIT_EXCEEDED,
            f"{source.size:,} bytes, more than the {request.max_file_size:,} this tool takes",
        )
    progress(0, source.size)
    selection = request.selection
    text = open_text(source, request.form, progress)
    if isinstance(selection, Cursor):
        check_cursor(selection, text or source, progress)
    not_modified = request.if_none_match == source.etag and source.stable
    if text is None:
        return _binary_window(source, request, not_modified)
    progress = progress_of(text, progress)
    if request.line_filter is not None:
        find_end(text, progress)
    facts = _text_facts(text, request.count_lines_up_to, progress)
    if request.line_filter is not None:
        from .search.filtered_window import FilteredWindow

        filtered = FilteredWindow(text, request, request.line_filter, facts, progress)
        facts = filtered.facts
    if not_modified:
        return Window(facts, _first_line(selection, facts), not_modified=True)
    if request.line_filter is not None:
        return filtered.read()
    return _text_window(text, request, facts, progress)


def is_quick(source: Source, request: WindowRequest) -> bool:
    """Whether a window is cut without counting lines first, which takes as long as the file is large."""
    selection = request.selection
    if request.line_filter is not None or is_compressed(source, request.form):
        return False
    if source.is_small:
        return True
    text = open_text(source, request.form, no_progress)
    if text is None:
        return True
    source = text
    if source.origin.size <= request.count_lines_up_to:
        return source.line_index.is_counted()
    if isinstance(selection, Cursor):
        return not needs_scan(selection, source)
    if isinstance(selection, Lines):
        return selection.first == 1 or source.line_index.is_counted(selection.first)
    return selection is None


def can_count_quickly(source: Source, form: TextForm) -> bool:
    """Whether counting takes no longer than a bounded read."""
    return not is_compressed(source, form) and (source.is_small or source.line_index.is_counted())


def count_lines(
    source: Source, progress: Progress, line_filter: "LineFilter | None" = None, form: TextForm = AUTOMATIC
) -> int:
    """Every line of a text file, however large, or every one that matches."""
    text = open_text(source, form, progress)
    if text is None:
        raise invalid_argument(no_lines(source, "count"), hint=how_to_read(source))
    progress = progress_of(text, progress)
    if line_filter is None:
        lines = _count_lines(text, progress)
    else:
        from .search.filtered_window import count_matches

        find_end(text, progress)
        lines = count_matches(text, line_filter, progress)
    require_whole(text)
    return lines


def _binary_window(source: Source, request: WindowRequest, not_modified: bool) -> Window:
    facts = Facts(
        byte_length=source.size,
        line_count=None,
        mtime_ms=source.mtime_ms,
        encoding="binary",
        bom=False,
        ends_with_newline=False,
        etag=source.etag,
        source=source.kind,
        document_version=None,
    )
    if not_modified:
        return Window(facts, 1, not_modified=True)
    if request.on_binary == "refuse":
        raise ReadError(ErrorCode.BINARY_NOT_SUPPORTED, "is a binary file", hint=how_to_read(source))
    if request.line_filter is not None or isinstance(request.selection, (Lines, LastLines)):
        hint = how_to_read(source) or "leave the line selectors out"
        raise invalid_argument(no_lines(source, "select"), hint=hint)
    offset = request.selection.offset if isinstance(request.selection, Cursor) else 0
    data = source.read_at(offset, source.size if request.max_bytes is None else request.max_bytes)
    end = offset + len(data)
    truncated = end < source.size
    cursor = cursor_at(source, end, 0, None)
    return Window(
        facts,
        1,
        truncated_by="bytes" if truncated else None,
        next_cursor=cursor if truncated else None,
        end_cursor=None if truncated else cursor,
        binary=BinaryPage(data, offset),
    )


def _text_facts(source: Source, count_lines_up_to: int, progress: Progress) -> Facts:
    counted = counts_lines(source, count_lines_up_to)
    line_count = _count_lines(source, progress) if counted else None
    return Facts(
        byte_length=source.origin.size,
        line_count=None if source.failure else line_count,
        mtime_ms=source.mtime_ms,
        encoding=source.file_encoding.name,
        bom=source.has_bom,
        # The end of a long compressed text is not looked for.
        ends_with_newline=_ends_with_newline(source) if counted or source.unpacked is None else False,
        etag=source.etag,
        source=source.kind,
        document_version=source.document_version,
        changed_ms=source.changed_ms,
        compression="gzip" if source.unpacked else None,
        text_byte_length=source.unpacked.size if source.unpacked and counted else None,
    )


def _ends_with_newline(source: Source) -> bool:
    if source.derived is not None and source.unpacked is None:
        # The end of the file tells it without a look for that of its text.
        newline = "\n".encode(source.file_encoding.codec)
        file = source.origin
        return file.size % len(newline) == 0 and file.read_at(max(0, file.size - len(newline)), len(newline)) == newline
    return source.size > 0 and source.read_at(source.size - 1, 1) == b"\n"


def _count_lines(source: Source, progress: Progress) -> int:
    newlines = source.line_index.count(source.read_at, progress)
    return 0 if source.size <= source.bom else newlines + (not _ends_with_newline(source))


class _Start(NamedTuple):
    offset: int
    line: int
    last: int | None
    stop: int
    """No byte from here on belongs to the answer, though the file may go on."""


def _first_line(selection: Selection, facts: Facts) -> int:
    """The first line of a selection, as far as it is known without reading."""
    if isinstance(selection, Lines):
        return selection.first
    if isinstance(selection, LastLines):
        if facts.line_count is None:
            return -selection.number
        return max(1, facts.line_count - selection.number + 1)
    if isinstance(selection, Cursor):
        return selection.filtered.number if selection.filtered else selection.line
    return 1


def _text_window(source: Source, request: WindowRequest, facts: Facts, progress: Progress) -> Window:
    start = _locate(source, request, facts, progress)
    cut = _cut_columns(source, start, request, progress) if request.columns else _cut(source, start, request)
    end = start.offset + cut.length
    reached_end = not source.goes_on(end)
    truncated_by = None if reached_end else cut.stopped_by
    if reached_end and source.unpacked is not None:
        facts = facts._replace(ends_with_newline=_ends_with_newline(source))
        if source.failure and (cut.at_end or cut.stopped_by):
            # What there is was answered; to go on from here is an error that says why.
            if end == start.offset:
                require_whole(source)
            truncated_by = "bytes"
    next_line = start.line + cut.lines
    is_held_back = not truncated_by and request.whole_lines and not reached_end
    return Window(
        facts,
        start.line,
        content=cut.decoded.text,
        returned_line_count=cut.lines,
        eol=cut.decoded.eol,
        decode_errors=cut.decoded.errors,
        truncated_by=truncated_by,
        next_start_line=next_line if truncated_by and start.line > 0 else None,
        next_cursor=cursor_at(source, end, next_line - cut.inside_line, start.last)
        if truncated_by or is_held_back
        else None,
        end_cursor=_end_cursor(source, start, cut, facts, progress) if reached_end and not truncated_by else None,
        clipped_lines=cut.clipped_lines,
    )


def unfinished_at_end(source: Source) -> int:
    """How many of a text's last bytes may still become another character, or the end of a line."""
    last_bytes = source.read_at(max(0, source.size - _UNFINISHED_LINE), _UNFINISHED_LINE)
    return incomplete_at_end(last_bytes, source.encoding) or (source.derived.unfinished if source.derived else 0)


def _end_cursor(source: Source, start: "_Start", cut: "_Cut", facts: Facts, progress: Progress) -> Cursor:
    """Before a character that is not complete yet, or a carriage return whose newline may follow."""
    offset = source.size - unfinished_at_end(source)
    if start.line > 0 and cut.lines == 0:  # past the end, whatever line was asked for
        line = source.line_index.line_at(source.size, source.read_at, progress)
    else:
        line = start.line + cut.lines - (cut.lines > 0 and not facts.ends_with_newline)
    return cursor_at(source, offset, line, None)


def _locate(source: Source, request: WindowRequest, facts: Facts, progress: Progress) -> _Start:
    selection, bom = request.selection, source.bom
    if selection is None:
        return _Start(bom, 1, None, source.size)
    if isinstance(selection, Cursor):
        line = selection.line if selection.line > 0 else selection.line - _lines_since(source, selection.size, progress)
        return _Start(selection.offset, line, selection.last, source.size)
    if isinstance(selection, Lines):
        return _locate_line(source, selection, request.reach, bom, progress)
    line_count = facts.line_count
    if line_count is None and source.derived is None:
        return _locate_from_the_end(source, selection.number, request.reach, facts, bom, progress)
    if line_count is None:
        # Its end is only found by going through all of it.
        line_count = _count_lines(source, progress)
    lines = Lines(max(1, line_count - selection.number + 1), None)
    return _locate_line(source, lines, None, bom, progress)


def _lines_since(source: Source, size: int, progress: Progress) -> int:
    """How many lines the file has more than when it had `size` bytes."""
    if size == source.size:
        return 0
    index = source.line_index
    newlines = index.count(source.read_at, progress) - (index.newlines_before(size, source.read_at) or 0)
    was_unfinished = size > 0 and source.read_at(size - 1, 1) != b"\n"
    return newlines + (not _ends_with_newline(source)) - was_unfinished


def _locate_line(source: Source, lines: Lines, reach: int | None, bom: int, progress: Progress) -> _Start:
    stop = source.size if reach is None else min(reach, source.size)
    offset = bom if lines.first == 1 else source.line_index.line_start(lines.first, source.read_at, progress, stop)
    # The first line starts where the file does, whatever a byte order mark takes.
    if lines.first > 1 and stop < source.size and (offset is None or offset >= stop):
        found = source.line_index.newlines_before(stop, source.read_at) or 0
        raise ScanLimitExceeded(
            f"line {lines.first:,} lies beyond the first {stop:,} bytes, the furthest a selection may reach; "
            f"they hold {found:,} lines",
            max(1, found),
        )
    return _Start(source.size if offset is None else offset, lines.first, lines.last, stop)


def _locate_from_the_end(
    source: Source, count: int, reach: int | None, facts: Facts, bom: int, progress: Progress
) -> _Start:
    """Search backwards: nobody has to read a large file for its last lines."""
    furthest = bom if reach is None else max(bom, source.size - reach)
    # A newline just before it still makes a line start on it.
    floor = max(bom, furthest - 1)
    missing = count
    # The newline that ends the file ends its last line; it does not start another.
    position = source.size - facts.ends_with_newline
    block_size = _TAIL_BLOCK
    while position > floor:
        progress(source.size - position, source.size - floor)
        start = max(floor, position - block_size)
        block = source.read_at(start, position - start)
        found = block.count(b"\n")
        if found >= missing:
            return _Start(start + after_newline(block, found - missing + 1), -count, None, source.size)
        missing -= found
        position = start
        block_size = min(block_size * 4, MAX_CONTENT_BYTES)
    found = count - missing
    if furthest > bom:
        raise ScanLimitExceeded(
            f"the last {count:,} lines reach further than {reach:,} bytes from the end; "
            f"those hold {found:,} whole line{'s' * (found != 1)}",
            found,
        )
    return _Start(bom, -(found + 1), None, source.size)


class _Cut(NamedTuple):
    decoded: Decoded
    length: int
    """In the file."""
    lines: int
    stopped_by: Literal["lines", "bytes"] | None
    """None: the end of the selection."""
    inside_line: bool = False
    at_end: bool = False
    """It ends with the text, not with the selection."""
    clipped_lines: tuple[ClippedLine, ...] | None = None
    """Of a window of some columns."""


def _cut(source: Source, start: _Start, request: WindowRequest) -> _Cut:
    selected = None if start.last is None else max(0, start.last - start.line + 1)
    page = _smaller(selected, request.max_lines)
    budget = max(1, start.stop - start.offset)
    if request.max_bytes is not None:
        # An escape sequence is not cut, and takes no room in the answer.
        budget = min(budget, max(request.max_bytes, 4 * LONGEST_SEQUENCE if source.strip_ansi else 0))
    if budget == 1 and source.read_at(start.offset, 2) == b"\r\n":
        budget = 2  # One character: it is never cut, and with it the line ends.
    piece, newlines, length = _read_lines(source, start.offset, page, budget)
    state = source.encoding.state_at(source.read_at, start.offset) if source.encoding.stateful else b""
    at_end = False
    stopped_by: Literal["lines", "bytes"] | None
    if newlines == page:
        lines, inside_line = page, False
        stopped_by = None if selected == page else "lines"
    elif len(piece) <= budget:
        stopped_by, inside_line, at_end = None, False, True
        if request.whole_lines:
            lines = newlines
        else:
            length, lines = len(piece), newlines + (piece[-1:] not in (b"", b"\n"))
    else:
        stopped_by, lines, inside_line = "bytes", newlines, length == 0
        if inside_line:
            length, lines = cut_inside(source, piece, budget, state), 1
    cut = _Cut(_decode(source, piece[:length], state), length, lines, stopped_by, inside_line, at_end)
    may_have_grown = cut.decoded.errors or source.encoding is not UTF_8 or source.strip_ansi
    if may_have_grown and request.max_bytes is not None and request.max_bytes_of == "content":
        return _shrink(source, piece, cut, request.max_bytes, state)
    return cut


def _decode(source: Source, piece: bytes, state: bytes = b"") -> Decoded:
    return decode(piece, source.encoding, state, strip_ansi=source.strip_ansi)


def cut_inside(source: Source, piece: bytes, at_most: int, state: bytes) -> int:
    """How much of a line that is longer is taken: whole characters, and whole escape sequences where these matter."""
    length = source.encoding.boundary(piece, at_most, state)
    if source.strip_ansi:
        text = source.encoding.decode(piece[:length], state)[0]
        finished = end_of_finished(text)
        if text.startswith(ESC):
            finished = max(finished, end_of_first(source.encoding.decode(piece, state)[0]))
        if finished != len(text):
            length = source.encoding.offset_of(piece, finished, state)
    return length


def _smaller(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def _read_lines(source: Source, offset: int, page: int | None, budget: int) -> tuple[bytes, int, int]:
    """As many bytes as the page needs, and, where the budget ends first, a few behind it.

    With them, how many of their newlines belong to the page, and where the last one of these ends.
    """
    wanted = min(source.size - offset, budget + _LOOK_AHEAD)
    piece = source.read_at(offset, wanted if page is None else min(wanted, page * _BYTES_PER_LINE))
    while True:
        newlines, length = first_newlines(piece[:budget], page)
        if newlines == page or len(piece) == wanted:
            return piece, newlines, length
        length_of_more = min(wanted - len(piece), max(_TAIL_BLOCK, 3 * len(piece)))
        more = source.read_at(offset + len(piece), length_of_more)
        if len(more) < length_of_more:
            wanted = len(piece) + len(more)  # here it ends
        piece += more


def _shrink(source: Source, piece: bytes, cut: _Cut, max_bytes: int, state: bytes) -> _Cut:
    """What is malformed, or not in UTF-8, may grow when it is shown: take fewer lines where it grew too much."""
    if len(cut.decoded.text.encode()) <= max_bytes:
        return cut
    length = lines = taken = 0
    while True:
        line_end = piece.find(b"\n", length, cut.length) + 1 or cut.length
        taken += len(_decode(source, piece[length:line_end], b"" if length else state).text.encode())
        if taken > max_bytes:
            break
        length, lines = line_end, lines + 1
    inside_line = length == 0
    if inside_line:
        length, lines = cut_inside(source, piece, max_bytes // WIDEST_REPLACEMENT, state), 1
    return _Cut(_decode(source, piece[:length], state), length, lines, "bytes", inside_line)


def _cut_columns(source: Source, start: _Start, request: WindowRequest, progress: Progress) -> _Cut:
    """Of each line only some characters. An answer ends after a line, whatever its length."""
    columns = request.columns
    assert columns is not None
    selected = None if start.last is None else max(0, start.last - start.line + 1)
    page = _smaller(selected, request.max_lines)
    room = MAX_CONTENT_BYTES if request.max_bytes is None else request.max_bytes
    lines: list[str] = []
    clipped: list[ClippedLine] = []
    returns = 0
    offset = start.offset
    stopped_by: Literal["lines", "bytes"] | None = None
    for line in _lines_in_part(source, offset, columns, room, progress):
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
        offset = line.next_line
    text = "".join(lines)
    newlines = text.count("\n")
    eol: Eol = "none" if not newlines else "lf" if not returns else "crlf" if returns == newlines else "mixed"
    decoded = Decoded(text, text.count(REPLACEMENT), eol)
    at_end = stopped_by is None and len(lines) != page
    return _Cut(decoded, offset - start.offset, len(lines), stopped_by, False, at_end, tuple(clipped))


class _LinePart(NamedTuple):
    text: str
    """With the newline, if the line has one."""
    omitted_bytes: int
    next_line: int
    ends_in_return: bool


def _lines_in_part(
    source: Source, offset: int, columns: Columns, most_bytes: int, progress: Progress
) -> Iterator[_LinePart]:
    """The same part of one line after the other."""
    chunk, chunk_at = b"", offset
    first, last = columns.start, columns.start + columns.number
    while source.goes_on(offset):
        newline = chunk.find(b"\n", offset - chunk_at)
        if newline < 0:
            chunk, chunk_at = source.read_at(offset, _TAIL_BLOCK), offset
            newline = chunk.find(b"\n")
        if newline >= 0:
            raw = chunk[offset - chunk_at : newline + 1]
            text = _decode(source, raw).text[:-1]
            end, next_line = offset + len(raw) - 1 - raw.endswith(b"\r\n"), offset + len(raw)
            part = _fitting(text[first:last], most_bytes)
            after = end
            if len(text) > first + len(part):
                after = offset_of_column(source, offset, first + len(part), progress)
        else:
            part_at = offset_of_column(source, offset, first, progress)
            part = _fitting(part_of_line(source, part_at, min(columns.number, most_bytes))[0], most_bytes)
            after = part_of_line(source, part_at, len(part))[1]
            end, next_line = end_of_line(source, after, progress)
        has_newline = source.read_at(next_line - 1, 1) == b"\n" if newline < 0 else True
        yield _LinePart(
            part + "\n" if has_newline else part,
            end - after,
            next_line,
            has_newline and next_line - end == 2,
        )
        offset = next_line


def _fitting(text: str, most_bytes: int) -> str:
    """As many characters as fit beside a newline, but at least one."""
    if len(text) * 4 < most_bytes:
        return text
    return text.encode()[: max(0, most_bytes - 1)].decode(errors="ignore") or text[:1]
