"""The next or the previous match in a text of any size."""

import re

from forge_daemon.light_typing import NamedTuple
from forge_daemon.reading.columns import Position, Span, offset_of_column, part_of_line
from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.text import AUTOMATIC, TextForm, how_to_read, no_lines, open_text, progress_of, require_whole
from forge_protocol.errors import invalid_argument

from .line_search import LineSearch
from .literal_search import LiteralSearch
from .matching_processes import Proceed
from .shown_lines import as_shown

LONGEST_PATTERN = 1_000
LONGEST_CONTENT = 8 * 1024
"""In characters, like the two below."""
SHOWN_FROM_THE_START = 4 * 1024
"""A match that starts within this many is shown with its line's start."""
SHOWN_BEFORE = 1024
"""Any other match is shown with this many before it."""

Search = LiteralSearch | LineSearch


class FindRequest(NamedTuple):
    """Where to start, and in which direction."""

    start_line: int = 1
    start_column: int = 1
    backward: bool = False
    form: TextForm = AUTOMATIC


class Match(NamedTuple):
    line: int
    start_column: int
    end_column: int
    """Inclusive."""
    content: str


class Finding(NamedTuple):
    match: Match | None
    scanned_bytes: int


def open_search(
    pattern: str, *, regex: bool = False, ignore_case: bool = False, proceed: Proceed = lambda: None
) -> Search:
    """The search for a pattern; `INVALID_ARGUMENT` if the pattern is not valid."""
    if not 1 <= len(pattern) <= LONGEST_PATTERN:
        raise invalid_argument(f"pattern: must have 1 to {LONGEST_PATTERN:,} characters, got {len(pattern):,}")
    if any("\ud800" <= character <= "\udfff" for character in pattern):
        raise invalid_argument("pattern: contains a lone surrogate (half a character)")
    if regex:
        return LineSearch(pattern, ignore_case=ignore_case, proceed=proceed)
    if "\n" in pattern:
        raise invalid_argument("pattern: lines are searched one by one, so a newline never matches")
    if not LiteralSearch.fits(pattern):
        return LineSearch(re.escape(pattern), ignore_case=ignore_case, proceed=proceed)
    return LiteralSearch(pattern, ignore_case=ignore_case)


def find(source: Source, request: FindRequest, search: Search, progress: Progress) -> Finding:
    """The first match at or after the position, or the last one before it."""
    text = open_text(source, request.form, progress)
    if text is None:
        raise invalid_argument(no_lines(source, "search"), hint=how_to_read(source))
    progress = progress_of(text, progress)
    start = _position(text, request, text.bom, progress)
    shown = as_shown(search, text)
    look = shown.last if request.backward else shown.first
    span = look(text, start, text.bom, progress)
    if span is None:
        if not request.backward:
            require_whole(text)
        end = text.bom if request.backward else text.size
        return Finding(None, abs(end - start.offset))
    offset = offset_of_column(text, span.line_start, span.start, progress)
    return Finding(_match(text, span, progress), abs(offset - start.offset))


def _position(source: Source, request: FindRequest, floor: int, progress: Progress) -> Position:
    line_start: int | None = floor
    if request.start_line > source.size + 1:
        line_start = None  # Every line has at least a byte, so lines need not be counted.
    elif request.start_line > 1:
        line_start = source.line_index.line_start(request.start_line, source.read_at, progress)
    if line_start is None:
        return Position(source.size, 0, source.size)
    column = request.start_column - 1
    return Position(line_start, column, offset_of_column(source, line_start, column, progress))


def _match(source: Source, span: Span, progress: Progress) -> Match:
    return Match(
        line=source.line_index.line_at(span.line_start, source.read_at, progress),
        start_column=span.start + 1,
        end_column=span.end,
        content=_content(source, span, progress),
    )


def _content(source: Source, span: Span, progress: Progress) -> str:
    first = 0 if span.start < SHOWN_FROM_THE_START else span.start - SHOWN_BEFORE
    offset = offset_of_column(source, span.line_start, first, progress)
    return part_of_line(source, offset, LONGEST_CONTENT, progress)[0]
