"""The tool `read_file`: a window of a small text file, in the shape its specification fixes."""

from typing import TypedDict

from forge_daemon.reading.selection import Lines
from forge_daemon.reading.sources.source import Progress
from forge_daemon.reading.window import Window, WindowRequest, read_window
from forge_daemon.workspace.reader import Found, Reader, Target
from forge_protocol.conversion import structure
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.tools import ReadFileArguments

MAX_FILE_BYTES = 1024 * 1024

_CODES = frozenset(
    {
        ErrorCode.INVALID_ARGUMENT,
        ErrorCode.NOT_FOUND,
        ErrorCode.NOT_FILE,
        ErrorCode.BINARY_NOT_SUPPORTED,
        ErrorCode.SIZE_LIMIT_EXCEEDED,
        ErrorCode.INTERNAL,
        # From what stands around every tool.
        ErrorCode.POLICY_DENIED,
        ErrorCode.SANDBOX_VIOLATION,
        ErrorCode.CANCELLED,
    }
)


class ReadFileMeta(TypedDict):
    byte_length: int
    line_count: int
    returned_line_count: int
    mtime_ms: int


class ReadFileOutput(TypedDict):
    path: str
    content: str
    truncated: bool
    next_start_line: int | None
    meta: ReadFileMeta


def read_file(reader: Reader, arguments: object, progress: Progress) -> ReadFileOutput:
    try:
        wanted = structure(arguments, ReadFileArguments)
        request = WindowRequest(
            selection=Lines(wanted.start_line, None),
            max_lines=wanted.max_lines,
            max_bytes=None,
            on_binary="refuse",
            max_file_size=MAX_FILE_BYTES,
        )
        place = reader.find(Target(wanted.path))
        return _output_of(reader.read(place, "auto", lambda source: read_window(source, request, progress)))
    except ReadError as error:
        if error.code in _CODES:
            raise
        raise ReadError(
            ErrorCode.INTERNAL, error.reason, path=error.path, hint=error.hint, retriable=error.retriable
        ) from None


def _output_of(found: Found[Window]) -> ReadFileOutput:
    window = found.answer
    facts = window.facts
    assert facts.line_count is not None, "files that are not counted are larger than this tool takes"
    return ReadFileOutput(
        path=found.path,
        content=window.content.removesuffix("\n"),
        truncated=window.truncated_by is not None,
        next_start_line=window.next_start_line,
        meta=ReadFileMeta(
            byte_length=facts.byte_length,
            line_count=facts.line_count,
            returned_line_count=window.returned_line_count,
            # The specification has no word for a document that was never saved.
            mtime_ms=facts.mtime_ms or 0,
        ),
    )
