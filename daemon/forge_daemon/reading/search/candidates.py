"""Which lines of a block may match an expression: those that hold what every match needs.

That is found many times faster than the expression is tried, and most lines do not hold it. First literals, then, where
google-re2 is installed, a pattern that matches wherever the expression does.
"""

from .letter_case import case_of
from .re2_search import re2_search
from .regions import Region, regions_of
from .required_literal import required_literals

_MOST_REGIONS = 1024
"""In a block. To try the expression takes longer than to rule a line out, unless most lines are candidates."""


class Candidates:
    """Finds them for one expression."""

    def __init__(self, expression: str, *, ignore_case: bool, supersets: list[bytes]) -> None:
        literals = required_literals(expression)
        self._case = case_of("".join(literals), ignored=ignore_case)
        self._literals = [self._case.fold(literal.encode()) for literal in literals if literal]
        self._re2 = re2_search(supersets)

    def regions(self, block: bytes) -> list[Region]:
        """In the order of the block, which consists of whole lines."""
        folded = self._case.fold(block)
        if any(literal not in folded for literal in self._literals):
            return []
        if self._re2 is not None:
            return regions_of(block, self._re2, _MOST_REGIONS)
        if self._literals and len(folded) == len(block):
            return regions_of(folded, self._literal, _MOST_REGIONS)
        return [(0, len(block))]

    def _literal(self, block: bytes, position: int) -> Region | None:
        found = block.find(self._literals[0], position)
        return (found, found) if found >= 0 else None
