"""The process `forge-read`, and `python -m forge_daemon`, which is the same."""

import gc
import io
import os
import sys


def run() -> None:
    """Ends without the interpreter's tidying up, which would take much of the time of a short command."""
    _require_utf8_names()
    gc.set_threshold(100_000)  # what is imported now are many objects, and no garbage
    from forge_daemon.cli import main
    from forge_daemon.terminal.errors import INTERRUPTED, UNEXPECTED

    _write_utf8_messages()
    code = main()
    for stream in filter(None, (sys.stdout, sys.stderr)):  # a stream that was closed from the start is None
        try:
            stream.flush()
        except OSError:  # nothing more can be written
            code = code or UNEXPECTED
    if code == INTERRUPTED:
        _end_by_interrupt()
    os._exit(code)


def _end_by_interrupt() -> None:
    """End by the signal itself, where there is one: only then does a shell end the loop that the command runs in."""
    import signal  # which takes longer to load than all the rest of this module

    if sys.platform != "win32":
        signal.signal(signal.SIGINT, signal.SIG_DFL)
        os.kill(os.getpid(), signal.SIGINT)


def _require_utf8_names() -> None:
    """Start again in UTF-8 mode where the locale would have file names in another encoding.

    Names are UTF-8 to every client and in every deny pattern, and nearly all are on disk. Read in another encoding,
    files could not be named, and a pattern would not match the name it was written for.
    """
    if sys.getfilesystemencoding() != "utf-8" and sys.executable:
        os.execv(sys.executable, [sys.executable, "-X", "utf8", *sys.orig_argv[1:]])


def _write_utf8_messages() -> None:
    """Messages in a pipe are UTF-8, as answers are. Windows would encode them for its older programs."""
    messages = sys.stderr
    if sys.platform == "win32" and isinstance(messages, io.TextIOWrapper) and not messages.isatty():
        messages.reconfigure(encoding="utf-8", errors="backslashreplace")


if __name__ == "__main__":
    run()
