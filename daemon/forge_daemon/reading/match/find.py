"""The next or the previous match in a text of any size."""

from collections.abc import Iterator
from itertools import takewhile
from typing import NamedTuple

from forge_daemon.reading.lines import utf8
from forge_daemon.reading.lines.columns import Columns
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.texts.text import Text

from .filtered_lines import MAX_SEARCHED_LINE, FilteredLines
from .matcher import Matcher
from .run import Place, Room, line_by_line

MAX_CONTENT = 8 * 1024
"""Characters of the matched line that are shown; the two below are characters too."""
SHOWN_FROM_THE_START = 4 * 1024
"""A match that starts within this many is shown with its line's start."""
SHOWN_BEFORE = 1024
"""Any other match is shown with this many before it."""


class Match(NamedTuple):
    line: int
    start_column: int
    end_column: int
    """Inclusive."""
    content: str


class Finding(NamedTuple):
    match: Match | None
    scanned_bytes: int


class Position(NamedTuple):
    line: int = 1
    column: int = 1


class Finder:
    """Searches the lines of a view, all of which match, for the matches in them."""

    def __init__(self, text: Text, index: LineIndex, view: FilteredLines, matcher: Matcher) -> None:
        self._text = text
        self._index = index
        self._view = view
        self._matcher = matcher
        self._columns = Columns(text)

    def forward(self, start: Position) -> Finding:
        """The first match at or after a position."""
        line_start, offset = self._offset_of(start)
        found = self._view.first_from(line_start)
        while found is not None:
            for begin, end in self._spans(*found, start=offset):
                return Finding(self._match(found[0], begin, end), begin - offset)
            found = self._view.first_from(found[1])
        return Finding(None, max(0, self._view.end - offset))

    def backward(self, start: Position) -> Finding:
        """The last match that starts before a position."""
        line_start, offset = self._offset_of(start)
        before = self._index.end_of_line_at(line_start) if offset > line_start else line_start
        found = self._view.last_before(before)
        while found is not None:
            if (last := self._last_span(*found, before=offset)) is not None:
                return Finding(self._match(found[0], *last), min(offset, self._text.length()) - last[0])
            found = self._view.last_before(found[0])
        return Finding(None, min(offset, self._text.length()))

    def first_in_each_line(self, first_line: int = 1) -> Iterator[Match]:
        """The first match in each line that matches, from a line on."""
        start = self._index.start_of(first_line)
        if start is None:
            return
        for run in line_by_line(self._view.runs(Place(start, 1, first_line), Room(1, 0)), 0):
            offset = run.place.offset
            begin, end = next(self._spans(offset, run.end, offset), (offset, offset))
            yield self._match(offset, begin, end, run.place.line)

    def _offset_of(self, position: Position) -> tuple[int, int]:
        """Where the position's line starts, and the position itself."""
        line_start = self._index.start_of(position.line)
        if line_start is None:
            return self._text.length(), self._text.length() + 1  # so that an empty match at the very end is before it
        offset = self._columns.offset_of(line_start, position.column - 1)
        if position.column > 1 and offset == self._columns.offset_of(line_start, position.column - 2):
            offset += 1  # after the line's end, and so after an empty match there
        return line_start, offset

    def _spans(self, line_start: int, line_end: int, start: int) -> Iterator[tuple[int, int]]:
        """The matches in a line from an offset on."""
        line = self._text.read_at(line_start, min(line_end - line_start, MAX_SEARCHED_LINE))
        if line.endswith(b"\n"):
            line = line[: -2 if line.endswith(b"\r\n") else -1]
        skipped = max(0, start - line_start)
        if skipped > len(line):
            return
        for begin, end in self._matcher.spans(line, skipped, lambda: self._text.report(line_start)):
            yield line_start + begin, line_start + end

    def _last_span(self, line_start: int, line_end: int, before: int) -> tuple[int, int] | None:
        """The last match in a line that starts before an offset. It may overlap the one before it."""
        last, start = None, line_start
        while spans := list(takewhile(lambda span: span[0] < before, self._spans(line_start, line_end, start))):
            last = spans[-1]
            start = last[0] + max(1, utf8.offset_of(self._text.read_at(last[0], utf8.LOOK_AHEAD), 1))
        return last

    def _match(self, line_start: int, begin: int, end: int, line: int | None = None) -> Match:
        """`line` is its number, if that is known."""
        first = self._columns.column_at(line_start, begin)
        shown = 0 if first < SHOWN_FROM_THE_START else first - SHOWN_BEFORE
        content, _, _ = self._columns.part(self._columns.offset_of(line_start, shown), MAX_CONTENT)
        last = self._columns.column_at(line_start, end)
        return Match(line or self._index.line_at(line_start), first + 1, last, content)
