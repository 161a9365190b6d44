"""Find the next or the previous match in a file."""

from itertools import islice
from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.find import Finder, Match, Position
from forge_daemon.reading.match.matcher import compile_term
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.text import Text

from .facts import require_whole
from .read import open_lines


class FindRequest(NamedTuple):
    term: Term
    start: Position = Position()
    backward: bool = False
    filter: Filter | None = None
    """Search only in lines that pass."""
    form: TextForm = TextForm()
    counts: bool = False
    """Also count the lines that match from the start on."""


class Found(NamedTuple):
    match: Match | None
    scanned_bytes: int
    matched_lines: int | None


def find(file: FileBytes, request: FindRequest, progress: Progress) -> Found:
    matcher = compile_term(request.term)
    text = open_lines(file, request.form, progress, "search")
    index = LineIndex(text)
    every_line = request.filter or Filter(FilterSpec(Terms()))
    view = every_line.narrowed(request.term).view(text, index)
    finder = Finder(text, index, view, matcher)
    match, scanned_bytes = (finder.backward if request.backward else finder.forward)(request.start)
    if match is None and not request.backward:
        require_whole(text)
    matched_lines = view.count_from(request.start.line) if request.counts else None
    return Found(match, scanned_bytes, matched_lines)


def find_in_each_line(text: Text, term: Term, first_line: int, limit: int) -> tuple[list[Match], int]:
    """The first match in each of so many lines that match, from a line on, and how many lines match after these."""
    index = LineIndex(text)
    view = Filter(FilterSpec(Terms(all=(term,)))).view(text, index)
    found = list(islice(Finder(text, index, view, compile_term(term)).first_in_each_line(first_line), limit))
    if len(found) < limit:
        return found, 0
    return found, view.count_from(found[-1].line + 1 if found else first_line)
