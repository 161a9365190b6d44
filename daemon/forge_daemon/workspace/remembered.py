"""What was found out about paths before, bounded in bytes."""

import sys

from forge_daemon.light_typing import TypeVar

T = TypeVar("T")

_ENTRY_BYTES = 256
"""Of a key and a value, without their text."""


class Remembered(dict[str, T]):
    """Values by path. When they take too much memory, all are dropped: what is needed will be found again."""

    def __init__(self, most_bytes: int) -> None:
        super().__init__()
        self._most_bytes = most_bytes
        self._bytes = 0

    def remember(self, path: str, value: T, copies: int = 1) -> None:
        """`copies`: how often the path's text is kept."""
        size = _ENTRY_BYTES + copies * sys.getsizeof(path)
        if size > self._most_bytes:
            return
        self._bytes += size
        if self._bytes > self._most_bytes:
            self.clear()
            self._bytes = size
        self[path] = value
