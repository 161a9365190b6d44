"""Error messages on stderr, and exit codes."""

import sys

from forge_protocol.errors import ErrorCode, ReadError

from .escape_controls import escape_controls

NO_MATCH = 1
UNEXPECTED = 70
INTERRUPTED = 130

EXIT_CODES = {
    ErrorCode.INTERNAL: UNEXPECTED,
    ErrorCode.INVALID_ARGUMENT: 2,
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
exit codes:
    0  done                      7  a link leads out of the folder
    1  find: no line matches;    8  a binary file
       doctor: a problem
    2  wrong arguments           9  over a limit
    3  no such file             10  changed while it was read
    4  not a regular file       70  unexpected error
    5  no permission           130  interrupted
    6  denied by policy"""


def report(error: ReadError, path: str | None) -> int:
    """Print the error with the path as the user wrote it. Returns the exit code."""
    complain(f"{path}: {error.reason}" if path else error.reason, _hint(error))
    return EXIT_CODES[error.code]


def complain(message: str, hint: str | None = None) -> None:
    for line in (f"forge-read: {message}", hint):
        if line is not None and sys.stderr is not None:
            try:
                print(escape_controls(line.replace("\n", "␊")), file=sys.stderr, flush=True)
            except OSError:  # the exit code is all there is left
                return


def _hint(error: ReadError) -> str | None:
    if error.code == ErrorCode.POLICY_DENIED:
        from forge_daemon.workspace.policy import OWN_SETTINGS
        from forge_daemon.workspace.settings import user_settings_path

        if error.hint and OWN_SETTINGS in error.hint:
            return f"{error.hint}; yours are in {user_settings_path()}"
    return error.hint or _HINTS.get(error.code)


_HINTS = {
    ErrorCode.BINARY_NOT_SUPPORTED: "forge-read read --json gives its bytes in base64",
    ErrorCode.SANDBOX_VIOLATION: "to read the file anyway, use its real path",
}
