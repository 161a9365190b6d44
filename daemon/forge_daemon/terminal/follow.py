"""`forge-read read --follow`: a file, and what is appended to it, until it is interrupted."""

import time

from forge_daemon.light_typing import NoReturn
from forge_daemon.reading.selection import LastLines
from forge_daemon.reading.sources.source import no_progress
from forge_daemon.reading.windows.window import COUNT_LINES_UP_TO, Window, WindowRequest
from forge_daemon.requests.following import Event, Following, Look
from forge_daemon.requests.pace import Pace
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ReadError
from forge_protocol.follow import DEFAULT_TAIL

from .errors import complain
from .output import Output
from .printer import Printer

_WHAT_HAPPENED = {
    Event.TRUNCATED: "was truncated; following from its start",
    Event.REPLACED: "was replaced (rotated); following the new file",
    Event.REMOVED: "was removed; waiting for it to come back",
    Event.CREATED: "is there again; following it",
}


def follow(reader: Reader, path: str, name: str, request: WindowRequest, output: Output, printer: Printer) -> NoReturn:
    """`name` is the path as the user wrote it. Ends if the file may no longer be read, or by an interrupt."""
    first = request._replace(
        selection=request.selection or LastLines(DEFAULT_TAIL), count_lines_up_to=COUNT_LINES_UP_TO
    )
    # A slow reader of the pipe gets everything all the same, as from `tail`.
    following = Following(reader, Target(path), request, may_skip=False)
    _, window = following.start(first, no_progress)
    _print(window, output, printer)
    pace = Pace()
    while True:
        found = None if following.is_idle() else following.look(no_progress)
        if found is None:
            output.require_reader()
            time.sleep(pace.rest())
            continue
        pace.hurry()
        _tell(found, name, output, printer)


def _tell(found: Look, name: str, output: Output, printer: Printer) -> None:
    if found.error is not None:
        raise ReadError(found.error.code, found.error.reason, hint=found.error.hint)
    if found.window is not None:
        _print(found.window, output, printer)
    else:
        complain(f"{name}: {_WHAT_HAPPENED[found.event]}")
        printer.restart()


def _print(window: Window, output: Output, printer: Printer) -> None:
    printer.print(window)
    output.close()
