"""The tool `find` of toolset `agent`, over the files of a folder."""

from collections.abc import Iterator
from typing import NamedTuple

from attrs import evolve

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.reading.match.matcher import compile_term
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.text import Text
from forge_daemon.requests.tree_search import MAX_SECONDS, TreeSearch, TreeVisit
from forge_daemon.workspace.folder import Place
from forge_daemon.workspace.hints import full_name
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.tree import Scope, glob_of
from forge_protocol.agent_tools import AgentFindArguments
from forge_protocol.errors import shortened

from .answer import Answer
from .find_advice import alternatives, what_to_try
from .folders import Folders, max_chars_of, position_after, shown
from .kinds import known_kind
from .notebook import NOTEBOOK
from .search import Search
from .text import plural

MAX_LINES_PER_FILE = 20
_RESERVED_CHARACTERS = 300
"""For what is around names before and after the lines."""
_AROUND_NAME = 25
_SKIPPED = {
    "binary": "binary",
    "denied": "denied",
    "too_large": "too large",
    "unreadable": "unreadable",
    "compressed": "compressed: name one to search it",
}


def find_files(
    reader: Reader, folders: Folders, arguments: AgentFindArguments, form: TextForm, progress: Progress
) -> Answer:
    scope = Scope(glob=None if folders.glob is None else glob_of(folders.glob), as_git=True)
    start = position_after(reader, folders.roots, arguments.start_after)
    page = _Page(reader, arguments, max_chars_of(reader, folders.roots, arguments.max_chars))
    term = Term(arguments.pattern or "", arguments.regex, arguments.ignore_case)
    others = {name: compile_term(other) for name, other in alternatives(term).items()}
    search = TreeSearch(TreeVisit(reader, folders.roots, scope, start), compile_term(term), form, progress, others)
    for *_, found in search.files(page.look):
        if found.total:
            page.add(found)
        search.only_counts = page.last is not None
    page.add_counted(search.counted_files, search.counted_lines)
    if search.next is not None and page.last is None:
        place, _ = folders.roots[search.next.root].places_of(search.next.after)
        page.last = shown(full_name(reader, place))
    page.advice = what_to_try(term, search.would_match)
    return Answer.of(page.lines(search, arguments, is_cut_short=search.next is not None))


class _FileLines(NamedTuple):
    name: str
    lines: list[str]
    matches: int
    """How many lines match of those shown."""
    total: int
    """How many lines match."""


class _Page:
    """The lines of one answer. When it is full, the rest is only counted."""

    def __init__(self, reader: Reader, arguments: AgentFindArguments, max_chars: int) -> None:
        self._reader = reader
        self._arguments = evolve(arguments, context=arguments.context or 0)
        self.last: str | None = None
        """The file to continue after; None as long as all is shown."""
        self.advice = ""
        """What to try instead."""
        self._previous: str | None = None
        self._left = arguments.limit
        self._chars = max_chars - _RESERVED_CHARACTERS
        self._shown: list[str] = []
        self._more: list[str] = []
        self.files = self._total = 0

    def look(self, place: Place, text: Text) -> _FileLines | None:
        """None for what is refused alone: it is not text, though it may look like one."""
        if known_kind(text.file) is not None:
            return None
        name = shown(full_name(self._reader, place))
        limit = 0 if self.last is not None else min(self._left, MAX_LINES_PER_FILE)
        search = Search(text, evolve(self._arguments, limit=limit))
        total = search.count()
        if not (total and limit):
            return _FileLines(name, [], 0, total)
        # The name may be repeated twice, where the answer says what is missing and how to continue.
        room = self._chars - 3 * (len(name) + _AROUND_NAME)
        found = search.shown(room, at_least_one=not self._shown)
        note = " (lines of its JSON: encoding raw)" if name.lower().endswith(NOTEBOOK) else ""
        return _FileLines(name, [name + note, *found.lines], found.matches, total)

    def add(self, found: _FileLines) -> None:
        self.files += 1
        self._total += found.total
        if self.last is not None:
            return
        wanted = min(found.total, self._left, MAX_LINES_PER_FILE)
        if found.matches:
            self._shown += found.lines
            self._chars -= sum(len(line) + 1 for line in found.lines)
            self._left -= found.matches
            if found.matches < found.total:
                self._more.append(f"[{found.total - found.matches:,} more in {found.name}]")
                self._chars -= len(self._more[-1]) + 1
        if found.matches < wanted or not wanted:
            self.last = found.name if found.matches else self._previous
        self._previous = found.name

    def add_counted(self, files: int, lines: int) -> None:
        """Lines that are not shown."""
        self.files += files
        self._total += lines

    def lines(self, search: TreeSearch, arguments: AgentFindArguments, *, is_cut_short: bool) -> Iterator[str]:
        files = plural(search.searched, "file")
        after = f" after {shortened(shown(arguments.start_after))}" if arguments.start_after else ""
        if self._total:
            yield f"[{'at least ' * is_cut_short}{plural(self._total, 'line')} in {self.files:,} of {files}{after}]"
        else:
            ignored = search.skipped["ignored"]
            hint = f"; {plural(ignored, 'ignored name')} left out: name one to search it" if ignored else ""
            yield f"[no match in {files}{after}{self.advice}{hint}]"
        yield from self._shown
        yield from self._more
        if reasons := [f"{search.skipped[key]:,} {name}" for key, name in _SKIPPED.items() if search.skipped[key]]:
            yield f"[skipped: {', '.join(reasons)}]"
        if is_cut_short:
            yield f"[stopped after {MAX_SECONDS:.0f} s]"
        if self.last is not None:
            yield f"[more: start_after {self.last}]"
