"""The selectors of every surface, checked and reduced to one of three forms of selection."""

from typing import NamedTuple, Protocol

from forge_protocol import LARGEST_INTEGER
from forge_protocol.errors import invalid_argument

from .cursor import Cursor, decode_cursor, require_filter


class Lines(NamedTuple):
    """From one line to another, inclusive."""

    first: int
    last: int | None
    """None: to the end of the file."""


class LastLines(NamedTuple):
    """Counted from the end of the file."""

    number: int


Selection = Lines | LastLines | Cursor | None
"""None: no selector was given, the whole file is meant."""


class HasSelectors(Protocol):
    """The parameters of a request, the arguments of a tool, the options of a command: all call them the same."""

    @property
    def start_line(self) -> int | None: ...
    @property
    def end_line(self) -> int | None: ...
    @property
    def limit(self) -> int | None: ...
    @property
    def head(self) -> int | None: ...
    @property
    def tail(self) -> int | None: ...
    @property
    def cursor(self) -> str | None: ...


class Selectors(NamedTuple):
    """Plain selectors, for callers without a params object."""

    start_line: int | None = None
    end_line: int | None = None
    limit: int | None = None
    head: int | None = None
    tail: int | None = None
    cursor: str | None = None


def select(
    wanted: HasSelectors,
    *,
    around: tuple[int, int, int] | None = None,
    max_lines: int | None = None,
    filter_name: str = "",
) -> Selection:
    """Reduce the selectors, or raise `INVALID_ARGUMENT` where they contradict each other.

    `around` is `(line, before, after)`; `filter_name` identifies the filter, if there is one.
    """
    head, tail, cursor = wanted.head, wanted.tail, wanted.cursor
    start_line, end_line, limit = wanted.start_line, wanted.end_line, wanted.limit
    if not (head is None and tail is None and around is None and cursor is None):
        lines = {"start_line": start_line, "end_line": end_line, "limit": limit}
        _require_one({"head": head, "tail": tail, "around": around, "cursor": cursor, **lines})
    if cursor is not None:
        place = decode_cursor(cursor)
        require_filter(place, filter_name)
        return place
    if head is not None:
        return Lines(1, head)
    if tail is not None:
        return LastLines(tail)
    if around is not None:
        return _around(*around, max_lines)
    if start_line is end_line is limit is None:
        return None
    return _range(start_line or 1, end_line, limit)


def _require_one(selectors: dict[str, object]) -> None:
    name, *others = [name for name, value in selectors.items() if value is not None]
    if others:
        left_out = ", ".join(others)
        raise invalid_argument(f"{name} cannot be combined with {left_out}", hint=f"leave out {left_out}")


def _range(first: int, last: int | None, limit: int | None) -> Lines:
    if last is not None and last < first:
        raise invalid_argument(f"end_line {last} is before start_line {first}")
    if limit is not None:
        by_limit = min(first + limit - 1, LARGEST_INTEGER)
        last = by_limit if last is None else min(last, by_limit)
    return Lines(first, last)


def _around(line: int, before: int, after: int, max_lines: int | None) -> Lines:
    first, last = max(1, line - before), min(line + after, LARGEST_INTEGER)
    wanted = last - first + 1
    if max_lines is not None and wanted > max_lines:
        raise invalid_argument(
            f"around asks for {wanted} lines, more than max_lines ({max_lines})",
            hint="ask for fewer lines before and after, or raise max_lines",
        )
    return Lines(first, last)
