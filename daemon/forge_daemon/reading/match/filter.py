"""Which lines pass: by terms, by the level of their records, and the lines around those that match."""

from bisect import bisect_left
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from forge_daemon.reading.files.digest import digest
from forge_daemon.reading.records.levels import Level
from forge_daemon.reading.records.records import Record, at_least

from .combined import Terms, compile_terms, intersect
from .matcher import Proceed, Span, compile_term, keep_going
from .term import Term

Lines = Sequence[tuple[int, int, bool]]
"""Start and end of each line that passes, within a block, and whether it is shown only as context."""

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
    """Of what passes, only the first line of each record."""
    found: Term | None = None
    """Of the lines of records that pass, only those that match this."""

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
        """The same filter for lines that also match a term, without those around them."""
        spec = self.spec._replace(before=0, after=0)
        if spec.records:
            return Filter(spec._replace(found=term))
        return Filter(spec._replace(terms=spec.terms._replace(all=(*spec.terms.all, term))))

    def without_context(self) -> "Filter | None":
        """The same filter without the lines around those that match; None if there are none."""
        return Filter(self.spec._replace(before=0, after=0)) if self.before or self.after else None

    def passing(self, block: bytes, records: Sequence[Record] = (), proceed: Proceed = keep_going) -> Lines:
        """The lines of a block of whole lines that pass; `records`: those of the block, if the filter needs them."""
        matching = self._matcher.lines(block, proceed=proceed)
        if self.needs_records:
            matching = self._matching(block, records, proceed)
        if not (self.before or self.after):
            return [(start, end, False) for start, end in matching]
        return list(self._with_context(block, [start for start, _ in matching]))

    def _matching(self, block: bytes, records: Sequence[Record], proceed: Proceed) -> Iterator[Span]:
        if not records:
            return
        start, end = records[0].start, records[-1].end
        if self.spec.records:
            runs = self._matcher.records(block, [record.start for record in records], end)
        else:
            runs = self._matcher.runs(block, start, end, proceed)
        if self.spec.level is not None:
            runs = intersect(at_least(records, self.spec.level), runs)
        if self._found is not None:
            runs = intersect(list(runs), self._found.runs(block, start, end, proceed))
        if self.spec.headers:
            runs = intersect(list(runs), _headers(block, records))
        for run_start, run_end in runs:
            while run_start < run_end:
                line_end = block.find(b"\n", run_start, run_end) + 1 or run_end
                yield run_start, line_end
                run_start = line_end

    def _with_context(self, block: bytes, matching: list[int]) -> Iterator[tuple[int, int, bool]]:
        starts = _line_starts(block)
        shown_until = 0
        for number, start in enumerate(matching):
            row = bisect_left(starts, start)
            following = bisect_left(starts, matching[number + 1]) if number + 1 < len(matching) else len(starts)
            for each in range(max(shown_until, row - self.before), min(row + self.after + 1, following)):
                yield starts[each], starts[each + 1] if each + 1 < len(starts) else len(block), each != row
            shown_until = max(shown_until, min(row + self.after + 1, following))


def _headers(block: bytes, records: Sequence[Record]) -> list[Span]:
    return [
        (each.start, block.find(b"\n", each.start, each.end) + 1 or each.end) for each in records if each.has_header
    ]


def _line_starts(block: bytes) -> list[int]:
    starts, end = [], 0
    while end < len(block):
        starts.append(end)
        end = block.find(b"\n", end) + 1 or len(block)
    return starts
