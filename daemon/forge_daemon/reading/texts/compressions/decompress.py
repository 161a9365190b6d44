"""Decompresses a file of any of the formats. They differ in their library alone.

A file is a row of members (in zstd: frames, in xz and bzip2: streams), which are one text. Zeros between them, and
whatever follows the last one, are ignored. Memory is bounded by the steps, whatever a file claims. Where nothing but
empty members or zeros follows, the text ends with a failure instead of being searched for hours.
"""

from collections.abc import Callable, Iterator
from re import Pattern
from typing import Any, NamedTuple, Protocol

from forge_daemon.reading.texts.derived import Point, Stage, Step
from forge_daemon.reading.texts.source import ENDS_EARLY, End, Input

SPACING = 4 * 1024 * 1024
INPUT = 32 * 1024
FIRST_INPUT = 1024
"""The first input of a member, which may be one of many short ones: what is fed and not needed is copied."""
OUTPUT = 256 * 1024
MAGIC_BYTES = 10
MAX_EMPTY_MEMBERS = 4096
MAX_PADDING = 256 * 1024
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

    offset: int
    """Where in the file it is."""
    decompressor: Decompressor | None = None
    """None: at the start of a member. Never used itself, but copied."""


class Decompress(Stage):
    """The stage."""

    spacing = SPACING

    def __init__(self, name: str, magic: Pattern[bytes], library: Library, max_temporary_bytes: int) -> None:
        self.name = name
        self.magic = magic
        self.library = library
        self.reader_bytes = library.memory
        if library.copy:
            self.point_bytes = library.memory
        else:
            self.max_spilled_bytes = max_temporary_bytes

    def steps(self, source: Input, start: Point) -> Iterator[Step | End]:
        return _Members(self, source, start).steps()


class _Members:
    def __init__(self, stage: Decompress, source: Input, start: Point) -> None:
        self._stage = stage
        self._library = stage.library
        self._source = source
        self._text = start.offset
        """Bytes of text so far."""
        self._place: _Place = start.state or _Place(0)
        self._offset = self._place.offset
        """Where in the file the next byte to feed is."""
        self._block, self._block_offset = b"", 0

    def steps(self) -> Iterator[Step | End]:
        empty = 0
        while True:
            is_new, text_before = self._place.decompressor is None, self._text
            yield from self._member()
            empty = empty + 1 if is_new and self._text == text_before else 0
            if empty > MAX_EMPTY_MEMBERS:
                yield from self._fail(f"continues with more than {MAX_EMPTY_MEMBERS:,} empty members")
            self._place = _Place(self._offset)
            yield Step(state=None if empty else self._place)
            yield from self._find_next()

    def _member(self) -> Iterator[Step | End]:
        text_at_place, next_copy = self._text, self._text + SPACING
        decompressor, fed_from = self._start(), self._offset
        length = INPUT if self._place.decompressor else FIRST_INPUT
        while not decompressor.eof:
            chunk = b""
            if decompressor.needs_input:
                while not (chunk := self._peek(length)):
                    yield self._end(ENDS_EARLY)
                fed_from, length = self._offset, INPUT
                self._offset += len(chunk)
            try:
                text = decompressor.decompress(chunk, OUTPUT)
            except self._library.error as error:
                yield from self._up_to_damage(text_at_place, fed_from)
                reason = str(error).rpartition(": ")[2]
                is_large = "memory" in reason.lower()
                yield from self._fail("needs more memory than is allowed" if is_large else f"is damaged ({reason})")
            self._text += len(text)
            if self._text > MAX_TEXT:
                yield from self._fail(f"holds more than {MAX_TEXT >> 30} GiB")
            if self._library.copy and self._text >= next_copy and decompressor.needs_input and not decompressor.eof:
                self._place = _Place(self._offset, self._library.copy(decompressor))
                text_at_place, next_copy = self._text, self._text + SPACING
                yield Step(text, self._place)
            else:
                yield Step(text)
        self._offset -= len(decompressor.unused_data)

    def _start(self) -> Decompressor:
        if self._library.copy and self._place.decompressor:
            return self._library.copy(self._place.decompressor)
        return self._library.start()

    def _up_to_damage(self, text: int, fed_from: int) -> Iterator[Step]:
        """The text before the damage: a decompressor that fails returns nothing for the chunk that it was fed.

        Starts from the last place again, and feeds that chunk byte by byte. `text` is how much text precedes the place.
        """
        decompressor, offset = self._start(), self._place.offset
        while not decompressor.eof:
            chunk = b""
            if decompressor.needs_input:
                chunk = self._source.read_at(offset, max(1, min(INPUT, fed_from - offset)))
                offset += len(chunk)
                if not chunk:
                    return
            try:
                piece = decompressor.decompress(chunk, OUTPUT)
            except self._library.error:
                return
            text += len(piece)
            new = max(0, text - self._text)
            self._text += new
            yield Step(piece[len(piece) - new :])

    def _find_next(self) -> Iterator[Step | End]:
        """Up to the next member."""
        max_offset = self._offset + MAX_PADDING
        while not self._stage.magic.match(start := self._peek(MAGIC_BYTES)):
            if not start.startswith(b"\0"):
                yield End()
            elif self._offset >= max_offset:
                yield from self._fail(f"continues with more than {MAX_PADDING >> 10} KiB of zeros")
            else:
                padding = self._peek(INPUT)
                self._offset += len(padding) - len(padding.lstrip(b"\0"))
                yield Step()

    def _peek(self, length: int) -> bytes:
        """What comes next; less only at the end of the file."""
        start = self._offset - self._block_offset
        if start < 0 or start + length > len(self._block):
            start, self._block_offset = 0, self._offset
            self._block = self._source.read_at(self._offset, INPUT)
        return self._block[start : start + length]

    def _end(self, why: str) -> End:
        return End(failure=f"the {self._stage.name} data {why}")

    def _fail(self, why: str) -> Iterator[End]:
        """However much the file grows."""
        while True:
            yield self._end(why)
