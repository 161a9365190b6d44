"""Windows of a file, one after the other."""

from collections.abc import Iterator
from functools import partial
from itertools import count

from forge_daemon.reading.sources.source import Progress
from forge_daemon.reading.windows.read import read_window
from forge_daemon.reading.windows.window import Window, WindowRequest
from forge_daemon.workspace.open_file import OpenFile
from forge_protocol.errors import ErrorCode, ReadError


def _is_line_too_long(error: ReadError) -> bool:
    """Whether an expression could not be applied to a line."""
    from forge_daemon.reading.search.line_search import LineTooLong

    return isinstance(error, LineTooLong)


def read_page(file: OpenFile, request: WindowRequest, progress: Progress) -> Window:
    return file.read(partial(read_window, request=request, progress=progress), progress)


def pages(file: OpenFile, request: WindowRequest, progress: Progress) -> Iterator[Window]:
    """All of what is selected."""
    next_line: int | None = None
    while True:
        try:
            page = read_page(file, request, progress)
        except ReadError as error:
            if error.code == ErrorCode.CONTENT_MODIFIED and next_line is not None:
                error.hint = f"up to there it is printed as it was; continue with --start-line {next_line}"
            elif request.line_filter is not None and _is_line_too_long(error):
                error.hint = "without --regex a literal is found there; forge-read find passes over such lines"
            raise
        yield page
        if page.next_cursor is None:
            return
        next_line = page.next_start_line
        request = request._replace(selection=page.next_cursor, count_lines_up_to=0)


def lines_of(page: Window) -> Iterator[tuple[int, str]]:
    """Each line's number, and the line with its newline if it has one."""
    start = 0
    for number in page.line_numbers or count(page.start_line):
        if start == len(page.content):
            return
        end = page.content.find("\n", start) + 1 or len(page.content)
        yield number, page.content[start:end]
        start = end
