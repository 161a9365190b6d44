"""The tool `read_file`: a window of a small text file, in the shape its specification fixes."""

from typing import TypedDict

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.texts.encodings.names import encoding_called
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import has_nul_at_start
from forge_daemon.reading.window.read import read_window, too_large
from forge_daemon.reading.window.selection import Lines
from forge_daemon.reading.window.window import Window, WindowRequest
from forge_daemon.requests.request import open_target
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, Target
from forge_daemon.workspace.sandbox import UnreadableFile
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.tools import READ_FILE_DEFINITION, ReadFileArguments

from .tool import Tool

MAX_FILE_BYTES = 1024 * 1024

_CODES = frozenset(ErrorCode) - {
    ErrorCode.PERMISSION_DENIED,
    ErrorCode.SCAN_LIMIT_EXCEEDED,
    ErrorCode.CONTENT_MODIFIED,
}
_ELSEWHERE = "`Read` of toolset forge or `read` of toolset agent"
_HINTS = {
    ErrorCode.SIZE_LIMIT_EXCEEDED: f"{_ELSEWHERE} can read files of any size",
    ErrorCode.BINARY_NOT_SUPPORTED: f"this tool reads only UTF-8 text; {_ELSEWHERE} can say what is in the file",
}


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


def read_file(reader: Reader, arguments: ReadFileArguments, progress: Progress) -> ReadFileOutput:
    request = WindowRequest(
        selection=Lines(arguments.start_line, None),
        max_lines=arguments.max_lines,
        max_bytes=None,
        on_binary="refuse",
        max_file_size=MAX_FILE_BYTES,
        form=TextForm(encoding_called("utf-8")),
    )

    def window_of(snapshot: FileBytes) -> Window:
        if snapshot.size <= MAX_FILE_BYTES and has_nul_at_start(snapshot):
            raise ReadError(ErrorCode.BINARY_NOT_SUPPORTED, "is a binary file")
        return read_window(snapshot, request, progress)

    try:
        with open_target(reader, Target(arguments.path, source="disk")) as file:
            return _output_of(file, file.read(window_of))
    except ReadError as error:
        if isinstance(error, UnreadableFile) and error.byte_length > MAX_FILE_BYTES:
            error = too_large(error.byte_length, MAX_FILE_BYTES).at(error.path)  # size comes before permission
        error.hint = error.hint or _HINTS.get(error.code)
        raise error from None


def _output_of(file: OpenFile, window: Window) -> ReadFileOutput:
    facts = window.facts
    assert facts.line_count is not None, "files that are not counted are larger than this tool takes"
    return ReadFileOutput(
        path=file.path,
        content=window.content.removesuffix("\n"),
        truncated=window.truncated_by is not None,
        next_start_line=window.next_start_line,
        meta=ReadFileMeta(
            byte_length=facts.byte_length,
            line_count=facts.line_count,
            returned_line_count=window.returned_line_count,
            mtime_ms=facts.mtime_ms or 0,
        ),
    )


READ_FILE = Tool(READ_FILE_DEFINITION, ReadFileArguments, read_file, codes=_CODES)
