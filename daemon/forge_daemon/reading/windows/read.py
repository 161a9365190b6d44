"""Read a window: the checks that need the file, then where the selection starts, then the cut."""

from forge_daemon.reading.ansi import end_of_finished
from forge_daemon.reading.cursor import Cursor, check_cursor, cursor_at, may_be_being_written, needs_scan
from forge_daemon.reading.encodings.encoding import UTF_8, Encoding
from forge_daemon.reading.selection import LastLines, Lines, Selection
from forge_daemon.reading.sources.source import Progress, Source, no_progress
from forge_daemon.reading.text import (
    find_end,
    how_to_read,
    is_compressed,
    no_lines,
    open_text,
    progress_of,
    require_whole,
)
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .cut import Cut, cut_lines
from .facts import ends_with_newline, text_facts
from .locate import Start, locate
from .window import BinaryPage, Facts, Window, WindowRequest

_LONG_FOR_STATEFUL = 64 * 1024
"""Encodings with a state are decoded slowly where every few bytes change it."""
_UNFINISHED_LINE = 4096
_LONG_UNFINISHED_LINE = 256 * 1024
"""How far back from the end of the file the start of an incomplete character is searched for."""


def read_window(source: Source, request: WindowRequest, progress: Progress) -> Window:
    """The checks that need the file, in the contract's order, and then the window."""
    if request.max_file_size is not None and source.size > request.max_file_size:
        raise ReadError(
            ErrorCode.SIZE_LIMIT_EXCEEDED,
            f"{source.size:,} bytes, more than the {request.max_file_size:,} this tool reads",
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
    facts = text_facts(text, request.count_lines_up_to, progress)
    if request.line_filter is not None:
        from forge_daemon.reading.search.filtered_window import FilteredWindow

        filtered = FilteredWindow(text, request, request.line_filter, facts, progress)
        facts = filtered.facts
    if not_modified:
        return Window(facts, _first_line(selection, facts), not_modified=True)
    if request.line_filter is not None:
        return filtered.read()
    return _text_window(text, request, facts, progress)


def is_quick(source: Source, request: WindowRequest) -> bool:
    """Whether a window can be cut without counting lines first, which takes time in proportion to the file."""
    selection = request.selection
    if is_compressed(source, request.form):
        return False
    if request.line_filter is not None:
        if not source.line_index.marks.filters or (text := open_text(source, request.form, no_progress)) is None:
            return False
        from forge_daemon.reading.search import filtered_window

        return filtered_window.is_quick(text, request, request.line_filter)
    if isinstance(selection, Cursor) and may_be_being_written(selection, source):
        return False
    if source.size > _LONG_FOR_STATEFUL and _takes_long_to_decode(source, request):
        return False
    if source.is_small:
        return True
    if request.columns is not None:
        return False  # a long line is gone through
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


def _takes_long_to_decode(source: Source, request: WindowRequest) -> bool:
    form = request.form
    if not any(encoding.stateful for encoding in ((form.encoding,) if form.encoding else form.candidates)):
        return False
    text = open_text(source, form, no_progress)
    return text is not None and text.encoding.stateful and _most_bytes(text, request) > _LONG_FOR_STATEFUL


def _most_bytes(text: Source, request: WindowRequest) -> int:
    """The most bytes that are decoded for a window, where that is known at once; else, all of them."""
    selection, max_lines = request.selection, request.max_lines
    is_plain = request.columns is None and not text.strip_ansi and isinstance(selection, (Lines, type(None)))
    if not (is_plain and max_lines is not None and text.is_small):
        return text.size
    first = selection.first if isinstance(selection, Lines) else 1
    start, end = (text.line_index.line_start(line, text.read_at, no_progress) for line in (first, first + max_lines))
    return 0 if start is None else (text.size if end is None else end) - start


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
    start = locate(source, request, facts, progress)
    if request.columns is None:
        cut = cut_lines(source, start, request)
    else:
        from .cut_columns import cut_columns

        cut = cut_columns(source, start, request, request.columns, progress)
    end = start.offset + cut.length
    reached_end = not source.has_more_at(end)
    truncated_by = None if reached_end else cut.stopped_by
    ends_early = False
    if reached_end and source.unpacked is not None:
        facts = facts._replace(ends_with_newline=ends_with_newline(source))
        if source.failure and (cut.at_end or cut.stopped_by):
            # The text up to here was returned; continuing from here is an error that says why.
            if (end == start.offset and source.size) or is_at_end(request.selection, source):
                require_whole(source)
            truncated_by, ends_early = "bytes", True
    next_line = start.line + cut.lines
    next_cursor = None
    if ends_early:
        next_cursor = _end_cursor(source, start, cut, facts, progress)._replace(last=start.last)
    elif truncated_by or (request.whole_lines and not reached_end):
        next_cursor = cursor_at(source, end, next_line - cut.inside_line, start.last)
    return Window(
        facts,
        start.line,
        content=cut.decoded.text,
        returned_line_count=cut.lines,
        eol=cut.decoded.eol,
        decode_errors=cut.decoded.errors,
        truncated_by=truncated_by,
        next_start_line=next_line if truncated_by and start.line > 0 and cut.lines else None,
        next_cursor=next_cursor,
        ends_early=ends_early,
        end_cursor=_end_cursor(source, start, cut, facts, progress) if reached_end and not truncated_by else None,
        clipped_lines=cut.clipped_lines,
    )


def is_at_end(selection: Selection, source: Source) -> bool:
    """Whether a cursor is at the end of a text that has not grown since it was returned."""
    if not isinstance(selection, Cursor) or selection.size != source.origin.size:
        return False
    return selection.offset >= source.size - unfinished_at_end(source)


def unfinished_at_end(source: Source) -> int:
    """How many of a text's last bytes may still become another character, the end of a line, or an escape sequence."""
    line, state = _last_line(source)
    if source.derived is not None and (unfinished := source.derived.unfinished):
        unfinished += line[:-unfinished].endswith(b"\r")  # half a newline, perhaps
    else:
        unfinished = 1 if line.endswith(b"\r") else source.encoding.incomplete(line, state)
    if source.strip_ansi:
        unfinished += _unfinished_sequence(line[: len(line) - unfinished], source.encoding, state)
    return unfinished


def _last_line(source: Source) -> tuple[bytes, bytes]:
    """The text's last line, or enough of its end to see what is unfinished, and the decoder's state before it."""
    length = _UNFINISHED_LINE
    # Other encodings than UTF-8 cannot be understood from somewhere inside a line, and sequences may be long.
    most = length if source.encoding is UTF_8 and not source.strip_ansi else _LONG_UNFINISHED_LINE
    while True:
        start = max(0, source.size - length)
        last_bytes = source.read_at(start, length)
        newline = last_bytes.rfind(b"\n")
        if newline >= 0 or start == 0 or length >= most:
            break
        length *= 8
    return last_bytes[newline + 1 :], source.encoding.state_at(source.read_at, start + newline + 1)


def _unfinished_sequence(line: bytes, encoding: Encoding, state: bytes) -> int:
    text, _ = encoding.decode(line, state)
    finished = end_of_finished("\n" + text) - 1
    return len(line) - encoding.offset_of(line, finished, state) if finished < len(text) else 0


def _end_cursor(source: Source, start: Start, cut: Cut, facts: Facts, progress: Progress) -> Cursor:
    """Before a character that is not complete yet, or a carriage return whose newline may follow."""
    offset = source.size - unfinished_at_end(source)
    if start.line > 0 and cut.lines == 0:  # past the end, whatever line was asked for
        line = source.line_index.line_at(source.size, source.read_at, progress)
    else:
        line = start.line + cut.lines - (cut.lines > 0 and not facts.ends_with_newline)
    return cursor_at(source, offset, line, None)
