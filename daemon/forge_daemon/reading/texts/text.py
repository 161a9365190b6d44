"""The text of a file: UTF-8, at any offset, whatever it is made from."""

import codecs
from collections.abc import Callable
from typing import TypeVar

from forge_daemon.reading.files.file_bytes import FileBytes, HasMemory, Progress, ReadAt

from .form import Format
from .source import Source

T = TypeVar("T", bound=HasMemory)


class Text:
    """One request's view of it. What is malformed in the file is malformed UTF-8 here, one sequence for each."""

    def __init__(self, file: FileBytes, source: Source, kind: str, format_: Format, progress: Progress) -> None:
        self.file = file
        self.kind = kind
        """Distinguishes the texts that the same bytes can be read as; empty for plain UTF-8."""
        self.format = format_
        self.encoding = format_.encoding.name
        """As the Encoding Standard has it, in lower case."""
        self.has_bom = format_.has_bom
        """It is not part of the text."""
        self.compression = format_.compression.name if format_.compression else None
        self.read_at: ReadAt = _reader_of(source) if kind else file.read_at
        """`(offset, length)` to exactly that many bytes of UTF-8, or fewer only at the end."""
        self.source = source
        self._progress = progress

    @property
    def is_plain(self) -> bool:
        """Its bytes are the file's, without a byte order mark: several threads may read them."""
        return self.kind in ("", "bom")

    @property
    def known_length(self) -> int | None:
        end = self.source.known_end()
        return None if end is None else end.length + len(end.flush)

    @property
    def failure(self) -> str | None:
        """Why it ends early (damaged, cut off), once its end was seen."""
        end = self.source.known_end()
        return None if end is None else end.failure

    @property
    def is_unfinished(self) -> bool:
        """Whether nothing but the rest is missing, as in a compressed file that is still being written."""
        end = self.source.known_end()
        return end is not None and end.is_unfinished

    def length(self) -> int:
        """Exact. May take a pass over the file."""
        end = self.source.end()
        return end.length + len(end.flush)

    def is_longer_than(self, length: int) -> bool:
        """Reads no further than needed."""
        known = self.known_length
        if known is not None:
            return known > length
        return self.source.reach() > length or len(self.read_at(length, 1)) > 0

    def stable_length(self) -> int:
        """How many bytes stay the same when the file grows: without an incomplete character or escape sequence."""
        length = self.source.end().length
        decoder = codecs.getincrementaldecoder("utf-8")("replace")
        decoder.decode(self.source.read_at(max(0, length - 3), 3))
        return length - len(decoder.getstate()[0])

    def report(self, offset: int) -> None:
        """Report progress, in bytes of the file. Raises if the work is to stop."""
        if self.kind:
            self.source.report()
        else:
            self._progress(offset, self.file.size)

    def know(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What was learned of this text, under a key."""
        return self.file.knowledge.get((self.kind, *key), make)


def _reader_of(source: Source) -> ReadAt:
    """Not a method: a text that refers to itself would keep its source, and temporary files, until it is collected."""

    def read_at(offset: int, length: int) -> bytes:
        data = source.read_at(offset, length)
        if len(data) < length and (end := source.known_end()) is not None and end.flush:
            start = max(0, offset - end.length)
            data += end.flush[start : start + length - len(data)]
        return data

    return read_at
