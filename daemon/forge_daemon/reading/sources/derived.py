"""Text that is made from a file's bytes: decompressed, or put into UTF-8.

Where it ends is only known once it has been read to its end, and reading at an offset starts at a restart point before
it. What was learned is shared by all who read the same state of the file.
"""

from threading import Lock
from typing import Protocol

LONGEST_TEXT = 64 * 1024**3
"""A file that claims to hold more is not believed."""


class Bytes(Protocol):
    """Something to read from."""

    @property
    def size(self) -> int:
        """As long as it is not known, more than it can be. Reading past the end makes it known."""

    @property
    def failure(self) -> str | None:
        """Why it ends there although there should be more."""

    def read_at(self, offset: int, length: int, /) -> bytes:
        """Exactly that many bytes, or fewer only where it ends."""


class RestartPoints:
    """What is known of the text of one state of one file. Safe to use from several threads."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.size: int | None = None
        """The text's length, once its end was seen."""
        self.failure: str | None = None
        """Why the text ends there although the file has more to say."""

    @property
    def memory(self) -> int:
        raise NotImplementedError

    def end(self, size: int, failure: str | None) -> None:
        with self.lock:
            self.size, self.failure = size, failure

    def forget_end(self) -> None:
        """The file grew: the text may go on."""
        with self.lock:
            self.size = self.failure = None
