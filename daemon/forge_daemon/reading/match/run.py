"""What a window is made of: runs of consecutive lines, and the two sources of them, all lines or those that pass."""

from collections.abc import Iterator
from typing import NamedTuple, Protocol


class Place(NamedTuple):
    """Where some lines of a view start."""

    offset: int
    number: int
    """Of the line among those of the view; negative: counted from the end, where -1 is the last one."""
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
        """The offset at which the view ends."""

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
