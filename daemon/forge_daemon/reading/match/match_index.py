"""A sparse index of lines that pass a filter."""

from array import array
from collections.abc import Callable, Sequence

from forge_daemon.reading.lines.stride_counts import StrideCounts

MAX_STARTS = 128
"""Of a stride, which takes 256 bytes then. Where more lines pass, a window is within a stride or two."""
CONTEXT = 1 << 15
"""Added to the start of a line that is shown as context: starts within a stride are less."""


class MatchIndex(StrideCounts):
    """How many lines pass in each stride, and where in it they start, if they are not too many."""

    def __init__(self) -> None:
        super().__init__()
        self._starts = array("H")
        self._known = array("Q", [0])
        """Element i: how many of the starts lie before stride i."""

    @property
    def memory(self) -> int:
        return super().memory + sum(each.itemsize * len(each) for each in (self._starts, self._known))

    def starts_in(self, stride: int) -> Sequence[int] | None:
        """Where in a stride the lines start that pass. None: not known."""
        if stride + 1 >= len(self.before):
            return None
        starts = self._starts[self._known[stride] : self._known[stride + 1]]
        return starts if len(starts) == self.before[stride + 1] - self.before[stride] else None

    def extend_by_starts(self, starts_from: Callable[[int], Sequence[Sequence[int]]]) -> bool:
        """Search further: `starts_from` gets an offset, and returns the starts in each of the next strides."""

        def count_from(offset: int) -> list[int]:
            strides = starts_from(offset)
            for starts in strides:
                if len(starts) <= MAX_STARTS:
                    self._starts.extend(starts)
                self._known.append(len(self._starts))
            return list(map(len, strides))

        return self.extend(count_from)
