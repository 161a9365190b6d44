"""The tool `Read`: its own parameters and limits, answered with the object of `forge/readFile`."""

import json
from typing import Any, NamedTuple

from forge_daemon.reading.selection import LastLines, Selection, select
from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.text import find_end, open_text
from forge_daemon.reading.windows.read import is_quick, read_window
from forge_daemon.reading.windows.window import ScanLimitExceeded, Window, WindowRequest
from forge_daemon.requests.read_file import result_of
from forge_daemon.requests.request import FileRequest
from forge_daemon.requests.text_form import text_form, with_candidates
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Target
from forge_daemon.workspace.settings import Settings
from forge_protocol.conversion import unstructure
from forge_protocol.tools import READ_DEFINITION, ReadArguments

from .tool import Tool


class _Page(NamedTuple):
    window: Window
    omitted_lines: int = 0
    """Lines asked for that are missing in front of the window."""


class ReadJob:
    def __init__(self, arguments: ReadArguments, _progress: Progress) -> None:
        self.target = Target(arguments.path, source="unsaved")
        self._arguments = arguments
        self._selection = select(arguments)

    def is_quick(self, file: OpenFile) -> bool:
        return is_quick(file.source, _window_request(self._selection, file.settings))

    def answer(self, file: OpenFile, progress: Progress) -> dict[str, Any]:
        wanted, settings = self._arguments, file.settings
        try:
            page = file.read(lambda source: _read_page(source, self._selection, settings, progress), progress)
        except ScanLimitExceeded as error:
            error.hint = _call_that_works(wanted.path, error.reached)
            raise
        numbered = settings.show_line_numbers if wanted.show_line_numbers is None else wanted.show_line_numbers
        answer: dict[str, Any] = unstructure(result_of(file, page.window, numbered=numbered))
        return answer | {"omitted_lines": page.omitted_lines}


READ = Tool(READ_DEFINITION, ReadArguments, FileRequest(ReadJob))


def _window_request(selection: Selection, settings: Settings) -> WindowRequest:
    return WindowRequest(
        selection=selection,
        max_bytes=settings.max_file_read_bytes,
        max_bytes_of="file",
        reach=settings.max_scan_bytes,
        count_lines_up_to=settings.max_scan_bytes,
        form=with_candidates(text_form(decompress="never"), settings),
    )


def _read_page(source: Source, selection: Selection, settings: Settings, progress: Progress) -> _Page:
    if isinstance(selection, LastLines):
        return _read_tail(source, selection.number, settings, progress)
    window = read_window(source, _window_request(selection, settings), progress)
    return _Page(window._replace(next_start_line=_next_start_line(window, settings)))


def _next_start_line(window: Window, settings: Settings) -> int | None:
    """Set only if a call with it succeeds and loses nothing; otherwise only the cursor continues."""
    cursor = window.next_cursor
    if cursor is None or cursor.line != window.next_start_line:
        return None  # the answer ends inside a line
    out_of_reach = settings.max_scan_bytes <= cursor.offset and settings.max_scan_bytes < window.facts.byte_length
    return None if out_of_reach else window.next_start_line


def _read_tail(source: Source, number: int, settings: Settings, progress: Progress) -> _Page:
    """As many of the last lines as both limits allow: a tail that does not fit keeps its end."""
    source = open_text(source, _window_request(None, settings).form, progress) or source
    find_end(source, progress)
    fitting = _lines_at_end(source, number, min(settings.max_file_read_bytes, settings.max_scan_bytes))
    request = _window_request(LastLines(fitting or 1), settings)._replace(reach=None)
    window = read_window(source, request, progress)._replace(next_start_line=None)
    total = window.facts.line_count
    omitted = (number if total is None else min(number, total)) - window.returned_line_count
    if omitted:
        # A last line that is longer than an answer continues; otherwise what is missing lies before the window.
        window = window._replace(truncated_by="bytes", next_cursor=None if fitting else window.next_cursor)
    return _Page(window, omitted)


def _lines_at_end(source: Source, most: int, reach: int) -> int:
    """How many of the last lines lie wholly within the last `reach` bytes."""
    start = source.bom
    if source.size - reach > start:
        # A newline just before it makes a line start exactly there.
        start = source.size - reach - 1
        start += source.read_at(start, reach + 1).find(b"\n") + 1 or reach + 1
    end = source.read_at(start, source.size - start)
    return min(most, end.count(b"\n") + (end[-1:] not in (b"", b"\n")))


def _call_that_works(path: str, reached: int) -> str:
    return f"Read {json.dumps({'path': path, 'start_line': reached}, ensure_ascii=False)}"
