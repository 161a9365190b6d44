"""The start of a text in a temporary file: private, without a name, within a limit for the whole process."""

import os
import threading
from typing import ClassVar

PREFERRED_FOLDER = "/var/tmp"
"""On disk where /tmp may be memory."""


class Spill:
    """Where there is no room, it stores less, and the text has to be made again. Thread-safe."""

    # Reentrant, because a collection of garbage inside it may close another one.
    _total_lock = threading.RLock()
    _total: ClassVar[int] = 0
    """Bytes in the temporary files of this process."""

    def __init__(self, max_total: int) -> None:
        # Loads much, and few texts need it.
        from tempfile import TemporaryFile

        self._lock = threading.Lock()
        self._max_total = max_total
        self.size = 0
        is_chosen = "TMPDIR" in os.environ or not os.access(PREFERRED_FOLDER, os.W_OK)
        folder = None if is_chosen else PREFERRED_FOLDER
        # A descriptor, not a file: in a cycle of garbage a file may be finalised first, with a warning.
        with TemporaryFile(buffering=0, prefix="forge-read-", dir=folder) as file:
            self._fd = os.dup(file.fileno())

    def append(self, offset: int, data: bytes) -> None:
        """Store what follows what is stored. Anything else is ignored: another thread may have stored the same."""
        with self._lock:
            if offset != self.size or not self._reserve(len(data)):
                return
            try:
                os.lseek(self._fd, offset, os.SEEK_SET)
                written = os.write(self._fd, data)
            except OSError:
                written = 0
            self.size += written
            self._reserve(written - len(data))

    def read_at(self, offset: int, length: int) -> bytes:
        with self._lock:
            os.lseek(self._fd, offset, os.SEEK_SET)
            return os.read(self._fd, length)

    def _reserve(self, length: int) -> bool:
        with Spill._total_lock:
            is_allowed = length <= 0 or Spill._total + length <= self._max_total
            Spill._total += length if is_allowed else 0
        return is_allowed

    def __del__(self) -> None:
        if hasattr(self, "_fd"):
            os.close(self._fd)
            with self._total_lock:
                type(self)._total -= self.size


def open_spill(max_total: int) -> Spill | None:
    """None if temporary files are not allowed, or none can be created."""
    try:
        return Spill(max_total) if max_total > 0 else None
    except OSError:
        return None
