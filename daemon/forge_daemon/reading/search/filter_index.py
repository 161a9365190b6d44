"""A sparse index of the matches of a filter, which takes little memory however many lines match.

If few lines match, each is recorded. If many do, every second, fourth … is, and the lines between are searched again
when they are needed. Only whole lines are recorded, so the index stays valid while the file grows.
"""

from array import array
from bisect import bisect_right
from threading import Lock

from forge_daemon.light_typing import NamedTuple

from .judged_blocks import JudgedBlocks

NEWLINE = b"\n"
_BYTES_PER_POST = 8 * 1024
_FEWEST_POSTS = 1024
_MOST_POSTS = 256 * 1024
_GAP = 256 * 1024
"""A match after this many bytes without one is always kept, so that they are not searched again."""
_POST_MEMORY = 3 * 8


class Post(NamedTuple):
    """A recorded match."""

    number: int
    """How many matches precede it."""
    offset: int
    """Where its line starts."""
    line: int
    """How many lines precede it, counted from where the index starts."""


class Run(NamedTuple):
    """Consecutive matches, all of them recorded."""

    offsets: list[int]
    lines: list[int]


class FilterIndex:
    """The matches from an offset on, as far as they were needed. Thread-safe."""

    def __init__(self, floor: int) -> None:
        self._lock = Lock()
        self._numbers, self._offsets, self._lines = array("Q"), array("Q"), array("Q")
        self._every = 1
        """At least one of this many matches is known."""
        self.judged = JudgedBlocks()
        self.floor = floor
        self.covered = floor
        """Up to here every line was searched. A line starts here."""
        self.matches = 0
        """Before `covered`."""
        self.lines = 0
        """Before `covered`, as well."""

    @property
    def memory(self) -> int:
        return _POST_MEMORY * len(self._numbers) + self.judged.memory

    def record(self, offset: int, block: bytes, starts: list[int]) -> None:
        """Record which of some whole lines match. Ignored unless they follow directly on what is covered."""
        with self._lock:
            if offset != self.covered:
                return
            counted_to, line = 0, self.lines
            position = self._next_worth_knowing(offset, starts)
            while position < len(starts):
                start = starts[position]
                line += block.count(NEWLINE, counted_to, start)
                counted_to = start
                self._append(self.matches + position, offset + start, line)
                position = self._next_worth_knowing(offset, starts)
            self.lines = line + block.count(NEWLINE, counted_to)
            self.matches += len(starts)
            self.covered = offset + len(block)
            self._thin_out()

    def record_long_line(self, offset: int, end: int, *, matches: bool) -> None:
        """The same for one line that is too long for a block."""
        with self._lock:
            if offset != self.covered:
                return
            if matches:
                self._append(self.matches, offset, self.lines)
            self.matches += matches
            self.lines += 1
            self.covered = end

    def at_number(self, number: int) -> Post | None:
        """The last recorded match with at most this number."""
        with self._lock:
            return self._post(bisect_right(self._numbers, number) - 1)

    def run_from(self, number: int, offset: int, most: int) -> Run | None:
        """Match `number`, if it is recorded and starts at or after `offset`, and those that follow without a gap."""
        with self._lock:
            numbers = self._numbers
            first = bisect_right(numbers, number) - 1
            if first < 0 or numbers[first] != number or self._offsets[first] < offset:
                return None
            end = min(first + most, len(numbers))
            while end > first and (numbers[end] if end < len(numbers) else self.matches) != number + end - first:
                end = (first + end) // 2
            if end == first:
                return None
            return Run(self._offsets[first:end].tolist(), self._lines[first:end].tolist())

    def at_offset(self, offset: int) -> Post | None:
        """The last recorded match that starts at or before an offset."""
        with self._lock:
            return self._post(bisect_right(self._offsets, offset) - 1)

    def after(self, number: int, stop: int, reach: int) -> Post | None:
        """A known match whose number is larger: the first from `stop` on, or an earlier one, if that is beyond `reach`.

        It is the next one, at least.
        """
        with self._lock:
            enough, within_reach = bisect_right(self._numbers, stop - 1), bisect_right(self._offsets, reach) - 1
            return self._post(max(bisect_right(self._numbers, number), min(enough, within_reach)))

    def state(self) -> Post:
        """The first match after what is covered, if there is one: its number, and where to look for it."""
        with self._lock:
            return Post(self.matches, self.covered, self.lines)

    def _post(self, index: int) -> Post | None:
        if not 0 <= index < len(self._numbers):
            return None
        return Post(self._numbers[index], self._offsets[index], self._lines[index])

    def _append(self, number: int, offset: int, line: int) -> None:
        self._numbers.append(number)
        self._offsets.append(offset)
        self._lines.append(line)

    def _is_worth_knowing(self, number: int, offset: int) -> bool:
        if self._every == 1 or not self._numbers:
            return True
        return number - self._numbers[-1] >= self._every or offset - self._offsets[-1] > _GAP

    def _next_worth_knowing(self, offset: int, starts: list[int]) -> int:
        """Which of the matches that follow those before `covered` is the next one to be known."""
        if not self._numbers:
            return 0
        by_number = max(0, self._numbers[-1] + self._every - self.matches)
        return min(by_number, bisect_right(starts, self._offsets[-1] + _GAP - offset))

    def _thin_out(self) -> None:
        most = min(_MOST_POSTS, max(_FEWEST_POSTS, (self.covered - self.floor) // _BYTES_PER_POST))
        while len(self._numbers) > most:
            self._every *= 2
            posts = zip(self._numbers, self._offsets, self._lines, strict=True)
            self._numbers, self._offsets, self._lines = array("Q"), array("Q"), array("Q")
            for post in posts:
                if self._is_worth_knowing(*post[:2]):
                    self._append(*post)
            if self._every > self.matches:
                return
