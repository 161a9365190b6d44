"""A text seen through a filter: as if it had only the lines that match."""

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from forge_daemon.reading.sources.source import FileChanged, Progress, Source

from .filter_index import FilterIndex, Post
from .line_filter import LineFilter
from .line_search import LONGEST_LINE, line_end
from .literal_search import line_start
from .matching_processes import Proceed

_STEP = 256 * 1024
_FIRST_LOOK_BACK = 64 * 1024
_LONGEST_LOOK_BACK = 1024 * 1024
_USUAL_LINE = 512


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
    judged: bool = True
    """False: it was found before, and is taken from the index."""


class _Judged(NamedTuple):
    """Some whole lines, or one that is too long for a block."""

    offset: int
    end: int
    block: bytes | None
    starts: list[int]
    """Of those that match, in the block."""
    complete: bool
    """The last line has its newline."""


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

    def from_number(self, number: int) -> Iterator[MatchingLine]:
        """All from one on."""
        wanted = self._matches_before_part + number
        self._search_on(self._end, lambda: self._index.matches > wanted)
        start = self._index.at_number(wanted) or Post(0, self._index.floor, 0)
        return (match for match in self._walk(start) if match.number >= number)

    def from_offset(self, offset: int, line: int, number: int) -> Iterator[MatchingLine]:
        """All from an offset on, at which a line starts. So many lines and matches precede it."""
        return self._walk(Post(self._matches_before_part + number, offset, line - self._lines_before_index))

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
                matches += self._matches_in(judged, 0, lines)
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
            found += self._matches_in(judged, self._matches_before_part, lines)
            lines += _lines_in(judged)
        return [
            match._replace(number=at - len(found), line=match.line - lines) for at, match in enumerate(found)
        ], lines

    def require_matches(self, lines: list[MatchingLine]) -> None:
        """What comes from the index is searched again: the file may have changed without a sign of it."""
        known = [match.content for match in lines if not match.judged and match.content is not None]
        if known and len(self._matching_lines(b"".join(known), lambda: None, remember=True)) != len(known):
            raise FileChanged

    def _walk(self, start: Post) -> Iterator[MatchingLine]:
        number, offset, line = start
        index = self._index
        while offset < self._end:
            known, following = index.at_number(number), index.after(number)
            if known is not None and known.number == number and known.offset >= offset:
                _, offset, line = known
                if offset >= self._end:
                    return
                if self._is_followed_by(following, number):
                    yield (match := self._known(number, line, offset))
                    number, offset, line = number + 1, match.end, line + 1
                    continue
            if number >= index.matches and offset < index.covered:
                number, offset, line = index.state()
            until = following.offset if following is not None else max(index.covered, offset)
            for judged in self._judged(offset, min(until if until > offset else self._end, self._end)):
                self._record(judged)
                yield from self._matches_in(judged, number, line + self._lines_before_index)
                number, offset, line = number + len(judged.starts), judged.end, line + _lines_in(judged)

    def _is_followed_by(self, following: Post | None, number: int) -> bool:
        """Whether the next match is known as well, or there is none as far as the file was searched."""
        return self._index.matches == number + 1 if following is None else following.number == number + 1

    def _known(self, number: int, line: int, offset: int) -> MatchingLine:
        start = self._source.read_at(offset, _USUAL_LINE)
        length = start.find(b"\n") + 1
        return MatchingLine(
            number - self._matches_before_part,
            line + self._lines_before_index,
            offset,
            offset + length if length else line_end(self._source, offset + len(start), self._progress),
            start[:length] if length else None,
            judged=False,
        )

    def _matches_in(self, judged: _Judged, number: int, line: int) -> Iterator[MatchingLine]:
        offset, end, block, starts, _ = judged
        first = number - self._matches_before_part
        if block is None:
            yield from (MatchingLine(first, line, offset, end, None) for _ in starts)
            return
        counted_to = 0
        for position, start in enumerate(starts, first):
            line += block.count(b"\n", counted_to, start)
            counted_to = start
            content = block[start : block.find(b"\n", start) + 1 or len(block)]
            yield MatchingLine(position, line, offset + start, offset + start + len(content), content)

    def _matches_before(self, offset: int) -> int:
        """How many start before an offset at which a line starts, or the text ends."""
        index = self._index
        self._search_on(offset, lambda: False)
        number, start, _ = index.state()
        if offset < start:
            known = index.at_offset(offset - 1)
            if known is None:
                return 0
            following = index.after(known.number)
            if self._is_followed_by(following, known.number):
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
                starts = self._matching_lines(block, proceed, remember=remember)
                judged = _Judged(offset, offset + len(block), block, starts, block.endswith(b"\n"))
            else:
                line_ends = line_end(self._source, offset, self._progress)
                matches = self._filter.lets_through(self._source, offset, line_ends, self._progress)
                complete = self._source.read_at(line_ends - 1, 1) == b"\n"
                judged = _Judged(offset, line_ends, None, [0] if matches else [], complete)
            yield judged
            offset = judged.end

    def _matching_lines(self, block: bytes, proceed: Proceed, *, remember: bool) -> list[int]:
        if not remember:
            return self._filter.matching_lines(block, proceed)
        return self._index.judged.matching_lines(block, lambda: self._filter.matching_lines(block, proceed))

    def _whole_lines(self, offset: int, end: int) -> bytes:
        """Nothing where the first line is too long."""
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
