"""`forge-read read`: a file, or some of its lines."""

from collections.abc import Iterator
from functools import partial

from forge_daemon.reading.encodings.detection import AUTO
from forge_daemon.reading.selection import LastLines, Selection, select
from forge_daemon.reading.sources.source import no_progress
from forge_daemon.reading.windows.read import read_window
from forge_daemon.reading.windows.window import COUNT_LINES_UP_TO, Columns, Window, WindowRequest
from forge_daemon.requests.text_form import text_form, with_candidates
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Target
from forge_daemon.workspace.settings import Settings
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .arguments import Options
from .numbering import Numbering
from .output import Output
from .workspace import open_workspace

AROUND = 10
JSON_PAGE_LINES = 10_000
"""As many as one answer may hold."""


def read(options: Options) -> int:
    if options.follow and options.json:
        raise invalid_argument("--follow cannot be combined with --json")
    output = Output(options.color)
    if options.json:
        output.write_json(_json(options))
    else:
        _print(options, output)
    output.close()
    return 0


def _print(options: Options, output: Output) -> None:
    selection = select(
        start_line=options.start_line,
        end_line=options.end_line,
        limit=options.limit,
        head=options.head,
        tail=options.tail,
        around=(options.around, AROUND, AROUND) if options.around else None,
        cursor=options.cursor,
    )
    reader, path = open_workspace(options.path)
    numbered = output.is_terminal if options.line_numbers is None else options.line_numbers
    numbering = Numbering(output) if numbered else None
    if options.follow:
        from .follow import follow

        follow(reader, path, options.path, selection, output, numbering)
    ended = True
    with reader.open(Target(path, source="disk")) as file:
        for page in _pages(file, _request(options, selection, file.settings)):
            text = output.shown(page.content)
            output.write(numbering.numbered(text, page.start_line) if numbering else text)
            ended = not text or text.endswith("\n")
    if output.is_terminal and not ended:
        output.write("\n")


def _request(options: Options, selection: Selection, settings: Settings) -> WindowRequest:
    return WindowRequest(
        selection,
        on_binary="refuse",
        # Lines are counted only where the number of the first one depends on it.
        count_lines_up_to=COUNT_LINES_UP_TO if isinstance(selection, LastLines) else 0,
        form=with_candidates(text_form(options.encoding or AUTO), settings),
        columns=Columns(options.columns[0] - 1, options.columns[1]) if options.columns else None,
    )


def _pages(file: OpenFile, request: WindowRequest) -> Iterator[Window]:
    next_line: int | None = None
    while True:
        try:
            page = file.read(partial(read_window, request=request, progress=no_progress), no_progress)
        except ReadError as error:
            if error.code == ErrorCode.CONTENT_MODIFIED and next_line is not None:
                error.hint = f"up to there it is printed as it was; continue with --start-line {next_line}"
            raise
        yield page
        if page.next_cursor is None:
            return
        next_line = page.next_start_line
        request = request._replace(selection=page.next_cursor, count_lines_up_to=0)


def _json(options: Options) -> bytes:
    from forge_daemon.requests.read_file import READ_FILE
    from forge_daemon.rpc.json_text import encode
    from forge_protocol.conversion import unstructure
    from forge_protocol.read_file import Around, Columns, ReadFileParams

    reader, path = open_workspace(options.path)
    params = ReadFileParams(
        path=path,
        start_line=options.start_line,
        end_line=options.end_line,
        limit=options.limit,
        head=options.head,
        tail=options.tail,
        around=Around(line=options.around, before=AROUND, after=AROUND) if options.around else None,
        cursor=options.cursor,
        max_lines=JSON_PAGE_LINES,
        encoding=options.encoding or AUTO,
        columns=Columns(start=options.columns[0], count=options.columns[1]) if options.columns else None,
        show_line_numbers=options.line_numbers is True,
    )
    return encode(unstructure(READ_FILE.run(reader, params, no_progress))) + b"\n"
