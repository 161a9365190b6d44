"""The tool `find` of toolset `agent`."""

import re
from collections.abc import Iterator
from functools import partial
from itertools import islice, pairwise
from typing import NamedTuple

from forge_daemon.reading.search.find import FindRequest, Match, Search, open_search
from forge_daemon.reading.search.find import find as next_match
from forge_daemon.reading.search.line_filter import Filter, LineFilter
from forge_daemon.reading.search.line_search import LineTooLong
from forge_daemon.reading.selection import Lines
from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.text import how_to_read
from forge_daemon.reading.windows.facts import count_lines, number_of_lines
from forge_daemon.reading.windows.window import COUNT_LINES_UP_TO
from forge_daemon.requests.request import WorkerRequest, naming
from forge_daemon.requests.text_form import with_candidates
from forge_daemon.tools.tool import Tool
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.agent_tools import AGENT_FIND_DEFINITION, AgentFindArguments
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .answer import Answer
from .forms import fitting_encodings, form_for_models, is_malformed, open_for_model
from .kinds import Kind, text_or_kind
from .page import MAX_BYTES, Limits, Line, Page, read_page
from .text import notes, numbered, past_the_end, plural

MAX_CHARACTERS = 500
"""Of one line: enough to see what was found."""
SHOWN_BEFORE = 100
"""Of a longer line, before the match."""
_LOOKS_LIKE_AN_EXPRESSION = re.compile(
    r"""\\[AbBdDsSwWZ.()[] | [.)\]][*+?] | \| | \[\^?\w-\w | ^\^ | \$$""", re.VERBOSE
)
COUNT_UP_TO = COUNT_LINES_UP_TO
"""In a file above this size only so many matches are searched for as are shown."""


class _Group(NamedTuple):
    """Lines shown together."""

    first: int
    last: int
    matches: dict[int, Match]


def find(reader: Reader, arguments: AgentFindArguments, progress: Progress) -> Answer:
    target = Target(arguments.path, source="unsaved")
    with naming(reader, arguments.path):
        form = form_for_models(arguments.encoding)
    with (
        naming(reader, arguments.path),
        open_search(
            arguments.pattern, regex=arguments.regex, ignore_case=arguments.ignore_case, proceed=partial(progress, 0, 0)
        ) as search,
        open_for_model(reader, target) as file,
    ):
        name, form = reader.shown_name(file), with_candidates(form, file.settings)

        def answer(source: Source) -> Answer:
            text = text_or_kind(source, form, progress)
            if isinstance(text, Kind):
                raise invalid_argument(f"{text.name}: it has no lines to search", hint=how_to_read(source))
            return _answer(name, text, search, arguments, progress)

        return file.read(answer, progress)


def _answer(name: str, source: Source, search: Search, arguments: AgentFindArguments, progress: Progress) -> Answer:
    found, failure = _found(source, search, arguments, progress)
    following = found.pop() if len(found) > arguments.limit else None
    if not found:
        return Answer.of([_no_match(name, source, arguments, failure, progress)])
    total = len(found) if following is None else _total(source, arguments, progress)
    lines: list[str] = []
    pages: list[Page] = []
    size = last = 0
    for group in _groups(found, arguments.context, following):
        if lines and arguments.context:
            lines.append("--")
        for number, text in _text(source, group, pages, progress):
            lines.append(text)
            last = number
            size += len(text.encode())
            if size >= MAX_BYTES:
                break
        if size >= MAX_BYTES:
            break
    omitted = [match for match in found if match.line > last]
    shown = len(found) - len(omitted)
    lines.insert(0, f"[{name} {_count(shown, total)}{_from(arguments)}{_notes(source, pages)}{failure}]")
    if (next_shown := omitted[0] if omitted else following) is not None:
        lines.append(f"[more: start_line {next_shown.line}]")
    return Answer.of(lines)


def _found(
    source: Source, search: Search, arguments: AgentFindArguments, progress: Progress
) -> tuple[list[Match], str]:
    """The matches to show, and one more if there is one; and a note on what could not be searched."""
    found: list[Match] = []
    passed_over: list[LineTooLong] = []
    line = arguments.start_line
    while True:
        matches = _matches(source, search, line, progress)
        try:
            found.extend(islice(matches, arguments.limit + 1 - len(found)))
        except LineTooLong as error:
            line = error.line + 1
            passed_over.append(error)
        except ReadError as error:
            # Only the end of a text can be missing, and what is before it was searched.
            if source.failure is None or error.code != ErrorCode.INTERNAL:
                raise
            return found, f"{_passed_over(passed_over)}; {error.reason}"
        else:
            return found, _passed_over(passed_over)


def _passed_over(lines: list[LineTooLong]) -> str:
    if not lines:
        return ""
    others = f", and {plural(len(lines) - 1, 'more line')}" if len(lines) > 1 else ""
    return f"; {lines[0].reason}{others}"


def _total(source: Source, arguments: AgentFindArguments, progress: Progress) -> int | None:
    """How many lines match; None where it is not known."""
    if source.size > COUNT_UP_TO or source.failure is not None:
        return None
    wanted = Filter(arguments.pattern, arguments.regex, arguments.ignore_case, first_line=arguments.start_line)
    try:
        return count_lines(source, progress, LineFilter(wanted))
    except LineTooLong:
        return None


def _count(shown: int, total: int | None) -> str:
    if total is None:
        return f"{plural(shown, 'match', 'es')}, more follow"
    return plural(shown, "match", "es") if shown == total else f"{shown:,} of {total:,} matches"


def _matches(source: Source, search: Search, start_line: int, progress: Progress) -> Iterator[Match]:
    """The first match of each matching line."""
    line = start_line
    while (match := next_match(source, FindRequest(line), search, progress).match) is not None:
        yield match
        line = match.line + 1


def _groups(found: list[Match], context: int, following: Match | None) -> Iterator[_Group]:
    group: _Group | None = None
    for match, after in pairwise([*found, following]):
        assert match is not None
        last = match.line + context
        if after is not None and after is following:
            last = min(last, after.line - 1)
        first = max(1, match.line - context)
        if group is not None and first <= group.last + 1:
            group.matches[match.line] = match
            group = group._replace(last=last)
            continue
        if group is not None:
            yield group
        group = _Group(first, last, {match.line: match})
    if group is not None:
        yield group


def _text(source: Source, group: _Group, pages: list[Page], progress: Progress) -> Iterator[tuple[int, str]]:
    """The lines of a group, each with its number. Appends the pages they are from to `pages`."""
    number = group.first
    while number <= group.last:
        page = read_page(source, Lines(number, group.last), 1, Limits(characters=MAX_CHARACTERS), progress)
        if not page.lines:
            return
        pages.append(page)
        for line in page.lines:
            match = group.matches.get(line.number)
            yield line.number, numbered(line) if match is None else _matching(source, line, match, progress)
        if page.failure is not None:
            return
        number = page.lines[-1].number + 1


def _matching(source: Source, line: Line, match: Match, progress: Progress) -> str:
    """A matching line; of a long one, the part around the match."""
    if not line.omitted_bytes or match.end_column < MAX_CHARACTERS - SHOWN_BEFORE:
        return numbered(line, ":\t")
    column = max(1, match.start_column - SHOWN_BEFORE)
    page = read_page(source, Lines(line.number, line.number), column, Limits(characters=MAX_CHARACTERS), progress)
    return numbered(page.lines[0], ":\t…" if column > 1 else ":\t")


def _notes(source: Source, pages: list[Page]) -> str:
    decode_errors = sum(page.decode_errors for page in pages)
    return notes(pages[0].facts, decode_errors, fitting_encodings(source) if decode_errors else "")


def _no_match(name: str, source: Source, arguments: AgentFindArguments, failure: str, progress: Progress) -> str:
    first = arguments.start_line
    start = source.line_index.line_start(first, source.read_at, progress)
    if not failure and (start is None or not source.has_more_at(max(start, source.bom))):
        return past_the_end(name, first, number_of_lines(source, progress), "read with start_line -20")
    return f"[{name} no match{_from(arguments)}{failure or _advice(source, arguments)}]"


def _advice(source: Source, arguments: AgentFindArguments) -> str:
    """Which arguments might find a match."""
    pattern, tries = arguments.pattern, []
    if not arguments.regex and _LOOKS_LIKE_AN_EXPRESSION.search(pattern):
        tries.append("regex")
    if not arguments.ignore_case and pattern.lower() != pattern.upper():
        tries.append("ignore_case")
    if not pattern.isascii() and arguments.encoding is None and is_malformed(source):
        tries = [f"encoding {fitting_encodings(source)}"]
    return f"; try {' or '.join(tries)}" if tries else ""


def _from(arguments: AgentFindArguments) -> str:
    return f" from line {arguments.start_line}" if arguments.start_line > 1 else ""


AGENT_FIND = Tool(AGENT_FIND_DEFINITION, AgentFindArguments, WorkerRequest(find))
