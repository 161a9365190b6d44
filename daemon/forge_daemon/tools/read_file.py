"""The tool `read_file`: a window of a small text file, in the shape its specification fixes."""

from typing import TypedDict

from forge_daemon.reading.selection import Lines
from forge_daemon.reading.sources.source import Progress
from forge_daemon.reading.text import AS_UTF_8
from forge_daemon.reading.windows.read import read_window
from forge_daemon.reading.windows.window import Window, WindowRequest
from forge_daemon.requests.request import FileRequest
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Target
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.tools import READ_FILE_DEFINITION, ReadFileArguments

from .tool import Tool

MAX_FILE_BYTES = 1024 * 1024

_CODES = frozenset(
    {
        ErrorCode.INVALID_ARGUMENT,
        ErrorCode.NOT_FOUND,
        ErrorCode.NOT_FILE,
        ErrorCode.BINARY_NOT_SUPPORTED,
        ErrorCode.SIZE_LIMIT_EXCEEDED,
        ErrorCode.INTERNAL,
        # Raised around every tool.
        ErrorCode.POLICY_DENIED,
        ErrorCode.SANDBOX_VIOLATION,
        ErrorCode.CANCELLED,
    }
)


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


class ReadFileToolJob:
    def __init__(self, arguments: ReadFileArguments, _progress: Progress) -> None:
        self.target = Target(arguments.path, source="unsaved")
        self._request = WindowRequest(
            selection=Lines(arguments.start_line, None),
            max_lines=arguments.max_lines,
            max_bytes=None,
            on_binary="refuse",
            max_file_size=MAX_FILE_BYTES,
            form=AS_UTF_8,
        )

    def is_quick(self, _file: OpenFile) -> bool:
        return True  # a file that takes long is refused for its size

    def answer(self, file: OpenFile, progress: Progress) -> ReadFileOutput:
        try:
            window = file.read(lambda source: read_window(source, self._request, progress), progress)
        except ReadError as error:
            error.hint = error.hint or _HINTS.get(error.code)
            raise
        return _output_of(file, window)


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
            mtime_ms=facts.changed_ms or facts.mtime_ms or 0,
        ),
    )


READ_FILE = Tool(READ_FILE_DEFINITION, ReadFileArguments, FileRequest(ReadFileToolJob), codes=_CODES)
