"""What the command line asks of the engine to print a file: windows, one after the other."""

import time
from argparse import Namespace
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from itertools import count, repeat
from typing import TYPE_CHECKING

from forge_daemon.reading.files.file_bytes import FileBytes
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import open_text, why_binary
from forge_daemon.reading.window.read import count_lines, read_window
from forge_daemon.reading.window.selection import LastLines, select
from forge_daemon.reading.window.window import COUNT_LINES_UP_TO, Columns, Window, WindowRequest
from forge_daemon.requests.text_form import AUTO, text_form, with_settings
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ErrorCode, ReadError

from .errors import complain
from .files import locate
from .progress import Progress

if TYPE_CHECKING:
    from forge_daemon.reading.match.filter import Filter

AROUND = 10
_SOON_SECONDS = 0.1
"""About how often what passes a filter is printed."""
_GROWTH = 4


class TextFile:
    """An open file, read from disk."""

    def __init__(self, name: str, file: OpenFile, form: TextForm, progress: Progress) -> None:
        self.name = name
        self.file = file
        self.form = form
        self.progress = progress
        self.malformed = 0
        """Malformed sequences in the windows read so far."""

    def window(self, request: WindowRequest) -> Window:
        read = partial(read_window, request=request._replace(form=self.form), progress=self.progress)
        window = self.file.read(read)
        self.malformed += window.decode_errors
        self.progress.clear()
        return window

    def windows(self, request: WindowRequest) -> Iterator[Window]:
        """All of what is selected. With a filter, a line by itself, then as many at a time as are found in a moment."""
        next_line: int | None = None
        size = 1
        while True:
            start = time.monotonic()
            try:
                window = self.window(request._replace(max_lines=size) if request.filter else request)
            except ReadError as error:
                if error.code == ErrorCode.CONTENT_MODIFIED and next_line is not None and not request.filter:
                    error.hint = f"up to there it is printed as it was; continue with --start-line {next_line}"
                raise
            yield window
            if window.next_cursor is None:
                return
            next_line = window.next_start_line
            size = size * _GROWTH if time.monotonic() - start < _SOON_SECONDS else max(1, size // _GROWTH)
            request = request._replace(selection=window.next_cursor, count_lines_up_to=0)

    def count_lines(self, wanted: "Filter | None" = None) -> int:
        """How many lines there are, or pass the filter."""

        def count(snapshot: FileBytes) -> int:
            if open_text(snapshot, self.form, self.progress) is None:
                hint = why_binary(snapshot, self.form).hint
                raise ReadError(ErrorCode.BINARY_NOT_SUPPORTED, "is a binary file", hint=hint)
            return count_lines(snapshot, WindowRequest(filter=wanted, form=self.form), self.progress).lines

        lines = self.file.read(count)
        self.progress.clear()
        return lines

    def advise_encoding(self, *, found: bool = True) -> None:
        """Print which encoding may be the right one if the text, or what was found of it, is malformed."""
        from forge_daemon.reading.texts.encoding_advice import fitting_encoding, is_malformed

        def fitting(snapshot: FileBytes) -> str | None:
            text = open_text(snapshot, self.form, self.progress)
            return fitting_encoding(text) if text and (self.malformed or is_malformed(text)) else None

        encoding = self.file.read(fitting)
        if encoding is not None:
            shown = f"{self.malformed:,} malformed sequence{'s' * (self.malformed != 1)} shown as \ufffd"
            reason = shown if found else "no match, but its text is not valid UTF-8"
            complain(f"{self.name}: {reason}", f"try --encoding {encoding}" if encoding else None)


def _open(reader: Reader, target: Target) -> OpenFile:
    """What a set of files needs, and an error that suggests others, is loaded only for them."""
    if not target.rotated:
        try:
            return reader.open(target)
        except ReadError as error:
            if error.code != ErrorCode.NOT_FOUND:
                raise
    from forge_daemon.requests.request import open_target

    return open_target(reader, target)


@contextmanager
def open_text_file(word: str, options: Namespace, *, strip_ansi: bool) -> Iterator[TextFile]:
    form = form_of(options, strip_ansi=strip_ansi)
    with (
        Progress() as progress,
        locate(word) as (name, reader, path),
        _open(reader, Target(path, source="disk", rotated=options.rotated)) as file,
    ):
        yield TextFile(name, file, with_settings(form, file.settings), progress)
        for member in file.members or ():
            if member.reason is not None:
                complain(
                    f"{member.path}: {member.reason}; {'it' if member.denied else 'what cannot be read'} is left out"
                )


def form_of(options: Namespace, *, strip_ansi: bool) -> TextForm:
    return text_form(options.encoding or AUTO, ansi="strip" if strip_ansi else "keep")


def window_request(options: Namespace, wanted: "Filter | None") -> WindowRequest:
    selection = select(
        options,
        around=(options.around, AROUND, AROUND) if options.around else None,
        filter_name=wanted.name if wanted else "",
    )
    return WindowRequest(
        selection,
        on_binary="refuse",
        # Lines are counted only where the number of the first one depends on it.
        count_lines_up_to=COUNT_LINES_UP_TO if isinstance(selection, LastLines) else 0,
        filter=wanted,
        columns=Columns(options.columns[0] - 1, options.columns[1]) if options.columns else None,
    )


def lines_of(window: Window) -> Iterator[tuple[int, str]]:
    """Each line's number, 0 where it is not known, and the line with its newline if it has one."""
    numbers = iter(window.line_numbers or (count(window.start_line) if window.start_line else repeat(0)))
    start = 0
    while start < len(window.content):
        end = window.content.find("\n", start) + 1 or len(window.content)
        yield next(numbers), window.content[start:end]
        start = end
