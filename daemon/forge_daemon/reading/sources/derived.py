"""Text that is made from a file's bytes: decompressed, or put into UTF-8.

Its length is only known once it has been read to its end, and reading at an offset starts at a restart point before
it. What was learned is shared by all readers of the same file, as long as it only grows.
"""

from threading import Lock

from forge_daemon.light_typing import NamedTuple, Protocol
from forge_daemon.reading.lines.line_index import STRIDE, LineIndex, Marks
from forge_daemon.reading.lines.scan import Scan

from .source import ReadAt, Source

LONGEST_TEXT = 64 * 1024**3
"""In bytes. Text after it is not read: no honest file holds that much."""


class Bytes(Protocol):
    """A text that can be read at any offset."""

    @property
    def size(self) -> int:
        """An upper bound while the size is not known. Reading past the end makes it known."""

    @property
    def failure(self) -> str | None:
        """Why it ends there although there should be more."""

    def read_at(self, offset: int, length: int, /) -> bytes:
        """Exactly that many bytes, or fewer only where it ends."""


class DerivedText(Bytes, Protocol):
    @property
    def done(self) -> tuple[int, int]:
        """How far the file was read, and how large it is."""

    @property
    def unfinished(self) -> int:
        """How many of the last bytes may become a different character when the file grows."""


class End(NamedTuple):
    size: int
    """The text's length."""
    failure: str | None


class RestartPoints:
    """What is known of the text of one file, which may grow. Thread-safe."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.marks = Marks()
        self._ends: dict[int, End] = {}

    @property
    def memory(self) -> int:
        return self.marks.memory

    def end_of(self, file_size: int) -> End | None:
        """Where the text of so large a file ends, if that was seen."""
        return self._ends.get(file_size)

    def ends(self, file_size: int, end: End) -> None:
        self._ends = {file_size: end}


class DerivedSource(Source):
    """A source whose size may not be known yet."""

    __slots__ = ()

    @property
    def size(self) -> int:
        assert self.derived is not None
        return self.derived.size


class DerivedLineIndex(LineIndex):
    """The newlines of a derived text."""

    __slots__ = ("_text",)

    def __init__(self, text: DerivedText, marks: Marks) -> None:
        self._text = text
        super().__init__(0, marks)

    @property
    def size(self) -> int:
        return self._text.size

    @size.setter
    def size(self, _size: int) -> None:
        pass

    def _scan(self, read_at: ReadAt, _reach: int) -> Scan:
        return _WholeStrides(self._text, read_at, self.marks.covered)


class _WholeStrides(Scan):
    """A scan whose end is found on the way. What is less than a stride at the end may still grow."""

    def __init__(self, text: DerivedText, read_at: ReadAt, start: int) -> None:
        super().__init__(read_at, start, LONGEST_TEXT, STRIDE)
        self._text = text

    def count_from(self, start: int) -> list[int]:
        counts = super().count_from(start)
        return counts[: (self._text.size - start) // STRIDE]
