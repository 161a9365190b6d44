"""How a request can fail: one exception, whose code says which JSON-RPC error it is."""

from contextlib import suppress
from enum import StrEnum
from typing import Any


class ErrorCode(StrEnum):
    """`data.code` of an error answer. What clients switch on."""

    INVALID_ARGUMENT = "INVALID_ARGUMENT"
    POLICY_DENIED = "POLICY_DENIED"
    SANDBOX_VIOLATION = "SANDBOX_VIOLATION"
    NOT_FOUND = "NOT_FOUND"
    NOT_FILE = "NOT_FILE"
    PERMISSION_DENIED = "PERMISSION_DENIED"
    BINARY_NOT_SUPPORTED = "BINARY_NOT_SUPPORTED"
    SIZE_LIMIT_EXCEEDED = "SIZE_LIMIT_EXCEEDED"
    SCAN_LIMIT_EXCEEDED = "SCAN_LIMIT_EXCEEDED"
    CONTENT_MODIFIED = "CONTENT_MODIFIED"
    CANCELLED = "CANCELLED"
    INTERNAL = "INTERNAL"

    @property
    def json_rpc_code(self) -> int:
        return _JSON_RPC_CODES.get(self, REQUEST_FAILED)

    @property
    def meaning(self) -> str:
        return _MEANINGS[self]


REQUEST_FAILED = -32803
_JSON_RPC_CODES = {
    ErrorCode.INVALID_ARGUMENT: -32602,
    ErrorCode.CONTENT_MODIFIED: -32801,
    ErrorCode.CANCELLED: -32800,
    ErrorCode.INTERNAL: -32603,
}
_MEANINGS = {
    ErrorCode.INVALID_ARGUMENT: "A parameter is missing, of the wrong type, out of range, unknown, "
    "or in conflict with another. Every fault of the request is named at once.",
    ErrorCode.POLICY_DENIED: "A deny pattern matches the path or the file it leads to, or it is a private key.",
    ErrorCode.SANDBOX_VIOLATION: "The path leads out of every workspace folder.",
    ErrorCode.NOT_FOUND: "There is no such file. `hint` may suggest up to three similar names that can be read.",
    ErrorCode.NOT_FILE: "The path is a directory, FIFO, socket or device.",
    ErrorCode.PERMISSION_DENIED: "The operating system refuses access.",
    ErrorCode.BINARY_NOT_SUPPORTED: 'The file is binary, and `on_binary` is `"refuse"` or the tool takes text only.',
    ErrorCode.SIZE_LIMIT_EXCEEDED: "The file is larger than the tool accepts, or a batch's budget is used up.",
    ErrorCode.SCAN_LIMIT_EXCEEDED: "The selection starts past `max_scan_bytes`. `hint` is a call that works.",
    ErrorCode.CONTENT_MODIFIED: "The file changed after the cursor was returned, or while it was read. Retriable.",
    ErrorCode.CANCELLED: "The client cancelled the request.",
    ErrorCode.INTERNAL: "Anything else. Never a traceback, never an absolute path.",
}


_MAX_REPEATED = 400


def shortened(text: str) -> str:
    """Both ends of a text that is too long to be repeated."""
    if len(text) <= _MAX_REPEATED:
        return text
    return f"{text[: _MAX_REPEATED // 2]}…{text[-_MAX_REPEATED // 2 :]}"


class ReadError(Exception):
    """A request that cannot be answered. `path` is workspace-relative, or None if it must not be revealed."""

    def __init__(
        self,
        code: ErrorCode,
        reason: str,
        *,
        path: str | None = None,
        hint: str | None = None,
        retriable: bool = False,
        etag: str | None = None,
    ) -> None:
        self.code = code
        self.reason = reason
        self.path = "." if path == "" else path
        self.hint = hint
        self.retriable = retriable
        self.etag = etag
        super().__init__(self.message)

    @property
    def message(self) -> str:
        """For people and models. What was sent may be repeated in it, so it is bounded; `data` has all of it."""
        reason = shortened(self.reason)
        return reason if not self.path else f"{shortened(self.path)}: {reason}"

    def __str__(self) -> str:
        return self.message if self.hint is None else f"{self.message}; {self.hint}"

    def __repr__(self) -> str:
        return f"ReadError({self.code.value}, {self.message!r})"

    def at(self, path: str | None) -> "ReadError":
        """Set the path if the code that raised the error did not know it."""
        if self.path is None:
            self.path = "." if path == "" else path
        return self

    def data(self) -> dict[str, Any]:
        """The `data` of a JSON-RPC error: shape and names of `ErrorData`."""
        data: dict[str, Any] = {
            "code": self.code.value,
            "path": self.path,
            "reason": self.reason,
            "retriable": self.retriable,
        }
        if self.hint is not None:
            data["hint"] = self.hint
        if self.etag is not None:
            data["etag"] = self.etag
        return data


def forget_frames(error: BaseException) -> None:
    """Release what the frames of a handled error refer to.

    Some of them refer to the error in turn: such a cycle would stay in memory until the garbage collector runs.
    """
    known: BaseException | None = error
    while known is not None:
        traceback = known.__traceback__
        while traceback is not None:
            with suppress(RuntimeError):  # it is running
                traceback.tb_frame.clear()
            traceback = traceback.tb_next
        known.__traceback__ = None
        known = known.__context__
    error.__context__ = error.__cause__ = None


def invalid_argument(reason: str, *, path: str | None = None, hint: str | None = None) -> ReadError:
    return ReadError(ErrorCode.INVALID_ARGUMENT, reason, path=path, hint=hint)
