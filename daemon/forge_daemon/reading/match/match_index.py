"""A sparse index of lines that pass a filter."""

from array import array
from collections.abc import Callable, Sequence

from forge_daemon.reading.lines.index import StrideCounts

Runs = Sequence[tuple[int, int, bool]]
"""Start and end of consecutive lines that pass, within a block, and whether they are shown only as context."""

MAX_RUNS = 96
"""The most runs of a stride, which takes 384 bytes then. Where there are more, a window is within a stride or two."""
CONTEXT = 1 << 15
"""Added to the start of a run that is shown as context: starts within a stride are less."""


StrideRuns = tuple[int, list[int]]
"""How many lines that pass begin in a stride, and where each of their runs starts and ends in it, if they are few."""


class MatchIndex(StrideCounts):
    """How many lines pass in each stride, and where in it they lie, if they do not alternate too often."""

    def __init__(self) -> None:
        super().__init__()
        self._bounds = array("H")
        self._known = array("Q", [0])
        """Element i: how many of the bounds are those of runs before stride i."""

    @property
    def memory(self) -> int:
        return super().memory + sum(each.itemsize * len(each) for each in (self._bounds, self._known))

    def runs_in(self, stride: int) -> Runs | None:
        """Where in a stride the lines lie that pass; None: not known.

        A run that ends with the stride ends with the last line that begins in it.
        """
        if stride + 1 >= len(self.before):
            return None
        bounds = self._bounds[self._known[stride] : self._known[stride + 1]]
        if not bounds and self.before[stride] < self.before[stride + 1]:
            return None
        runs = zip(bounds[::2], bounds[1::2], strict=True)
        return [(start % CONTEXT, end, start >= CONTEXT) for start, end in runs]

    def extend_by_runs(self, runs_from: Callable[[int], Sequence[StrideRuns]]) -> bool:
        """Search further: `runs_from` gets an offset, and returns what passes in each of the next strides."""

        def count_from(offset: int) -> list[int]:
            strides = runs_from(offset)
            for _, bounds in strides:
                self._bounds.extend(bounds)
                self._known.append(len(self._bounds))
            return [lines for lines, _ in strides]

        return self.extend(count_from)
