"""Error messages on stderr, and exit codes."""

import sys
from contextlib import suppress

from forge_daemon.workspace.policy import PolicyDenied
from forge_protocol.errors import ErrorCode, ReadError

from .escape_controls import escape_controls
from .output import silence

NO_MATCH = 1
WRONG_USAGE = 2
UNEXPECTED = 70
INTERRUPTED = 130

EXIT_CODES = {
    ErrorCode.INTERNAL: UNEXPECTED,
    ErrorCode.INVALID_ARGUMENT: WRONG_USAGE,
    ErrorCode.NOT_FOUND: 3,
    ErrorCode.NOT_FILE: 4,
    ErrorCode.PERMISSION_DENIED: 5,
    ErrorCode.POLICY_DENIED: 6,
    ErrorCode.SANDBOX_VIOLATION: 7,
    ErrorCode.BINARY_NOT_SUPPORTED: 8,
    ErrorCode.SIZE_LIMIT_EXCEEDED: 9,
    ErrorCode.SCAN_LIMIT_EXCEEDED: 9,
    ErrorCode.CONTENT_MODIFIED: 10,
    ErrorCode.CANCELLED: INTERRUPTED,
}

EXIT_CODES_HELP = """\
exit codes (of several files, that of the first that failed):
    0  done                      7  a link leads out of the folder
    1  find: no line matches;    8  a binary file
       doctor: a problem
    2  wrong arguments           9  over a limit
    3  no such file             10  changed while it was read
    4  not a regular file       70  unexpected error
    5  no permission           130  interrupted
    6  denied by policy"""

_HINTS = {
    ErrorCode.NOT_FILE: "forge-read list prints what is in a directory; - reads standard input, such as a pipe",
    ErrorCode.BINARY_NOT_SUPPORTED: "forge-read read --json gives its bytes in base64",
    ErrorCode.SANDBOX_VIOLATION: "to read the file anyway, use its real path, as readlink -f prints it",
}


def report(error: ReadError, path: str | None = None) -> int:
    """Print the error with the path as the user wrote it. Returns the exit code."""
    hint = error.how_to_allow if isinstance(error, PolicyDenied) else error.hint or _HINTS.get(error.code)
    reason = error.reason.removeprefix("filter.")  # as the option is called
    complain(f"{path}: {reason}" if path else reason, hint)
    return EXIT_CODES[error.code]


def complain(message: str, hint: str | None = None) -> None:
    lines = [f"forge-read: {message}", hint] if hint else [f"forge-read: {message}"]
    write_message("\n".join(line.replace("\n", "␊") for line in lines))


def write_message(text: str) -> None:
    if sys.stderr is not None:
        with suppress(OSError):  # where nothing can be written, the exit code is all there is left
            print(escape_controls(text), file=sys.stderr, flush=True)


def exit_code_of(error: BaseException) -> int:
    """Report what ended the command, and return the exit code."""
    if isinstance(error, SystemExit):
        return int(error.code or 0)
    if isinstance(error, ReadError):
        return report(error)
    if isinstance(error, KeyboardInterrupt):
        return INTERRUPTED
    if isinstance(error, OSError):
        silence()
        # EINVAL is what Windows makes of a broken pipe.
        if isinstance(error, BrokenPipeError) or (sys.platform == "win32" and error.errno == 22 and not error.filename):
            return 0
        complain(f"{error.filename}: {error.strerror}" if error.filename else f"{error.strerror}")
        return UNEXPECTED
    sys.excepthook(type(error), error, error.__traceback__)
    return UNEXPECTED
