"""The tool `find` of toolset `agent`, over the files of a folder."""

from collections.abc import Iterator
from functools import partial
from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.reading.lines.columns import Columns
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.match.find import SHOWN_BEFORE, SHOWN_FROM_THE_START, Match
from forge_daemon.reading.match.matcher import compile_term
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.text import Text
from forge_daemon.reading.window.find import find_in_each_line
from forge_daemon.requests.request import errors_with_path
from forge_daemon.requests.tree_search import MAX_SECONDS, TreeSearch, TreeVisit
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.tree import Scope, glob_of
from forge_protocol.agent_tools import AgentFindArguments

from .answer import Answer
from .folders import folders_at, max_chars_of, position_after, shown
from .text import plural

MAX_LINES_PER_FILE = 20
MAX_CHARACTERS = 500
"""Of one line: enough to see what was found."""
_BEFORE = 100
"""Of a longer line, before the match."""
_RESERVED_CHARACTERS = 300
"""For what is around names before and after the lines."""
_AROUND_NAME = 25
_SKIPPED = {"binary": "binary", "denied": "denied", "too_large": "too large", "unreadable": "unreadable"}


def find_files(reader: Reader, arguments: AgentFindArguments, form: TextForm, progress: Progress) -> Answer:
    with errors_with_path(reader, arguments.path or ""):
        folders = folders_at(reader, arguments.path)
        scope = Scope(glob=None if folders.glob is None else glob_of(folders.glob), as_git=True)
    start = position_after(reader, folders.roots, arguments.start_after)
    page = _Page(arguments, max_chars_of(reader, folders.roots, arguments.max_chars))
    search = TreeSearch(TreeVisit(reader, folders.roots, scope, start), compile_term(page.term), form, progress)
    for _, place, found in search.files(partial(_look, page)):
        if found.total:
            page.add(shown(reader.full_name(place)), found)
    if search.next is not None and page.last is None:
        place, _ = folders.roots[search.next.root].places_of(search.next.after)
        page.last = shown(reader.full_name(place))
    return Answer.of(page.lines(search, arguments, is_cut_short=search.next is not None))


class _FileLines(NamedTuple):
    lines: list[tuple[str, bool]]
    """Each with whether it matches."""
    total: int
    """How many lines match."""


class _Page:
    """The lines of one answer. When it is full, the rest is only counted."""

    def __init__(self, arguments: AgentFindArguments, max_chars: int) -> None:
        self.term = Term(arguments.pattern or "", arguments.regex, arguments.ignore_case)
        self.context = arguments.context or 0
        self.last: str | None = None
        """The file to continue after; None as long as all is shown."""
        self._previous: str | None = None
        self._left = arguments.limit
        self._chars = max_chars - _RESERVED_CHARACTERS
        self._shown: list[str] = []
        self._more: list[str] = []
        self._files = self._total = 0

    @property
    def room(self) -> int:
        return 0 if self.last is not None else min(self._left, MAX_LINES_PER_FILE)

    def add(self, name: str, found: _FileLines) -> None:
        self._files += 1
        self._total += found.total
        if self.last is not None:
            return
        if self._left == 0:
            self.last = self._previous
            return
        lines, matches = self._fitting(name, found.lines)
        self._shown += [name, *lines] if matches else []
        self._left -= matches
        if matches < found.total and matches:
            self._more.append(f"[{found.total - matches:,} more in {name}]")
            self._chars -= len(self._more[-1])
        if matches < sum(is_match for _, is_match in found.lines):
            self.last = name if matches else self._previous
        self._previous = name

    def _fitting(self, name: str, lines: list[tuple[str, bool]]) -> tuple[list[str], int]:
        """As many lines as there are characters left for, and how many of them match."""
        # The name may be repeated twice, where the answer says what is missing and how to continue.
        room = self._chars - 3 * (len(name) + _AROUND_NAME)
        fitting: list[str] = []
        matches = used = 0
        for line, is_match in lines:
            if used + len(line) + 1 > room and (fitting or self._shown):
                break
            used += len(line) + 1
            fitting.append(line)
            matches += is_match
        self._chars -= used + 2 * len(name) + _AROUND_NAME if len(fitting) < len(lines) else used + len(name) + 1
        return fitting, matches

    def lines(self, search: TreeSearch, arguments: AgentFindArguments, *, is_cut_short: bool) -> Iterator[str]:
        files = plural(search.searched, "file")
        after = f" after {shown(arguments.start_after)}" if arguments.start_after else ""
        at_least = "at least " if is_cut_short else ""
        if self._total:
            yield f"[{at_least}{plural(self._total, 'line')} in {self._files:,} of {files}{after}]"
        else:
            ignored = search.skipped["ignored"]
            hint = f"; {plural(ignored, 'ignored name')} left out: name one to search it" if ignored else ""
            yield f"[no match in {files}{after}{hint}]"
        yield from self._shown
        yield from self._more
        if reasons := [f"{search.skipped[key]:,} {name}" for key, name in _SKIPPED.items() if search.skipped[key]]:
            yield f"[skipped: {', '.join(reasons)}]"
        if is_cut_short:
            yield f"[stopped after {MAX_SECONDS:.0f} s]"
        if self.last is not None:
            yield f"[more: start_after {self.last}]"


def _look(page: _Page, _path: str, text: Text) -> _FileLines:
    matches, more = find_in_each_line(text, page.term, 1, page.room)
    return _FileLines(list(_with_context(text, matches, page.context)), len(matches) + more)


def _with_context(text: Text, matches: list[Match], context: int) -> Iterator[tuple[str, bool]]:
    index, columns = LineIndex(text), Columns(text)
    numbers = {match.line for match in matches}
    done = 0
    for match in matches:
        first = max(1, done + 1, match.line - context)
        if context and done and first > done + 1:
            yield "--", False
        for number in range(first, match.line + context + 1):
            if number == match.line:
                yield f"{number}:\t{_part(match)}", True
            elif number in numbers:
                break
            elif (start := index.start_of(number)) is not None and text.read_at(start, 1):
                shown_part, _, _ = columns.part(start, MAX_CHARACTERS + 1)
                yield f"{number}\t{_cut(shown_part)}", False
            done = number


def _part(match: Match) -> str:
    """A line as it is shown; of a long one, the part around the match."""
    first = 1 if match.start_column <= SHOWN_FROM_THE_START else match.start_column - SHOWN_BEFORE
    begin = match.start_column - first
    if len(match.content) <= MAX_CHARACTERS or match.end_column < MAX_CHARACTERS:
        return f"{'…' * (first > 1)}{_cut(match.content)}"
    return f"…{_cut(match.content[max(0, begin - _BEFORE) :])}"


def _cut(text: str) -> str:
    return text if len(text) <= MAX_CHARACTERS else f"{text[:MAX_CHARACTERS]}…"
