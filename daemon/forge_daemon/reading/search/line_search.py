"""Searches line by line for a regular expression: candidates are found here, and tried in a bounded process."""

from collections.abc import Iterator
from functools import partial

from forge_daemon.light_typing import Any
from forge_daemon.reading.columns import Position, Span
from forge_daemon.reading.lines.newlines import after_newline
from forge_daemon.reading.sources.source import Progress, Source
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .candidates import Candidates
from .literal_search import line_start
from .matching_processes import Proceed, matching_processes
from .regions import Joined, line_starts

_STEP = 256 * 1024
LONGEST_LINE = 4 * 1024 * 1024
"""A line is searched as a whole, so there must be an end to it."""

_MOST_CHECKED = 4
"""RE2 may take some megabytes for each."""
_checked: dict[tuple[str, bool], Candidates] = {}
"""Expressions that are known to be good ones, with what finds their candidates."""


def is_checked(expression: str, *, ignore_case: bool) -> bool:
    """Whether a search for an expression can be opened without asking another process."""
    return (expression, ignore_case) in _checked


class LineSearch:
    """One expression, applied to the lines that may match it."""

    def __init__(self, expression: str, *, ignore_case: bool, proceed: Proceed = lambda: None) -> None:
        self._expression = expression
        self._ignore_case = ignore_case
        self._candidates = self._known_candidates(proceed)

    def __enter__(self) -> "LineSearch":
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def first(self, source: Source, start: Position, _floor: int, progress: Progress) -> Span | None:
        """The first match at or after `start`."""
        column: int | None = start.column
        for offset, block in lines_from(source, start.line_start, progress):
            proceed = partial(progress, offset, source.size)
            proceed()
            if (found := self._match("first", block, column, proceed)) is not None:
                return _span(offset, *found)
            column = None
        return None

    def last(self, source: Source, start: Position, floor: int, progress: Progress) -> Span | None:
        """The last match before `start`."""
        end, before = start.line_start, None
        if start.column > 0 and end < source.size:
            end, before = line_end(source, start.offset, progress), start.column
        for offset, block in lines_before(source, end, floor, progress):
            proceed = partial(progress, source.size - offset, source.size)
            proceed()
            if (found := self._match("last", block, before, proceed)) is not None:
                return _span(offset, *found)
            before = None
        return None

    def matching_lines(self, block: bytes, proceed: Proceed) -> list[int]:
        """Where in a block of whole lines those start that match."""
        matching, regions = self._candidates.matches_and_regions(block)
        if not regions:
            return matching
        joined = Joined(block, regions)
        rows = self._ask("all", _text(joined.lines), proceed=proceed)
        starts = line_starts(joined.lines)
        return sorted(matching + [joined.origin(starts[row]) for row in rows])

    def count(self, block: bytes, proceed: Proceed) -> int:
        """How many lines of a block match."""
        return len(self.matching_lines(block, proceed))

    def _match(self, kind: str, block: bytes, column: int | None, proceed: Proceed) -> tuple[int, int, int] | None:
        """The start of the line in the block, and the columns."""
        joined = Joined(block, self._candidates.regions(block))
        if not joined.regions:
            return None
        limited = joined.regions[0][0] == 0 if kind == "first" else joined.regions[-1][1] == len(block)
        found = self._ask(kind, _text(joined.lines), column if limited else None, proceed=proceed)
        if found is None:
            return None
        row, start, end = found
        return joined.origin(after_newline(joined.lines, row) if row else 0), start, end

    def _known_candidates(self, proceed: Proceed) -> Candidates:
        """Candidates of recent expressions are kept: consecutive windows use the same one."""
        key = (self._expression, self._ignore_case)
        candidates = _checked.pop(key, None)
        if candidates is None:
            supersets = self._ask("check", proceed=proceed)
            candidates = Candidates(self._expression, ignore_case=self._ignore_case, supersets=supersets)
        _checked[key] = candidates  # the one used last comes last
        for unused in list(_checked)[:-_MOST_CHECKED]:
            _checked.pop(unused, None)
        return candidates

    def _ask(self, kind: str, *rest: Any, proceed: Proceed) -> Any:
        answer = matching_processes().ask(kind, self._expression, self._ignore_case, *rest, proceed=proceed)
        if isinstance(answer, str):
            raise invalid_argument(f"pattern: not a regular expression: {answer}")
        return answer


def _text(lines: bytes) -> str:
    """The text of whole lines; the last one may lack its newline."""
    return lines.decode(errors="replace").replace("\r\n", "\n").removesuffix("\n")


def _span(offset: int, line_start: int, start: int, end: int) -> Span:
    return Span(offset + line_start, start, end)


def lines_from(source: Source, offset: int, progress: Progress) -> Iterator[tuple[int, bytes]]:
    """Whole lines, some at a time, with the offset of the first."""
    for start, block in blocks_from(source, offset, progress):
        if block is None:
            raise LineTooLong(source, start, progress, "start_line {next} continues after it")
        yield start, block


def lines_before(source: Source, end: int, floor: int, progress: Progress) -> Iterator[tuple[int, bytes]]:
    """The same, from the last line to the first."""
    for start, block in blocks_before(source, end, floor, progress):
        if block is None:
            raise LineTooLong(source, start, progress, "start_line {line} continues before it")
        yield start, block


def blocks_from(source: Source, offset: int, progress: Progress) -> Iterator[tuple[int, bytes | None]]:
    """Whole lines, some at a time, with the offset of the first; None for a line that is too long for a block."""
    length = _STEP
    while offset < source.size:
        block = source.read_at(offset, length)
        if offset + len(block) < source.size:
            block = block[: block.rfind(b"\n") + 1]
        if not block and length < LONGEST_LINE:
            length = min(4 * length, LONGEST_LINE)
            continue
        yield offset, block or None
        offset = offset + len(block) if block else line_end(source, offset + length, progress)
        length = _STEP


def blocks_before(source: Source, end: int, floor: int, progress: Progress) -> Iterator[tuple[int, bytes | None]]:
    """The same, from the last line to the first."""
    length = _STEP
    while end > floor:
        start = max(floor, end - length - 1)
        # The newline at the end belongs to the last line; what stands before the first may be half a line.
        block = source.read_at(start, end - start)
        skipped = block.find(b"\n", 0, -1) + 1 if start > floor else 0
        if start > floor and not skipped:
            if length < LONGEST_LINE:
                length = min(4 * length, LONGEST_LINE)
                continue
            start = line_start(source, start, floor, progress)
            yield start, None
        else:
            start += skipped
            yield start, block[skipped:]
        end = start
        length = _STEP


class LineTooLong(ReadError):
    """A line is too long for an expression to be applied to it.

    The hint may name the line, and the one after it, as `{line}` and `{next}`.
    """

    def __init__(self, source: Source, offset: int, progress: Progress, hint: str) -> None:
        self.line = source.line_index.line_at(offset, source.read_at, progress)
        super().__init__(
            ErrorCode.INVALID_ARGUMENT,
            f"line {self.line:,} is longer than {LONGEST_LINE >> 20} MiB: only literals are searched for in it",
            hint=hint.format(line=self.line, next=self.line + 1),
        )


def line_end(source: Source, offset: int, progress: Progress, first_step: int = _STEP) -> int:
    """Where the next line starts, or the file ends."""
    step = first_step
    while offset < source.size:
        progress(offset, source.size)
        block = source.read_at(offset, step)
        newline = block.find(b"\n")
        if newline >= 0:
            return offset + newline + 1
        offset += len(block)
        step = _STEP
    return source.size
