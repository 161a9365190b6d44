"""`forge-read read --follow`: a file, and what is appended to it, until it is interrupted."""

import time
from typing import NoReturn

from forge_daemon.reading.selection import LastLines, Selection
from forge_daemon.reading.sources.source import no_progress
from forge_daemon.reading.windows.window import COUNT_LINES_UP_TO, Window, WindowRequest
from forge_daemon.requests.following import Event, Following, Look
from forge_daemon.requests.pace import Pace
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ReadError

from .errors import complain
from .numbering import Numbering
from .output import Output

DEFAULT_TAIL = 10
_WHAT_HAPPENED = {
    Event.TRUNCATED: "was truncated; following from its start",
    Event.REPLACED: "was replaced (rotated); following the new file",
    Event.REMOVED: "was removed; waiting for it to come back",
    Event.CREATED: "is there again; following it",
}


def follow(
    reader: Reader, path: str, name: str, selection: Selection, output: Output, numbering: Numbering | None
) -> NoReturn:
    """`name` is the path as the user wrote it. Ends where the file may no longer be read, or by an interrupt."""
    request = WindowRequest(
        selection or LastLines(DEFAULT_TAIL), on_binary="refuse", count_lines_up_to=COUNT_LINES_UP_TO
    )
    following = Following(reader, Target(path), WindowRequest(on_binary="refuse"))
    _, window = following.start(request, no_progress)
    _print(window, output, numbering)
    pace = Pace()
    while True:
        found = None if following.is_idle() else following.look(no_progress)
        if found is None:
            output.require_reader()
            time.sleep(pace.rest())
            continue
        pace.hurry()
        _tell(found, name, output, numbering)


def _tell(found: Look, name: str, output: Output, numbering: Numbering | None) -> None:
    if found.error is not None:
        raise ReadError(found.error.code, found.error.reason, hint=found.error.hint)
    if found.skipped_bytes:
        complain(f"{name}: {found.skipped_bytes:,} bytes were left out: they came faster than they could be printed")
    if found.window is not None:
        _print(found.window, output, numbering)
    else:
        complain(f"{name}: {_WHAT_HAPPENED[found.event]}")
        if numbering is not None:
            numbering.restart()


def _print(window: Window, output: Output, numbering: Numbering | None) -> None:
    text = output.shown(window.content)
    output.write(numbering.numbered(text, window.start_line) if numbering else text)
    output.close()
