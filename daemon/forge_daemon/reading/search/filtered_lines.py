"""A filtered text: as if it had only the lines that match."""

import sys
from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import count, repeat

from forge_daemon.light_typing import NamedTuple
from forge_daemon.reading.sources.source import FileChanged, Progress, Source

from .filter_index import FilterIndex, Post, Run
from .line_filter import LineFilter
from .line_search import LONGEST_LINE, line_end
from .literal_search import line_start
from .matching_processes import Proceed

_STEP = 256 * 1024
_FIRST_LOOK_BACK = 64 * 1024
_LONGEST_LOOK_BACK = 1024 * 1024
_USUAL_LINE = 512
_MOST_AT_ONCE = 256
"""Of lines that were found before."""


class MatchingLine(NamedTuple):
    number: int
    """How many matches precede it. Negative where they were counted from the end: -1 is the last one."""
    line: int
    """How many lines of the file precede it; negative likewise."""
    offset: int
    end: int
    """After its newline, if it has one."""
    content: bytes | None
    """The line, with its newline, where it has been read."""


class Matches(NamedTuple):
    """Consecutive matching lines. Each list has one item per line, as in `MatchingLine`."""

    number: int
    """Of the first."""
    lines: list[int]
    offsets: list[int]
    ends: list[int]
    contents: list[bytes] | None
    """None: a single line, which is too long to be read."""
    judged: bool = True
    """False: they were found before, and are taken from the index."""

    def each(self) -> Iterator[MatchingLine]:
        return map(MatchingLine, count(self.number), self.lines, self.offsets, self.ends, self.contents or repeat(None))


def matches_of(lines: Iterable[MatchingLine]) -> Iterator[Matches]:
    for number, line, offset, end, content in lines:
        yield Matches(number, [line], [offset], [end], None if content is None else [content])


class _Judged(NamedTuple):
    """Some whole lines, or one that is too long for a block."""

    offset: int
    end: int
    block: bytes | None
    starts: list[int]
    """Of those that match, in the block."""
    complete: bool
    """The last line has its newline."""


def is_short_stretch(index: FilterIndex, first: int, most: int, etag: str, *, judged: bool) -> bool:
    """Whether `most` matches from number `first` lie in one block; with `judged`, one that was judged before."""
    known = index.at_number(first)
    if known is None or index.matches < first + most or most > _MOST_AT_ONCE:
        return False
    if (run := index.run_from(known.number, known.offset, most)) is not None and (judged or len(run.lines) == most):
        return not judged  # what comes from the index is judged again
    following = index.after(first, first + most, known.offset + _STEP)
    if following is not None and following.number < first + most:
        return False
    length = (index.covered if following is None else following.offset) - known.offset
    return length <= _STEP and (not judged or index.judged.knows(length, (etag, known.offset)))


class FilteredLines:
    """The lines of a part of a text that match. The part starts and ends where lines do.

    Numbers are counted from 0 within the part; the index may start before it.
    """

    def __init__(
        self, source: Source, line_filter: LineFilter, index: FilterIndex, part: tuple[int, int], progress: Progress
    ) -> None:
        self._source = source
        self._filter = line_filter
        self._index = index
        self._progress = progress
        self._start, self._end = part
        lines = source.line_index
        self._lines_before_index = lines.line_at(index.floor, source.read_at, progress) - 1 if index.floor else 0
        self._matches_before_part = self._matches_before(self._start)

    def count(self) -> int:
        return self._matches_before(self._end) - self._matches_before_part

    def from_number(self, number: int, most: int | None) -> Iterator[Matches]:
        """`most` matches from `number`, or all."""
        wanted = self._matches_before_part + number
        index = self._index
        self._search_on(self._end, lambda: index.matches > wanted)
        known = index.at_number(wanted) if wanted < index.matches else index.state()
        return self._walk(known or Post(0, index.floor, 0), wanted, most)

    def from_offset(self, offset: int, line: int, number: int, most: int | None) -> Iterator[Matches]:
        """`most` matches from `offset`, where a line starts, or all. `line` lines and `number` matches precede it."""
        # A line that was returned unfinished may no longer match: what is known now counts, not what was returned then.
        is_known = offset <= self._index.covered
        wanted = self._matches_before(offset) if is_known else self._matches_before_part + number
        return self._walk(Post(wanted, offset, line - self._lines_before_index), wanted, most)

    def last(self, number: int, end_line: int) -> list[MatchingLine]:
        """The last so many, searched from the end and counted from there; lines as well where `end_line` is 0.

        Otherwise it says how many lines precede the part's end.
        """
        found: list[MatchingLine] = []
        lines_after, end, look_back = -end_line, self._end, _FIRST_LOOK_BACK
        while end > self._start and len(found) < number:
            start = line_start(self._source, max(self._start, end - look_back), self._start, self._progress)
            matches: list[MatchingLine] = []
            lines = 0
            for judged in self._judged(start, end):
                matches += self._matches_in(judged, 0, lines).each()
                lines += _lines_in(judged)
            found[:0] = [match._replace(line=match.line - lines - lines_after) for match in matches]
            lines_after += lines
            end, look_back = start, min(4 * look_back, _LONGEST_LOOK_BACK)
        found = found[-number:]
        return [match._replace(number=position - len(found)) for position, match in enumerate(found)]

    def counted_from_the_end(self, offset: int, end_line: int) -> tuple[list[MatchingLine], int]:
        """All from an offset on, at which a line starts, counted likewise; and how many lines precede the offset."""
        found: list[MatchingLine] = []
        lines = 0
        for judged in self._judged(offset, self._end):
            found += self._matches_in(judged, self._matches_before_part, lines).each()
            lines += _lines_in(judged)
        return [
            match._replace(number=at - len(found), line=match.line - lines + end_line) for at, match in enumerate(found)
        ], end_line - lines

    def require_matches(self, known: list[bytes]) -> None:
        """Check matches from the index again: the file may have changed unnoticed."""
        if not known:
            return
        block = b"".join(known)
        found = self._index.judged.matching_lines(block, None, lambda: self._filter.matching_lines(block, lambda: None))
        if len(found) != len(known):
            raise FileChanged

    def _walk(self, start: Post, wanted: int, most: int | None) -> Iterator[Matches]:
        """From the match `wanted` on, which may come after the start."""
        number, offset, line = start
        stop = sys.maxsize if most is None else wanted + most
        index = self._index
        while offset < self._end and number < stop:
            if (run := index.run_from(number, offset, min(stop - number, _MOST_AT_ONCE))) is not None:
                if run.offsets[0] >= self._end:
                    return
                yield (matches := self._known(number, run))
                taken = len(matches.lines)
                number, offset, line = number + taken, matches.ends[-1], run.lines[taken - 1] + 1
                continue
            known = index.at_number(number)
            if known is not None and known.number == number and known.offset >= offset:
                _, offset, line = known
            elif number >= index.matches and offset < index.covered:
                number, offset, line = index.state()
            following = index.after(number, stop, offset + _STEP)
            until = following.offset if following is not None else max(index.covered, offset)
            for judged in self._judged(offset, min(until if until > offset else self._end, self._end)):
                self._record(judged)
                if judged.starts and number + len(judged.starts) > wanted:
                    lines_before = line + self._lines_before_index
                    yield self._matches_in(judged, number, lines_before, max(0, wanted - number), stop - number)
                number += len(judged.starts)
                if number >= stop:
                    return
                offset = judged.end
                line = line + _lines_in(judged) if offset != until or following is None else following.line

    def _known(self, number: int, run: Run) -> Matches:
        """The first matches of a run, at least one."""
        read_at, contents, ends = self._source.read_at, [], []
        for offset in run.offsets[: bisect_left(run.offsets, self._end)]:
            start = read_at(offset, _USUAL_LINE)
            length = start.find(b"\n") + 1
            if not length:
                break
            contents.append(start[:length])
            ends.append(offset + length)
        if not ends:
            ends.append(line_end(self._source, run.offsets[0] + len(start), self._progress))
        lines_before, taken = self._lines_before_index, len(ends)
        return Matches(
            number - self._matches_before_part,
            [lines_before + line for line in run.lines[:taken]],
            run.offsets[:taken],
            ends,
            contents or None,
            judged=False,
        )

    def _matches_in(self, judged: _Judged, number: int, line: int, first: int = 0, stop: int | None = None) -> Matches:
        """Those of a block, or some of them. So many matches and lines precede it."""
        offset, end, block, starts, _ = judged
        starts = starts[first:stop]
        number += first - self._matches_before_part
        if block is None:
            return Matches(number, [line] * len(starts), [offset] * len(starts), [end] * len(starts), None)
        find, newlines = block.find, block.count
        ends = [find(b"\n", start) + 1 or len(block) for start in starts]
        lines, counted_to = [], 0
        for start, line_ends in zip(starts, ends, strict=True):
            if start != counted_to:
                line += newlines(b"\n", counted_to, start)
            lines.append(line)
            line, counted_to = line + 1, line_ends
        return Matches(
            number,
            lines,
            [offset + start for start in starts],
            [offset + line_ends for line_ends in ends],
            [block[start:line_ends] for start, line_ends in zip(starts, ends, strict=True)],
        )

    def _matches_before(self, offset: int) -> int:
        """How many start before an offset at which a line starts, or the text ends."""
        index = self._index
        self._search_on(offset, lambda: False)
        number, start, _ = index.state()
        if offset < start:
            known = index.at_offset(offset - 1)
            if known is None:
                return 0
            if index.run_from(known.number, known.offset, 1) is not None:
                return known.number + 1
            number, start, _ = known
        return number + sum(len(judged.starts) for judged in self._judged(start, offset))

    def _search_on(self, end: int, found: Callable[[], bool]) -> None:
        """Extend the index."""
        index = self._index
        while index.covered < end and not found():
            for judged in self._judged(index.covered, end):
                self._record(judged)
                if not judged.complete:
                    return
                if found() or index.covered != judged.end:
                    break

    def _record(self, judged: _Judged) -> None:
        if not judged.complete:
            return
        if judged.block is None:
            self._index.record_long_line(judged.offset, judged.end, matches=bool(judged.starts))
        else:
            self._index.record(judged.offset, judged.block, judged.starts)

    def _judged(self, offset: int, end: int) -> Iterator[_Judged]:
        size = self._source.size
        # What is read for a window is soon read again, but what is only searched on the way to it is not.
        remember = end <= self._index.covered or end - offset <= _STEP
        while offset < end:
            proceed = partial(self._progress, offset, size)
            proceed()
            block = self._whole_lines(offset, end)
            if block:
                starts = self._matching_lines(offset, block, proceed, remember=remember)
                judged = _Judged(offset, offset + len(block), block, starts, block.endswith(b"\n"))
            else:
                line_ends = line_end(self._source, offset, self._progress)
                matches = self._filter.lets_through(self._source, offset, line_ends, self._progress)
                complete = self._source.read_at(line_ends - 1, 1) == b"\n"
                judged = _Judged(offset, line_ends, None, [0] if matches else [], complete)
            yield judged
            offset = judged.end

    def _matching_lines(self, offset: int, block: bytes, proceed: Proceed, *, remember: bool) -> list[int]:
        if not remember:
            return self._filter.matching_lines(block, proceed)
        place = (self._source.etag, offset) if self._source.stable else None
        return self._index.judged.matching_lines(block, place, lambda: self._filter.matching_lines(block, proceed))

    def _whole_lines(self, offset: int, end: int) -> bytes:
        """Empty if the first line is too long."""
        length = _STEP
        while True:
            block = self._source.read_at(offset, min(length, end - offset))
            if offset + len(block) == end:
                return block
            if whole := block.rfind(b"\n") + 1:
                return block[:whole]
            if length == LONGEST_LINE:
                return b""
            length = min(4 * length, LONGEST_LINE)


def _lines_in(judged: _Judged) -> int:
    return 1 if judged.block is None else judged.block.count(b"\n") + (not judged.complete)
