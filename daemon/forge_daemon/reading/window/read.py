"""Read a window: the checks that need the file, in the contract's order, and then the lines."""

from itertools import chain
from typing import Literal, NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.files.rotated import newest_of
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.match.run import AllLines, Place, Room, View
from forge_daemon.reading.texts.concatenated import RotatedText
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import open_text, why_binary
from forge_daemon.reading.texts.text import Text
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .cursor import Cursor, check_cursor, cursor_at
from .facts import binary_facts, counts_lines, ends_with_newline, note_start_lines, require_whole, text_facts
from .pager import UNLIMITED, Page, take_columns, take_page
from .selection import LastLines, Lines, Selection
from .window import MAX_CONTENT_BYTES, BinaryPage, ScanLimitExceeded, Window, WindowRequest


def read_window(file: FileBytes, request: WindowRequest, progress: Progress) -> Window:
    if request.max_file_size is not None and file.size > request.max_file_size:
        raise too_large(file.size, request.max_file_size)
    progress(0, file.size)
    selection = request.selection
    if isinstance(selection, Cursor) and selection.newest and file.is_set:
        window = _window_of(newest_of(file, selection.newest), request, progress)
    elif isinstance(selection, LastLines) and file.is_set:
        window = _last_lines_of_set(file, request, selection.number, progress)
    else:
        return _window_of(file, request, progress)
    return window._replace(facts=window.facts._replace(byte_length=file.size))


def _window_of(file: FileBytes, request: WindowRequest, progress: Progress) -> Window:
    text = open_text(file, request.form, progress)
    if isinstance(request.selection, Cursor):
        check_cursor(request.selection, file, text)
    if text is None:
        return _binary_window(file, request)
    return _TextWindow(text, request).read()


def too_large(size: int, limit: int) -> ReadError:
    return ReadError(ErrorCode.SIZE_LIMIT_EXCEEDED, f"{size:,} bytes, more than the {limit:,} this tool reads")


def _last_lines_of_set(file: FileBytes, request: WindowRequest, wanted: int, progress: Progress) -> Window:
    """From as few of the newest files as hold so many lines: the older ones are not even opened."""
    text = open_text(file, request.form, progress)
    number, spec = 1, request.filter.spec if request.filter else None
    is_counted = text is not None and counts_lines(text, request.count_lines_up_to)
    if is_counted or (spec is not None and (spec.first_line or spec.last_line)):
        number = len(file.members)
    while number < len(file.members):
        try:
            window = _window_of(newest_of(file, number), request, progress)
            if window.start_line == -wanted:
                return window
        except ReadError as error:
            if error.code != ErrorCode.INVALID_ARGUMENT:  # an older file may have times, which a filter needs
                raise
        number *= 2
    return _window_of(file, request, progress)


class LineCount(NamedTuple):
    lines: int
    matched: int | None = None
    """With a filter: without the lines around those that match."""


def count_lines(file: FileBytes, request: WindowRequest, progress: Progress) -> LineCount:
    """Every line of a text file, however large, or every one that passes the request's filter."""
    text = open_lines(file, request.form, progress, "count")
    index = LineIndex(text)
    if request.filter is None:
        lines = LineCount(index.count())
    else:
        count = request.filter.view(text, index).count()
        matching = request.filter.without_context()
        lines = LineCount(count, count if matching is None else matching.view(text, index).count())
    require_whole(text)
    return lines


def open_lines(file: FileBytes, form: TextForm, progress: Progress, what_for: str) -> Text:
    """The text of a file; `INVALID_ARGUMENT` if it is binary, and so has no lines to count, or to search."""
    text = open_text(file, form, progress)
    if text is None:
        raise _no_lines(file, form, what_for)
    return text


def _no_lines(file: FileBytes, form: TextForm, what_for: str) -> ReadError:
    binary = why_binary(file, form)
    return invalid_argument(f"{binary.what} has no lines to {what_for}", hint=binary.hint)


def _is_not_modified(file: FileBytes, request: WindowRequest) -> bool:
    return request.if_none_match == file.etag and not file.is_racy


def _binary_window(file: FileBytes, request: WindowRequest) -> Window:
    facts = binary_facts(file)
    if _is_not_modified(file, request):
        return Window(facts, 1, not_modified=True)
    if request.on_binary == "refuse":
        raise ReadError(ErrorCode.BINARY_NOT_SUPPORTED, "is a binary file", hint=why_binary(file, request.form).hint)
    selects_lines = request.filter is not None or isinstance(request.selection, (Lines, LastLines))
    if selects_lines and not request.selects_bytes:
        error = _no_lines(file, request.form, "select")
        error.hint = error.hint or "leave the line selectors out"
        raise error
    offset = request.selection.place.offset if isinstance(request.selection, Cursor) else 0
    data = file.read_at(offset, file.size if request.max_bytes is None else request.max_bytes)
    end = offset + len(data)
    is_truncated = end < file.size
    cursor = cursor_at(file, None, Place(end, 0, 0), None)
    return Window(
        facts,
        1,
        truncated_by="bytes" if is_truncated else None,
        next_cursor=cursor if is_truncated else None,
        end_cursor=None if is_truncated else cursor,
        binary=BinaryPage(data, offset),
    )


class _Ending(NamedTuple):
    """How a window ends: cut off, at the end of what was selected, or at that of the text."""

    truncated_by: Literal["lines", "bytes"] | None = None
    next_cursor: Cursor | None = None
    end_cursor: Cursor | None = None
    failure: str | None = None


class _TextWindow:
    def __init__(self, text: Text, request: WindowRequest) -> None:
        self._text = text
        self._request = request
        self._filter = request.filter
        self._index = LineIndex(text)
        self.facts = text_facts(text, self._index, request.count_lines_up_to)
        self._view = self._make_view()
        if self._filter is not None and self.facts.line_count is not None:
            self.facts = self.facts._replace(line_count=self._view.count())

    def read(self) -> Window:
        request = self._request
        if _is_not_modified(self._text.file, request):
            return Window(self.facts, self._first_number(request.selection), not_modified=True)
        start, last = self._start(request.selection)
        selected = UNLIMITED if last is None else max(0, last - start.number + 1)
        page = self._page(start, selected)
        return self._window(start, last, page, is_selected=page.lines == selected and not page.end.inside_line)

    def _make_view(self) -> View:
        end: int | None = None
        if self._request.until == "stable end":
            end = stable_end(self._text)
        elif self._request.until == "last newline":
            end = self._last_line_start()
        if self._filter is None:
            return AllLines(self._text, self._index, end)
        return self._filter.view(self._text, self._index, end)

    # Where the selection starts ------------------------------------------------------------------

    def _start(self, selection: Selection) -> tuple[Place, int | None]:
        """The place of the first line selected, and the number of the last one."""
        if isinstance(selection, Cursor):
            place = selection.place
            return (place if place.number > 0 else self._view.recount_from_end(place)), selection.last
        if isinstance(selection, LastLines):
            return self._last_lines(selection.number), None
        lines = selection or Lines(1, None)
        return self._line(lines.first), lines.last

    def _last_lines(self, number: int) -> Place:
        total = self.facts.line_count
        if total is None and (self._text.is_plain or self._text.file.is_set or self._text.file.newest):
            return self._view.place_of_last(number)
        # The end of a converted text is only found by reading all of it.
        total = self._view.count() if total is None else total
        return self._line(max(1, total - number + 1))

    def _line(self, number: int) -> Place:
        if self._request.reach is not None and number > 1:
            self._require_reach(number, self._request.reach)
        return self._view.place_of(number) or Place(self._view.end, number, number)

    def _require_reach(self, line: int, reach: int) -> None:
        text, index = self._text, self._index
        start = index.start_of(line, reach)
        if (start is None or start >= reach) and text.is_longer_than(reach):
            found = index.newlines_before(reach)
            raise ScanLimitExceeded(
                f"line {line:,} lies beyond the first {reach:,} bytes, the furthest a selection may reach; "
                f"they hold {found:,} lines",
                max(1, found),
            )

    def _first_number(self, selection: Selection) -> int:
        """The first line of a selection, as far as it is known without reading."""
        if isinstance(selection, Lines):
            return selection.first
        if isinstance(selection, LastLines):
            total = self.facts.line_count
            return -selection.number if total is None else max(1, total - selection.number + 1)
        return selection.place.number if isinstance(selection, Cursor) else 1

    # The lines -----------------------------------------------------------------------------------

    def _page(self, start: Place, selected: int) -> Page:
        request = self._request
        max_bytes = request.max_bytes or UNLIMITED
        if request.reach is not None and isinstance(request.selection, Lines):
            max_bytes = max(1, min(max_bytes, request.reach - start.offset))
        room = Room(min(selected, request.max_lines or UNLIMITED), max_bytes)
        if room.lines == 0:
            return take_page(AllLines(self._text, self._index, start.offset), start, Room(1, 1), of_content=False)
        if request.columns is not None:
            room = room._replace(bytes=min(room.bytes, MAX_CONTENT_BYTES))
            return take_columns(self._text, self._index, self._view, start, room, request.columns)
        return take_page(self._view, start, room, of_content=request.max_bytes_of == "content")

    def _window(self, start: Place, last: int | None, page: Page, *, is_selected: bool) -> Window:
        self._note_members(start, page.end)
        ending = self._ending(last, page, is_selected=is_selected)
        is_filtered = self._filter is not None
        has_next_line = ending.truncated_by and start.number > 0 and page.lines
        return Window(
            self.facts,
            start.number,
            content=page.decoded.text,
            returned_line_count=page.lines,
            eol=page.decoded.eol,
            decode_errors=page.decoded.errors,
            truncated_by=ending.truncated_by,
            next_start_line=start.number + page.lines if has_next_line else None,
            next_cursor=ending.next_cursor,
            end_cursor=ending.end_cursor,
            failure=ending.failure,
            line_numbers=list(chain(*page.numbered)) if is_filtered else None,
            context_lines=list(chain(*page.context)) if is_filtered else None,
            clipped_lines=page.clipped_lines,
            starts_inside_line=start.inside_line,
            ends_inside_line=page.lines > page.decoded.text.count("\n"),
        )

    def _note_members(self, start: Place, end: Place) -> None:
        if isinstance(self._text, RotatedText) and not self._text.file.newest and start.line > 0:
            is_counted = self.facts.line_count is not None
            part = (0, self._text.length()) if is_counted else (start.offset, end.offset)
            note_start_lines(self._text, self._index, *part)

    def _ending(self, last: int | None, page: Page, *, is_selected: bool) -> _Ending:
        has_more = page.stopped_by is not None and self._view.goes_beyond(page.end.offset)
        if has_more and not is_selected:
            return _Ending(page.stopped_by, next_cursor=self._cursor(page.end, last))
        if has_more:
            return _Ending()
        is_awaited = self._request.until != "end" and self._text.is_unfinished
        failure = None if is_selected or is_awaited else self._text.failure
        if failure is not None:
            # The text up to here was returned; continuing from here is an error that says why.
            if self._is_read_again(page):
                require_whole(self._text)
            reason = f"{failure}, after {self._text.length():,} bytes of text"
            return _Ending("bytes", next_cursor=self._end_cursor(page)._replace(last=last), failure=reason)
        self.facts = self.facts._replace(ends_with_newline=ends_with_newline(self._text))
        return _Ending(end_cursor=self._end_cursor(page))

    def _is_read_again(self, page: Page) -> bool:
        """Whether a text that ends early was returned up to its end before."""
        selection = self._request.selection
        if not isinstance(selection, Cursor):
            return not page.lines and self._filter is None and self._text.length() > 0
        is_at_end = selection.size == self._text.file.size and selection.place.offset >= stable_end(self._text)
        return is_at_end or not page.lines

    # Cursors -------------------------------------------------------------------------------------

    def _cursor(self, place: Place, last: int | None) -> Cursor:
        return cursor_at(self._text.file, self._text, place, last, self._filter.name if self._filter else "")

    def _end_cursor(self, page: Page) -> Cursor:
        """What is appended starts here: before a character or a line ending that may not be complete yet."""
        text, end = self._text, page.end
        if end.inside_line and not page.lines:
            return self._cursor(end, None)
        length, last_line = text.length(), self._last_line_start()
        is_delivered = page.lines > 0 and end.offset >= stable_end(text)
        if not page.lines and not isinstance(self._request.selection, Cursor):
            end, is_delivered = self._past_the_end(last_line)
        line = end.line if self._filter is None or end.number <= 0 else self._index.line_at(last_line)
        if last_line == length:
            return self._cursor(Place(length, end.number, line), None)
        if not is_delivered or self._request.until == "last newline":
            # An incomplete last line comes whole, or is matched again once it is complete.
            return self._cursor(Place(last_line, end.number, line), None)
        stable = stable_end(text)
        return self._cursor(Place(stable, end.number - 1, line - (self._filter is None), stable > last_line), None)

    def _last_line_start(self) -> int:
        return self._index.start_of_line_at(self._text.length())

    def _past_the_end(self, last_line: int) -> tuple[Place, bool]:
        """Whatever line was asked for, what is appended has the next number; whether the last line has one already."""
        number = self._view.count()
        place = self._view.place_of(number) if number else None
        is_last = place is not None and place.offset == last_line
        return Place(last_line, number + 1, self._index.line_at(last_line) + is_last), is_last


def stable_end(text: Text) -> int:
    """Where the part of a text ends that stays the same when the file grows."""
    stable = text.stable_length()
    return stable - (stable > 0 and text.read_at(stable - 1, 1) == b"\r")
