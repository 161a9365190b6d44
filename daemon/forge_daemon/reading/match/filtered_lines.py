"""The lines that pass a filter, as if the text had no others.

How many of them begin in each stride is kept in a sparse index, as for all lines, and where, if they are not too many:
a window far down is found by it, and nothing is searched again. The index covers as much as was searched so far.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

from forge_daemon.reading.lines.counting import MAX_THREADS
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.lines.stride_counts import STRIDE
from forge_daemon.reading.lines.utf8 import LOOK_AHEAD
from forge_daemon.reading.records.records import Record, Records
from forge_daemon.reading.texts.text import Text

from .filter import Filter, Lines
from .match_index import CONTEXT, MAX_STARTS, MatchIndex
from .run import Place, Room, Run

STEP = 8 * STRIDE
"""Searched at once."""
MAX_LINES = STEP
"""More than begin in a step."""
MAX_BATCH = 64 * STEP
"""How far a scan goes before it can be cancelled."""
_MIN_REST = 1024
MAX_SEARCHED_LINE = 16 * 1024 * 1024
"""Of a longer line only so much is searched."""


class _Passing(NamedTuple):
    """Lines that pass and begin in one part of the text, with the text they were found in."""

    lines: Lines
    start: int
    data: bytes
    is_cut: bool = False
    """The last line is longer than what was searched of it. Its end is looked for only when it is needed."""
    settled: int | None = None
    """What passes from here on may change when the text grows; None: nothing of it."""


class FilteredLines:
    def __init__(
        self, text: Text, index: LineIndex, wanted: Filter, part: tuple[int, int | None], end_line: int | None = None
    ) -> None:
        """`part`: the offsets between which lines count, both of line starts; None: to the end of the text.

        `end_line`: the number of the line at the end of the part, if it is known.
        """
        self._text = text
        self._index = index
        self._filter = wanted
        self._floor, self._end = part
        self._end_line = end_line
        self._records = Records(text) if wanted.needs_records else None
        format_name = self._records.format.name if self._records else ""
        # What follows the part would decide too, if it were not for the end.
        end = self._end if wanted.before or wanted.spec.records else None
        self._counts = text.know(("matches", wanted.key, format_name, self._floor, end), MatchIndex)
        self._batch = STEP

    @property
    def end(self) -> int:
        return self._text.length() if self._end is None else max(self._end, self._floor)

    def count(self) -> int:
        self._extend(None)
        return self._before(self.end)

    def count_from(self, line: int) -> int:
        """How many lines pass from a line of the text on."""
        start = self._index.start_of(line)
        return 0 if start is None else self.count() - self._before(max(start, self._floor))

    def place_of(self, number: int) -> Place | None:
        needed = number - 1
        self._extend(needed + 1)
        before = self._counts.before
        stride = bisect_right(before, needed) - 1
        skipped = needed - before[stride]
        place = Place(self._floor + stride * STRIDE, before[stride] + 1, 0)
        for passing, first in self._parts(place.offset, place.number, skipped + 1):
            if len(passing.lines) > skipped:
                start, _, _ = passing.lines[skipped]
                offset = passing.start + start
                return Place(offset, first + skipped, self._index.line_at(offset))
            skipped -= len(passing.lines)
        return None

    def place_of_last(self, number: int) -> Place:
        missing, offset = number, self.end
        for passing in self._parts_backwards(self.end):
            if passing.lines:
                first = max(0, len(passing.lines) - missing)
                offset = self._span(passing, first)[0]
                missing -= len(passing.lines) - first
            if missing == 0:
                break
        found = number - missing
        return Place(offset, -found, self._line_from_end(offset)) if found else Place(self.end, 0, 0)

    def recount_from_end(self, place: Place) -> Place:
        found = int(place.inside_line)
        start = self._index.end_of_line_at(place.offset) if place.inside_line else place.offset
        for passing, _ in self._parts(start, 1):
            found += len(passing.lines)
        line = place.line if place.line > 0 else self._line_from_end(place.offset)
        return place._replace(number=-found, line=line)

    def runs(self, place: Place, room: Room) -> Iterator[Run]:
        number, line, at = place.number, place.line, place.offset
        start = place.offset
        if place.inside_line:
            start = self._index.end_of_line_at(place.offset)
            if self._end is not None:
                start = max(place.offset, min(start, self._end))
            if start > place.offset:
                yield self._long_run(place, start, room, is_context=False)
            number += 1
        for passing, first in self._parts(start, number, room.lines):
            number = first
            for begin, end, is_context in passing.lines:
                offset = passing.start + begin
                line += self._newlines(passing, at, offset)
                at = offset
                run_end = self._end_of(passing, end)
                here = Place(offset, number, line)
                if run_end - offset > min(room.bytes + LOOK_AHEAD, end - begin):
                    yield self._long_run(here, run_end, room, is_context=is_context)
                else:
                    yield Run(here, passing.data[begin:end], run_end, is_context)
                number += 1

    def first_from(self, offset: int) -> tuple[int, int] | None:
        """Start and end of the first line that passes and begins at or after an offset."""
        for passing, _ in self._parts(max(offset, self._floor), 1):
            if passing.lines:
                return self._span(passing, 0)
        return None

    def last_before(self, offset: int) -> tuple[int, int] | None:
        """Start and end of the last line that passes and begins before an offset."""
        for passing in self._parts_backwards(min(offset, self.end)):
            if passing.lines:
                return self._span(passing, -1)
        return None

    def _span(self, passing: _Passing, which: int) -> tuple[int, int]:
        start, end, _ = passing.lines[which]
        return passing.start + start, self._end_of(passing, end)

    def _end_of(self, passing: _Passing, end: int) -> int:
        """The offset of a line's end within what was searched."""
        offset = passing.start + end
        return self._index.end_of_line_at(offset) if passing.is_cut and end == len(passing.data) else offset

    def _parts_backwards(self, position: int) -> Iterator[_Passing]:
        """What passes before an offset, part by part, the last one first."""
        while position > self._floor:
            self._text.report(self.end - position)
            start = (position - 1 - self._floor) // STEP * STEP + self._floor
            yield self._search(start, position)
            position = start

    def _long_run(self, place: Place, end: int, room: Room, *, is_context: bool) -> Run:
        data = self._text.read_at(place.offset, min(end - place.offset, room.bytes + LOOK_AHEAD))
        return Run(place, data, end, is_context)

    def _newlines(self, passing: _Passing, start: int, end: int) -> int:
        """How many lines lie between two offsets."""
        if start >= passing.start:
            return passing.data.count(b"\n", start - passing.start, end - passing.start)
        if end - start <= 2 * STEP and not self._index.covers(end):
            return self._text.read_at(start, end - start).count(b"\n")
        return self._index.line_at(end) - self._index.line_at(start)

    def _line_from_end(self, offset: int) -> int:
        lines, last = 0, b"\n"
        length = self._text.length() if self._end_line is None else self.end
        while block := self._text.read_at(offset, min(STEP, length - offset)):
            self._text.report(offset)
            lines += block.count(b"\n")
            offset, last = offset + len(block), block[-1:]
        return -(lines + (last != b"\n")) if self._end_line is None else self._end_line - lines

    def _parts(self, offset: int, number: int, wanted: int = MAX_LINES) -> Iterator[tuple[_Passing, int]]:
        """What passes from an offset on, part by part, each with the number of its first line.

        Parts are only as long as needed for so many lines, as far as is known where these are.
        """
        offset = max(offset, self._floor)
        while True:
            offset = self._skip(offset)
            end = self._end_of_part(offset, wanted)
            self._text.report(offset)
            starts = self._counts.starts_in((offset - self._floor) // STRIDE)
            passing = self._search(offset, end) if starts is None else self._at(starts, offset)
            yield passing, number
            number += len(passing.lines)
            if (self._end is not None and end >= self._end) or not self._text.read_at(end, 1):
                return
            offset = end

    def _end_of_part(self, offset: int, wanted: int) -> int:
        before = self._counts.before
        first = stride = (offset - self._floor) // STRIDE
        last = first + (STEP // STRIDE if self._counts.starts_in(first) is None else 1)
        while stride < last:
            stride += 1
            if stride + 1 < len(before) and (
                before[stride] == before[stride + 1] or before[stride] - before[first] >= wanted
            ):
                break
        return self._floor + stride * STRIDE

    def _skip(self, offset: int) -> int:
        """The next offset at or after this one in whose stride a line passes, as far as that is known."""
        before = self._counts.before
        stride = (offset - self._floor) // STRIDE
        if stride + 1 >= len(before) or before[stride + 1] > before[stride]:
            return offset
        following = bisect_right(before, before[stride]) - 1
        return max(offset, self._floor + following * STRIDE)

    def _at(self, starts: Sequence[int], offset: int) -> _Passing:
        """The lines that pass from an offset on, if it is known where they start in its stride."""
        stride = offset - (offset - self._floor) % STRIDE
        end = stride + STRIDE if self._end is None else self._end
        starts = [start for start in starts if offset <= stride + start % CONTEXT < end]
        if not starts:
            return _Passing([], offset, b"")
        first, last = (stride + start % CONTEXT for start in (starts[0], starts[-1]))
        data, is_cut = self._with_rest_of_line(first, self._text.read_at(first, last - first))
        lines: list[tuple[int, int, bool]] = []
        for start in starts:
            begin = stride + start % CONTEXT - first
            lines.append((begin, data.find(b"\n", begin) + 1 or len(data), start >= CONTEXT))
        return _Passing(lines, first, data, is_cut)

    def _search(self, start: int, end: int) -> _Passing:
        """What passes of the lines that begin between two offsets."""
        if self._end is not None:
            end = min(end, self._end)
        first = start
        if start > self._floor and self._text.read_at(start - 1, 1) != b"\n":
            first = self._index.end_of_line_at(start)
        if first >= end:
            return _Passing([], first, b"")
        data = self._text.read_at(first, end - first)
        is_cut = False
        if len(data) == end - first and not data.endswith(b"\n"):
            data, is_cut = self._with_rest_of_line(first, data)
        if self._end is not None and first + len(data) > self._end:
            data, is_cut = data[: self._end - first], False
        return self._passing(_Passing([], first, data, is_cut))

    def _with_rest_of_line(self, first: int, data: bytes) -> tuple[bytes, bool]:
        """Complete the last line, unless it is very long; whether it is."""
        parts, length = [data], len(data)
        limit = data.rfind(b"\n") + 1 + MAX_SEARCHED_LINE
        size = _MIN_REST
        while length < limit:
            more = self._text.read_at(first + length, min(size, limit - length))
            newline = more.find(b"\n") + 1
            parts.append(more[: newline or len(more)])
            if newline or not more:
                return b"".join(parts), False
            length += len(more)
            size = min(4 * size, STEP)
        return b"".join(parts), True

    def _passing(self, part: _Passing) -> _Passing:
        """Which lines of a part pass. Lines around it decide as well, with context and with records."""
        wanted, first, data = self._filter, part.start, part.data

        def proceed() -> None:
            self._text.report(first)

        if not (wanted.before or wanted.after or self._records):
            return part._replace(lines=wanted.passing(data, proceed=proceed))
        end = first + len(data)
        start, until = self._surroundings(first, end, is_complete=data.endswith(b"\n"))
        surrounded = self._text.read_at(start, first - start) + data + self._text.read_at(end, until - end)
        records = self._records.within(surrounded, start, wanted.spec.level) if self._records else []
        if (cut := self._floor - start) > 0:
            surrounded, start = surrounded[cut:], self._floor
            records = [
                Record(max(0, each.start - cut), each.end - cut, each.level, each.has_header and each.start >= cut)
                for each in records
                if each.end > cut
            ]
        skipped = first - start
        lines = [
            (begin - skipped, stop - skipped, is_context)
            for begin, stop, is_context in wanted.passing(surrounded, records, proceed)
            if skipped <= begin < skipped + len(data)
        ]
        return part._replace(lines=lines, settled=self._settled(until, start + surrounded.rfind(b"\n") + 1))

    def _surroundings(self, first: int, end: int, *, is_complete: bool) -> tuple[int, int]:
        """The part of the text that decides which of the lines between two offsets pass."""
        wanted = self._filter
        start = self._index.lines_before(first, wanted.after) if wanted.after else first
        until = self._index.lines_after(end, wanted.before) if wanted.before and is_complete else end
        if self._records:
            start = self._records.start_before(start)  # even before the floor: it has the level
            if wanted.spec.records and is_complete:
                until = self._records.end_after(until)
        else:
            start = max(start, self._floor)
        return start, until if self._end is None else min(until, self._end)

    def _settled(self, until: int, last_line_end: int) -> int | None:
        """From where on a growing text may change what passes, if the end was seen."""
        wanted = self._filter
        is_end = (self._end is not None and until >= self._end) or not self._text.read_at(until, 1)
        if not is_end or not (wanted.before or wanted.spec.records):
            return None
        settled = self._index.lines_before(last_line_end, wanted.before)
        return self._records.start_before(settled) if self._records else settled

    def _extend(self, needed: int | None) -> None:
        """Search until so many lines that pass are known, or all."""
        counts = self._counts
        while needed is None or counts.before[-1] < needed:
            self._text.report(self._floor + counts.covered)
            if not counts.extend_by_starts(self._starts_from):
                return

    def _starts_from(self, start: int) -> Sequence[Sequence[int]]:
        """Where the lines start that pass, in each of the next strides."""
        offset, batch = self._floor + start, self._batch
        self._batch = min(2 * batch, MAX_BATCH)
        end = offset + batch
        for limit in (self._end, self._text.known_length):
            if limit is not None:
                end = min(end, self._floor + (limit - self._floor) // STRIDE * STRIDE)
        part = max(STEP, -(-(end - offset) // MAX_THREADS // STRIDE) * STRIDE)
        parts = range(offset, end, part)
        if len(parts) < 2 or not self._text.is_plain:
            return self._starts_between(offset, end)
        strides: list[Sequence[int]] = []
        with ThreadPoolExecutor(len(parts)) as threads:
            for found in threads.map(lambda at: self._starts_between(at, min(at + part, end)), parts):
                strides += found
                if len(found) * STRIDE < part:
                    break
        return strides

    def _starts_between(self, start: int, end: int) -> list[Sequence[int]]:
        """By stride, up to the first with a line that may still grow."""
        strides: list[Sequence[int]] = []
        for offset in range(start, end, STEP):
            self._text.report(offset)
            until = min(offset + STEP, end)
            passing = self._search(offset, until)
            complete = self._end_of_complete_lines(passing)
            if passing.settled is not None:
                complete = min(complete, passing.settled)
            starts = [passing.start + line[0] for line in passing.lines]
            counted = 0
            for bound in range(offset + STRIDE, until + 1, STRIDE):
                if bound > complete:
                    return strides
                found = bisect_left(starts, bound)
                lines = passing.lines[counted:found] if found - counted <= MAX_STARTS else ()
                first = bound - STRIDE - passing.start
                strides.append([line[0] - first + CONTEXT * line[2] for line in lines] or range(found - counted))
                counted = found
        return strides

    def _end_of_complete_lines(self, passing: _Passing) -> int:
        end = self._end_of(passing, len(passing.data))
        if not passing.data or self._text.read_at(end - 1, 1) == b"\n":
            return end
        return passing.start + passing.data.rfind(b"\n") + 1

    def _before(self, offset: int) -> int:
        """How many lines that pass begin before an offset."""
        before = self._counts.before
        stride = min((offset - self._floor) // STRIDE, len(before) - 1)
        number, position = before[stride], self._floor + stride * STRIDE
        while position < offset:
            passing = self._search(position, min(position + STEP, offset))
            number += len(passing.lines)
            position += STEP
        return number
