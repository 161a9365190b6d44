"""What the command line asks of the engine to search a file: which lines match, how many, and where in a line."""

from argparse import Namespace
from collections.abc import Iterator, Sequence

from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.matcher import compile_term
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.records.levels import Level
from forge_daemon.reading.window.window import Window, WindowRequest

from .windows import TextFile


def filter_to_find(options: Namespace) -> FilterSpec:
    """What `find` searches: a line matches if one of the patterns does; inverted, if none does."""
    terms = _terms(options.patterns, options)
    return _with_context(FilterSpec(Terms(none=terms) if options.invert else Terms(any=terms)), options)


def filter_to_read(options: Namespace) -> FilterSpec:
    """What `read` shows: a line passes if all of the patterns match it; inverted, if none does."""
    terms, excluded = _terms(options.filter, options), _terms(options.exclude, options)
    spec = FilterSpec(
        Terms(none=terms + excluded) if options.invert else Terms(all=terms, none=excluded),
        level=None if options.level is None else Level[options.level.upper()],
        since=options.since,
        until=options.until,
        records=options.records,
    )
    return _with_context(spec, options)


def _terms(patterns: Sequence[str] | None, options: Namespace) -> tuple[Term, ...]:
    return tuple(Term(each, options.regex, options.ignore_case, options.whole_word) for each in patterns or ())


def _with_context(spec: FilterSpec, options: Namespace) -> FilterSpec:
    before = options.context if options.before is None else options.before
    after = options.context if options.after is None else options.after
    return spec._replace(before=before or 0, after=after or 0)


class Search:
    def __init__(self, spec: FilterSpec) -> None:
        self.filter = Filter(spec)
        self._matchers = [compile_term(term) for term in (*spec.terms.any, *spec.terms.all)]

    def pieces(self, line: str) -> Iterator[tuple[str, bool]]:
        """The line in pieces, and whether each is a match."""
        text, end = line.removesuffix("\n").encode("utf-8", "surrogateescape"), 0
        spans = sorted(span for matcher in self._matchers for span in matcher.spans(text))
        for start, stop in spans:
            if start >= end and stop > start:
                yield text[end:start].decode(errors="replace"), False
                yield text[start:stop].decode(errors="replace"), True
                end = stop
        yield text[end:].decode(errors="replace") + "\n" * line.endswith("\n"), False

    def windows(self, text: TextFile) -> Iterator[Window]:
        return text.windows(WindowRequest(filter=self.filter, on_binary="refuse", count_lines_up_to=0))
