"""What a row of the table is."""

from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from .contest import Contest

Curve = list[tuple[int, float]]
"""Bytes of the file, seconds."""
Curves = dict[str, dict[str, Curve]]
"""For each plot, for each contender."""


class Skipped(Exception):
    """Something cannot be measured here; the message says why."""


class Bar(NamedTuple):
    """What a row's ratio must keep to."""

    limit: float
    aim: float | None = None
    at_least: bool = False

    def holds(self, ratio: float) -> bool:
        return self._within(self.limit, ratio)

    def reaches_aim(self, ratio: float) -> bool:
        return self.aim is not None and self._within(self.aim, ratio)

    def _within(self, limit: float, ratio: float) -> bool:
        return ratio >= limit if self.at_least else ratio <= limit


class Figures(NamedTuple):
    """What was measured: our figure, and the one it is compared with."""

    ours: float
    theirs: float
    unit: str = "s"
    remark: str = ""

    @property
    def ratio(self) -> float:
        return self.ours / self.theirs


class Row(NamedTuple):
    name: str
    """How to ask for it on the command line."""
    title: str
    bar: Bar
    measure: "Callable[[Contest], Figures]"
    """May raise `Skipped`."""
