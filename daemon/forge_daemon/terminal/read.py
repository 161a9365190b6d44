"""`forge-read read`: a file, or some of its lines."""

from collections.abc import Iterable

from forge_daemon.light_typing import TYPE_CHECKING, Literal
from forge_daemon.reading.encodings.detection import AUTO
from forge_daemon.reading.selection import LastLines, Selectors, select
from forge_daemon.reading.windows.window import COUNT_LINES_UP_TO, Columns, WindowRequest
from forge_daemon.requests.text_form import text_form, with_candidates
from forge_daemon.workspace.reader import Target

from .arguments import Options, UsageError
from .output import Output
from .pages import pages
from .printer import Printer
from .progress import Progress
from .workspace import open_workspace

if TYPE_CHECKING:
    from forge_daemon.reading.search.line_filter import Filter

AROUND = 10
JSON_PAGE_LINES = 10_000
"""As many as one answer may hold."""


def read(options: Options) -> int:
    _check(options)
    output = Output(options.color)
    if options.json:
        output.write_json(_json(options))
    else:
        _print(options, output)
    output.close()
    return 0


def _check(options: Options) -> None:
    """Raises `UsageError` where options contradict each other."""

    def refuse_together(one: str, others: Iterable[str]) -> None:
        for other in others:
            if getattr(options, one) and getattr(options, other) and one != other:
                raise UsageError(f"{_spelled(one)} cannot be combined with {_spelled(other)}")

    refuse_together("follow", ("json", "head", "end_line", "limit", "around"))
    for name in ("head", "tail", "around", "cursor"):
        refuse_together(name, ("head", "tail", "around", "cursor", "start_line", "end_line", "limit"))
    if options.start_line and options.end_line and options.end_line < options.start_line:
        raise UsageError(f"--end-line {options.end_line} is before --start-line {options.start_line}")
    for name in ("regex", "ignore_case", "invert"):
        if getattr(options, name) and options.filter is None:
            raise UsageError(f"{_spelled(name)} needs --filter")


def _spelled(name: str) -> str:
    return f"--{name.replace('_', '-')}"


def _print(options: Options, output: Output) -> None:
    wanted = _filter(options)
    request = _request(options, wanted)
    highlight = None
    if wanted is not None:
        from .highlight import highlight_of

        highlight = highlight_of(wanted, output)
    printer = Printer(output, numbered=options.line_numbers, highlight=highlight)
    reader, path = open_workspace(options.path)
    if options.follow:
        from .follow import follow

        follow(reader, path, options.path, request, output, printer)
    printed = malformed = 0
    with Progress() as progress, reader.open(Target(path, source="disk")) as file:
        request = request._replace(form=with_candidates(request.form, file.settings))
        for page in pages(file, request, progress):
            progress.clear()
            printer.print(page)
            printed += page.returned_line_count
            malformed += page.decode_errors
        printer.end()
        first = options.start_line or options.around
        if output.is_terminal and malformed and options.encoding is None:
            from .advice import advise_encoding

            output.close()
            advise_encoding(options.path, malformed, file, request.form, progress)
        elif output.is_terminal and first and not printed and wanted is None:
            from .advice import tell_the_end

            tell_the_end(options.path, first, file, request.form, progress)


def _request(options: Options, wanted: "Filter | None") -> WindowRequest:
    line_filter = None
    if wanted is not None:
        from forge_daemon.reading.search.line_filter import LineFilter

        line_filter = LineFilter(wanted)
    selection = select(
        options,
        around=(options.around, AROUND, AROUND) if options.around else None,
        filter_name=line_filter.name if line_filter else None,
    )
    return WindowRequest(
        selection,
        on_binary="refuse",
        # Lines are counted only where the number of the first one depends on it.
        count_lines_up_to=COUNT_LINES_UP_TO if isinstance(selection, LastLines) else 0,
        line_filter=line_filter,
        form=text_form(AUTO if options.encoding is None else options.encoding, ansi=_ansi(options)),
        columns=Columns(options.columns[0] - 1, options.columns[1]) if options.columns else None,
    )


def _filter(options: Options) -> "Filter | None":
    if options.filter is None:
        return None
    from forge_daemon.reading.search.line_filter import Filter

    return Filter(options.filter, options.regex, options.ignore_case, options.invert)


def _ansi(options: Options) -> Literal["keep", "strip"]:
    """Matches and columns are those of the text as the user sees it."""
    return "keep" if options.filter is None and options.columns is None else "strip"


def _json(options: Options) -> bytes:
    from forge_daemon.requests.read_file import READ_FILE
    from forge_daemon.rpc.json_text import encode
    from forge_protocol.conversion import unstructure
    from forge_protocol.filter import FilterParams
    from forge_protocol.read_file import Around, Columns, ReadFileParams

    reader, path = open_workspace(options.path)
    wanted = _filter(options)
    params = ReadFileParams(
        path=path,
        **{name: getattr(options, name) for name in Selectors._fields},
        around=Around(line=options.around, before=AROUND, after=AROUND) if options.around else None,
        max_lines=JSON_PAGE_LINES,
        filter=FilterParams(**wanted._asdict()) if wanted else None,
        encoding=options.encoding or AUTO,
        ansi=_ansi(options),
        columns=Columns(start=options.columns[0], count=options.columns[1]) if options.columns else None,
        show_line_numbers=options.line_numbers is True,
    )
    with Progress() as progress:
        return encode(unstructure(READ_FILE.run(reader, params, progress))) + b"\n"
