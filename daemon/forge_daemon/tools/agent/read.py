"""The tool `read` of toolset `agent`."""

from forge_daemon.reading.selection import Lines, Selectors, select
from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.text import TextForm, how_to_read, progress_of
from forge_daemon.reading.windows.facts import count_lines, number_of_lines
from forge_daemon.requests.request import WorkerRequest, naming
from forge_daemon.requests.text_form import with_candidates
from forge_daemon.tools.tool import Tool
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.agent_tools import AGENT_READ_DEFINITION, AgentReadArguments
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .answer import Answer, Image
from .forms import fitting_encodings, form_for_models, open_for_model
from .kinds import GZIP, Kind, text_or_kind
from .page import Limits, read_page
from .text import past_the_end, text_of_listing, text_of_page

MAX_IMAGE_BYTES = 5 * 1024 * 1024


def read(reader: Reader, arguments: AgentReadArguments, progress: Progress) -> Answer:
    return read_within(reader, arguments, Limits(), progress)


def read_within(reader: Reader, arguments: AgentReadArguments, limits: Limits, progress: Progress) -> Answer:
    """One answer within the limits."""
    with naming(reader, arguments.path):
        _check(arguments)
        form = form_for_models(arguments.encoding)
    target = Target(arguments.path, source="unsaved")
    try:
        file = open_for_model(reader, target)
    except ReadError as error:
        folder = reader.list_folder(target) if error.code == ErrorCode.NOT_FILE else None
        if folder is None:
            raise
        return Answer.of(text_of_listing(*folder))
    with file:
        name, form = reader.shown_name(file), with_candidates(form, file.settings)
        return file.read(lambda source: _answer(name, source, form, arguments, limits, progress), progress)


def _check(arguments: AgentReadArguments) -> None:
    start_line = arguments.start_line
    if start_line == 0:
        raise invalid_argument("start_line: 0 is no line: count from 1, or from the end with a negative number")
    if start_line is None or start_line > 0:
        _lines(arguments, start_line or 1)
    elif arguments.end_line is not None:
        raise invalid_argument("start_line: if it is negative, give limit instead of end_line")


def _lines(arguments: AgentReadArguments, first: int) -> Lines:
    only_one = arguments.start_column is not None and arguments.end_line is None and arguments.limit is None
    lines = select(
        Selectors(start_line=first, end_line=first if only_one else arguments.end_line, limit=arguments.limit)
    )
    assert isinstance(lines, Lines)
    return lines


def _answer(
    name: str, source: Source, form: TextForm, arguments: AgentReadArguments, limits: Limits, progress: Progress
) -> Answer:
    text = text_or_kind(source, form, progress)
    if isinstance(text, Kind):
        return _binary(name, source, text)
    first, total = arguments.start_line or 1, None
    if first < 0:
        # A damaged file has last lines too: those before the damage.
        total = number_of_lines(text, progress_of(text, progress))
        first = max(1, total + first + 1)
    lines = _lines(arguments, first)
    page = read_page(text, lines, arguments.start_column or 1, limits, progress)
    if not page.lines:
        return Answer.of([past_the_end(name, first, count_lines(text, progress))])
    advice = fitting_encodings(text) if page.decode_errors else ""
    size = sum(len(line.text.encode()) + 1 for line in page.lines)
    return Answer.of(text_of_page(name, page, lines.last, total, advice), content_bytes=size)


def _binary(name: str, source: Source, kind: Kind) -> Answer:
    advice = how_to_read(source) if kind != GZIP else None
    about = f"[{name} {kind.name}, {source.size:,} bytes{f'; {advice}' if advice else ''}]"
    if kind.image_type is None or source.size > MAX_IMAGE_BYTES:
        return Answer.of([about])
    return Answer.of([about], images=[Image(source.read_at(0, source.size), kind.image_type)])


AGENT_READ = Tool(AGENT_READ_DEFINITION, AgentReadArguments, WorkerRequest(read))
