"""Some lines of a file: as many as fit in one answer, and of each as much as a model can stand."""

from typing import NamedTuple

from forge_daemon.reading.columns import end_of_line, offset_of_column, part_of_line
from forge_daemon.reading.selection import Lines
from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.text import TextForm, open_text
from forge_daemon.reading.window import Facts, Window, WindowRequest, read_window

FOR_MODELS = TextForm(decompress=True, strip_ansi=True)
MAX_LINES = 2_000
MAX_BYTES = 48 * 1024
MAX_CHARACTERS = 2_000
"""Of one line."""


class Limits(NamedTuple):
    """Of one answer, or of what is left of it."""

    lines: int = MAX_LINES
    bytes: int = MAX_BYTES
    characters: int = MAX_CHARACTERS


class Line(NamedTuple):
    number: int
    text: str
    column: int = 1
    """Of the first character of `text`."""
    omitted_bytes: int = 0
    """That the line goes on for after `text`."""


class Page(NamedTuple):
    facts: Facts
    lines: list[Line]
    next_line: int | None
    """Where the lines asked for continue; None: they end here."""
    decode_errors: int


def read_page(source: Source, wanted: Lines, column: int, limits: Limits, progress: Progress) -> Page:
    """The lines from `column` on; a binary file is `BINARY_NOT_SUPPORTED`."""
    source = open_text(source, FOR_MODELS, progress) or source
    request = WindowRequest(wanted, max_lines=limits.lines, max_bytes=limits.bytes, on_binary="refuse")
    window = read_window(source, request, progress)
    next_line = window.next_start_line
    if _ends_inside_a_line(window):
        line = _part_of_line(source, window.start_line, column, limits.characters, progress)
        if _line_start(source, window.start_line + 1, progress) is None:
            next_line = None
        return Page(window.facts, [line], next_line, window.decode_errors)
    texts = window.content.removesuffix("\n").split("\n") if window.content else []
    lines = [_clipped(number, text, column, limits) for number, text in enumerate(texts, window.start_line)]
    return Page(window.facts, lines, next_line, window.decode_errors)


def _ends_inside_a_line(window: Window) -> bool:
    return window.next_cursor is not None and window.next_cursor.line == window.start_line and window.content != ""


def _clipped(number: int, text: str, column: int, limits: Limits) -> Line:
    end = column - 1 + limits.characters
    if column == 1 and len(text) <= end:
        return Line(number, text)
    return Line(number, text[column - 1 : end], column, len(text[end:].encode()))


def _part_of_line(source: Source, number: int, column: int, characters: int, progress: Progress) -> Line:
    """Of a line that is longer than an answer."""
    line_start = _line_start(source, number, progress) or 0
    start = offset_of_column(source, line_start, column - 1, progress)
    text, end, _ = part_of_line(source, start, characters)
    return Line(number, text, column, max(0, end_of_line(source, end, progress)[0] - end))


def _line_start(source: Source, number: int, progress: Progress) -> int | None:
    """None: the file has no such line."""
    if number == 1:
        return source.bom
    offset = source.line_index.line_start(number, source.read_at, progress, source.size)
    return None if offset is None or not source.goes_on(offset) else offset
