"""What a stage reads from, and what a text rests on: bytes at any offset, of which the last may still change."""

from typing import NamedTuple, Protocol

from forge_daemon.reading.files.file_bytes import FileBytes, Progress

ENDS_EARLY = "ends early"


class End(NamedTuple):
    """The end of a text. What comes before it stays the same when the file grows."""

    flush: bytes = b""
    """What is made of an incomplete character or escape sequence as long as nothing follows it."""
    failure: str | None = None
    """Why the text ends here although there should be more."""
    length: int = 0
    """Where the text ends, without `flush`."""

    @property
    def is_unfinished(self) -> bool:
        """Whether nothing but the rest is missing, as in a compressed file that is still being written."""
        return self.failure is not None and self.failure.endswith(ENDS_EARLY)


class Input(Protocol):
    """Bytes that stay the same when the file grows."""

    def read_at(self, offset: int, length: int, /) -> bytes:
        """Exactly that many bytes, or fewer only at the end."""

    def end(self) -> End:
        """May take a pass over the file."""


class Source(Input, Protocol):
    """One request's view of such bytes."""

    def known_end(self) -> End | None:
        """The end, if it was seen before."""

    def reach(self) -> int:
        """A lower bound of the length, at no cost."""

    def report(self) -> None:
        """Report progress, in bytes of the file. Raises if the work is to stop."""


class FileSource:
    """A file as it is."""

    def __init__(self, file: FileBytes, progress: Progress) -> None:
        self._file = file
        self._progress = progress
        self._position = 0
        self._end = End(length=file.size)

    def read_at(self, offset: int, length: int) -> bytes:
        data = self._file.read_at(offset, max(0, min(length, self._file.size - offset)))
        self._position = offset + len(data)
        return data

    def end(self) -> End:
        return self._end

    known_end = end

    def reach(self) -> int:
        return self._file.size

    def report(self) -> None:
        self._progress(self._position, self._file.size)


class Skipping:
    """A source without its first bytes, a byte order mark."""

    def __init__(self, source: Source, skipped: int) -> None:
        self._source = source
        self._skipped = skipped

    def read_at(self, offset: int, length: int) -> bytes:
        return self._source.read_at(offset + self._skipped, length)

    def end(self) -> End:
        return self._shifted(self._source.end())

    def known_end(self) -> End | None:
        end = self._source.known_end()
        return end and self._shifted(end)

    def reach(self) -> int:
        return max(0, self._source.reach() - self._skipped)

    def report(self) -> None:
        self._source.report()

    def _shifted(self, end: End) -> End:
        return end._replace(length=end.length - self._skipped)
