"""Some lines of a file: as many as fit in one answer, with long ones cut."""

from typing import NamedTuple

from forge_daemon.reading.selection import Lines
from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.windows.read import read_window
from forge_daemon.reading.windows.window import Columns, Facts, WindowRequest

MAX_LINES = 2_000
MAX_BYTES = 48 * 1024
MAX_CHARACTERS = 2_000
"""Of one line."""


class Limits(NamedTuple):
    """The limits of one answer, or of the rest of it."""

    lines: int = MAX_LINES
    bytes: int = MAX_BYTES
    characters: int = MAX_CHARACTERS


class Line(NamedTuple):
    number: int
    text: str
    column: int = 1
    """Of the first character of `text`."""
    omitted_bytes: int = 0
    """How many bytes of the line follow `text`."""


class Page(NamedTuple):
    facts: Facts
    lines: list[Line]
    next_line: int | None
    """Where the lines asked for continue; None: they end here."""
    decode_errors: int
    failure: str | None
    """Why the text ends here although there should be more."""


def read_page(text: Source, wanted: Lines, column: int, limits: Limits, progress: Progress) -> Page:
    """The lines from `column` on."""
    columns = Columns(column - 1, limits.characters)
    request = WindowRequest(wanted, max_lines=limits.lines, max_bytes=limits.bytes, columns=columns)
    window = read_window(text, request, progress)
    omitted = {line.line: line.omitted_bytes for line in window.clipped_lines or ()}
    shown = window.content.removesuffix("\n").split("\n") if window.returned_line_count else []
    lines = [Line(number, each, column, omitted.get(number, 0)) for number, each in enumerate(shown, window.start_line)]
    ends_early = text.failure is not None and window.next_cursor is not None and window.next_cursor.offset == text.size
    failure = f"{text.failure}, after {text.size:,} bytes of text" if ends_early else None
    return Page(window.facts, lines, None if failure else window.next_start_line, window.decode_errors, failure)
