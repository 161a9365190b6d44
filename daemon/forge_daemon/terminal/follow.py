"""`forge-read read --follow`: files, and what is appended to them, until it is interrupted."""

import select
import sys
import time
from argparse import Namespace
from collections.abc import Callable
from typing import TYPE_CHECKING, NamedTuple

from forge_daemon.reading.files.file_bytes import no_progress
from forge_daemon.reading.window.selection import LastLines
from forge_daemon.reading.window.window import COUNT_LINES_UP_TO, Window
from forge_daemon.requests.following import Event, Following
from forge_daemon.requests.pace import Pace
from forge_daemon.requests.rotated_following import following_of
from forge_daemon.workspace.reader import Target
from forge_protocol.errors import ReadError
from forge_protocol.follow import DEFAULT_TAIL

from .errors import complain, report
from .files import descriptor_of, for_each, locate, name_of
from .output import Output
from .parser import UsageError
from .printer import Headers, Printer
from .read import split_line_number, strips_ansi
from .windows import form_of, window_request

if sys.platform == "win32":
    from forge_daemon.rpc.windows_pipe import has_other_end

if TYPE_CHECKING:
    from .matching import Search

_EVENTS = {
    Event.TRUNCATED: "was truncated; following from its start",
    Event.REPLACED: "was replaced (rotated); following the new file",
    Event.REMOVED: "was removed; waiting for it to come back",
    Event.CREATED: "is there again; following it",
}


class _Followed(NamedTuple):
    name: str
    following: Following
    printer: Printer


def follow(options: Namespace, search: "Search | None") -> int:
    """Ends by an interrupt, or when none of the files may be read any longer."""
    output = Output(options.color)
    headers = Headers(output, several=len(options.paths) > 1)
    followed: list[_Followed] = []

    def start(word: str) -> None:
        path, selectors = split_line_number(word, options)
        if descriptor_of(path) is not None:
            raise UsageError(f"{name_of(path)} cannot be followed")
        form = form_of(options, strip_ansi=strips_ansi(options))
        request = window_request(selectors, search.filter if search else None)._replace(form=form)
        selection = request.selection or LastLines(DEFAULT_TAIL)
        with locate(path) as (name, reader, absolute):
            # A slow reader of the pipe gets everything all the same, as from `tail`.
            target = Target(absolute, rotated=options.rotated)
            following = following_of(reader, target, request, may_skip=False)
        _, window = following.start(
            request._replace(selection=selection, count_lines_up_to=COUNT_LINES_UP_TO), no_progress
        )
        followed.append(_Followed(name, following, Printer(output, options, search.pieces if search else None)))
        show(followed[-1], window)

    def show(file: _Followed, window: Window) -> None:
        headers.switch_to(file.printer, file.name)
        file.printer.print(window)
        output.flush()

    code = for_each(options.paths, start)
    pace = Pace()
    while followed:
        is_idle = True
        for file in list(followed):
            try:
                is_idle = not _poll(file, show) and is_idle
            except ReadError as error:
                failed = report(error, file.name)
                code = code or failed
                followed.remove(file)
        if is_idle:
            _require_reader()
            time.sleep(pace.rest())
        else:
            pace.hurry()
    return code


def _require_reader() -> None:
    """Raise `BrokenPipeError` if the reader of the output is gone, before the next write would find out."""
    if sys.platform == "win32":
        is_broken = not has_other_end(sys.stdout.fileno())
    else:
        poll = select.poll()
        poll.register(sys.stdout.fileno(), 0)
        is_broken = any(events & (select.POLLERR | select.POLLHUP) for _, events in poll.poll(0))
    if is_broken:
        raise BrokenPipeError


def _poll(file: _Followed, show: Callable[[_Followed, Window], None]) -> bool:
    """Print what is new. Returns whether anything is."""
    found = file.following.look(no_progress)
    if found is None:
        return False
    if found.error is not None:
        raise ReadError(found.error.code, found.error.reason, hint=found.error.hint)
    if found.window is not None:
        show(file, found.window)
    else:
        complain(f"{file.name}: {_EVENTS[found.event]}")
        file.printer.restart()
    return True
