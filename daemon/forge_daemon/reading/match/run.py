"""What a window is made of: runs of consecutive lines, of a view of all lines or of those that pass a filter."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol

from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.lines.newlines import after_newline, count_lines
from forge_daemon.reading.lines.utf8 import LOOK_AHEAD
from forge_daemon.reading.texts.text import Text

_LINE_BYTES = 96
"""A guess, for the first read."""
_MIN_READ = 4096
_MAX_READ = 256 * 1024
_TAIL_BLOCK = 64 * 1024


class Place(NamedTuple):
    """Where some lines of a view start."""

    offset: int
    number: int
    """The line's number among those of the view; negative: counted from the end, where -1 is the last one."""
    line: int
    """Its number in the text, counted alike; the same where the view has all lines."""
    inside_line: bool = False
    """The offset lies inside that line, which was delivered up to there."""


class Run(NamedTuple):
    """Consecutive lines that pass."""

    place: Place
    data: bytes
    end: int
    """The offset after it. More than `data` covers where a single line is longer than an answer may be."""
    lines: int
    is_context: bool = False

    @property
    def is_cut(self) -> bool:
        return self.place.offset + len(self.data) < self.end


class Room(NamedTuple):
    """What an answer has room for: no more has to be read."""

    lines: int
    bytes: int


class View(Protocol):
    """The lines of a text, or those that pass a filter."""

    @property
    def end(self) -> int:
        """The offset at which the view ends. May take a pass over the file."""

    def goes_beyond(self, offset: int) -> bool:
        """Whether it ends after an offset. Reads no further than needed."""

    def count(self) -> int:
        """How many lines there are. May take a scan."""

    def place_of(self, number: int) -> Place | None:
        """Where a line starts; None past the end."""

    def place_of_last(self, number: int) -> Place:
        """Where the last lines start, counted from the end. Reads no more than it has to."""

    def recount_from_end(self, place: Place) -> Place:
        """A place that was counted from the end, numbered anew: the text may have grown since."""

    def runs(self, place: Place, room: Room) -> Iterator[Run]:
        """The lines from a place on."""


class AllLines:
    """The view of every line of a text."""

    def __init__(self, text: Text, index: LineIndex, end: int | None = None) -> None:
        """`end`: where the view ends, if not with the text."""
        self._text = text
        self._index = index
        self._end = end

    @property
    def end(self) -> int:
        return self._text.length() if self._end is None else self._end

    def goes_beyond(self, offset: int) -> bool:
        return self._text.is_longer_than(offset) if self._end is None else offset < self._end

    def count(self) -> int:
        return self._index.count()

    def place_of(self, number: int) -> Place | None:
        start = self._index.start_of(number)
        return None if start is None else Place(start, number, number)

    def place_of_last(self, number: int) -> Place:
        missing = number
        # The newline that ends the text ends its last line; it does not start another.
        position = self.end
        if position > 0 and self._text.read_at(position - 1, 1) == b"\n":
            position -= 1
        size = _TAIL_BLOCK
        while position > 0:
            self._text.report(self.end - position)
            start = max(0, position - size)
            block = self._text.read_at(start, position - start)
            found = block.count(b"\n")
            if found >= missing:
                return Place(start + after_newline(block, found - missing + 1), -number, -number)
            missing -= found
            position, size = start, 4 * size if size < _MAX_READ else size
        lines = number - missing + (self.end > 0)
        return Place(0, -lines, -lines)

    def recount_from_end(self, place: Place) -> Place:
        lines, offset, last = 0, place.offset, b"\n"
        while block := self._text.read_at(offset, min(_MAX_READ, self.end - offset)):
            self._text.report(offset)
            lines += block.count(b"\n")
            offset, last = offset + len(block), block[-1:]
        lines += last != b"\n"
        return place._replace(number=-lines, line=-lines)

    def runs(self, place: Place, room: Room) -> Iterator[Run]:
        size = max(_MIN_READ, min(room.lines * _LINE_BYTES, _MAX_READ))
        while True:
            wanted = size if self._end is None else max(0, min(size, self._end - place.offset))
            data = self._text.read_at(place.offset, wanted)
            if len(data) < size:
                if data:
                    yield Run(place, data, place.offset + len(data), count_lines(data))
                return
            cut = data.rfind(b"\n") + 1
            if cut:
                lines = data.count(b"\n")
                yield Run(place, data[:cut], place.offset + cut, lines)
                place = Place(place.offset + cut, place.number + lines, place.line + lines)
            elif size >= room.bytes + LOOK_AHEAD:
                yield Run(place, data, place.offset + len(data) + 1, 1)
                end = self._index.end_of_line_at(place.offset)
                place = Place(end, place.number + 1, place.line + 1)
            else:
                size = min(4 * size, room.bytes + LOOK_AHEAD)
                continue
            size = max(size, min(4 * size, _MAX_READ))


def line_by_line(runs: Iterator[Run], max_bytes: int) -> Iterator[Run]:
    """Each line as a run of its own. Longer ones are cut."""
    for run in runs:
        place, start = run.place, 0
        while start < len(run.data):
            end = run.data.find(b"\n", start) + 1 or len(run.data)
            line_end = run.end if end == len(run.data) else run.place.offset + end
            yield Run(place, run.data[start : min(end, start + max_bytes + LOOK_AHEAD)], line_end, 1, run.is_context)
            place = Place(line_end, place.number + 1, place.line + 1)
            start = end
