"""The tool `Read`: its own parameters and limits, answered with the object of `forge/readFile`."""

import json
from typing import Any

from forge_daemon.reading.selection import LastLines, Selection, select
from forge_daemon.reading.sources.source import Progress
from forge_daemon.reading.window import ScanLimitExceeded, WindowRequest, is_quick, read_window
from forge_daemon.requests.read_file import result_of
from forge_daemon.requests.request import FileRequest
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Target
from forge_daemon.workspace.settings import Settings
from forge_protocol.conversion import unstructure
from forge_protocol.tools import READ_DEFINITION, ReadArguments

from .tool import Tool


class ReadJob:
    def __init__(self, arguments: ReadArguments) -> None:
        self.target = Target(arguments.path)
        self._arguments = arguments
        self._selection = _selection(arguments)

    def is_quick(self, file: OpenFile) -> bool:
        return is_quick(file.source, _window_request(self._selection, file.settings))

    def answer(self, file: OpenFile, progress: Progress) -> dict[str, Any]:
        wanted, settings = self._arguments, file.settings
        request = _window_request(self._selection, settings)
        try:
            window = file.read(lambda source: read_window(source, request, progress), progress)
        except ScanLimitExceeded as error:
            error.hint = _call_that_works(wanted.path, self._selection, error.reached)
            raise
        numbered = settings.show_line_numbers if wanted.show_line_numbers is None else wanted.show_line_numbers
        answer: dict[str, Any] = unstructure(result_of(file, window, numbered=numbered))
        return answer | {"next_cursor": None}


READ = Tool(READ_DEFINITION, ReadArguments, FileRequest(ReadJob))


def _selection(wanted: ReadArguments) -> Selection:
    return select(
        start_line=wanted.start_line,
        end_line=wanted.end_line,
        limit=wanted.limit,
        head=wanted.head,
        tail=wanted.tail,
    )


def _window_request(selection: Selection, settings: Settings) -> WindowRequest:
    return WindowRequest(
        selection=selection,
        max_bytes=settings.max_file_read_bytes,
        max_bytes_of="file",
        reach=settings.max_scan_bytes,
        count_lines_up_to=settings.max_scan_bytes,
    )


def _call_that_works(path: str, selection: Selection, reached: int) -> str:
    """Without a selector nothing is scanned: that works where not even one line is within reach."""
    arguments: dict[str, Any] = {"path": path}
    if reached:
        arguments["tail" if isinstance(selection, LastLines) else "start_line"] = reached
    return f"Read {json.dumps(arguments, ensure_ascii=False)}"
