"""Some lines of a file: as many as fit in one answer, with long ones cut."""

from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.window.read import read_window
from forge_daemon.reading.window.selection import Lines
from forge_daemon.reading.window.window import MAX_CONTENT_BYTES, Columns, Facts, WindowRequest

MAX_LINE_CHARACTERS = 2_000
RESERVED_CHARACTERS = 300
"""The part of an answer that is for its header and for how to continue, without the name of the file."""
_MIN_LINE_CHARACTERS = 20
"""What is shown at least of a line that has to be cut to fit."""
_MIN_NUMBERED_LINE = 3
"""A digit, a tab and a newline."""
_MAX_CHARACTER_BYTES = 4


class Line(NamedTuple):
    number: int
    text: str
    column: int = 1
    """The column of the first character of `text`."""
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


def read_page(file: FileBytes, form: TextForm, wanted: Lines, column: int, max_chars: int, progress: Progress) -> Page:
    """The lines from `column` on: no fewer than have room in so many characters."""
    characters = max(_MIN_LINE_CHARACTERS, min(MAX_LINE_CHARACTERS, max_chars - RESERVED_CHARACTERS))
    request = WindowRequest(
        wanted,
        max_lines=max(1, max_chars // _MIN_NUMBERED_LINE),
        max_bytes=min(_MAX_CHARACTER_BYTES * max_chars, MAX_CONTENT_BYTES),
        columns=Columns(column - 1, characters),
        form=form,
    )
    window = read_window(file, request, progress)
    omitted = {line.line: line.omitted_bytes for line in window.clipped_lines or ()}
    shown = window.content.removesuffix("\n").split("\n") if window.returned_line_count else []
    lines = [Line(number, each, column, omitted.get(number, 0)) for number, each in enumerate(shown, window.start_line)]
    failure = window.failure
    return Page(window.facts, lines, None if failure else window.next_start_line, window.decode_errors, failure)
