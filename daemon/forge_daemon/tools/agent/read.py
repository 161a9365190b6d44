"""The tool `read` of toolset `agent`."""

from forge_daemon.reading.selection import Lines, select
from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.window import count_lines
from forge_daemon.requests.request import WorkerRequest, naming
from forge_daemon.tools.tool import Tool
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.agent_tools import AGENT_READ_DEFINITION, AgentReadArguments
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .answer import Answer, Image
from .kinds import SAMPLE_BYTES, Kind, kind_of
from .page import Limits, read_page
from .text import past_the_end, text_of_listing, text_of_page

MAX_IMAGE_BYTES = 5 * 1024 * 1024


def read(reader: Reader, arguments: AgentReadArguments, progress: Progress) -> Answer:
    return read_within(reader, arguments, Limits(), progress)


def read_within(reader: Reader, arguments: AgentReadArguments, limits: Limits, progress: Progress) -> Answer:
    """One answer of at most so much."""
    with naming(reader, arguments.path):
        _check(arguments)
    target = Target(arguments.path, source="unsaved")
    try:
        file = reader.open(target)
    except ReadError as error:
        folder = reader.list_folder(target) if error.code == ErrorCode.NOT_FILE else None
        if folder is None:
            raise
        return Answer.of(text_of_listing(*folder))
    with file:
        name = reader.shown_name(file)
        return file.read(lambda source: _answer(name, source, arguments, limits, progress), progress)


def _check(arguments: AgentReadArguments) -> None:
    start_line = arguments.start_line
    if start_line == 0:
        raise invalid_argument("start_line: lines are counted from 1, or by a negative number from the end")
    if start_line is None or start_line > 0:
        _lines(arguments, start_line or 1)
    elif arguments.end_line is not None:
        raise invalid_argument("start_line: where it is negative, give limit instead of end_line")


def _lines(arguments: AgentReadArguments, first: int) -> Lines:
    only_one = arguments.start_column is not None and arguments.end_line is None and arguments.limit is None
    lines = select(start_line=first, end_line=first if only_one else arguments.end_line, limit=arguments.limit)
    assert isinstance(lines, Lines)
    return lines


def _answer(name: str, source: Source, arguments: AgentReadArguments, limits: Limits, progress: Progress) -> Answer:
    if source.may_be_binary and (kind := kind_of(source.read_at(0, SAMPLE_BYTES))) is not None:
        return _binary(name, source, kind)
    try:
        return _text(name, source, arguments, limits, progress)
    except ReadError as error:
        if error.code != ErrorCode.BINARY_NOT_SUPPORTED:
            raise
        return _binary(name, source, Kind("binary"))


def _text(name: str, source: Source, arguments: AgentReadArguments, limits: Limits, progress: Progress) -> Answer:
    first, total = arguments.start_line or 1, None
    if first < 0:
        read_page(source, Lines(1, 1), 1, Limits(bytes=1), progress)  # whether it has lines at all
        total = count_lines(source, progress)
        first = max(1, total + first + 1)
    lines = _lines(arguments, first)
    page = read_page(source, lines, arguments.start_column or 1, limits, progress)
    if not page.lines:
        total = count_lines(source, progress)
        return Answer.of([past_the_end(name, first, total)])
    size = sum(len(line.text.encode()) + 1 for line in page.lines)
    return Answer.of(text_of_page(name, page, lines.last, total), content_bytes=size)


def _binary(name: str, source: Source, kind: Kind) -> Answer:
    about = f"[{name} {kind.name}, {source.size:,} bytes]"
    if kind.image_type is None or source.size > MAX_IMAGE_BYTES:
        return Answer.of([about])
    return Answer.of([about], images=[Image(source.read_at(0, source.size), kind.image_type)])


AGENT_READ = Tool(AGENT_READ_DEFINITION, AgentReadArguments, WorkerRequest(read))
