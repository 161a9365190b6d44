"""Which lines of a block may match an expression: those that contain what every match needs.

Searching for that is many times faster than trying the expression, and excludes most lines. First literals are used,
then, if google-re2 is installed, a pattern that matches wherever the expression does.
"""

from forge_daemon.light_typing import TYPE_CHECKING

from .letter_case import case_of
from .re2_search import re2_search
from .regions import FindNext, Region, regions_of
from .required_literal import required_literals

if TYPE_CHECKING:
    from .superset import Superset

_MOST_REGIONS = 1024
"""In a block. To try the expression takes longer than to rule a line out, unless most lines are candidates."""
_MOST_CERTAIN = 16 * 1024
"""In a block, likewise, where nothing has to be tried. Nothing else is done until they are found."""


class Candidates:
    """Finds the candidate lines of one expression."""

    def __init__(self, expression: str, *, ignore_case: bool, supersets: "list[Superset]") -> None:
        """`supersets` from exact and large to loose and small: the first one that RE2 accepts is used."""
        literals = required_literals(expression)
        self._case = case_of("".join(literals), ignored=ignore_case)
        self._literals = [self._case.fold(literal.encode()) for literal in literals if literal]
        self._re2: FindNext | None = None
        self._is_exact = False
        for pattern, is_exact in supersets:
            if (search := re2_search(pattern)) is not None:
                self._re2, self._is_exact = search, is_exact
                break

    def matches_and_regions(self, block: bytes) -> tuple[list[int], list[Region]]:
        """Where the lines start that certainly match, and the regions of others that may match."""
        if not self._is_exact:
            return [], self.regions(block)
        regions = self.regions(block, _MOST_CERTAIN)
        certain: list[int] = []
        unsure: list[Region] = []
        for start, end in regions[:_MOST_CERTAIN]:
            line = block[start:end]
            if line.isascii() and b"\r" not in line:
                certain.append(start)
            else:
                unsure.append((start, end))
        return certain, unsure + regions[_MOST_CERTAIN:]

    def regions(self, block: bytes, most: int = _MOST_REGIONS) -> list[Region]:
        """Regions that may match, in order. The block consists of whole lines. The last region may be all the rest."""
        folded = self._case.fold(block)
        if any(literal not in folded for literal in self._literals):
            return []
        if self._re2 is not None:
            return regions_of(block, self._re2, most)
        if self._literals and len(folded) == len(block):
            return regions_of(folded, self._literal, _MOST_REGIONS)
        return [(0, len(block))]

    def _literal(self, block: bytes, position: int) -> Region | None:
        found = block.find(self._literals[0], position)
        return (found, found) if found >= 0 else None
