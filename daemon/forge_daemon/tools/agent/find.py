"""The tool `find` of toolset `agent`, in one file."""

from collections.abc import Iterator
from typing import NamedTuple

from attrs import evolve

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.lines.columns import Columns
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.filtered_lines import MAX_SEARCHED_LINE, FilteredLines
from forge_daemon.reading.match.matcher import Matcher, compile_term
from forge_daemon.reading.match.run import Place, Room, Run
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.records.levels import Level
from forge_daemon.reading.texts.encoding_advice import fitting_encoding
from forge_daemon.reading.texts.opening import why_binary
from forge_daemon.reading.texts.text import Text
from forge_daemon.reading.window.decoding import decode
from forge_daemon.reading.window.facts import text_facts
from forge_daemon.reading.window.filtered_view import filtered_view
from forge_daemon.reading.window.window import COUNT_LINES_UP_TO
from forge_daemon.requests.request import errors_with_path
from forge_daemon.tools.tool import Tool
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.agent_tools import AGENT_FIND_DEFINITION, AgentFindArguments
from forge_protocol.errors import ReadError, invalid_argument

from .answer import Answer
from .find_advice import advice_for
from .find_files import find_files
from .folders import folder_meant
from .forms import RAW, FileForModel, file_for_model, form_for_models, open_for_model
from .kinds import Kind, text_or_kind
from .page import RESERVED_CHARACTERS, Line
from .text import notes_of, numbered, past_the_end, plural

DEFAULT_CONTEXT = 2
MAX_CHARACTERS = 500
"""Of one line: enough to see what was found."""
SHOWN_BEFORE = 100
"""Of a longer line, before the match."""
MAX_LINE_BYTES = 4 * MAX_CHARACTERS
COUNT_UP_TO = COUNT_LINES_UP_TO
"""In a file above this size only as many matches are searched for as are shown."""


def find(reader: Reader, arguments: AgentFindArguments, progress: Progress) -> Answer:
    with errors_with_path(reader, arguments.path or ""):
        form = form_for_models(arguments.encoding)
        _check(arguments)
    path = arguments.path
    folder = None if path is None else folder_meant(reader, path)
    if path is None or folder is not None:
        if arguments.start_line != 1 or arguments.start_column != 1:
            raise invalid_argument("start_line, start_column: only in one file; in a folder start_after continues")
        if arguments.pattern is None or _is_about_records(arguments) or arguments.rotated:
            raise invalid_argument("level, since, until, rotated: only in one file; in a folder give pattern alone")
        return find_files(reader, evolve(arguments, path=folder), form, progress)
    target = Target(path, source="unsaved", rotated=arguments.rotated)
    with open_for_model(reader, target) as file:
        name = reader.full_name(file.place)
        limit = min(file.settings.agent_max_chars, arguments.max_chars or file.settings.agent_max_chars)

        def answer(snapshot: FileBytes) -> Answer:
            wanted = file_for_model(name, snapshot, form, file.settings, raw=arguments.encoding == RAW)
            return _answer(wanted, arguments, limit, progress)

        try:
            return file.read(answer)
        except ReadError as error:
            error.reason = error.reason.removeprefix("filter.")
            raise


def _is_about_records(arguments: AgentFindArguments) -> bool:
    return any(each is not None for each in (arguments.level, arguments.since, arguments.until))


def _check(arguments: AgentFindArguments) -> None:
    if arguments.start_line == 0:
        raise invalid_argument("start_line: must not be 0: count from 1, or -5 for the last 5 matching lines")
    if arguments.start_line < 0 and arguments.start_column > 1:
        raise invalid_argument("start_column: only with the number of a line as start_line")
    if arguments.pattern is None and not _is_about_records(arguments):
        raise invalid_argument("pattern: missing; give pattern, or level, since or until for a log")
    try:
        _matcher(arguments)
    except ReadError as error:
        if "terms" in (error.hint or ""):
            # There is only one here.
            error.hint = "search for the part that is rarest, and pick from the lines found"
        raise


def _term(arguments: AgentFindArguments) -> Term | None:
    pattern = arguments.pattern
    return None if pattern is None else Term(pattern, arguments.regex, arguments.ignore_case)


def _matcher(arguments: AgentFindArguments) -> Matcher | None:
    term = _term(arguments)
    return None if term is None else compile_term(term)


def _answer(wanted: FileForModel, arguments: AgentFindArguments, max_chars: int, progress: Progress) -> Answer:
    name, file, form, note = wanted
    text = text_or_kind(file, form, progress)
    if isinstance(text, Kind):
        raise invalid_argument(f"{text.name}: it has no lines to search", hint=why_binary(file, form).hint)
    search = _Search(text, arguments)
    found = search.shown(max_chars - len(name) - RESERVED_CHARACTERS)
    failure = f"; {text.failure}, after {text.length():,} bytes of text" if text.failure else ""
    if not found.lines:
        return Answer.of([_no_match(name, text, arguments, failure)])
    total = search.total() if arguments.start_line < 0 or found.next_line is not None else found.matches
    encodings = fitting_encoding(text, search.offset) if found.decode_errors else ""
    notes = note + notes_of(text_facts(text, LineIndex(text), 0), found.decode_errors, encodings)
    count = _count(found.matches, total, found.next_line, is_last=arguments.start_line < 0)
    lines = [f"[{name} {count}{_from(arguments)}{notes}{failure}]", *found.lines]
    if found.next_line is not None and not (arguments.start_line < 0 and found.matches == search.limit):
        lines.append(f"[more: start_line {found.next_line}]")
    return Answer.of(lines, etag=file.etag, max_chars=max_chars)


class _Found(NamedTuple):
    lines: list[str]
    matches: int
    next_line: int | None
    """Of the next match; None: there is no other."""
    decode_errors: int


class _Search:
    def __init__(self, text: Text, arguments: AgentFindArguments) -> None:
        self._text = text
        self._arguments = arguments
        self._index = LineIndex(text)
        self._matcher = _matcher(arguments)
        self._columns = Columns(text)
        self.limit = arguments.limit
        # Records are shown whole, so they need no lines around them.
        default_context = 0 if arguments.pattern is None else DEFAULT_CONTEXT
        self._context = default_context if arguments.context is None else arguments.context
        self._first, self._skipped = arguments.start_line, 0
        if arguments.start_line < 0:
            self._start_with_last(-arguments.start_line)
        elif arguments.start_column > 1:
            self._start_inside_line(arguments.start_column)

    @property
    def offset(self) -> int:
        return self._index.start_of(self._first) or 0

    def _start_with_last(self, number: int) -> None:
        """The first of so many matching lines at the end."""
        place = self._view(0).place_of_last(number)
        self._first = self._index.line_at(place.offset)
        self.limit = min(self.limit, number)

    def _start_inside_line(self, column: int) -> None:
        """In the first line only what matches from a column on counts; if nothing does, the next line is the first."""
        start = self._index.start_of(self._first)
        if start is None:
            return
        self._skipped = self._columns.offset_of(start, column - 1) - start
        end = self._index.end_of_line_at(start)
        if self._span(start, end, self._skipped) is None:
            self._first, self._skipped = self._first + 1, 0

    def shown(self, room: int) -> _Found:
        """As many lines as the limit and so many characters allow: at least one."""
        context = self._context
        lines: list[str] = []
        before: list[str] = []  # context of the next match
        matches = size = errors = last = previous = 0
        is_full = False
        for run in self._runs():
            number, is_after = run.place.line, bool(matches) and run.place.line <= last + context
            if matches == self.limit or is_full:
                if not run.is_context:
                    return _Found(lines, matches, number, errors)
                if is_full or not is_after:
                    continue
            text, malformed = self._line(run)
            if run.is_context and not is_after:
                before.append(text)
                continue
            block, before = [*before, text], []
            if lines and context and number - len(block) > previous:
                block.insert(0, "--")
            needed = sum(len(each) + 1 for each in block)
            if size + needed > room and matches:
                if not run.is_context:
                    return _Found(lines, matches, number, errors)
                is_full = True
                continue
            if size + needed > room:
                block, needed = [text], len(text) + 1
            lines += block
            size, errors, previous = size + needed, errors + malformed, number
            if not run.is_context:
                matches, last = matches + 1, number
        return _Found(lines, matches, None, errors)

    def total(self) -> int | None:
        """How many lines match; None if the text is too long to be searched for that."""
        if self._text.file.size > COUNT_UP_TO:
            return None
        is_last = self._arguments.start_line < 0
        return self._view(0, None if is_last else self._first).count()

    def _runs(self) -> Iterator[Run]:
        """Lines that match, and those around them. These may lie before the first line."""
        context, first = self._context, self._first
        start_line = max(1, first - context)
        start = self._index.start_of(start_line)
        if start is None:
            return
        before: list[Run] = []
        for run in self._view(context).runs(Place(start, 1, start_line), Room(self.limit, MAX_LINE_BYTES)):
            if run.place.line < first:
                before.append(run._replace(is_context=True))
                continue
            if not run.is_context:
                yield from (each for each in before if each.place.line >= run.place.line - context)
                before = []
            yield run

    def _view(self, context: int, first_line: int | None = None) -> FilteredLines:
        asked, term = self._arguments, _term(self._arguments)
        spec = FilterSpec(
            Terms(all=() if term is None else (term,)),
            first_line=first_line,
            before=context,
            after=context,
            level=None if asked.level is None else Level[asked.level.upper()],
            since=asked.since,
            until=asked.until,
        )
        return filtered_view(self._text, self._index, Filter(spec))

    def _line(self, run: Run) -> tuple[str, int]:
        """A line as it is shown; of a long one, the part around the match."""
        data = run.data.removesuffix(b"\n").removesuffix(b"\r") if run.data.endswith(b"\n") else run.data
        shown, errors, _ = decode(data)
        separator = "\t" if run.is_context else ":\t"
        start, column = run.place.offset, 1
        if len(shown) <= MAX_CHARACTERS and not run.is_cut:
            return f"{run.place.line}{separator}{shown}", errors
        if not run.is_context:
            skipped = self._skipped if run.place.line == self._first else 0
            begin, end = self._span(start, run.end, skipped) or (0, 0)
            if self._columns.column_at(start, start + end) >= MAX_CHARACTERS - SHOWN_BEFORE:
                column = max(1, self._columns.column_at(start, start + begin) + 1 - SHOWN_BEFORE)
        shown, errors, after = self._columns.part(self._columns.offset_of(start, column - 1), MAX_CHARACTERS)
        line_end = self._index.end_of_line_at(start)
        ending = self._text.read_at(line_end - 2, 2)
        line_end -= 2 if ending == b"\r\n" else ending.endswith(b"\n")
        line = numbered(
            Line(run.place.line, shown, column, line_end - after), f"{separator}…" if column > 1 else separator
        )
        following = None if run.is_context else self._span(start, run.end, after - start)
        if following is not None:
            next_column = self._columns.column_at(start, start + following[0]) + 1
            line = f"{line[:-1]}; next match: start_column {next_column}]"
        return line, errors

    def _span(self, start: int, end: int, skipped: int) -> tuple[int, int] | None:
        """The first match in a line, at so many bytes or more from its start."""
        line = self._text.read_at(start, min(end - start, MAX_SEARCHED_LINE)).removesuffix(b"\n")
        if self._matcher is None or skipped > len(line):
            return None
        return next(self._matcher.spans(line, skipped, lambda: self._text.report(start)), None)


def _count(shown: int, total: int | None, next_line: int | None, *, is_last: bool) -> str:
    if is_last:
        which = f"{shown:,} of the last" if next_line is not None and total is None else f"last {shown:,}"
        return f"{which} of {plural(total, 'matching line')}" if total is not None else f"{which} matching lines"
    if total is None:
        return f"{plural(shown, 'matching line')}, more follow"
    return plural(shown, "matching line") if shown == total else f"{shown:,} of {total:,} matching lines"


def _no_match(name: str, text: Text, arguments: AgentFindArguments, failure: str) -> str:
    first, index = max(1, arguments.start_line), LineIndex(text)
    start = index.start_of(first)
    if not failure and (start is None or not text.read_at(start, 1)):
        return past_the_end(name, first, index.count(), tool="read with ")
    advice, term = failure, _term(arguments)
    if term is not None and not failure and arguments.start_column == 1:
        advice = advice_for(text, term, first, has_encoding=arguments.encoding is not None)
    return f"[{name} no match{_from(arguments)}{advice}]"


def _from(arguments: AgentFindArguments) -> str:
    column = f", column {arguments.start_column}" if arguments.start_column > 1 else ""
    return f" from line {arguments.start_line}{column}" if arguments.start_line > 1 or column else ""


AGENT_FIND = Tool(AGENT_FIND_DEFINITION, AgentFindArguments, find)
