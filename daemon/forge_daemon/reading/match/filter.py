"""Which lines pass: by terms, by the level of their records, and the lines around those that match."""

from bisect import bisect_right
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import NamedTuple

from forge_daemon.reading.files.digest import digest
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.records.levels import Level
from forge_daemon.reading.records.records import BlockRecords, Records
from forge_daemon.reading.records.time_search import TimeSearch
from forge_daemon.reading.texts.text import Text

from .combined import Terms, compile_terms, intersect
from .filtered_lines import FilteredLines
from .match_index import Runs
from .matcher import Proceed, Span, compile_term, keep_going
from .term import Term

_NAME_BYTES = 6


class FilterSpec(NamedTuple):
    """What a filter asks for."""

    terms: Terms
    first_line: int | None = None
    last_line: int | None = None
    before: int = 0
    after: int = 0
    level: Level | None = None
    """Records of this level or a higher one."""
    since: str | None = None
    """As it was asked for: what it means depends on the text."""
    until: str | None = None
    records: bool = False
    """Terms are matched against whole records, which pass as a whole."""
    headers: bool = False
    """Only the first line of each record that passes."""
    found: Term | None = None
    """Only those lines of the records that pass that match this."""

    @property
    def name(self) -> str:
        """Identifies the filter in cursors."""
        return digest(repr(tuple(self)).encode(), size=_NAME_BYTES).hex()


class Filter:
    """Raises `INVALID_ARGUMENT` if a pattern is not valid."""

    def __init__(self, spec: FilterSpec) -> None:
        self.spec = spec
        self.name = spec.name
        self.before, self.after = spec.before, spec.after
        self.key = spec._replace(first_line=None, last_line=None, since=None, until=None)
        """Equal for filters that pass the same lines of the same part of a text."""
        self.needs_records = spec.records or spec.headers or spec.level is not None
        self._matcher = compile_terms(spec.terms)
        self._found = compile_term(spec.found) if spec.found is not None else None

    def narrowed(self, term: Term) -> "Filter":
        """This filter for lines that also match a term, without those around them."""
        spec = self.spec._replace(before=0, after=0)
        if spec.records:
            return Filter(spec._replace(found=term))
        return Filter(spec._replace(terms=spec.terms._replace(all=(*spec.terms.all, term))))

    def without_context(self) -> "Filter | None":
        """This filter without the lines around those that match; None if there are none."""
        return Filter(self.spec._replace(before=0, after=0)) if self.before or self.after else None

    def view(self, text: Text, index: LineIndex, end: int | None = None) -> FilteredLines:
        """The lines that pass, in the part of a text that the filter names by lines and times.

        `end`: where the view ends, if not with the text.
        """
        spec, judged_end = self.spec, end
        floor, end_line = 0, None
        if spec.first_line is not None:
            start = index.start_of(spec.first_line)
            floor = text.length() if start is None else start
        if spec.last_line is not None:
            after = index.start_of(spec.last_line + 1)
            if after is not None and (end is None or after <= end):
                end, end_line = after, spec.last_line + 1
        if spec.since is not None or spec.until is not None:
            first, after = _between(text, spec)
            floor = max(floor, first)
            if after is not None and (end is None or after <= end):
                end, end_line = after, None
        return FilteredLines(text, index, self, (floor, end), judged_end if spec.records else end, end_line)

    def passing(
        self,
        block: bytes,
        records: BlockRecords | None = None,
        proceed: Proceed = keep_going,
        part: tuple[int, int | None] = (0, None),
    ) -> Runs:
        """The lines of a block of whole lines that pass; `records`: those of the block, if the filter needs them.

        `part`: between which offsets lines count; None: the block's end. Records are judged as a whole all the same.
        """
        first, last = part[0], len(block) if part[1] is None else part[1]
        runs: Iterable[Span]
        if records is not None and self.spec.records:
            bounds = records.bounds[bisect_right(records.bounds, first) - 1 :]
            runs = intersect([(first, last)], self._matcher.records(block, bounds, proceed))
        else:
            runs = self._matcher.runs(block, first, last, proceed)
        if records is not None:
            runs = self._in_records(block, runs, records, proceed)
        if self.before or self.after:
            return list(self._with_context(block, runs, first, last))
        return [(start, end, False) for start, end in runs]

    def _in_records(
        self, block: bytes, runs: Iterable[Span], records: BlockRecords, proceed: Proceed
    ) -> Iterable[Span]:
        if self.spec.level is not None:
            runs = intersect(records.at_least(self.spec.level), runs)
        if self._found is not None:
            runs = intersect(runs, self._found.runs(block, 0, len(block), proceed))
        return intersect(runs, records.headers()) if self.spec.headers else runs

    def _with_context(
        self, block: bytes, matching: Iterable[Span], shown: int, last: int
    ) -> Iterator[tuple[int, int, bool]]:
        """`shown`: what comes before is not shown again; `last`: nor is what comes after this."""
        for (start, end), (following, _) in pairwise([*matching, (last, 0)]):
            first = start
            for _ in range(self.before):
                first = block.rfind(b"\n", shown, max(shown, first - 1)) + 1 or shown
            if first < start:
                yield first, start, True
            yield start, end, False
            shown = end
            for _ in range(self.after):
                shown = block.find(b"\n", shown, following) + 1 or following
            if end < shown:
                yield end, shown, True


def _between(text: Text, spec: FilterSpec) -> tuple[int, int | None]:
    """Where what was logged between two times starts, and where it ends; None: with the text."""
    times = TimeSearch(Records(text))
    start, end = 0, None
    if spec.since is not None:
        first = times.since(times.parse(spec.since, "filter.since"))
        start = text.length() if first is None else first.offset
    if spec.until is not None:
        end = times.until(times.parse(spec.until, "filter.until"))
    return start, end
