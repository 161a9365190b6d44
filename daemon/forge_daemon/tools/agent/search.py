"""The lines that match in one text, as a model is shown them."""

from collections.abc import Iterator
from typing import NamedTuple

from forge_daemon.reading.lines.columns import Columns
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.filtered_lines import MAX_SEARCHED_LINE, FilteredLines
from forge_daemon.reading.match.matcher import Matcher, compile_term
from forge_daemon.reading.match.run import Place, Room, Run, line_by_line
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.records.levels import Level
from forge_daemon.reading.texts.text import Text
from forge_daemon.reading.window.pager import decode
from forge_daemon.reading.window.window import COUNT_LINES_UP_TO
from forge_protocol.agent_tools import AgentFindArguments

from .page import Line
from .text import numbered

DEFAULT_CONTEXT = 2
MAX_CHARACTERS = 500
"""The most of one line: enough to see what was found."""
SHOWN_BEFORE = 100
"""How much of a longer line is shown before the match."""
MAX_LINE_BYTES = 4 * MAX_CHARACTERS


def term_of(arguments: AgentFindArguments) -> Term | None:
    pattern = arguments.pattern
    return None if pattern is None else Term(pattern, arguments.regex, arguments.ignore_case)


def matcher_of(arguments: AgentFindArguments) -> Matcher | None:
    term = term_of(arguments)
    return None if term is None else compile_term(term)


class Found(NamedTuple):
    lines: list[str]
    matches: int
    next_line: int | None
    """The line of the next match; None: there is no other."""
    decode_errors: int


class _Row(NamedTuple):
    number: int
    text: str
    decode_errors: int
    is_context: bool


class _Page:
    """Lines, as far as there is room for them."""

    def __init__(self, room: int, *, has_groups: bool) -> None:
        """`has_groups`: what is missing between two lines is marked."""
        self.lines: list[str] = []
        self.decode_errors = 0
        self._room = room
        self._has_groups = has_groups
        self._last_number = 0

    def add(self, rows: list[_Row], *, in_any_case: bool = False) -> bool:
        """All of them or, if there is no room for all, none."""
        texts = [row.text for row in rows]
        if self._has_groups and self.lines and rows[0].number > self._last_number + 1:
            texts.insert(0, "--")
        needed = sum(len(text) + 1 for text in texts)
        if needed > self._room and not in_any_case:
            return False
        self.lines += texts
        self.decode_errors += sum(row.decode_errors for row in rows)
        self._room -= needed
        self._last_number = rows[-1].number
        return True


class Search:
    def __init__(self, text: Text, arguments: AgentFindArguments) -> None:
        self._text = text
        self._arguments = arguments
        self._index = LineIndex(text)
        self._matcher = matcher_of(arguments)
        self._columns = Columns(text)
        self._limit = arguments.limit
        # Records are shown whole, so they need no lines around them.
        default_context = 0 if arguments.pattern is None else DEFAULT_CONTEXT
        self._context = default_context if arguments.context is None else arguments.context
        self.last = 0
        """How many matching lines at the end are asked for, as far as the limit allows; 0: none are."""
        self.earlier: int | None = None
        """The line of the first match asked for, if the limit leaves it out."""
        self._first, self._skipped = arguments.start_line, 0
        if arguments.start_line < 0:
            self._start_with_last(-arguments.start_line)
        elif arguments.start_column > 1:
            self._start_inside_line(arguments.start_column)

    @property
    def offset(self) -> int:
        return self._index.start_of(self._first) or 0

    def _start_with_last(self, number: int) -> None:
        """The first of so many matching lines at the end, or of as many as the limit allows."""
        view = self._view(0)
        place = view.place_of_last(min(number, self._limit))
        self._first, self.last = self._index.line_at(place.offset), -place.number
        if number > self._limit and (earlier := self._index.line_at(view.place_of_last(number).offset)) < self._first:
            self.earlier = earlier

    def _start_inside_line(self, column: int) -> None:
        """Only what matches from a column on counts in the first line; if nothing does, the next line is the first."""
        start = self._index.start_of(self._first)
        if start is None:
            return
        self._skipped = self._columns.offset_of(start, column - 1) - start
        end = self._index.end_of_line_at(start)
        if self._span(start, end, self._skipped) is None:
            self._first, self._skipped = self._first + 1, 0

    def shown(self, room: int, *, at_least_one: bool = True) -> Found:
        """As many lines as the limit and so many characters allow."""
        page = _Page(room, has_groups=self._context > 0)
        matches = end = 0  # `end`: of the context after the last match
        for rows in self._groups():
            after = [row for row in rows if row.is_context and row.number <= end]
            is_full = not all(page.add([row]) for row in after) or matches == self._limit
            group = rows[len(after) :]
            if not group:
                continue
            is_full = is_full or not page.add(group)
            if is_full and (matches or not at_least_one):
                return Found(page.lines, matches, group[-1].number, page.decode_errors)
            if is_full:
                page.add(group[-1:], in_any_case=True)
            matches, end = matches + 1, group[-1].number + self._context
        return Found(page.lines, matches, None, page.decode_errors)

    def _groups(self) -> Iterator[list[_Row]]:
        """Each matching line with the context before it, back to the match before; at the end what follows the last."""
        rows: list[_Row] = []
        for run in self._runs():
            rows.append(self._row(run))
            if not run.is_context:
                yield rows
                rows = []
        yield rows

    def total(self) -> int | None:
        """How many lines match; None if the text is so long that only as many are searched for as are shown."""
        if self._text.file.size > COUNT_LINES_UP_TO:
            return None
        return self.count()

    def count(self) -> int:
        is_last = self._arguments.start_line < 0
        return self._view(0, None if is_last else self._first).count()

    def would_match(self, other: Term) -> bool:
        """Whether another term matches in the lines that are searched."""
        return self._view(0, max(1, self._arguments.start_line), other).first_from(0) is not None

    def _runs(self) -> Iterator[Run]:
        """Lines that match, and those around them. These may lie before the first line."""
        context, first = self._context, self._first
        start_line = max(1, first - context)
        start = self._index.start_of(start_line)
        if start is None:
            return
        before: list[Run] = []
        has_match = False
        runs = self._view(context).runs(Place(start, 1, start_line), Room(self._limit, MAX_LINE_BYTES))
        for run in line_by_line(runs, MAX_LINE_BYTES):
            if not has_match and (run.is_context or run.place.line < first):
                # Of the first match, or of one before the first line.
                before.append(run._replace(is_context=True))
                continue
            if not has_match:
                yield from (each for each in before if each.place.line >= run.place.line - context)
                has_match = True
            yield run

    def _view(self, context: int, first_line: int | None = None, other: Term | None = None) -> FilteredLines:
        asked, term = self._arguments, other or term_of(self._arguments)
        spec = FilterSpec(
            Terms(all=() if term is None else (term,)),
            first_line=first_line,
            before=context,
            after=context,
            level=None if asked.level is None else Level[asked.level.upper()],
            since=asked.since,
            until=asked.until,
        )
        return Filter(spec).view(self._text, self._index)

    def _row(self, run: Run) -> _Row:
        """A line as it is shown; of a long one, the part around the match."""
        data = run.data.removesuffix(b"\n").removesuffix(b"\r") if run.data.endswith(b"\n") else run.data
        separator = "\t" if run.is_context else ":\t"
        shown, errors, _ = decode(data)
        if len(shown) <= MAX_CHARACTERS and not run.is_cut:
            return _Row(run.place.line, f"{run.place.line}{separator}{shown}", errors, run.is_context)
        start, column = run.place.offset, 1 if run.is_context else self._first_column(run)
        shown, errors, after = self._columns.part(self._columns.offset_of(start, column - 1), MAX_CHARACTERS)
        line_end = self._index.end_of_line_at(start)
        ending = self._text.read_at(line_end - 2, 2)
        line_end -= 2 if ending == b"\r\n" else ending.endswith(b"\n")
        line = Line(run.place.line, shown, column, line_end - after)
        text = numbered(line, f"{separator}…" if column > 1 else separator)
        following = None if run.is_context else self._span(start, run.end, after - start)
        if following is not None:
            next_column = self._columns.column_at(start, start + following[0]) + 1
            text = f"{text[:-1]}; next match: start_column {next_column}]"
        return _Row(run.place.line, text, errors, run.is_context)

    def _first_column(self, run: Run) -> int:
        """Where to begin with a long line, so that its match is shown."""
        start, skipped = run.place.offset, self._skipped if run.place.line == self._first else 0
        match = self._span(start, run.end, skipped)
        if match is None:
            return 1
        first, end = (self._columns.column_at(start, start + offset) for offset in match)
        is_near_start = not skipped and end < MAX_CHARACTERS - SHOWN_BEFORE
        return 1 if is_near_start else max(1, first + 1 - SHOWN_BEFORE)

    def _span(self, start: int, end: int, skipped: int) -> tuple[int, int] | None:
        """The first match in a line, at so many bytes or more from its start."""
        line = self._text.read_at(start, min(end - start, MAX_SEARCHED_LINE)).removesuffix(b"\n")
        if self._matcher is None or skipped > len(line):
            return None
        return next(self._matcher.spans(line, skipped, lambda: self._text.report(start)), None)
