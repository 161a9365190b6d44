"""Regions of a block: groups of whole lines in which something was found."""

from bisect import bisect_right
from collections.abc import Callable
from itertools import accumulate, count
from operator import add

Region = tuple[int, int]
"""From where to where in a block: one or more whole lines."""

FindNext = Callable[[bytes, int], Region | None]
"""From where to where the next match reaches that starts at or after a position."""


def regions_of(block: bytes, find_next: FindNext, most: int) -> list[Region]:
    """The lines with a match. After a limited number of regions, the last one is the rest of the block."""
    regions: list[Region] = []
    position = 0
    while position < len(block) and (found := find_next(block, position)) is not None:
        if len(regions) == most:
            regions.append((position, len(block)))
            break
        start = block.rfind(b"\n", position, found[0]) + 1 or position
        position = block.find(b"\n", found[1]) + 1 or len(block)
        if start < position:
            regions.append((start, position))
    return regions


def line_starts(block: bytes) -> list[int]:
    """Where each line starts, and, after a final newline, where the next one would."""
    lines = block.split(b"\n")
    lines.pop()
    return [0, *map(add, accumulate(map(len, lines)), count(1))]


class Joined:
    """Regions of a block, put together."""

    def __init__(self, block: bytes, regions: list[Region]) -> None:
        self.regions = regions
        self.lines = b"".join(block[start:end] for start, end in regions)
        self._ends = list(accumulate(end - start for start, end in regions))

    def origin(self, offset: int) -> int:
        """Maps an offset in the lines to one in the block."""
        region = bisect_right(self._ends, offset)
        return self.regions[region][1] - self._ends[region] + offset
