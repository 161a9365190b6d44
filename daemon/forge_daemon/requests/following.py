"""Follows a file by its name, as `tail -F` does: what is appended, and what happens to the file.

Every look goes through policy and sandbox again. The open file is kept between looks, and for a while after it has lost
its name: a program keeps writing to a log that was renamed until it opens the new one, and of several processes one may
do so later than the others. What they write to the old file until then comes first, within limits.
"""

import time
from collections import deque
from enum import StrEnum
from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.window.cursor import Cursor
from forge_daemon.reading.window.window import Window, WindowRequest
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ErrorCode, ReadError

from .appended_lines import AppendedLines
from .request import open_target

OVERLAP_SECONDS = 5.0
"""How long the old file is still read, at most, where there is a new one."""
QUIET_SECONDS = 0.2
"""Once there is something in the new file, the old one is done with when it has had nothing new for so long."""
KEPT_SECONDS = 60.0
"""How long the old file is still read where there is no new one.

Not for ever: a removed file's space is not freed meanwhile, and a renamed one may lie where nothing may be read.
"""
MAX_WAITING = 16
"""Files that had the name meanwhile, and are kept open for a client that takes its time; and the newest."""
DENIED_SECONDS = 5.0
"""A new log may get its owner and mode after its name: the operating system's refusal counts once it lasts so long."""


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
    """The size of the file now; None if there is none."""
    line_count: int | None = None
    """None while it is not known."""
    etag: str | None = None
    end_cursor: Cursor | None = None
    """What comes after this."""
    window: Window | None = None
    """With `APPENDED` alone."""
    continues_line: bool = False
    """The first line is the rest of one that was delivered before it was complete."""
    skipped_bytes: int = 0
    skipped_files: int = 0
    """With `REPLACED`: how many files had the name in between, and are not read."""
    error: ReadError | None = None
    """With `REFUSED` alone."""


class Following:
    """One followed file. A look may block; there is one at a time."""

    def __init__(self, reader: Reader, target: Target, window: WindowRequest, *, may_skip: bool = True) -> None:
        self._reader = reader
        self._target = target._replace(source="disk")
        self._lines = AppendedLines(window, may_skip=may_skip)
        self._files: deque[OpenFile] = deque()
        """The file that is read, and those that had its name after it, the last of which may have it now."""
        self._skipped_files = 0
        self._lost_since: float | None = None
        """When the file that is read was found to have lost its name."""
        self._met = self._last_news = 0.0
        """When the file after it was first seen, and when the file last had something new since it lost its name."""
        self._is_drained = False
        """The file was read to its end after all the time it had."""
        self._was_removed = False
        """There was no file of that name, which was reported."""
        self._denied_since: float | None = None
        """When the operating system first refused it, if it does so now."""

    def start(self, first: WindowRequest, progress: Progress) -> tuple[OpenFile, Window]:
        """The first window; the file is followed from there. A missing file is `NOT_FOUND`."""
        file = open_target(self._reader, self._target)
        self._files.append(file)
        first = self._lines.in_form(first, file.settings)
        try:
            window = file.read(lambda snapshot: self._lines.first(snapshot, first, progress))
        except BaseException:
            self.close()
            raise
        self._lines.position = window.next_cursor or window.end_cursor
        return file, window

    def look(self, progress: Progress) -> Look | None:
        """What is new; None if nothing is. `REFUSED` is the last event."""
        try:
            return self._look(progress)
        except ReadError as error:
            return self._refused(error)

    def watch(self) -> None:
        """Called while nothing is read: if other files have the name meanwhile, they are kept open."""
        try:
            named = self._reader.open(self._target)
        except ReadError:
            return
        self._meet(named)

    def close(self) -> None:
        """Close what was followed so far."""
        while self._files:
            self._files.popleft().close()
        self._lost_since = None

    def _look(self, progress: Progress) -> Look | None:
        try:
            # First of all: nothing is delivered that policy and sandbox no longer allow.
            named: OpenFile | None = self._reader.open(self._target)
        except ReadError as error:
            if error.code != ErrorCode.NOT_FOUND:
                raise
            named = None
        self._denied_since = None
        if not self._files:
            return self._created(named)
        self._meet(named)
        if not self._is_drained:
            if (found := self._look_at_first(progress)) is not None:
                return found
            if self._lost_since is not None and self._lines.awaits_end_of_line():
                return None
        if len(self._files) == 1:
            return self._without_name() if self._lost_since is not None else None
        has_passed_name_on = len(self._files) > 2 or named is None
        return self._go_on() if self._is_drained or has_passed_name_on or self._is_over() else None

    def _created(self, named: OpenFile | None) -> Look | None:
        if named is None:
            return None
        self._files.append(named)
        self._was_removed = False
        return self._state_now(named, Event.CREATED)

    def _meet(self, named: OpenFile | None) -> None:
        """Note which file has the name now."""
        if not self._files:
            return
        newest, is_first, now = self._files[-1], len(self._files) == 1, time.monotonic()
        has_name = named is not None and is_same_file(named, newest) and not (is_first and self._was_removed)
        if has_name and is_first:
            self._lost_since = None
        elif self._lost_since is None:
            self._lost_since = self._last_news = now
        if named is None:
            return
        if has_name and is_first:
            named.close()
            return
        if has_name or len(self._files) > MAX_WAITING + 1:
            self._skipped_files += not has_name
            self._files.pop().close()  # it is taken as it is now
        elif is_first:
            self._met = now
        self._files.append(named)

    def _go_on(self) -> Look:
        """With the next file."""
        self._files.popleft().close()
        self._lines.restart()
        self._is_drained = False
        event = Event.CREATED if self._was_removed else Event.REPLACED
        self._was_removed = False
        found, is_last = self._state_now(self._files[0], event), len(self._files) == 1
        self._met = self._last_news = time.monotonic()
        if not is_last:
            return found
        self._lost_since, skipped, self._skipped_files = None, self._skipped_files, 0
        return found._replace(skipped_files=skipped)

    def _is_over(self) -> bool:
        """Whether to continue with the new file, as there is nothing new in the old one."""
        now, successor = time.monotonic(), self._files[1]
        if is_same_file(successor, self._files[0]):
            return True  # it is back, which was reported as removed
        has_begun = successor.identity is not None and successor.identity.size > 0
        return now - self._met >= OVERLAP_SECONDS or (has_begun and now - self._last_news >= QUIET_SECONDS)

    def _look_at_first(self, progress: Progress) -> Look | None:
        file, lines = self._files[0], self._lines
        try:
            appended, state = file.read(
                lambda snapshot: (lines.read(snapshot, lines.position, progress), _state_of(snapshot, Event.APPENDED))
            )
        except ReadError as error:
            if error.code != ErrorCode.CONTENT_MODIFIED:
                raise
            lines.restart()
            return self._state_now(file, Event.TRUNCATED)
        if appended is None:
            return None
        lines.position = appended.position
        if appended.is_empty:
            return None
        self._last_news = time.monotonic()
        is_all = appended.window.truncated_by is None
        self._is_drained = is_all and len(self._files) > 1 and self._last_news - self._met >= OVERLAP_SECONDS
        return state._replace(
            end_cursor=appended.position,
            line_count=appended.line_count,
            window=appended.window,
            continues_line=appended.window.starts_inside_line,
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
        self.close()
        return Look(Event.REFUSED, error=error)

    def _without_name(self) -> Look | None:
        if not self._was_removed:
            self._was_removed = True
            return Look(Event.REMOVED)
        if self._lost_since is not None and time.monotonic() - self._lost_since >= KEPT_SECONDS:
            self.close()
            self._lines.restart()
        return None

    def _state_now(self, file: OpenFile, event: Event) -> Look:
        """An event about a file that may have been written to since it was opened."""
        try:
            return file.read(lambda snapshot: _state_of(snapshot, event))
        except ReadError as error:
            if error.code != ErrorCode.CONTENT_MODIFIED:
                raise
            return Look(event)


def is_same_file(one: OpenFile, other: OpenFile) -> bool:
    return one.identity is not None and other.identity is not None and one.identity.is_same_file(other.identity)


def _state_of(snapshot: FileBytes, event: Event) -> Look:
    return Look(event, byte_length=snapshot.size, etag=snapshot.etag)
