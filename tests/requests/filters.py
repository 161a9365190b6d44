"""Filters of one term, as short as tests need them."""

from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.term import Term


def matching(pattern: str, *, regex: bool = False, invert: bool = False, **part: int) -> Filter:
    term = (Term(pattern, regex),)
    return Filter(FilterSpec(Terms(none=term) if invert else Terms(any=term), **part))  # type: ignore[arg-type]
