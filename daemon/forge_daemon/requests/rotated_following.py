"""Follows a log with its rotated files: one text that only grows.

The position is kept as a place in the text of one file, and found again at every look: first by the file's inode, then
by the text before the place. So it survives that the file is renamed, compressed, or copied and emptied. What follows
it is the rest of that file, and then the files after it.
"""

import time
from typing import NamedTuple

from forge_daemon.reading.files.digest import digest
from forge_daemon.reading.files.file_bytes import FileBytes, Member, Progress
from forge_daemon.reading.files.rotated import newest_of, set_of
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.match.run import Place
from forge_daemon.reading.texts.concatenated import RotatedText
from forge_daemon.reading.texts.opening import open_text
from forge_daemon.reading.texts.text import Text
from forge_daemon.reading.window.cursor import Cursor, cursor_at
from forge_daemon.reading.window.window import Window, WindowRequest
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, Target
from forge_daemon.workspace.rotated_set import RotatedSet
from forge_protocol.errors import ErrorCode, ReadError

from .appended_lines import Appended
from .following import Event, Following, Look
from .handover import OVERLAP_SECONDS, QUIET_SECONDS
from .request import open_target
from .text_form import with_settings

MAX_SEARCHED = 16
"""Files in which the position is looked for, if its own is gone."""
_DIGEST_BYTES = 16
_COMPARED_BYTES = 512


class _Position(NamedTuple):
    """Where the next line starts."""

    key: bytes
    """Identifies the file."""
    around: bytes
    """A digest of the start of its text, and of the text before the place."""
    place: Place
    """Counted in the text of the file alone."""
    lines_before: int | None
    """How many lines of the set come before the file, if that is known."""


class RotatedFollowing(Following):
    """One followed set."""

    def __init__(self, reader: Reader, target: Target, window: WindowRequest, *, may_skip: bool = True) -> None:
        super().__init__(reader, target, window, may_skip=may_skip)
        self._position: _Position | None = None
        """None: at the start of the oldest file."""
        self._left: tuple[bytes, float, float] | None = None
        """The file that was followed when there was a newer one: since when, and when it last had something new."""

    def start(self, first: WindowRequest, progress: Progress) -> tuple[OpenFile, Window]:
        with open_target(self._reader, self._target) as file:
            form = with_settings(first.form, file.settings)
            self._lines.request = self._lines.request._replace(form=form)
            first = first._replace(form=form)

            def read(snapshot: FileBytes) -> tuple[Window, _Position | None]:
                window = self._lines.first(snapshot, first, progress)
                cursor = window.next_cursor or window.end_cursor
                if cursor is None:
                    return window, None
                part = newest_of(snapshot, cursor.newest) if cursor.newest else snapshot
                lines_before = 0 if cursor.place.line > 0 and not cursor.newest else None
                return window, self._position_at(part, cursor.place, lines_before, progress)

            window, self._position = file.read(read)
            # Any file of the set may have been named, and may be renamed.
            self._target = self._target._replace(path=file.path, workspace_folder=file.place.folder.uri)
            return file, window

    def watch(self) -> None:
        """Nothing is missed: rotated files are read later."""

    def _look(self, progress: Progress) -> Look | None:
        try:
            file = RotatedSet.of(self._reader, self._target)
        except ReadError as error:
            if error.code != ErrorCode.NOT_FOUND:
                raise
            return self._removed()
        self._denied_since = None
        with file:
            if self._was_removed:
                self._was_removed = False
                return self._state_now(file, Event.CREATED, progress)
            found, self._position = file.read(lambda snapshot: self._look_at(snapshot, progress))
        return found

    def _removed(self) -> Look | None:
        if self._was_removed:
            return None
        self._was_removed = True
        self._position = None
        self._lines.restart()
        return Look(Event.REMOVED)

    def _look_at(self, snapshot: FileBytes, progress: Progress) -> tuple[Look | None, _Position | None]:
        members, position = snapshot.members, self._position
        index = 0 if position is None else self._locate(members, position, progress)
        now = Look(Event.APPENDED, byte_length=snapshot.size, etag=snapshot.etag)
        if index is None:
            self._lines.restart()
            newest = set_of(members[-1:])
            return now._replace(event=Event.TRUNCATED), self._position_at(newest, Place(0, 1, 1), None, progress)
        is_left = index + 1 < len(members)
        has_both = is_left and self._may_go_on(members, index)
        part = set_of(members[index:] if has_both else members[index : index + 1])
        appended, position = self._appended_to(part, position, progress)
        if appended is None:
            return None, position
        if is_left and not has_both:
            self._left = members[index].key, self._left[1] if self._left else time.monotonic(), time.monotonic()
        assert position is not None
        return self._shown(now, appended, snapshot, position, progress), position

    def _appended_to(
        self, part: FileBytes, position: _Position | None, progress: Progress
    ) -> tuple[Appended | None, _Position | None]:
        """What is new after a position in the first file of a part."""
        text = open_text(part, self._lines.request.form, progress)
        wanted, lines_before = self._lines.request.filter, position.lines_before if position else 0
        cursor: Cursor | None = None
        if text is not None and position is not None:
            cursor = cursor_at(part, text, position.place, None, wanted.name if wanted else "")
        while True:
            self._lines.continue_after(cursor)
            appended = self._lines.read(part, progress)
            if appended is None or appended.window.returned_line_count or appended.skipped_bytes:
                break
            cursor = appended.position  # none of the new lines is wanted
        if appended is not None:
            cursor = appended.position
        if cursor is None:
            return None, position
        return appended, self._position_at(part, cursor.place, lines_before, progress)

    def _shown(
        self, now: Look, appended: Appended, snapshot: FileBytes, position: _Position, progress: Progress
    ) -> Look:
        """The event, with line numbers of the set if they are known."""
        window = appended.window
        before = self._position.lines_before if self._position else 0
        if before is None:
            shown = window._replace(start_line=0, line_numbers=None, context_lines=None)
        else:
            shown = window._replace(
                start_line=before + window.start_line,
                line_numbers=_shifted(window.line_numbers, before),
                context_lines=_shifted(window.context_lines, before),
            )
        index = next(i for i, member in enumerate(snapshot.members) if member.key == position.key)
        newest = newest_of(snapshot, len(snapshot.members) - index)
        text = open_text(newest, self._lines.request.form, progress)
        wanted = self._lines.request.filter
        place = position.place._replace(number=0, line=0)
        return now._replace(
            window=shown,
            line_count=None if before is None or appended.line_count is None else before + appended.line_count,
            end_cursor=cursor_at(newest, text, place, None, wanted.name if wanted else ""),
            continues_line=window.starts_inside_line,
            skipped_bytes=appended.skipped_bytes,
        )

    def _may_go_on(self, members: tuple[Member, ...], index: int) -> bool:
        """Whether to go on with a newer file: a program may still write to one that was renamed."""
        if index + 2 < len(members):
            return True
        time_now = time.monotonic()
        if self._left is None or self._left[0] != members[index].key:
            self._left = members[index].key, time_now, time_now
        _, since, last_news = self._left
        return members[-1].size > 0 and (time_now - last_news >= QUIET_SECONDS or time_now - since >= OVERLAP_SECONDS)

    def _locate(self, members: tuple[Member, ...], position: _Position, progress: Progress) -> int | None:
        """Which file the position is in now."""
        newest_first = range(len(members) - 1, -1, -1)
        own = [index for index in newest_first if members[index].key == position.key]
        if position.place.offset == 0:
            return own[0] if own else None
        others = [index for index in newest_first if members[index].key != position.key]
        for index in (*own, *others[:MAX_SEARCHED]):
            file = members[index].open()
            text = open_text(file, self._lines.request.form, progress) if file else None
            if text is not None and _around(text, position.place.offset) == position.around:
                return index
        return None

    def _position_at(
        self, part: FileBytes, place: Place, lines_before: int | None, progress: Progress
    ) -> _Position | None:
        """The position of a place in the text of a part of the set, before which so many lines come."""
        form = self._lines.request.form
        text = open_text(part, form, progress)
        if text is None:
            return None
        offset, member, own = place.offset, part.members[0], text
        if isinstance(text, RotatedText):
            index, offsets = text.starts.at(offset), text.starts.offsets
            file = part.members[index].open()
            found = open_text(file, form, progress) if file else None
            if offset == offsets[index] and (before := self._end_before(part, text, index, progress)) is not None:
                index, found = before  # which is found again by its text, whatever happens to an empty file
            if found is None:
                return None
            start, member, own = offsets[index], part.members[index], found
            offset -= start
            lines_before = None if lines_before is None else lines_before + LineIndex(text).line_at(start) - 1
        line = LineIndex(own).line_at(offset)
        here = Place(offset, line if self._lines.request.filter is None else 1, line, place.inside_line)
        return _Position(member.key, _around(own, offset), here, lines_before)

    def _end_before(
        self, part: FileBytes, text: RotatedText, index: int, progress: Progress
    ) -> tuple[int, Text] | None:
        """The last file with text before a file, if it ends with a newline."""
        offsets = text.starts.offsets
        while index > 0:
            index -= 1
            length = offsets[index + 1] - offsets[index]
            file = part.members[index].open() if length else None
            found = open_text(file, self._lines.request.form, progress) if file else None
            if found is not None:
                return (index, found) if found.length() == length else None
        return None


def _around(text: Text, offset: int) -> bytes:
    """Empty if the text is shorter."""
    length = min(offset, _COMPARED_BYTES)
    before = text.read_at(offset - length, length)
    return digest(text.read_at(0, length), before, size=_DIGEST_BYTES) if len(before) == length else b""


def _shifted(numbers: list[int] | None, lines: int) -> list[int] | None:
    return None if numbers is None else [number + lines for number in numbers]


def following_of(reader: Reader, target: Target, window: WindowRequest, *, may_skip: bool = True) -> Following:
    kind = RotatedFollowing if target.rotated else Following
    return kind(reader, target, window, may_skip=may_skip)
