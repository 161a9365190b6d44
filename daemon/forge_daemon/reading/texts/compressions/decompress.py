"""Decompresses a file of any of the formats. They differ in their library alone.

A file is a row of members (in zstd: frames, in xz and bzip2: streams), which are one text. Zeros between and after them
are ignored; anything else after the last one is a failure, as its text may be missing. Memory is bounded by the steps,
whatever a file claims.
"""

import re
import sys
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from forge_daemon.reading.texts.derived import Point, Stage, Step
from forge_daemon.reading.texts.source import ENDS_EARLY, End, Input

SPACING = 4 * 1024 * 1024
INPUT = 32 * 1024
OUTPUT = 256 * 1024
SUSPECT_OUTPUT = 512
MAGIC_BYTES = 10
MAX_TEXT = 64 * 1024**3


class Decompressor(Protocol):
    """Decompresses one member. The interface of `bz2`, `lzma` and `zstd`."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class Library(NamedTuple):
    """What decompresses a format."""

    start: Callable[[], Decompressor]
    error: type[Exception]
    memory: int
    """What a decompressor usually takes."""
    copy: Callable[[Any], Decompressor] | None = None
    """For restart points within a member."""


class _Place(NamedTuple):
    """Where a decompressor is."""

    offset: int = 0
    """Where in the file it is."""
    text: int = 0
    """How much text comes before."""
    decompressor: Decompressor | None = None
    """None: at the start of a member. Never used itself, but copied."""


class Decompress(Stage):
    """The stage."""

    spacing = SPACING

    def __init__(self, name: str, magic: bytes, library: Library, max_temporary_bytes: int) -> None:
        self.name = name
        self.magic = magic
        self.library = library
        self.reader_bytes = library.memory
        if library.copy:
            self.point_bytes = library.memory
        else:
            self.max_spilled_bytes = max_temporary_bytes

    def steps(self, source: Input, start: Point) -> Iterator[Step | End]:
        return _Members(self, source, start.state or _Place()).steps()


class _Members:
    def __init__(self, stage: Decompress, source: Input, place: _Place) -> None:
        self._stage = stage
        self._library = stage.library
        self._source = source
        self._place = place
        self._offset, self._text = place.offset, place.text
        """Where in the file the next byte to feed is, and how much text there was so far."""
        self._block, self._block_offset = b"", 0
        self._fed_from = 0
        """Where in the file what was fed last starts."""

    def steps(self) -> Iterator[Step | End]:
        while True:
            yield from self._member()
            yield from self._find_next()
            self._place = _Place(self._offset, self._text)
            yield Step(state=self._place)

    def _member(self) -> Iterator[Step | End]:
        """The rest of a member. A decompressor that fails returns nothing for its input, so that is fed to it again."""
        try:
            yield from self._decompressed(sys.maxsize)
        except self._library.error:
            self._offset, self._block = self._place.offset, b""
            try:
                yield from self._decompressed(self._fed_from)
            except self._library.error as error:
                reason = str(error).rpartition(": ")[2]
                is_large = "memory" in reason.lower()
                yield from self._fail("needs more memory than is allowed" if is_large else f"is damaged ({reason})")

    def _decompressed(self, suspect: int) -> Iterator[Step | End]:
        """From the last place on, without what there was of it before. From `suspect` on in the smallest pieces."""
        copy, seen = self._library.copy, self._text - self._place.text
        decompressor = copy(self._place.decompressor) if copy and self._place.decompressor else self._library.start()
        while not decompressor.eof:
            chunk = b""
            if decompressor.needs_input:
                while not (chunk := self._peek()):
                    yield self._end(ENDS_EARLY)
                chunk = chunk[: max(1, suspect - self._offset)]
                self._fed_from = self._offset
                self._offset += len(chunk)
            text = decompressor.decompress(chunk, OUTPUT if self._offset <= suspect else SUSPECT_OUTPUT)
            text, seen = text[seen:], max(0, seen - len(text))
            self._text += len(text)
            if self._text > MAX_TEXT:
                yield from self._fail(f"holds more than {MAX_TEXT >> 30} GiB")
            step = Step(text)
            is_far = not seen and self._text >= self._place.text + SPACING
            if copy and is_far and decompressor.needs_input:
                self._place = _Place(self._offset, self._text, copy(decompressor))
                step = Step(text, self._place)
            yield step
        self._offset -= len(decompressor.unused_data)

    def _find_next(self) -> Iterator[Step | End]:
        """Up to the next member."""
        while not re.match(self._stage.magic, start := self._peek()):
            if start.startswith(b"\0"):
                self._offset += len(start) - len(start.lstrip(b"\0"))
                yield Step()
            elif len(start) < MAGIC_BYTES:
                yield self._end(f"is followed by other data, or {ENDS_EARLY}") if start else End()
            else:
                yield self._end("is followed by other data")

    def _peek(self) -> bytes:
        """What comes next: as many bytes as tell a format at least; less only at the end of the file."""
        rest = self._block[self._offset - self._block_offset :]
        if len(rest) < MAGIC_BYTES:
            self._block_offset = self._offset
            self._block = rest = self._source.read_at(self._offset, INPUT)
        return rest

    def _end(self, why: str) -> End:
        return End(failure=f"the {self._stage.name} data {why}")

    def _fail(self, why: str) -> Iterator[End]:
        """However much the file grows."""
        while True:
            yield self._end(why)
