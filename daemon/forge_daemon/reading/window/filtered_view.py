"""The lines that pass a filter, in the part of a text that it names by lines and times."""

from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.filtered_lines import FilteredLines
from forge_daemon.reading.records.records import Records
from forge_daemon.reading.records.time_search import TimeSearch
from forge_daemon.reading.texts.text import Text


def filtered_view(text: Text, index: LineIndex, wanted: Filter, end: int | None = None) -> FilteredLines:
    """`end`: where the view ends, if not with the text."""
    spec = wanted.spec
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
    return FilteredLines(text, index, wanted, (floor, end), end_line)


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
