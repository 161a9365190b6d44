"""Standard input as a file: lines are counted, searched and read backwards, which a pipe cannot do."""

import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

from forge_protocol.errors import ErrorCode, ReadError

MAX_BYTES = 8 << 30
_CHUNK_BYTES = 1 << 20


@contextmanager
def spool(descriptor: int) -> Iterator[str]:
    """The path of a private temporary file with all that comes in. Only SIGKILL leaves it behind."""
    try:
        os.fstat(descriptor)
    except OSError:
        raise ReadError(ErrorCode.NOT_FOUND, "is closed") from None
    for name in ("SIGTERM", "SIGHUP"):  # Windows does not have both
        if hasattr(signal, name):
            signal.signal(getattr(signal, name), _exit)
    with TemporaryDirectory(prefix="forge-read-") as folder:
        path = os.path.join(folder, "standard-input")
        with open(path, "xb") as file:
            while chunk := os.read(descriptor, _CHUNK_BYTES):
                if file.tell() + len(chunk) > MAX_BYTES:
                    raise ReadError(ErrorCode.SIZE_LIMIT_EXCEEDED, f"is longer than {MAX_BYTES:,} bytes")
                file.write(chunk)
        yield path


def _exit(number: int, _frame: object) -> None:
    sys.exit(128 + number)
