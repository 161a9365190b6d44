"""Finds the place of a time in a text, by bisection: logs are written in order."""

from datetime import UTC, datetime

from forge_protocol.errors import ReadError, invalid_argument

from .records import Records, Timed
from .times import is_before, parse_when

_BLOCK = 4 * 1024
_MAX_BLOCK = 1024 * 1024
_NEAR = 2 * 1024
"""Records that are out of order are looked for so far around a place."""


class TimeSearch:
    def __init__(self, records: Records) -> None:
        self._records = records
        self._text = records.text

    def first(self) -> Timed | None:
        """The first record with a time."""
        return self._first_after(0, None) if self._records.format.has_times else None

    def last(self) -> Timed | None:
        """The last record with a time."""
        if not self._records.format.has_times:
            return None
        end, size = self._text.length(), _BLOCK
        while end > 0:
            self._text.report(self._text.length() - end)
            start = max(0, end - size)
            for found in self._records.timed(start, end, last_first=True):
                return found
            end, size = start, min(4 * size, _MAX_BLOCK)
        return None

    def parse(self, when: str, name: str) -> datetime:
        """The time that is asked for; `INVALID_ARGUMENT` if it is none, or the text has no times."""
        last = self.last()
        if last is None:
            parse_when(when, datetime.now(UTC), datetime.now(UTC), name=name)
            raise no_times(name)
        return parse_when(when, last.time, datetime.now().astimezone(), name=name)

    def since(self, time: datetime) -> Timed | None:
        """The first record at or after a time."""
        start, end = 0, self._text.length()
        found: Timed | None = None
        while end - start > _NEAR:
            middle = (start + end) // 2
            self._text.report(middle)
            following = self._first_after(middle, end)
            if following is not None and is_before(following.time, time):
                start = following.offset + 1
            else:
                end, found = middle, following or found
        for near in self._records.timed(max(0, start - _NEAR), end):
            if not is_before(near.time, time):
                return near
        return found

    def until(self, time: datetime) -> int | None:
        """Where the records before a time end; None: they go on to the end of the text."""
        following = self.since(time)
        if following is None:
            return None
        end: int | None = following.offset
        for near in self._records.timed(following.offset, following.offset + _NEAR):
            if is_before(near.time, time):
                end = None  # after all; it ends where the next one starts
            elif end is None:
                end = near.offset
        if end is None:
            rest = self._first_after(following.offset + _NEAR, self._text.length())
            end = None if rest is None else rest.offset
        return end

    def _first_after(self, start: int, end: int | None) -> Timed | None:
        """`end` None: the end of the text, which is not looked for."""
        size = _BLOCK
        while start < end if end is not None else self._text.is_longer_than(start):
            for found in self._records.timed(start, start + size if end is None else min(start + size, end)):
                return found
            self._text.report(start)
            start, size = start + size, min(2 * size, _MAX_BLOCK)
        return None


def no_times(name: str) -> ReadError:
    return invalid_argument(f"{name}: the text has no times", hint="leave it out, or select lines by their numbers")
