"""`forge/readFiles`: an item that fails does not affect the others."""

from typing import Any

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.reading.window.window import MAX_CONTENT_BYTES, Window
from forge_daemon.workspace.reader import Reader
from forge_protocol.conversion import structure
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.read_file import ReadFileParams, ReadFileResult
from forge_protocol.read_files import ItemError, ReadFilesItem, ReadFilesParams, ReadFilesResult

from .read_file import result_of, window_of, window_request
from .request import open_target, target_of


def read_files(reader: Reader, params: ReadFilesParams, progress: Progress) -> ReadFilesResult:
    budget = _Budget(params.max_total_bytes)
    return ReadFilesResult(results=[_read_item(reader, item, budget, progress) for item in params.files])


class _Budget:
    """The bytes of content that are left; none once an item was cut because of it."""

    def __init__(self, total: int) -> None:
        self.left = total

    def take(self, window: Window, most: int) -> None:
        """`most` is what the item itself allows."""
        is_short = self.left < most
        self.left -= len(window.binary.data) if window.binary else len(window.content.encode())
        if is_short and window.truncated_by == "bytes" and window.failure is None:
            self.left = 0
            if window.binary is None and not window.content.endswith("\n"):
                raise _budget_used_up("max_total_bytes left is too small for the next line")


def _read_item(reader: Reader, item: Any, budget: _Budget, progress: Progress) -> ReadFilesItem:
    path = item.get("path") if isinstance(item, dict) else None
    try:
        params = structure(item, ReadFileParams)
        return ReadFilesItem(result=_read_within(reader, params, budget, progress))
    except ReadError as error:
        if error.code == ErrorCode.CANCELLED:
            raise
        error.at(reader.name_of(path if isinstance(path, str) else ""))
        return ReadFilesItem(error=ItemError(**error.data(), message=error.message))


def _read_within(reader: Reader, params: ReadFileParams, budget: _Budget, progress: Progress) -> ReadFileResult:
    if budget.left <= 0:
        raise _budget_used_up("max_total_bytes is used up by the files before it")
    request = window_request(params, min(budget.left, MAX_CONTENT_BYTES))
    with open_target(reader, target_of(params)) as file:
        window = window_of(file, request, progress)
        budget.take(window, params.max_bytes)
        return result_of(file, window, numbered=params.show_line_numbers)


def _budget_used_up(reason: str) -> ReadError:
    return ReadError(
        ErrorCode.SIZE_LIMIT_EXCEEDED,
        reason,
        retriable=True,
        hint="ask for it in another request, or raise max_total_bytes",
    )
