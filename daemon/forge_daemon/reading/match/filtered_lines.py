"""The lines that pass a filter, as if the text had no others.

How many of them begin in each stride is kept in a sparse index, as for all lines, and where, if that takes little:
a window far down is found by it, and nothing is searched again. The index covers as much as was searched so far.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from typing import TYPE_CHECKING, NamedTuple

from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.lines.newlines import STRIDE, after_newline, count_newlines
from forge_daemon.reading.lines.threads import MAX_THREADS, map_on_threads
from forge_daemon.reading.lines.utf8 import LOOK_AHEAD
from forge_daemon.reading.records.records import Records
from forge_daemon.reading.texts.text import Text

from .match_index import CONTEXT, MAX_RUNS, MatchIndex, Runs, StrideRuns
from .run import Place, Room, Run

if TYPE_CHECKING:
    from .filter import Filter

STEP = 8 * STRIDE
"""Searched at once."""
MAX_LINES = STEP
"""More than begin in a step."""
MAX_BATCH = 64 * STEP
"""How far a scan goes before it can be cancelled."""
_MIN_REST = 1024
MAX_SEARCHED_LINE = 16 * 1024 * 1024
"""Only so much of a longer line is searched."""


class _Part(NamedTuple):
    """The lines that begin in one part of the text, and which of them pass."""

    start: int
    data: bytes
    is_cut: bool = False
    """The last line is longer than what was searched of it. Its end is looked for only when it is needed."""
    runs: Runs = ()
    settled: int | None = None
    """What passes from here on may change when the text grows; None: nothing of it."""

    def lines(self) -> int:
        """How many pass."""
        return _lines_of(self.data, self.runs)

    def place_of(self, number: int) -> int:
        """The offset of a line that passes, the first of which is 0."""
        for start, end, _ in self.runs:
            lines = _lines_in(self.data, start, end)
            if number < lines:
                return self.start + start + after_newline(self.data[start:end], number)
            number -= lines
        raise IndexError(number)


def _lines_of(data: bytes, runs: Runs) -> int:
    count = data.count
    return len(runs) + sum([count(b"\n", start, end - 1) for start, end, _ in runs])


def _lines_in(data: bytes, start: int, end: int) -> int:
    """How many lines a run has. The last one may lack its newline."""
    return data.count(b"\n", start, end - 1) + 1


class FilteredLines:
    def __init__(
        self,
        text: Text,
        index: LineIndex,
        wanted: "Filter",
        part: tuple[int, int | None],
        judged_end: int | None,
        end_line: int | None = None,
    ) -> None:
        """`part`: the offsets between which lines count, both of line starts; None: to the end of the text.

        `judged_end`: up to where the text decides which of them pass; `end_line`: the number of the line at the end of
        the part, if it is known.
        """
        self._text = text
        self._index = index
        self._filter = wanted
        self._floor, self._end = part
        self._judged_end = judged_end
        self._end_line = end_line
        self._records = Records(text) if wanted.needs_records else None
        format_name = self._records.format.name if self._records else ""
        # What follows the part would decide too, if it were not for the end.
        ends = (self._end, judged_end) if wanted.before or wanted.spec.records else None
        self._counts = text.know(("matches", wanted.key, format_name, self._floor, ends), MatchIndex)
        self._batch = STEP

    @property
    def end(self) -> int:
        return self._text.length() if self._end is None else max(self._end, self._floor)

    def goes_beyond(self, offset: int) -> bool:
        return self._text.is_longer_than(offset) if self._end is None else offset < self.end

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
        for part in self._parts(self._floor + stride * STRIDE, skipped + 1):
            if skipped < (lines := part.lines()):
                offset = part.place_of(skipped)
                return Place(offset, number, self._index.line_at(offset))
            skipped -= lines
        return None

    def place_of_last(self, number: int) -> Place:
        missing, offset = number, self.end
        for part in self._parts_backwards(self.end):
            if lines := part.lines():
                offset = part.place_of(max(0, lines - missing))
                missing -= min(lines, missing)
            if missing == 0:
                break
        found = number - missing
        return Place(offset, -found, self._line_from_end(offset)) if found else Place(self.end, 0, 0)

    def recount_from_end(self, place: Place) -> Place:
        start = self._index.end_of_line_at(place.offset) if place.inside_line else place.offset
        found = place.inside_line + sum(part.lines() for part in self._parts(start))
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
                shown = min(start - place.offset, room.bytes + LOOK_AHEAD)
                yield Run(place, self._text.read_at(place.offset, shown), start, 1)
            number += 1
        for part in self._parts(start, room.lines):
            if not part.runs:
                continue
            data, base = part.data, part.start
            if base > at:
                line, at = self._line_after(line, at, base), base
            position = at - base
            for begin, end, is_context in part.runs:
                line += count_newlines(data, b"\n", position, begin)
                lines, position = data.count(b"\n", begin, end - 1) + 1, end
                text_end = self._end_of(part, end) if part.is_cut else base + end
                yield Run(Place(base + begin, number, line), data[begin:end], text_end, lines, is_context)
                line, number = line + lines, number + lines
            at = self._end_of(part, position)

    def first_from(self, offset: int) -> tuple[int, int] | None:
        """Start and end of the first line that passes and begins at or after an offset."""
        for part in self._parts(max(offset, self._floor), 1):
            for start, end, _ in part.runs:
                end = part.data.find(b"\n", start, end) + 1 or end
                return part.start + start, self._end_of(part, end)
        return None

    def last_before(self, offset: int) -> tuple[int, int] | None:
        """Start and end of the last line that passes and begins before an offset."""
        for part in self._parts_backwards(min(offset, self.end)):
            for _, end, _ in part.runs[-1:]:
                return part.start + part.data.rfind(b"\n", 0, end - 1) + 1, self._end_of(part, end)
        return None

    def _end_of(self, part: _Part, end: int) -> int:
        """The offset of a line's end within what was searched."""
        offset = part.start + end
        return self._index.end_of_line_at(offset) if part.is_cut and end == len(part.data) else offset

    def _line_after(self, line: int, start: int, end: int) -> int:
        """The number of the line at an offset that comes after that of another line."""
        if end - start <= (STRIDE if self._index.covers(end) else 2 * STEP):
            return line + self._text.read_at(start, end - start).count(b"\n")
        found = self._index.line_at(end)
        return found if line > 0 else line + found - self._index.line_at(start)

    def _line_from_end(self, offset: int) -> int:
        lines, last = 0, b"\n"
        length = self._text.length() if self._end_line is None else self.end
        while block := self._text.read_at(offset, min(STEP, length - offset)):
            self._text.report(offset)
            lines += block.count(b"\n")
            offset, last = offset + len(block), block[-1:]
        return -(lines + (last != b"\n")) if self._end_line is None else self._end_line - lines

    # Parts of the text ---------------------------------------------------------------------------

    def _parts(self, offset: int, wanted: int = MAX_LINES) -> Iterator[_Part]:
        """What passes from an offset on. Parts are only as long as needed for so many lines, as far as is known."""
        offset = max(offset, self._floor)
        while True:
            offset = self._skip(offset)
            stride = (offset - self._floor) // STRIDE
            known = self._counts.runs_in(stride)
            end = self._end_of_part(stride, wanted) if known is None else self._floor + (stride + 1) * STRIDE
            self._text.report(offset)
            yield self._search(offset, end) if known is None else self._known(known, offset, end)
            is_last = known is None and not self._text.read_at(end, 1) if self._end is None else end >= self._end
            if is_last:
                return
            offset = end

    def _parts_backwards(self, position: int) -> Iterator[_Part]:
        """What passes before an offset, the last part first."""
        while position > self._floor:
            self._text.report(self.end - position)
            start = (position - 1 - self._floor) // STEP * STEP + self._floor
            yield self._search(start, position)
            position = start

    def _end_of_part(self, first: int, wanted: int) -> int:
        """Where so many lines passed, from a stride on."""
        before, stride = self._counts.before, first + 1
        while stride < first + STEP // STRIDE and (
            stride + 1 >= len(before) or before[stride] < min(before[stride + 1], before[first] + wanted)
        ):
            stride += 1
        return self._floor + stride * STRIDE

    def _skip(self, offset: int) -> int:
        """The next offset at or after this one in whose stride a line passes, as far as that is known."""
        before = self._counts.before
        stride = (offset - self._floor) // STRIDE
        if stride + 1 >= len(before) or before[stride + 1] > before[stride]:
            return offset
        following = bisect_right(before, before[stride]) - 1
        return max(offset, self._floor + following * STRIDE)

    def _known(self, runs: Runs, offset: int, end: int) -> _Part:
        """The lines that pass between an offset and the end of its stride, of which the runs are known."""
        stride = end - STRIDE
        skipped = offset - stride
        runs = [run for run in runs if run[1] > skipped]
        if not runs:
            return _Part(offset, b"")
        last = stride + runs[-1][1]
        if last < end and (self._end is None or last <= self._end):
            part = _Part(offset, self._text.read_at(offset, last - offset), runs=runs)
            if skipped == 0:
                return part
        else:
            part = self._lines_between(stride + max(runs[0][0], skipped), end)
            skipped = part.start - stride
        return part._replace(runs=_within(runs, skipped, len(part.data), STRIDE))

    def _lines_between(self, start: int, end: int) -> _Part:
        """The lines that begin between two offsets."""
        if self._end is not None:
            end = min(end, self._end)
        first = start
        if start > self._floor and self._text.read_at(start - 1, 1) != b"\n":
            first = self._index.end_of_line_at(start)
        if first >= end:
            return _Part(first, b"")
        data = self._text.read_at(first, end - first)
        is_cut = False
        if len(data) == end - first and not data.endswith(b"\n"):
            data, is_cut = self._with_rest_of_line(first, data)
        if self._end is not None and first + len(data) > self._end:
            data, is_cut = data[: self._end - first], False
        return _Part(first, data, is_cut)

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

    def _search(self, start: int, end: int) -> _Part:
        """Which of the lines that begin between two offsets pass. Others decide too, with context or records."""
        wanted, part = self._filter, self._lines_between(start, end)

        def proceed() -> None:
            self._text.report(part.start)

        if not part.data:
            return part
        if not (wanted.before or wanted.after or self._records):
            return part._replace(runs=wanted.passing(part.data, proceed=proceed))
        first, data = part.start, part.data
        end = first + len(data)
        start, until = self._surroundings(first, end, is_complete=data.endswith(b"\n"))
        block = self._text.read_at(start, first - start) + data + self._text.read_at(end, until - end)
        records = self._records.within(block, start) if self._records else None
        part_end = None if self._end is None else min(len(block), self._end - start)
        passing = wanted.passing(block, records, proceed, (max(0, self._floor - start), part_end))
        runs = _within(passing, first - start, len(data)) if len(block) > len(data) else passing
        return part._replace(runs=runs, settled=self._settled(until, start + block.rfind(b"\n") + 1))

    def _surroundings(self, first: int, end: int, *, is_complete: bool) -> tuple[int, int]:
        """The part of the text that decides which of the lines between two offsets pass."""
        wanted = self._filter
        start = self._index.lines_before(first, wanted.after) if wanted.after else first
        until = self._index.lines_after(end, wanted.before) if wanted.before and is_complete else end
        if self._records:
            if self._records.header_at(start) is None:
                start = self._records.start_before(start)  # even before the floor: it has the level
            if wanted.spec.records and is_complete:
                until = self._records.end_after(until)
        else:
            start = max(start, self._floor)
        return start, until if self._judged_end is None else min(until, self._judged_end)

    def _settled(self, until: int, last_line_end: int) -> int | None:
        """From where on a growing text may change what passes, if the end was seen."""
        wanted = self._filter
        is_end = (self._judged_end is not None and until >= self._judged_end) or not self._text.read_at(until, 1)
        if not is_end or not (wanted.before or wanted.spec.records):
            return None
        settled = self._index.lines_before(last_line_end, wanted.before)
        return self._records.start_before(settled) if self._records else settled

    # The index -----------------------------------------------------------------------------------

    def _extend(self, needed: int | None) -> None:
        """Search until so many lines that pass are known, or all."""
        counts = self._counts
        while needed is None or counts.before[-1] < needed:
            self._text.report(self._floor + counts.covered)
            if not counts.extend_by_runs(self._strides_from):
                return

    def _strides_from(self, start: int) -> list[StrideRuns]:
        """How many lines pass in each of the next strides, and their runs."""
        offset, batch = self._floor + start, self._batch
        self._batch = min(2 * batch, MAX_BATCH)
        end = offset + batch
        for limit in (self._end, self._text.known_length):
            if limit is not None:
                end = min(end, self._floor + (limit - self._floor) // STRIDE * STRIDE)
        part = max(STEP, -(-(end - offset) // MAX_THREADS // STRIDE) * STRIDE)
        parts = range(offset, end, part)
        if len(parts) < 2 or not self._text.is_plain:
            return self._strides_between(offset, end)
        strides: list[StrideRuns] = []
        for found in map_on_threads(lambda at: self._strides_between(at, min(at + part, end)), parts):
            strides += found
            if len(found) * STRIDE < part:
                break
        return strides

    def _strides_between(self, start: int, end: int) -> list[StrideRuns]:
        """What matches in each stride, up to the first one with a line that may still grow."""
        strides: list[StrideRuns] = []
        for offset in range(start, end, STEP):
            self._text.report(offset)
            until = min(offset + STEP, end)
            part = self._search(offset, until)
            complete = self._end_of_complete_lines(part)
            if part.settled is not None:
                complete = min(complete, part.settled)
            for stride, runs in zip(range(offset, until, STRIDE), _by_stride(part, offset, until), strict=True):
                if stride + STRIDE > complete:
                    return strides
                strides.append((_lines_of(part.data, runs), self._bounds_of(runs, part.start - stride)))
        return strides

    def _bounds_of(self, runs: Runs, first: int) -> list[int]:
        """Where in a stride runs start and end; the last one may end after it. None are kept of too many."""
        if not runs or len(runs) > MAX_RUNS:
            return []
        if self._filter.before or self._filter.after:
            bounds = [at for begin, end, of in runs for at in (first + begin + CONTEXT * of, first + end)]
        else:
            bounds = [at + first for begin, end, _ in runs for at in (begin, end)]
        bounds[-1] = min(bounds[-1], STRIDE)
        return bounds

    def _end_of_complete_lines(self, part: _Part) -> int:
        end = self._end_of(part, len(part.data))
        if not part.data or self._text.read_at(end - 1, 1) == b"\n":
            return end
        return part.start + part.data.rfind(b"\n") + 1

    def _before(self, offset: int) -> int:
        """How many lines that pass begin before an offset."""
        before = self._counts.before
        stride = min((offset - self._floor) // STRIDE, len(before) - 1)
        start = self._floor + stride * STRIDE
        parts = (self._search(at, min(at + STEP, offset)) for at in range(start, offset, STEP))
        return before[stride] + sum(part.lines() for part in parts)


def _within(runs: Runs, skipped: int, size: int, to_the_end: int | None = None) -> Runs:
    """The runs of a block in a part of it. Those that end at `to_the_end` end with the part."""
    return [
        (max(start - skipped, 0), size if stop == to_the_end else min(stop - skipped, size), is_context)
        for start, stop, is_context in runs
        if start - skipped < size and stop > skipped
    ]


def _by_stride(part: _Part, start: int, end: int) -> Iterator[Runs]:
    """The runs of the lines that begin in each stride between two offsets."""
    runs, done = list(part.runs), 0
    for bound in range(start + STRIDE - part.start, end + 1 - part.start, STRIDE):
        found = bisect_left(runs, (bound,))
        mine = runs[done:found]
        done = found
        if mine and mine[-1][1] > bound:
            begin, stop, is_context = mine[-1]
            cut = part.data.find(b"\n", bound - 1, stop) + 1 or stop
            mine[-1] = begin, cut, is_context
            if cut < stop:
                done, runs[found - 1] = found - 1, (cut, stop, is_context)
        yield mine
