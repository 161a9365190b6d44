"""The tool `Read`: its own parameters and limits, answered with the object of `forge/readFile`."""

import json
from typing import Any, NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import open_text
from forge_daemon.reading.texts.text import Text
from forge_daemon.reading.window.read import read_window
from forge_daemon.reading.window.selection import LastLines, Selection, select
from forge_daemon.reading.window.window import ScanLimitExceeded, Window, WindowRequest
from forge_daemon.requests.read_file import result_of
from forge_daemon.requests.request import open_target
from forge_daemon.requests.text_form import with_settings
from forge_daemon.workspace.reader import Reader, Target
from forge_daemon.workspace.settings import Settings
from forge_protocol.conversion import unstructure
from forge_protocol.tools import READ_DEFINITION, ReadArguments

from .tool import Tool


class _Page(NamedTuple):
    window: Window
    next_start_line: int | None = None
    """Set only if a call with it succeeds and loses nothing; otherwise only the cursor continues."""
    omitted_lines: int = 0
    """Lines asked for that are missing in front of the window."""


def read(reader: Reader, arguments: ReadArguments, progress: Progress) -> dict[str, Any]:
    selection = select(arguments)
    with open_target(reader, Target(arguments.path, source="unsaved")) as file:
        settings = file.settings
        try:
            page = file.read(lambda snapshot: _read_page(snapshot, selection, settings, progress))
        except ScanLimitExceeded as error:
            error.hint = _call_that_works(arguments.path, error.reached)
            raise
        asked = arguments.show_line_numbers
        numbered = settings.show_line_numbers if asked is None else asked
        answer: dict[str, Any] = unstructure(result_of(file, page.window, numbered=numbered))
        return answer | {"next_start_line": page.next_start_line, "omitted_lines": page.omitted_lines}


READ = Tool(READ_DEFINITION, ReadArguments, read)


def _window_request(selection: Selection, settings: Settings) -> WindowRequest:
    return WindowRequest(
        selection=selection,
        max_bytes=settings.max_file_read_bytes,
        max_bytes_of="file",
        reach=settings.max_scan_bytes,
        count_lines_up_to=settings.max_scan_bytes,
        selects_bytes=True,
        form=with_settings(TextForm(), settings),
    )


def _read_page(file: FileBytes, selection: Selection, settings: Settings, progress: Progress) -> _Page:
    if isinstance(selection, LastLines):
        text = open_text(file, _window_request(None, settings).form, progress)
        if text is not None:
            return _read_tail(text, selection.number, settings, progress)
    window = read_window(file, _window_request(selection, settings), progress)
    return _Page(window, _next_start_line(window, settings))


def _next_start_line(window: Window, settings: Settings) -> int | None:
    cursor = window.next_cursor
    if cursor is None or cursor.place.inside_line:
        return None
    is_long = settings.max_scan_bytes < window.facts.byte_length
    out_of_reach = is_long and settings.max_scan_bytes <= cursor.place.offset
    return None if out_of_reach else window.next_start_line


def _read_tail(text: Text, number: int, settings: Settings, progress: Progress) -> _Page:
    """As many of the last lines as both limits allow: a tail that does not fit keeps its end."""
    fitting = _lines_at_end(text, number, min(settings.max_file_read_bytes, settings.max_scan_bytes))
    request = _window_request(LastLines(fitting or 1), settings)._replace(reach=None)
    window = read_window(text.file, request, progress)
    omitted = min(number, _lines_up_to(text, number)) - window.returned_line_count
    if omitted:
        # A last line that is longer than an answer continues; otherwise what is missing lies before the window.
        window = window._replace(truncated_by="bytes", next_cursor=None if fitting else window.next_cursor)
    return _Page(window, omitted_lines=omitted)


def _lines_up_to(text: Text, number: int) -> int:
    """How many lines there are, or `number` if there are more. Reads no further than that."""
    index = LineIndex(text)
    return number if index.start_of(number + 1) is not None else index.count()


def _lines_at_end(text: Text, most: int, reach: int) -> int:
    """How many of the last lines lie wholly within the last `reach` bytes."""
    length = text.length()
    start = 0
    if length > reach:
        # A newline just before it makes a line start exactly there.
        start = length - reach - 1
        start += text.read_at(start, reach + 1).find(b"\n") + 1 or reach + 1
    end = text.read_at(start, length - start)
    return min(most, end.count(b"\n") + (end[-1:] not in (b"", b"\n")))


def _call_that_works(path: str, reached: int) -> str:
    return f"Read {json.dumps({'path': path, 'start_line': reached}, ensure_ascii=False)}"
