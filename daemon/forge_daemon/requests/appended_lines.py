"""The lines that were added to a followed file since the last poll: a loop over cursors."""

import time
from typing import Literal, NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.match.run import Place
from forge_daemon.reading.texts.concatenated import RotatedText
from forge_daemon.reading.texts.opening import open_text
from forge_daemon.reading.texts.text import Text
from forge_daemon.reading.window.cursor import Cursor, cursor_at, renewed
from forge_daemon.reading.window.read import read_window, stable_end
from forge_daemon.reading.window.window import MAX_CONTENT_BYTES, Window, WindowRequest
from forge_daemon.workspace.settings import Settings

from .text_form import with_settings

MAX_UNREAD_BYTES = 8 * 1024 * 1024
"""A reader that stays further from the end than this is moved to it."""
STANDING_SECONDS = 1.0
"""A last line that is not terminated is delivered once it has not changed for this long."""


class Appended(NamedTuple):
    window: Window
    position: Cursor
    """After it."""
    skipped_bytes: int
    line_count: int | None

    @property
    def is_empty(self) -> bool:
        """Whether there are new lines, but none that is wanted."""
        return not (self.window.returned_line_count or self.skipped_bytes)


class AppendedLines:
    """How far a file was read, and which of its lines are wanted."""

    def __init__(self, request: WindowRequest, *, may_skip: bool) -> None:
        """`may_skip`: whether text is skipped for a reader that is too slow."""
        self.request = request
        """How the lines are wanted: everything but the selection."""
        self._may_skip = may_skip
        self.position: Cursor | None = None
        """Where the next line starts; None: at the start of the file."""
        self._unread = 0
        self._unfinished: tuple[int, float] | None = None
        """A last line that is not terminated: the text's length, and since when it has it."""

    def awaits_end_of_line(self) -> bool:
        """Whether the last line has no newline yet, but may soon get one."""
        return self._unfinished is not None and time.monotonic() - self._unfinished[1] < STANDING_SECONDS

    def restart(self) -> None:
        """Continue at the start of a file."""
        self.position = None
        self._unread = 0
        self._unfinished = None

    def in_form(self, first: WindowRequest, settings: Settings) -> WindowRequest:
        """The request for the first window, as the file's settings add to it; and so for what comes after it."""
        form = with_settings(first.form, settings)
        self.request = self.request._replace(form=form)
        return first._replace(form=form)

    def first(self, file: FileBytes, first: WindowRequest, progress: Progress) -> Window:
        return read_window(file, first._replace(until="stable end"), progress)

    def read(self, file: FileBytes, position: Cursor | None, progress: Progress) -> Appended | None:
        """What is new after a position; None if nothing is. Called again if the file changed meanwhile."""
        found = following = self._read_page(file, position, progress)
        while following is not None and following.is_empty:
            following = self._read_page(file, following.position, progress)
            found = following or found
        return found

    def _read_page(self, file: FileBytes, position: Cursor | None, progress: Progress) -> Appended | None:
        request = self.request._replace(selection=position, until="last newline", count_lines_up_to=0)
        text = open_text(file, request.form, progress)
        if text is None:
            read_window(file, request, progress)  # which refuses it
            return None
        position = renewed(position, file, text) if position else None
        if self._has_seen_all(text, position):
            return None
        position, skipped = self._catch_up(text, self._numbered(text, position))
        until: Literal["stable end", "last newline"] = "stable end" if self._stands_still(text) else "last newline"
        window = read_window(file, request._replace(selection=position, until=until), progress)
        following, line_count = window.next_cursor, None
        if window.end_cursor is not None:
            line_count = window.end_cursor.place.line - 1 + (not window.facts.ends_with_newline)
            shown_end = _end_of_last(text, window, position)
            following = self._before_context(text, window.end_cursor, shown_end)
        before = position.place if position else None
        if following is None or (following.place == before and not (window.returned_line_count or skipped)):
            return None
        return Appended(window, following, skipped, line_count)

    def _before_context(self, text: Text, end: Cursor, shown_end: int) -> Cursor:
        """Where to continue: before the last lines that were not shown, if they may be shown around the next match."""
        wanted = self.request.filter
        if wanted is None or not wanted.before or end.place.inside_line:
            return end
        index = LineIndex(text)
        start = max(shown_end, index.lines_before(end.place.offset, wanted.before))
        if isinstance(text, RotatedText):  # a file that was left is not read again
            start = max(start, text.starts.offsets[text.starts.at(max(0, end.place.offset - 1))])
        if not 0 < end.place.offset - start <= MAX_CONTENT_BYTES:
            return end
        return cursor_at(text.file, text, Place(start, end.place.number, index.line_at(start)), None, wanted.name)

    def _has_seen_all(self, text: Text, position: Cursor | None) -> bool:
        if position is None:
            return not text.is_longer_than(0)  # a new log, which has no times for a filter yet
        is_unchanged = position.etag == text.file.etag and position.place.offset >= stable_end(text)
        if is_unchanged:
            self._unfinished = None
        return is_unchanged

    def _stands_still(self, text: Text) -> bool:
        """Whether to deliver a last line without a newline: it has not changed for a while."""
        length = text.length()
        if length == 0 or text.read_at(length - 1, 1) == b"\n":
            self._unfinished = None
            return False
        now = time.monotonic()
        if self._unfinished is None or self._unfinished[0] != length:
            self._unfinished = (length, now)
        return now - self._unfinished[1] >= STANDING_SECONDS

    def _catch_up(self, text: Text, position: Cursor | None) -> tuple[Cursor | None, int]:
        """Skip to the end for a reader that falls further and further behind."""
        offset, length = position.place.offset if position else 0, text.length()
        unread, before = length - offset, self._unread
        self._unread = unread
        is_too_slow = unread > MAX_UNREAD_BYTES and before > MAX_UNREAD_BYTES and unread >= before
        if not (is_too_slow and self._may_skip):
            return position, 0
        start = length - MAX_CONTENT_BYTES
        start += text.read_at(start, MAX_CONTENT_BYTES).find(b"\n") + 1
        self._unread = 0
        line, wanted = LineIndex(text).line_at(start), self.request.filter
        place = Place(start, line if wanted is None else 0, line)
        return cursor_at(text.file, text, place, None, wanted.name if wanted else ""), start - offset

    def _numbered(self, text: Text, position: Cursor | None) -> Cursor | None:
        """The position with its line number from the start, if it was counted from the end."""
        if position is None or position.place.line > 0:
            return position
        line = LineIndex(text).line_at(position.place.offset)
        number = line if self.request.filter is None else position.place.number
        return position._replace(place=position.place._replace(line=line, number=number))


def _end_of_last(text: Text, window: Window, position: Cursor | None) -> int:
    """Where the last line ends that a filtered window shows, which starts at a position."""
    if not window.line_numbers:
        return position.place.offset if position else 0
    end = LineIndex(text).start_of(window.line_numbers[-1] + 1)
    return text.length() if end is None else end
