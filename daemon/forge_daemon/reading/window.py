"""Cut the window: from a source and a resolved request to the text, and to the facts about what was cut."""

from typing import TYPE_CHECKING, Literal, NamedTuple

from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .cursor import Cursor, check_cursor, cursor_at, needs_scan
from .decoding import (
    BINARY_SAMPLE,
    WIDEST_REPLACEMENT,
    Decoded,
    Eol,
    byte_order_mark_length,
    character_boundary,
    decode,
    incomplete_at_end,
    is_binary,
)
from .lines.newlines import after_newline, first_newlines
from .selection import LastLines, Lines, Selection
from .sources.source import Progress, Source

if TYPE_CHECKING:
    from .search.line_filter import LineFilter

MAX_CONTENT_BYTES = 1024 * 1024
"""The most content of one answer, numbers not counted."""

COUNT_LINES_UP_TO = 64 * 1024 * 1024
"""Above this size a window does not wait for the file's lines to be counted."""

_BYTES_PER_LINE = 96
"""A guess, for the first read."""
_LOOK_AHEAD = 4
"""A cut on a character boundary needs to see the character behind it."""
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


class Facts(NamedTuple):
    """The file, or document, as a whole."""

    byte_length: int
    line_count: int | None
    mtime_ms: int | None
    encoding: Literal["utf-8", "binary"]
    bom: bool
    ends_with_newline: bool
    etag: str
    source: Literal["disk", "buffer"]
    document_version: int | None
    changed_ms: int | None = None
    """When an open document was last changed."""


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
    if isinstance(selection, Cursor):
        check_cursor(selection, source, progress)
    not_modified = request.if_none_match == source.etag and source.stable
    head = source.read_at(0, BINARY_SAMPLE)
    if source.may_be_binary and is_binary(head):
        return _binary_window(source, request, not_modified)
    bom = byte_order_mark_length(head)
    facts = _text_facts(source, bom, request.count_lines_up_to, progress)
    if request.line_filter is not None:
        from .search.filtered_window import FilteredWindow

        filtered = FilteredWindow(source, request, request.line_filter, facts, bom, progress)
        facts = filtered.facts
    if not_modified:
        return Window(facts, _first_line(selection, facts), not_modified=True)
    if request.line_filter is not None:
        return filtered.read()
    return _text_window(source, request, facts, bom, progress)


def is_quick(source: Source, request: WindowRequest) -> bool:
    """Whether a window is cut without counting lines first, which takes as long as the file is large."""
    selection = request.selection
    if request.line_filter is not None:
        return False
    if source.is_small:
        return True
    if source.size <= request.count_lines_up_to:
        return source.line_index.is_counted()
    if isinstance(selection, Cursor):
        return not needs_scan(selection, source)
    if isinstance(selection, Lines):
        return selection.first == 1 or source.line_index.is_counted(selection.first)
    return selection is None


def count_lines(source: Source, progress: Progress, line_filter: "LineFilter | None" = None) -> int:
    """Every line of a text file, however large, or every one that matches."""
    head = source.read_at(0, BINARY_SAMPLE)
    if source.may_be_binary and is_binary(head):
        raise invalid_argument("a binary file has no lines to count")
    if line_filter is not None:
        from .search.filtered_window import count_matches

        return count_matches(source, line_filter, byte_order_mark_length(head), progress)
    return _count_lines(source, byte_order_mark_length(head), _ends_with_newline(source), progress)


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
        raise ReadError(ErrorCode.BINARY_NOT_SUPPORTED, "is a binary file")
    if request.line_filter is not None or isinstance(request.selection, (Lines, LastLines)):
        raise invalid_argument("is a binary file and has no lines to select", hint="leave the line selectors out")
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


def _text_facts(source: Source, bom: int, count_lines_up_to: int, progress: Progress) -> Facts:
    ends_with_newline = _ends_with_newline(source)
    counted = source.size <= count_lines_up_to
    return Facts(
        byte_length=source.size,
        line_count=_count_lines(source, bom, ends_with_newline, progress) if counted else None,
        mtime_ms=source.mtime_ms,
        encoding="utf-8",
        bom=bom > 0,
        ends_with_newline=ends_with_newline,
        etag=source.etag,
        source=source.kind,
        document_version=source.document_version,
        changed_ms=source.changed_ms,
    )


def _ends_with_newline(source: Source) -> bool:
    return source.size > 0 and source.read_at(source.size - 1, 1) == b"\n"


def _count_lines(source: Source, bom: int, ends_with_newline: bool, progress: Progress) -> int:
    if source.size <= bom:
        return 0
    return source.line_index.count(source.read_at, progress) + (not ends_with_newline)


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


def _text_window(source: Source, request: WindowRequest, facts: Facts, bom: int, progress: Progress) -> Window:
    start = _locate(source, request, facts, bom, progress)
    cut = _cut(source, start, request)
    end = start.offset + cut.length
    truncated = cut.stopped_by is not None and end < source.size
    next_line = start.line + cut.lines
    is_held_back = not truncated and request.whole_lines and end < source.size
    return Window(
        facts,
        start.line,
        content=cut.decoded.text,
        returned_line_count=cut.lines,
        eol=cut.decoded.eol,
        decode_errors=cut.decoded.errors,
        truncated_by=cut.stopped_by if truncated else None,
        next_start_line=next_line if truncated and start.line > 0 else None,
        next_cursor=cursor_at(source, end, next_line - cut.inside_line, start.last)
        if truncated or is_held_back
        else None,
        end_cursor=_end_cursor(source, start, cut, facts, progress) if end == source.size else None,
    )


def _end_cursor(source: Source, start: "_Start", cut: "_Cut", facts: Facts, progress: Progress) -> Cursor:
    """Before a character that is not complete yet, or a carriage return whose newline may follow."""
    last_bytes = source.read_at(max(0, source.size - _LOOK_AHEAD), _LOOK_AHEAD)
    offset = source.size - incomplete_at_end(last_bytes)
    if start.line > 0 and cut.lines == 0:  # past the end, whatever line was asked for
        line = source.line_index.line_at(source.size, source.read_at, progress)
    else:
        line = start.line + cut.lines - (cut.lines > 0 and not facts.ends_with_newline)
    return cursor_at(source, offset, line, None)


def _locate(source: Source, request: WindowRequest, facts: Facts, bom: int, progress: Progress) -> _Start:
    selection = request.selection
    if selection is None:
        return _Start(bom, 1, None, source.size)
    if isinstance(selection, Cursor):
        line = selection.line if selection.line > 0 else selection.line - _lines_since(source, selection.size, progress)
        return _Start(selection.offset, line, selection.last, source.size)
    if isinstance(selection, Lines):
        return _locate_line(source, selection, request.reach, bom, progress)
    if facts.line_count is None:
        return _locate_from_the_end(source, selection.number, request.reach, facts, bom, progress)
    lines = Lines(max(1, facts.line_count - selection.number + 1), None)
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


def _cut(source: Source, start: _Start, request: WindowRequest) -> _Cut:
    selected = None if start.last is None else max(0, start.last - start.line + 1)
    page = _smaller(selected, request.max_lines)
    budget = max(1, start.stop - start.offset)
    if request.max_bytes is not None:
        budget = min(budget, request.max_bytes)
    if budget == 1 and source.read_at(start.offset, 2) == b"\r\n":
        budget = 2  # One character: it is never cut, and with it the line ends.
    piece, newlines, length = _read_lines(source, start.offset, page, budget)
    stopped_by: Literal["lines", "bytes"] | None
    if newlines == page:
        lines, inside_line = page, False
        stopped_by = None if selected == page else "lines"
    elif len(piece) <= budget:
        stopped_by, inside_line = None, False
        if request.whole_lines:
            lines = newlines
        else:
            length, lines = len(piece), newlines + (piece[-1:] not in (b"", b"\n"))
    else:
        stopped_by, lines, inside_line = "bytes", newlines, length == 0
        if inside_line:
            length, lines = character_boundary(piece, budget), 1
    cut = _Cut(decode(piece[:length]), length, lines, stopped_by, inside_line)
    if cut.decoded.errors and request.max_bytes is not None and request.max_bytes_of == "content":
        return _shrink(piece, cut, request.max_bytes)
    return cut


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
        more = min(wanted - len(piece), max(_TAIL_BLOCK, 3 * len(piece)))
        piece += source.read_at(offset + len(piece), more)


def _shrink(piece: bytes, cut: _Cut, max_bytes: int) -> _Cut:
    """Malformed bytes grow when they are shown as U+FFFD: take fewer lines where they grew too much."""
    if len(cut.decoded.text.encode()) <= max_bytes:
        return cut
    length = lines = taken = 0
    while True:
        line_end = piece.find(b"\n", length, cut.length) + 1 or cut.length
        taken += len(decode(piece[length:line_end]).text.encode())
        if taken > max_bytes:
            break
        length, lines = line_end, lines + 1
    inside_line = length == 0
    if inside_line:
        length, lines = character_boundary(piece, max_bytes // WIDEST_REPLACEMENT), 1
    return _Cut(decode(piece[:length]), length, lines, "bytes", inside_line)
