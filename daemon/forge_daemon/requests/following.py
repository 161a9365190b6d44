"""Follows a file by its name, as `tail -F` does: what is appended, and what happens to the file.

Every look goes through policy and sandbox again. The open file is kept between looks, and for a while after it has lost
its name, so that at a rotation the rest of the old file is delivered first.
"""

import time
from enum import StrEnum
from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.window.cursor import Cursor
from forge_daemon.reading.window.window import Window, WindowRequest
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ErrorCode, ReadError

from .appended_lines import Appended, AppendedLines
from .handover import Handover, is_same_file
from .request import open_target
from .text_form import with_settings

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
        self._file: OpenFile | None = None
        self._handover: Handover | None = None
        """Since it was found to have lost its name."""
        self._was_removed = False
        """There was no file of that name, which was reported."""
        self._denied_since: float | None = None
        """When the operating system first refused it, if it does so now."""

    def start(self, first: WindowRequest, progress: Progress) -> tuple[OpenFile, Window]:
        """The first window; the file is followed from there. A missing file is `NOT_FOUND`."""
        file = self._file = open_target(self._reader, self._target)
        form = with_settings(first.form, file.settings)
        self._lines.request = self._lines.request._replace(form=form)
        first = first._replace(form=form)
        try:
            window = file.read(lambda snapshot: self._lines.first(snapshot, first, progress))
        except BaseException:
            self.close()
            raise
        self._lines.continue_after(window.next_cursor or window.end_cursor)
        return file, window

    def look(self, progress: Progress) -> Look | None:
        """What is new; None if nothing is. `REFUSED` is the last event."""
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
            # First of all: nothing is delivered that policy and sandbox no longer allow.
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
        """The rest of the old file; once that is delivered, what happened to the name."""
        if self._handover is None:
            self._handover = Handover()
        handover = self._handover
        is_late = handover.meet(named)
        if not handover.is_drained:
            if (rest := self._look_at_kept(progress)) is not None:
                handover.note_news(is_all=rest.window is not None and rest.window.truncated_by is None)
                return rest
            if self._lines.awaits_end_of_line():
                return None
        successor = handover.successor
        if successor is None:
            return self._without_name(handover)
        if is_late or handover.is_drained or handover.is_over() or is_same_file(successor, old):
            return self._go_on_with(successor, handover, progress)
        return None

    def _go_on_with(self, successor: OpenFile, handover: Handover, progress: Progress) -> Look:
        handover.successors.popleft()
        self._handover = None
        self._let_go()
        found = self._begin(successor, Event.CREATED if self._was_removed else Event.REPLACED, progress)
        if handover.successors:
            self._handover = Handover(handover)
            return found
        return found._replace(skipped_files=handover.skipped_files)

    def watch(self) -> None:
        """Called while nothing is read: if other files have the name meanwhile, they are kept open."""
        if self._file is None:
            return
        try:
            named = self._reader.open(self._target)
        except ReadError:
            return
        if is_same_file(named, self._file) and not self._was_missed():
            named.close()
            return
        self._handover = self._handover or Handover()
        self._handover.meet(named)

    def _was_missed(self) -> bool:
        """Whether it is known, or will be, that the file had lost its name."""
        return self._was_removed or (self._handover is not None and self._handover.successor is not None)

    def _begin(self, file: OpenFile, event: Event, progress: Progress) -> Look:
        self._file = file
        self._was_removed = False
        return self._state_now(file, event, progress)

    def _look_at_kept(self, progress: Progress) -> Look | None:
        file, lines = self._file, self._lines
        if file is None:
            return None
        try:
            appended, state = file.read(lambda snapshot: self._appended(snapshot, progress))
            while appended is not None and not (appended.window.returned_line_count or appended.skipped_bytes):
                lines.continue_after(appended.position)  # none of the new lines is wanted
                appended, state = file.read(lambda snapshot: self._appended(snapshot, progress))
        except ReadError as error:
            if error.code != ErrorCode.CONTENT_MODIFIED:
                raise
            lines.restart()
            return self._state_now(file, Event.TRUNCATED, progress)
        if appended is None:
            return None
        lines.continue_after(appended.position)
        return state._replace(
            end_cursor=appended.position,
            line_count=appended.line_count,
            window=appended.window,
            continues_line=appended.window.starts_inside_line,
            skipped_bytes=appended.skipped_bytes,
        )

    def _appended(self, snapshot: FileBytes, progress: Progress) -> tuple[Appended | None, Look]:
        return self._lines.read(snapshot, progress), _state_of(snapshot, Event.APPENDED)

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
        """Close the file that was followed so far."""
        self.close()
        self._file = self._handover = None
        self._lines.restart()

    def _state_now(self, file: OpenFile, event: Event, progress: Progress) -> Look:
        """An event about a file that may have been written to since it was opened."""
        try:
            return file.read(lambda snapshot: _state_of(snapshot, event))
        except ReadError as error:
            if error.code != ErrorCode.CONTENT_MODIFIED:
                raise
            return Look(event)


def _state_of(snapshot: FileBytes, event: Event) -> Look:
    return Look(event, byte_length=snapshot.size, etag=snapshot.etag)
