"""`forge-read find`: the lines that match, or how many do."""

from collections.abc import Callable

from forge_daemon.reading.encodings.detection import AUTO
from forge_daemon.reading.search.counting import count_once
from forge_daemon.reading.search.line_filter import Filter, LineFilter
from forge_daemon.reading.search.line_search import LineTooLong
from forge_daemon.reading.sources.source import Source
from forge_daemon.reading.text import TextForm, find_end, how_to_read, open_text, progress_of, require_whole
from forge_daemon.reading.windows.window import WindowRequest
from forge_daemon.requests.text_form import text_form, with_candidates
from forge_daemon.workspace.reader import Target
from forge_protocol.errors import ErrorCode, ReadError

from .arguments import Options, UsageError
from .errors import EXIT_CODES, NO_MATCH, complain
from .output import Output
from .progress import Progress
from .workspace import open_workspace


def find(options: Options) -> int:
    if options.count and options.context is not None:
        raise UsageError("--count cannot be combined with --context")
    output = Output(options.color)
    wanted = Filter(options.pattern, options.regex, options.ignore_case)
    line_filter = LineFilter(wanted)
    reader, path = open_workspace(options.path)
    malformed = 0
    passed_over: set[int] = set()

    def pass_over(error: LineTooLong) -> None:
        if error.line not in passed_over:
            progress.clear()
            complain(f"{options.path}: {error.reason}; it is passed over")
        passed_over.add(error.line)

    with Progress() as progress, reader.open(Target(path, source="disk")) as file:
        # What a person sees is searched: two words of different colours are found side by side.
        encoding = AUTO if options.encoding is None else options.encoding
        form = with_candidates(text_form(encoding, ansi="strip"), file.settings)
        if options.count:
            number = file.read(lambda source: _count(source, line_filter, form, progress, pass_over), progress)
            progress.clear()
            output.write(f"{number}\n")
        else:
            from .matches import Matches

            request = WindowRequest(line_filter=line_filter, form=form, on_binary="refuse", count_lines_up_to=0)
            is_numbered = output.is_terminal if options.line_numbers is None else options.line_numbers
            matches = Matches(file, request, wanted, progress, output, pass_over, is_numbered=is_numbered)
            number = matches.print(context=options.context or 0)
            malformed = matches.malformed
        output.close()
        if output.is_terminal and options.encoding is None:
            progress.clear()
            if malformed:
                from .advice import advise_encoding

                advise_encoding(options.path, malformed, file, form, progress)
            elif not number and not options.pattern.isascii():
                from .advice import advise_search

                advise_search(options.path, file, form, progress)
    if passed_over:
        return EXIT_CODES[ErrorCode.INVALID_ARGUMENT]
    return 0 if number else NO_MATCH


def _count(
    source: Source,
    line_filter: LineFilter,
    form: TextForm,
    progress: Progress,
    pass_over: Callable[[LineTooLong], None],
) -> int:
    text = open_text(source, form, progress)
    if text is None:
        raise ReadError(ErrorCode.BINARY_NOT_SUPPORTED, "is a binary file", hint=how_to_read(source))
    progress_of_text = progress_of(text, progress)
    find_end(text, progress)
    number = count_once(text, line_filter, progress_of_text, pass_over)
    require_whole(text)
    return number
