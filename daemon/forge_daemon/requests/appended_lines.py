"""The lines that were added to a followed file since the last look, filtered if asked for."""

import time
from typing import NamedTuple

from forge_daemon.reading.cursor import Cursor, cursor_at, is_only_touched
from forge_daemon.reading.decoding import decode, searchable
from forge_daemon.reading.search.line_search import line_end
from forge_daemon.reading.search.regions import line_starts
from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.text import TextForm, find_end, open_text
from forge_daemon.reading.windows.read import read_window, unfinished_at_end
from forge_daemon.reading.windows.window import MAX_CONTENT_BYTES, Window, WindowRequest

MOST_UNREAD_BYTES = 8 * 1024 * 1024
"""A reader that stays further from the end than this is moved to it."""
STANDING_SECONDS = 1.0
"""A last line that is not terminated is delivered once it has stood still for so long."""


class Appended(NamedTuple):
    window: Window
    position: Cursor
    """After it."""
    continues_line: bool
    skipped_bytes: int
    line_count: int | None


class AppendedLines:
    """How far a file was read, and which of its lines are wanted."""

    def __init__(self, window: WindowRequest, *, may_skip: bool) -> None:
        """`may_skip`: whether text is skipped for a reader that is too slow."""
        self._request = window._replace(line_filter=None)
        """How the lines are wanted: everything but the selection."""
        self._filter = window.line_filter
        self._may_skip = may_skip
        self._position: Cursor | None = None
        """Where the next line starts; None: at the start of the file."""
        self._unread = 0
        self._unfinished: tuple[int, float] | None = None
        """A last line that is not terminated: the file's size, and since when it has it."""
        self._delivered_part = False
        """The line at the position was delivered before it was complete."""

    @property
    def form(self) -> TextForm:
        return self._request.form

    @form.setter
    def form(self, form: TextForm) -> None:
        self._request = self._request._replace(form=form)

    def restart(self) -> None:
        """Continue at the start of a file."""
        self._position = None
        self._unread = 0
        self._unfinished = None
        self._delivered_part = False

    def start_after(self, window: Window) -> None:
        """Continue after the first window."""
        position = window.next_cursor or window.end_cursor
        self._position = position._replace(filtered=None) if position else None
        self._delivered_part = _ends_inside_line(window)

    def pass_over(self, appended: Appended) -> None:
        """Continue after lines of which none is wanted."""
        self._position = appended.position

    def deliver(self, appended: Appended) -> None:
        """Continue after lines that are delivered."""
        self._position = appended.position
        self._delivered_part = _ends_inside_line(appended.window)

    @property
    def has_unfinished(self) -> bool:
        """Whether there is a last line without a newline that was not delivered yet."""
        return self._unfinished is not None

    def awaits_end_of_line(self) -> bool:
        """Whether the last line has no newline yet, but may soon get one."""
        return self._unfinished is not None and time.monotonic() - self._unfinished[1] < STANDING_SECONDS

    def first(self, file: Source, first: WindowRequest, progress: Progress) -> Window:
        """The first window."""
        window = read_window(file, first, progress)
        if window.end_cursor is None or not _ends_inside_line(window):
            return window
        source = open_text(file, first.form, progress) or file
        find_end(source, progress)
        start = first.selection.offset if isinstance(first.selection, Cursor) else source.bom
        return _without_unfinished(window, source, unfinished_at_end(source), start)

    def read(self, file: Source, progress: Progress) -> Appended | None:
        """What is new; None if nothing is. Called again if the file changed meanwhile."""
        source = open_text(file, self._request.form, progress) or file
        find_end(source, progress)
        position = self._position
        is_touched = position is not None and is_only_touched(position, source)
        source = open_text(source, self._request.form, progress) or source
        find_end(source, progress)
        unfinished = unfinished_at_end(source)
        if position is not None and is_touched:
            if position.offset >= source.size - unfinished:
                return None
            position = position._replace(etag=source.etag)
        position, skipped = self._catch_up(position, source, progress)
        request = self._request._replace(
            selection=self._numbered(position, source, progress),
            whole_lines=not self._stands_still(source),
            count_lines_up_to=0,
        )
        start = position.offset if position else source.bom
        window = _without_unfinished(read_window(file, request, progress), source, unfinished, start)
        continues_line = position is not None and _is_inside_line(source, position.offset)
        if self._filter is not None and _is_start_of_long_line(window, continues_line):
            wanted = self._long_line(window, source, start, progress)
            if wanted is None:
                return None
        else:
            wanted = self._filtered(window, continues_line, progress)
        if wanted is None:
            # Its last line is not complete and does not match, but may do so once it is.
            window = read_window(file, request._replace(whole_lines=True), progress)
            wanted = self._filtered(window, continues_line, progress) or window
        next_position = window.next_cursor or window.end_cursor
        if next_position is None or not (window.returned_line_count or skipped):
            return None
        is_line_left = next_position.offset < source.size and window.content.endswith("\n")
        line_count = window.start_line + window.returned_line_count - 1 + is_line_left
        if next_position.offset >= source.size - unfinished:
            self._unfinished = None
        return Appended(
            wanted,
            next_position,
            continues_line=continues_line and (self._filter is None or self._delivered_part),
            skipped_bytes=skipped,
            line_count=line_count if window.truncated_by is None else None,
        )

    def _filtered(self, window: Window, continues_line: bool, progress: Progress) -> Window | None:
        """Only the lines that are wanted; None if the last one cannot be matched yet."""
        if self._filter is None or not window.returned_line_count:
            return window
        if not window.content and not continues_line:
            return None  # escape sequences that were left out
        searched = searchable(window.content)
        starts = set(self._filter.matching_lines(searched, lambda: progress(0, len(searched))))
        matching = {row for row, start in enumerate(line_starts(searched)) if start in starts}
        if continues_line:
            matching.discard(0)
            if self._delivered_part:
                matching.add(0)
        lines, numbers = [], []
        for row, line in enumerate(_lines(window.content)):
            number = window.start_line + row
            if row in matching and self._filter.covers(number):
                lines.append(line)
                numbers.append(number)
            elif not line.endswith("\n") and not (continues_line and row == 0):
                return None
        return window._replace(content="".join(lines), returned_line_count=len(lines), line_numbers=numbers)

    def _long_line(self, window: Window, source: Source, offset: int, progress: Progress) -> Window | None:
        """The first part of a line that is longer than an answer, if it is wanted; None if it cannot be matched yet."""
        assert self._filter is not None
        end = line_end(source, offset, progress)
        is_complete = source.read_at(end - 1, 1) == b"\n"
        if not is_complete and not self._stands_still(source):
            return None
        number, shown = window.start_line, self._filter.for_text(source)
        if shown.covers(number) and shown.lets_line_through(source, offset, end, progress):
            return window._replace(line_numbers=[number])
        return window._replace(content="", returned_line_count=0, line_numbers=[]) if is_complete else None

    def _stands_still(self, source: Source) -> bool:
        """Whether to deliver a last line without a newline: it has not changed for a while."""
        if source.size == 0 or source.read_at(source.size - 1, 1) == b"\n":
            self._unfinished = None
            return False
        now = time.monotonic()
        if self._unfinished is None or self._unfinished[0] != source.size:
            self._unfinished = (source.size, now)
        return now - self._unfinished[1] >= STANDING_SECONDS

    def _catch_up(self, position: Cursor | None, source: Source, progress: Progress) -> tuple[Cursor | None, int]:
        """Skip to the end for a reader that is too slow: one that falls further and further behind."""
        offset = position.offset if position else 0
        unread, before = source.size - offset, self._unread
        self._unread = unread
        is_too_slow = unread > MOST_UNREAD_BYTES and before > MOST_UNREAD_BYTES and unread >= before
        if not (is_too_slow and self._may_skip):
            return position, 0
        start = source.size - MAX_CONTENT_BYTES
        start += source.read_at(start, MAX_CONTENT_BYTES).find(b"\n") + 1
        self._unread = 0
        line = source.line_index.line_at(start, source.read_at, progress)
        return cursor_at(source, start, line, None), start - offset

    def _numbered(self, position: Cursor | None, source: Source, progress: Progress) -> Cursor | None:
        """The position with its line number from the start, if it was counted from the end."""
        if position is None or position.line > 0:
            return position
        return position._replace(line=source.line_index.line_at(position.offset, source.read_at, progress))


def _without_unfinished(window: Window, source: Source, unfinished: int, start: int) -> Window:
    """The window without a character, line ending or escape sequence that is cut off at its end.

    `start` is the offset at which the window starts, or one of a line before it.
    """
    if not unfinished or window.end_cursor is None or not _ends_inside_line(window):
        return window
    end, encoding = source.size - unfinished, source.encoding
    state = encoding.state_at(source.read_at, end)
    rest = decode(source.read_at(end, unfinished), encoding, state, strip_ansi=source.strip_ansi).text
    window = window._replace(content=window.content.removesuffix(rest))
    if end > start and _is_inside_line(source, end):
        return window
    numbers = window.line_numbers
    return window._replace(
        returned_line_count=window.returned_line_count - 1, line_numbers=numbers[:-1] if numbers else numbers
    )


def _ends_inside_line(window: Window) -> bool:
    """Whether its last line has no newline yet. That line may be empty if escape sequences are left out."""
    return window.returned_line_count > window.content.count("\n")


def _is_start_of_long_line(window: Window, continues_line: bool) -> bool:
    return window.truncated_by == "bytes" and not continues_line and "\n" not in window.content


def _lines(text: str) -> list[str]:
    """The lines with their newlines. Nothing else ends a line."""
    *lines, rest = text.split("\n")
    return [line + "\n" for line in lines] + [rest] * bool(rest)


def _is_inside_line(source: Source, offset: int) -> bool:
    return offset > 0 and source.read_at(offset - 1, 1) != b"\n"
