"""Several terms as one filter."""

import sys
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from forge_protocol.errors import ReadError, invalid_argument

from .expression import source_of
from .matcher import (
    Block,
    ExpressionMatcher,
    LineMatcher,
    LiteralMatcher,
    Matcher,
    Proceed,
    Span,
    compile_term,
    keep_going,
    widen,
)
from .term import Term

MAX_TERMS = 64
_MAX_CACHED = 8
_END = sys.maxsize, sys.maxsize


class Terms(NamedTuple):
    """A line passes if one of `any` matches it (where there are some), all of `all`, and none of `none`."""

    any: tuple[Term, ...] = ()
    all: tuple[Term, ...] = ()
    none: tuple[Term, ...] = ()


class Combination(LineMatcher):
    """Lines that all of `required` select, and none of `excluded`."""

    def __init__(self, required: Sequence[LineMatcher], excluded: Sequence[LineMatcher]) -> None:
        # Literals are fast and mostly rare: what they rule out is not searched for the others.
        in_order = sorted(required, key=lambda matcher: not isinstance(matcher, LiteralMatcher))
        self._steps = [(matcher, False) for matcher in in_order] + [(matcher, True) for matcher in excluded]

    def runs(self, block: Block, start: int, end: int, proceed: Proceed = keep_going) -> Iterator[Span]:
        yield from self._select(block, start, end, proceed, None)

    def records(self, block: Block, bounds: Sequence[int], proceed: Proceed = keep_going) -> Iterator[Span]:
        return widen(self._select(block, bounds[0], bounds[-1], proceed, bounds), bounds)

    def _select(self, block: Block, start: int, end: int, proceed: Proceed, bounds: Sequence[int] | None) -> list[Span]:
        """Runs that pass; whole records, if their bounds are given."""
        passed = [(start, end)] if start < end else []
        for matcher, is_excluded in self._steps:
            if not passed:
                break
            start, end = passed[0][0], passed[-1][1]
            matched: Iterable[Span] = matcher.runs(block, start, end, proceed)
            if bounds is not None:
                matched = widen(matched, bounds)
            passed = list(intersect(passed, _gaps(matched, start, end) if is_excluded else matched))
        return passed


@lru_cache(_MAX_CACHED)
def compile_terms(terms: Terms) -> LineMatcher:
    """The matcher of a filter; `INVALID_ARGUMENT` if a term is not valid, or there are too many."""
    number = sum(map(len, terms))
    if number > MAX_TERMS:
        raise invalid_argument(f"at most {MAX_TERMS} terms can be combined, got {number}")
    any_of, _, none_of = _sources(terms) if number > 1 else ([], [], [])
    required = [compile_term(term) for term in terms.all]
    if terms.any:
        required.append(_one_of(terms.any, any_of))
    excluded = [_one_of(terms.none, none_of)] if terms.none else []
    return required[0] if len(required) == 1 and not excluded else Combination(required, excluded)


def _sources(terms: Terms) -> list[list[str]]:
    """The terms as expressions. An error says which of them is not valid."""
    sources: list[list[str]] = []
    for field, group in zip(Terms._fields, terms, strict=True):
        sources.append([])
        for index, term in enumerate(group):
            try:
                sources[-1].append(source_of(term))
            except ReadError as error:
                raise invalid_argument(f"{field}[{index}].{error.reason}", hint=error.hint) from None
    return sources


def _one_of(terms: tuple[Term, ...], sources: list[str]) -> Matcher:
    return compile_term(*terms) if len(terms) == 1 else ExpressionMatcher(f"(?:{'|'.join(sources)})")


def intersect(runs: Iterable[Span], others: Iterable[Span]) -> Iterator[Span]:
    """What is in one of the runs and in one of the others. Both are in order."""
    rest = iter(runs)
    first, last = next(rest, _END)
    for start, end in others:
        while first < end:
            if last > start:
                yield (start if start > first else first), (end if end < last else last)  # min and max are slow
            if last > end:
                break
            first, last = next(rest, _END)


def _gaps(runs: Iterable[Span], start: int, end: int) -> Iterator[Span]:
    """What lies between the runs."""
    for run_start, run_end in runs:
        if start < run_start:
            yield start, run_start
        start = run_end
    if start < end:
        yield start, end
