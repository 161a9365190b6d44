"""Following a file by its name, as `tail -F` does: what is appended, and what becomes of the file.

Every look goes through policy and sandbox again. The open file is kept between looks, and for a while after it has lost
its name, so that at a rotation the rest of the old file is delivered first.
"""

import time
from enum import StrEnum
from typing import NamedTuple

from forge_daemon.reading.cursor import Cursor, cursor_at, is_only_touched
from forge_daemon.reading.decoding import decode, searchable
from forge_daemon.reading.search.line_search import line_end
from forge_daemon.reading.search.regions import line_starts
from forge_daemon.reading.sources.source import Identity, Progress, Source
from forge_daemon.reading.text import find_end, open_text
from forge_daemon.reading.windows.read import read_window, unfinished_at_end
from forge_daemon.reading.windows.window import MAX_CONTENT_BYTES, Window, WindowRequest
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ErrorCode, ReadError

from .handover import Handover, is_same_file
from .text_form import with_candidates

MOST_UNREAD_BYTES = 8 * 1024 * 1024
"""A reader that stays further from the end than this is moved to it."""
STANDING_SECONDS = 1.0
"""A last line that is not terminated is delivered once it has stood still for so long."""
DENIED_SECONDS = 5.0
"""A new log may get its owner and mode after its name: the operating system's refusal counts once it lasts so long."""
LOOKS_PER_NAME = 4
"""A link on the way to the file may be turned without a trace on the file: that is looked for once a second."""


class Event(StrEnum):
    APPENDED = "appended"
    TRUNCATED = "truncated"
    REPLACED = "replaced"
    REMOVED = "removed"
    CREATED = "created"
    REFUSED = "refused"


class Look(NamedTuple):
    """What one look at a followed file found."""

    event: Event
    byte_length: int | None = None
    """Of the file now; None where there is none."""
    line_count: int | None = None
    """None while it is not known."""
    etag: str | None = None
    end_cursor: Cursor | None = None
    """What comes after this."""
    window: Window | None = None
    """Of `APPENDED` alone."""
    continues_line: bool = False
    """The first line is the rest of one that was delivered before it was complete."""
    skipped_bytes: int = 0
    error: ReadError | None = None
    """Of `REFUSED` alone."""


class _Appended(NamedTuple):
    window: Window
    position: Cursor
    continues_line: bool
    skipped_bytes: int
    line_count: int | None


class Following:
    """One file that is followed. Looks may block, and are made one at a time."""

    def __init__(self, reader: Reader, target: Target, window: WindowRequest, *, may_skip: bool = True) -> None:
        self._reader = reader
        self._may_skip = may_skip
        """Whether a reader that is too slow is moved to the end."""
        self._target = target._replace(source="disk")
        self._request = window._replace(line_filter=None)
        """How the lines are wanted: everything but the selection."""
        self._filter = window.line_filter
        self._file: OpenFile | None = None
        self._handover: Handover | None = None
        """Since it was found to have lost its name."""
        self._was_removed = False
        """The name was found to mean nothing, which was told then."""
        self._position: Cursor | None = None
        """Where the next line starts; None: at the start of the file."""
        self._denied_since: float | None = None
        """When the operating system first refused it, if it does so now."""
        self._unread = 0
        self._seen: Identity | None = None
        """The file when it was last looked at and had nothing new."""
        self._looks_before_name = 0
        """How often the file itself is looked at before the name is asked again what it means."""
        self._unfinished: tuple[int, float] | None = None
        """A last line that is not terminated: the file's size, and since when it has it."""
        self._delivered_part = False
        """The line at the position was delivered before it was complete."""

    def start(self, first: WindowRequest, progress: Progress) -> tuple[OpenFile, Window]:
        """The first window, from which on the file is followed. A missing file is `NOT_FOUND`."""
        file = self._file = self._reader.open(self._target)
        self._request = self._request._replace(form=with_candidates(self._request.form, file.settings))
        first = first._replace(form=self._request.form)
        window = file.read(lambda source: read_window(source, first, progress), progress)
        position = window.next_cursor or window.end_cursor
        self._position = position._replace(filtered=None) if position else None
        self._delivered_part = window.content != "" and not window.content.endswith("\n")
        return file, window

    def is_idle(self) -> bool:
        """Whether a look would find nothing, where that can be told without waiting for anything."""
        if self._file is None or self._seen is None or self._seen != self._file.identity:
            return False
        if self._handover is not None:
            return False
        if self._looks_before_name > 0:
            # A file that is written to, renamed or removed is told by its own times.
            self._looks_before_name -= 1
            return self._file.is_unchanged()
        found = self._reader.open_inline(self._target)
        if found is None:
            return False
        self._looks_before_name = LOOKS_PER_NAME - 1
        with found:
            return found.identity == self._seen

    def look(self, progress: Progress) -> Look | None:
        """What is new; None where nothing is. After `REFUSED` there is nothing more."""
        try:
            return self._look(progress)
        except ReadError as error:
            return self._refused(error)

    def close(self) -> None:
        if self._file is not None:
            self._file.close()
        if self._handover is not None:
            self._handover.close()

    def _look(self, progress: Progress) -> Look | None:
        try:
            # First of all: nothing is delivered that policy and sandbox no longer let through.
            named: OpenFile | None = self._reader.open(self._target)
        except ReadError as error:
            if error.code != ErrorCode.NOT_FOUND:
                raise
            named = None
        self._denied_since = None
        if self._file is None:
            return self._begin(named, Event.CREATED, progress) if named is not None else None
        if named is not None and is_same_file(named, self._file) and not self._was_missed():
            named.close()
            self._handover = None
            return self._look_at_kept(progress)
        return self._hand_over(self._file, named, progress)

    def _hand_over(self, old: OpenFile, named: OpenFile | None, progress: Progress) -> Look | None:
        """The old file's rest; when that is delivered, what became of the name."""
        if self._handover is None:
            self._handover = Handover()
        handover = self._handover
        is_late = handover.meet(named)
        if not handover.is_drained and (rest := self._look_at_kept(progress)) is not None:
            handover.note_news(is_all=rest.window is not None and rest.window.truncated_by is None)
            return rest
        if self._awaits_end_of_line() and not handover.is_drained:
            return None
        successor = handover.successor
        if successor is None:
            return self._without_name(handover)
        if not (is_late or handover.is_drained or handover.is_over() or is_same_file(successor, old)):
            return None
        handover.successor = None
        self._let_go()
        return self._begin(successor, Event.CREATED if self._was_removed else Event.REPLACED, progress)

    def _was_missed(self) -> bool:
        """Whether it is known, or will be, that the file had lost its name."""
        return self._was_removed or (self._handover is not None and self._handover.successor is not None)

    def _begin(self, file: OpenFile, event: Event, progress: Progress) -> Look:
        self._file = file
        self._was_removed = False
        return self._state_now(file, event, progress)

    def _look_at_kept(self, progress: Progress) -> Look | None:
        file = self._file
        if file is None:
            return None
        try:
            appended = file.read(lambda source: self._read_appended(source, progress), progress)
            while appended is not None and not (appended.window.returned_line_count or appended.skipped_bytes):
                self._position = appended.position  # none of these lines is wanted
                appended = file.read(lambda source: self._read_appended(source, progress), progress)
        except ReadError as error:
            if error.code != ErrorCode.CONTENT_MODIFIED:
                raise
            self._restart()
            return self._state_now(file, Event.TRUNCATED, progress)
        self._seen = file.identity if appended is None and self._unfinished is None else None
        if appended is None:
            return None
        self._position = appended.position
        self._delivered_part = not appended.window.content.endswith("\n")
        return _state_of(file.source, Event.APPENDED)._replace(
            end_cursor=appended.position,
            line_count=appended.line_count,
            window=appended.window,
            continues_line=appended.continues_line,
            skipped_bytes=appended.skipped_bytes,
        )

    def _refused(self, error: ReadError) -> Look | None:
        if error.code in (ErrorCode.INTERNAL, ErrorCode.CANCELLED):
            raise error
        if error.retriable:
            return None  # held by another process for the moment, or being written
        if error.code == ErrorCode.PERMISSION_DENIED:
            now = time.monotonic()
            self._denied_since = self._denied_since or now
            if now - self._denied_since < DENIED_SECONDS:
                return None
        self._let_go()
        return Look(Event.REFUSED, error=error)

    def _without_name(self, handover: Handover) -> Look | None:
        if not self._was_removed:
            self._was_removed = True
            return Look(Event.REMOVED)
        if handover.is_in_vain():
            self._let_go()
        return None

    def _let_go(self) -> None:
        """Of the file that was followed so far."""
        self.close()
        self._file = self._handover = None
        self._restart()

    def _restart(self) -> None:
        self._position = None
        self._unread = 0
        self._unfinished = None
        self._delivered_part = False

    def _state_now(self, file: OpenFile, event: Event, progress: Progress) -> Look:
        """Of a file that may have been written to since it was looked at."""
        try:
            return file.read(lambda source: _state_of(source, event), progress)
        except ReadError as error:
            if error.code != ErrorCode.CONTENT_MODIFIED:
                raise
            return Look(event)

    def _read_appended(self, file: Source, progress: Progress) -> _Appended | None:
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
        window = _without_unfinished(read_window(file, request, progress), source, unfinished)
        continues_line = position is not None and _is_inside_line(source, position.offset)
        if self._filter is not None and _is_start_of_long_line(window, continues_line):
            wanted = self._long_line(window, source, position.offset if position else source.bom, progress)
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
        return _Appended(
            wanted,
            next_position,
            continues_line=continues_line and (self._filter is None or self._delivered_part),
            skipped_bytes=skipped,
            line_count=line_count if window.truncated_by is None else None,
        )

    def _filtered(self, window: Window, continues_line: bool, progress: Progress) -> Window | None:
        """Only the lines that are wanted; None where the last one cannot be judged yet."""
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
        """The first part of a line that is longer than an answer, if the line is wanted; None: not to be judged yet."""
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
        """Whether a last line that is not terminated is to be delivered as it is."""
        if source.size == 0 or source.read_at(source.size - 1, 1) == b"\n":
            self._unfinished = None
            return False
        now = time.monotonic()
        if self._unfinished is None or self._unfinished[0] != source.size:
            self._unfinished = (source.size, now)
        return now - self._unfinished[1] >= STANDING_SECONDS

    def _awaits_end_of_line(self) -> bool:
        """Whether the last line is not terminated, but may soon be."""
        return self._unfinished is not None and time.monotonic() - self._unfinished[1] < STANDING_SECONDS

    def _catch_up(self, position: Cursor | None, source: Source, progress: Progress) -> tuple[Cursor | None, int]:
        """Skip to the end for a reader that is too slow: one that has more and more left to read."""
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
        """With the number of its line, where only that from the end is known."""
        if position is None or position.line > 0:
            return position
        return position._replace(line=source.line_index.line_at(position.offset, source.read_at, progress))


def _state_of(source: Source, event: Event) -> Look:
    return Look(event, byte_length=source.size, etag=source.etag)


def _without_unfinished(window: Window, source: Source, unfinished: int) -> Window:
    """Without what its end has cut: a character, an end of line, an escape sequence. The rest tells what it is."""
    if not unfinished or window.truncated_by is not None or not window.content or window.content.endswith("\n"):
        return window
    end, encoding = source.size - unfinished, source.encoding
    state = encoding.state_at(source.read_at, end)
    rest = decode(source.read_at(end, unfinished), encoding, state, strip_ansi=source.strip_ansi).text
    content = window.content.removesuffix(rest)
    is_line_left = content != "" and not content.endswith("\n")
    return window._replace(content=content, returned_line_count=window.returned_line_count - (not is_line_left))


def _is_start_of_long_line(window: Window, continues_line: bool) -> bool:
    return window.truncated_by == "bytes" and not continues_line and "\n" not in window.content


def _lines(text: str) -> list[str]:
    """With their newlines: nothing else ends a line."""
    *lines, rest = text.split("\n")
    return [line + "\n" for line in lines] + [rest] * bool(rest)


def _is_inside_line(source: Source, offset: int) -> bool:
    return offset > 0 and source.read_at(offset - 1, 1) != b"\n"
