"""The tool `find` of toolset `agent`, in one file."""

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.texts.encoding_advice import fitting_encoding, is_malformed
from forge_daemon.reading.texts.opening import why_binary
from forge_daemon.reading.texts.text import Text
from forge_daemon.reading.window.facts import text_facts
from forge_daemon.tools.tool import Tool
from forge_daemon.workspace.hints import full_name
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.agent_tools import AGENT_DEFINITIONS, AgentFindArguments
from forge_protocol.errors import ReadError, invalid_argument

from .answer import Answer
from .find_advice import alternatives, explained, what_to_try
from .find_files import find_files
from .folders import folders_at
from .forms import RAW, FileForModel, file_for_model, files_note, form_for_models, open_for_model, read_for_model
from .kinds import BINARY, Kind, text_or_kind
from .page import RESERVED_CHARACTERS
from .search import Found, Search, matcher_of, term_of
from .text import notes_of, past_the_end, plural


def find(reader: Reader, arguments: AgentFindArguments, progress: Progress) -> Answer:
    form = form_for_models(arguments.encoding)
    _check(arguments)
    folders = folders_at(reader, arguments.path)
    if folders is not None:
        if arguments.start_line != 1 or arguments.start_column != 1:
            raise invalid_argument("start_line, start_column: only in one file; in a folder start_after continues")
        if arguments.pattern is None or _is_about_records(arguments) or arguments.rotated:
            raise invalid_argument("level, since, until, rotated: only in one file; in a folder give pattern alone")
        return find_files(reader, folders, arguments, form, progress)
    target = Target(arguments.path or "", source="unsaved", rotated=arguments.rotated)
    with open_for_model(reader, target) as file:
        if arguments.start_after is not None:
            raise invalid_argument("start_after: only in a folder; in one file start_line continues")
        name = full_name(reader, file.place)
        limit = min(file.settings.agent_max_chars, arguments.max_chars or file.settings.agent_max_chars)

        def answer(snapshot: FileBytes, limit: int) -> Answer:
            wanted = file_for_model(name, snapshot, form, file.settings, raw=arguments.encoding == RAW)
            return _answer(wanted, arguments, limit, progress)

        try:
            return read_for_model(file, answer, limit)
        except ReadError as error:
            error.reason = error.reason.removeprefix("filter.")
            raise


def _is_about_records(arguments: AgentFindArguments) -> bool:
    return any(each is not None for each in (arguments.level, arguments.since, arguments.until))


def _check(arguments: AgentFindArguments) -> None:
    if arguments.start_line == 0:
        raise invalid_argument("start_line: must not be 0: count from 1, or -5 for the last 5 matching lines")
    if arguments.start_line < 0 and arguments.start_column > 1:
        raise invalid_argument("start_column: only with the number of a line as start_line")
    if arguments.pattern is None and not _is_about_records(arguments):
        raise invalid_argument("pattern: missing; give pattern, or level, since or until for a log")
    try:
        matcher_of(arguments)
    except ReadError as error:
        raise explained(error) from None


def _answer(wanted: FileForModel, arguments: AgentFindArguments, max_chars: int, progress: Progress) -> Answer:
    name, file, form, note = wanted
    text = text_or_kind(file, form, progress)
    if isinstance(text, Kind):
        hint = why_binary(file, form).hint if text.is_compressed or text == BINARY else None
        raise invalid_argument(f"{text.name}: it has no lines to search", hint=hint)
    search = Search(text, arguments)
    found = search.shown(max_chars - len(name) - RESERVED_CHARACTERS)
    failure = f"; {text.failure}, after {text.length():,} bytes of text" if text.failure else ""
    if not found.lines:
        return Answer.of([_no_match(name, text, search, arguments, failure)])
    total = search.total() if arguments.start_line < 0 or found.next_line is not None else found.matches
    encodings = fitting_encoding(text, search.offset) if found.decode_errors else ""
    notes = note + files_note(file) + notes_of(text_facts(text, LineIndex(text), 0), found.decode_errors, encodings)
    count = _count(found, total, search.last)
    lines = [f"[{name} {count}{_from(arguments)}{notes}{failure}]", *found.lines]
    if search.earlier is not None:
        lines.append(f"[before these: start_line {search.earlier}]")
    if found.next_line is not None:
        lines.append(f"[more: start_line {found.next_line}]")
    return Answer.of(lines, etag=file.etag, max_chars=max_chars)


def _count(found: Found, total: int | None, last: int) -> str:
    """`last`: of how many at the end these are; 0: they are counted from a line on."""
    shown = found.matches
    if last:
        which = f"last {last:,}" if found.next_line is None else f"first {shown:,} of the last {last:,}"
        return f"{which} of {plural(total, 'matching line')}" if total is not None else f"{which} matching lines"
    if total is None:
        return f"{plural(shown, 'matching line')}, more follow"
    return plural(shown, "matching line") if shown == total else f"{shown:,} of {total:,} matching lines"


def _no_match(name: str, text: Text, search: Search, arguments: AgentFindArguments, failure: str) -> str:
    first, index = max(1, arguments.start_line), LineIndex(text)
    start = index.start_of(first)
    if not failure and (start is None or not text.read_at(start, 1)):
        return past_the_end(name, first, index.count(), tool="read with ")
    return f"[{name} no match{_from(arguments)}{failure or _advice(text, search, arguments)}]"


def _advice(text: Text, search: Search, arguments: AgentFindArguments) -> str:
    term = term_of(arguments)
    if term is None or arguments.start_column > 1:
        return ""
    may_be_misread = not term.pattern.isascii() and arguments.encoding is None and is_malformed(text)
    if may_be_misread and (encodings := fitting_encoding(text)):
        return f"; try encoding {encodings}"
    matching = [name for name, other in alternatives(term).items() if search.would_match(other)]
    return what_to_try(term, matching)


def _from(arguments: AgentFindArguments) -> str:
    column = f", column {arguments.start_column}" if arguments.start_column > 1 else ""
    return f" from line {arguments.start_line}{column}" if arguments.start_line > 1 or column else ""


AGENT_FIND = Tool(AGENT_DEFINITIONS["find"], AgentFindArguments, find)
