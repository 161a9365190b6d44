"""The tool `Read`: its own parameters and limits, answered with the object of `forge/readFile`."""

import json
from typing import Any

from forge_daemon.reading.selection import LastLines, Selection, select
from forge_daemon.reading.sources.source import Progress
from forge_daemon.reading.window import ScanLimitExceeded, WindowRequest, read_window
from forge_daemon.requests.read_file import result_of
from forge_daemon.workspace.reader import Reader, Target
from forge_daemon.workspace.settings import Settings
from forge_protocol.conversion import structure, unstructure
from forge_protocol.tools import ReadArguments


def read(reader: Reader, arguments: object, progress: Progress) -> dict[str, Any]:
    wanted = structure(arguments, ReadArguments)
    selection = _selection(wanted)
    place = reader.find(Target(wanted.path))
    settings = reader.settings_of(place)
    request = _window_request(selection, settings)
    try:
        found = reader.read(place, "auto", lambda source: read_window(source, request, progress))
    except ScanLimitExceeded as error:
        # With several folders open only the path as asked is certain to mean this file again.
        path = place.relative if len(reader.folders) == 1 else wanted.path
        error.hint = _call_that_works(path, selection, error.reached)
        raise
    numbered = settings.show_line_numbers if wanted.show_line_numbers is None else wanted.show_line_numbers
    answer: dict[str, Any] = unstructure(result_of(found, numbered=numbered))
    return answer | {"next_cursor": None}


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
