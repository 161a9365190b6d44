"""The tool `read` of toolset `agent`."""

import time
from collections.abc import Hashable

import attrs

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.texts.encoding_advice import fitting_encoding
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import why_binary
from forge_daemon.reading.texts.text import Text
from forge_daemon.reading.window.facts import require_whole
from forge_daemon.reading.window.selection import Lines, Selectors, select
from forge_daemon.tools.tool import Tool
from forge_daemon.workspace.hints import full_name
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.agent_tools import AGENT_DEFINITIONS, MAX_NAMES, AgentListArguments, AgentReadArguments
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .answer import ATTACHED, Answer, Image
from .folders import folders_at
from .forms import RAW, FileForModel, file_for_model, files_note, form_for_models, open_for_model, read_for_model
from .images import pixels_of, why_not_sent
from .kinds import BINARY, Kind, text_or_kind
from .list import list_folder
from .page import Page, read_page
from .text import Total, Wanted, notes_of, past_the_end, readable_size, span_of_times, text_of_page

POLL_SECONDS = 0.25
"""How often a file that is waited for is looked at."""


def read(reader: Reader, arguments: AgentReadArguments, progress: Progress) -> Answer:
    """The lines, now or within the time that the call may wait."""
    deadline = time.monotonic() + arguments.wait
    before, looks = None, 0
    while True:
        answer = unless_unchanged(reader, arguments, read_within(reader, arguments, arguments.max_chars, progress))
        # A last line without a newline is complete if it has stood still since the last look.
        is_waiting = not answer.has_lines or (answer.is_unfinished and answer != before)
        left = deadline - time.monotonic()
        if not is_waiting or left <= 0:
            remember(reader, arguments, answer)
            return answer
        before, looks = answer, looks + 1
        progress(looks, 0)
        time.sleep(min(left, POLL_SECONDS))


def unless_unchanged(reader: Reader, arguments: AgentReadArguments, answer: Answer) -> Answer:
    """The answer, or one line if this session has it already and wants it only if it changed."""
    if arguments.if_changed and reader.answered.has(_call(arguments), answer.digest()):
        return Answer.of([f"[{arguments.path} unchanged since you read it]"], has_lines=False)
    return answer


def remember(reader: Reader, arguments: AgentReadArguments, answer: Answer) -> None:
    if answer.has_lines:
        reader.answered.remember(_call(arguments), answer.digest())


def _call(arguments: AgentReadArguments) -> Hashable:
    """Equal for calls that ask for the same lines."""
    return attrs.astuple(attrs.evolve(arguments, if_changed=False, wait=0, max_chars=None))


def read_within(reader: Reader, arguments: AgentReadArguments, max_chars: int | None, progress: Progress) -> Answer:
    """One answer of at most so many characters, and of no more than the settings allow."""
    _check(arguments)
    form = form_for_models(arguments.encoding)
    target = Target(arguments.path, source="unsaved", rotated=arguments.rotated)
    try:
        file = open_for_model(reader, target)
    except ReadError as error:
        if error.code != ErrorCode.NOT_FILE or folders_at(reader, arguments.path) is None:
            raise
        return _list(reader, arguments, max_chars, progress)
    with file:
        name = full_name(reader, file.place)
        limit = min(file.settings.agent_max_chars, max_chars or file.settings.agent_max_chars)

        def answer(snapshot: FileBytes, limit: int) -> Answer:
            wanted = file_for_model(name, snapshot, form, file.settings, raw=arguments.encoding == RAW)
            return _answer(wanted, arguments, limit, progress)

        return read_for_model(file, answer, limit)


def _list(reader: Reader, arguments: AgentReadArguments, max_chars: int | None, progress: Progress) -> Answer:
    wanted = AgentListArguments(path=arguments.path, max_chars=max_chars)
    if arguments.limit is not None:
        wanted.limit = min(arguments.limit, MAX_NAMES)
    listed = list_folder(reader, wanted, progress, go_on="list with start_after")
    if arguments.start_line is None and arguments.end_line is None:
        return listed
    return listed.with_second_line("[start_line and end_line: only in a file]")


def _check(arguments: AgentReadArguments) -> None:
    start_line = arguments.start_line
    if start_line == 0:
        raise invalid_argument("start_line: must not be 0: count from 1, or from the end with a negative number")
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


def _answer(wanted: FileForModel, arguments: AgentReadArguments, max_chars: int, progress: Progress) -> Answer:
    name, file, form, _ = wanted
    text = text_or_kind(file, form, progress)
    if isinstance(text, Kind):
        return _binary(name, file, form, text)
    # A damaged file has last lines too: those before the damage.
    first, total = _first_line(text, arguments.start_line or 1)
    lines = _lines(arguments, first)
    page = read_page(file, form, lines, arguments.start_column or 1, max_chars, progress)
    if not page.lines:
        total = LineIndex(text).count()
        require_whole(text)
        return Answer.of([past_the_end(name, first, total, waited=arguments.wait > 0)], has_lines=False)
    has_no_range = all(each is None for each in (arguments.start_line, arguments.end_line, arguments.limit))
    notes = wanted.note + files_note(file) + _notes(text, page, has_span=has_no_range and page.next_line is not None)
    return Answer.of(
        text_of_page(
            name,
            page,
            Wanted(lines.last, is_whole=has_no_range and arguments.start_column is None),
            _total(text, page, lines, total),
            notes,
            max_chars,
        ),
        etag=file.etag,
        max_chars=max_chars,
        is_unfinished=page.next_line is None and page.failure is None and not page.facts.ends_with_newline,
    )


def _first_line(text: Text, start_line: int) -> tuple[int, int | None]:
    """Its number, and how many lines there are if they had to be counted for that."""
    if start_line > 0:
        return start_line, None
    total = LineIndex(text).count()
    return max(1, total + start_line + 1), total


def _notes(text: Text, page: Page, *, has_span: bool) -> str:
    advice = fitting_encoding(text, LineIndex(text).start_of(page.lines[0].number) or 0) if page.decode_errors else ""
    return (span_of_times(text) if has_span else "") + notes_of(page.facts, page.decode_errors, advice)


def _total(text: Text, page: Page, wanted: Lines, counted: int | None) -> Total:
    """How many lines there are, exactly or about: by the average of those up to the end of the page.

    What is compressed, or may be in part, has no such average.
    """
    facts, last = page.facts, page.lines[-1].number
    exact = facts.line_count if counted is None else counted
    if exact is None and wanted.last is None and page.next_line is None and page.failure is None:
        exact = last  # the page ends with the file
    if exact is not None or page.failure is not None:
        return Total(exact, exact is not None, facts.byte_length)
    end = LineIndex(text).start_of(last + 1)
    if text.compression is not None or text.file.is_set or end is None:
        return Total(None, False, facts.byte_length)
    # Converted to UTF-8, ASCII takes half or a quarter.
    width = {"utf-16": 2, "utf-32": 4}.get(text.encoding[:6], 1)
    return Total(max(last, _rounded(last * (facts.byte_length // width) // end)), False, facts.byte_length)


def _rounded(number: int) -> int:
    """To two digits: it is an estimate."""
    unit: int = 10 ** max(0, len(str(number)) - 2)
    return number // unit * unit


def _binary(name: str, file: FileBytes, form: TextForm, kind: Kind) -> Answer:
    about = f"[{name} {kind.name}, "
    if kind.image_type is not None:
        if (size := pixels_of(file, kind.image_type)) is not None:
            about += f"{size[0]}x{size[1]} pixels, "
        about += readable_size(file.size)
        if (why_not := why_not_sent(file, kind.image_type)) is not None:
            return Answer.of([f"{about}; not attached: {why_not}]"], etag=file.etag)
        image = Image(file.read_at(0, file.size), kind.image_type)
        return Answer.of([f"{about}{ATTACHED}"], images=[image], etag=file.etag)
    about += readable_size(file.size)
    if kind.is_image:
        return Answer.of([f"{about}; not attached: only PNG, JPEG, GIF and WebP can be]"], etag=file.etag)
    advice = why_binary(file, form).hint if kind.is_compressed or kind == BINARY else None
    return Answer.of([f"{about}; {advice}]" if advice else f"{about}]"], etag=file.etag)


AGENT_READ = Tool(AGENT_DEFINITIONS["read"], AgentReadArguments, read)
