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
from forge_daemon.reading.window.cursor import cursor_at
from forge_daemon.reading.window.window import Window, WindowRequest
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, Target
from forge_daemon.workspace.rotated_set import RotatedSet
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .appended_lines import Appended
from .following import OVERLAP_SECONDS, QUIET_SECONDS, Event, Following, Look
from .request import open_target

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
        if window.filter is not None and (window.filter.spec.first_line or window.filter.spec.last_line):
            # A look opens only the newest files: what comes before them is not known to be counted, and may be gone.
            raise invalid_argument(
                "filter: first_line and last_line cannot be combined with rotated in a follow",
                hint="leave them out, or follow the log without rotated",
            )
        super().__init__(reader, target, window, may_skip=may_skip)
        self._position: _Position | None = None
        """None: at the start of the oldest file."""
        self._left: bytes | None = None
        """The key of the file that was followed when there was a newer one."""

    def start(self, first: WindowRequest, progress: Progress) -> tuple[OpenFile, Window]:
        with open_target(self._reader, self._target) as file:
            first = self._lines.in_form(first, file.settings)

            def read(snapshot: FileBytes) -> tuple[Window, _Position | None]:
                window = self._lines.first(snapshot, first, progress)
                cursor = window.next_cursor or window.end_cursor
                if cursor is None or (cursor.place.offset == 0 and not cursor.newest):
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
                return self._state_now(file, Event.CREATED)
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
        end = len(members) if self._may_go_on(members, index) else index + 1
        part = set_of(members[index:end])
        cursor = None
        if position is not None and (text := open_text(part, self._lines.request.form, progress)) is not None:
            cursor = cursor_at(part, text, position.place, None, self._filter_name)
        appended = self._lines.read(part, cursor, progress)
        if appended is None:
            return None, position
        lines_before = 0 if position is None else position.lines_before
        after = self._position_at(part, appended.position.place, lines_before, progress)
        if appended.is_empty or after is None:
            return None, after
        self._last_news = time.monotonic()
        return self._shown(now, appended, lines_before, snapshot, after, progress), after

    @property
    def _filter_name(self) -> str:
        return self._lines.request.filter.name if self._lines.request.filter else ""

    def _shown(
        self,
        now: Look,
        appended: Appended,
        before: int | None,
        snapshot: FileBytes,
        position: _Position,
        progress: Progress,
    ) -> Look:
        """The event, with line numbers of the set if they are known."""
        window = appended.window
        index = next(i for i, member in enumerate(snapshot.members) if member.key == position.key)
        newest = newest_of(snapshot, len(snapshot.members) - index)
        text = open_text(newest, self._lines.request.form, progress)
        place = position.place._replace(number=0, line=0)
        return now._replace(
            window=window._replace(
                start_line=0 if before is None else before + window.start_line,
                line_numbers=_shifted(window.line_numbers, before),
                context_lines=_shifted(window.context_lines, before),
            ),
            line_count=None if before is None or appended.line_count is None else before + appended.line_count,
            end_cursor=cursor_at(newest, text, place, None, self._filter_name),
            continues_line=window.starts_inside_line,
            skipped_bytes=appended.skipped_bytes,
        )

    def _may_go_on(self, members: tuple[Member, ...], index: int) -> bool:
        """Whether to read the newer files too: a program may still write to one that was renamed."""
        if index + 2 != len(members):
            return True
        now = time.monotonic()
        if self._left != members[index].key:
            self._left, self._met, self._last_news = members[index].key, now, now
        has_begun = members[-1].size > 0
        return has_begun and (now - self._last_news >= QUIET_SECONDS or now - self._met >= OVERLAP_SECONDS)

    def _locate(self, members: tuple[Member, ...], position: _Position, progress: Progress) -> int | None:
        """Which file the position is in now."""
        newest_first = range(len(members) - 1, -1, -1)
        own = [index for index in newest_first if members[index].key == position.key]
        if position.place.offset == 0:
            return own[0] if own else None
        others = [index for index in newest_first if members[index].key != position.key]
        for index in (*own, *others[:MAX_SEARCHED]):
            text = self._open(members[index], progress)
            if text is not None and _around(text, position.place.offset) == position.around:
                return index
        return None

    def _position_at(
        self, part: FileBytes, place: Place, lines_before: int | None, progress: Progress
    ) -> _Position | None:
        """The position of a place in the text of a part of the set, before which so many lines come."""
        text = open_text(part, self._lines.request.form, progress)
        if text is None:
            return None
        offset, member, own = place.offset, part.members[0], text
        if isinstance(text, RotatedText):
            starts = text.starts.offsets
            # The file with the text before it, which is found again by that, whatever happens to an empty file.
            index = text.starts.at(max(0, offset - 1))
            opened = self._open(part.members[index], progress)
            if opened is None or opened.length() < offset - starts[index]:  # it lacks its last newline
                index = text.starts.at(offset)
                opened = self._open(part.members[index], progress)
            if opened is None:
                return None
            member, own = part.members[index], opened
            offset -= starts[index]
            lines_before = None if lines_before is None else lines_before + LineIndex(text).line_at(starts[index]) - 1
        line = LineIndex(own).line_at(offset)
        here = Place(offset, line if self._lines.request.filter is None else 1, line, place.inside_line)
        return _Position(member.key, _around(own, offset), here, lines_before)

    def _open(self, member: Member, progress: Progress) -> Text | None:
        file = member.open()
        return open_text(file, self._lines.request.form, progress) if file else None


def _around(text: Text, offset: int) -> bytes:
    """Empty if the text is shorter."""
    length = min(offset, _COMPARED_BYTES)
    before = text.read_at(offset - length, length)
    return digest(text.read_at(0, length), before, size=_DIGEST_BYTES) if len(before) == length else b""


def _shifted(numbers: list[int] | None, lines: int | None) -> list[int] | None:
    return None if numbers is None or lines is None else [number + lines for number in numbers]


def following_of(reader: Reader, target: Target, window: WindowRequest, *, may_skip: bool = True) -> Following:
    kind = RotatedFollowing if target.rotated else Following
    return kind(reader, target, window, may_skip=may_skip)
