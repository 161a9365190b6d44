"""The text of a gzip file, at any offset.

Restart points are copies of the decompressor, each with its window of 32 KiB. Members that follow each other are one
text; whatever follows the last one is ignored. Damage ends the text. A file of nothing but empty members, or of
zeros after one, is not read to its end: that could take hours.
"""

import zlib
from bisect import bisect_right

from forge_daemon.light_typing import Any, NamedTuple

from .derived import LONGEST_TEXT, Bytes, End, RestartPoints
from .source import Progress

MAGIC = b"\x1f\x8b\x08"
SPACING = 4 * 1024 * 1024
"""Bytes of text between two restart points, to begin with."""
_MOST_POINTS = 512
_POINT_MEMORY = 48 * 1024
_INPUT = 32 * 1024
_FIRST_INPUT = 1024
"""Of a member, which may be a short one of many: what is fed and not needed is copied."""
_OUTPUT = 256 * 1024
"""Bytes at one step: memory is bounded by these, whatever the file claims."""
_MOST_EMPTY = 4096
"""Members in a row that hold nothing."""
MOST_PADDING = 256 * 1024
"""Zeros between members, roughly."""
_KEPT = 8 * 1024 * 1024
_RECENT = 512 * 1024
_GZIP_FORMAT = 31

ENDS_EARLY = "the gzip data ends early"

Decompressor = Any
"""`zlib` does not name its type."""


class _Point(NamedTuple):
    text_offset: int
    input_offset: int
    """Of the next byte to feed."""
    decompressor: Decompressor
    text: bytes = b""
    """What precedes `text_offset`."""

    @property
    def start(self) -> int:
        return self.text_offset - len(self.text)


class GzipPoints(RestartPoints):
    """Restart points. They are further apart in a longer text, so that their memory is bounded."""

    def __init__(self) -> None:
        super().__init__()
        self._spacing = SPACING
        self._points: list[_Point] = []
        self._recent: _Point | None = None
        """Where the last reader got to: the next one often continues there."""

    @property
    def memory(self) -> int:
        return super().memory + _POINT_MEMORY * (len(self._points) + 1) + _RECENT

    @property
    def reach(self) -> int:
        """A lower bound of the text's length."""
        with self.lock:
            return self._points[-1].text_offset if self._points else 0

    def before(self, offset: int) -> _Point | None:
        """The last restart point at or before an offset of the text."""
        with self.lock:
            if self._recent is not None and self._recent.start <= offset < self._recent.text_offset + self._spacing:
                return self._recent
            found = bisect_right(self._points, offset, key=lambda point: point.text_offset)
            return self._points[found - 1] if found else None

    def leave(self, point: _Point) -> None:
        """Keep the position where a reader stopped. The caller must not use its decompressor any more."""
        with self.lock:
            self._recent = point

    def offer(self, text_offset: int, input_offset: int, decompressor: Decompressor) -> None:
        """Keep a restart point where the last one is far enough away."""
        with self.lock:
            last = self._points[-1].text_offset if self._points else 0
            if text_offset < last + self._spacing:
                return
            self._points.append(_Point(text_offset, input_offset, decompressor.copy()))
            if len(self._points) > _MOST_POINTS:
                self._spacing *= 2
                self._points = self._points[1::2]


class GzipText:
    """One reader's view of the text."""

    unfinished = 0

    def __init__(self, compressed: Bytes, points: GzipPoints, progress: Progress) -> None:
        self._compressed = compressed
        self._points = points
        self._progress = progress
        self._end_found = points.end_of(compressed.size)
        self._block, self._block_offset = b"", 0
        self._start_at(None)

    @property
    def size(self) -> int:
        """The size of the text; an upper bound while it is not known."""
        return LONGEST_TEXT if self._end_found is None else self._end_found.size

    @property
    def failure(self) -> str | None:
        return None if self._end_found is None else self._end_found.failure

    @property
    def done(self) -> tuple[int, int]:
        return self._input_offset, self._compressed.size

    def is_longer_than(self, length: int) -> bool:
        """Whether the text is longer than this. Decompresses only if that is not known already."""
        if self._end_found is not None:
            return self._end_found.size > length
        return self._points.reach > length or len(self.read_at(length, 1)) > 0

    def read_at(self, offset: int, length: int) -> bytes:
        end = min(offset + length, self.size)
        if end <= offset:
            return b""
        point = self._points.before(offset)
        if offset < self._kept_from or (point is not None and point.start > self._text_offset):
            self._start_at(point)
        reached = self._text_offset
        while self._text_offset < end and self._advance():
            if len(self._kept) > _KEPT and self._kept_from + _KEPT // 2 < offset:
                self._kept_from += _KEPT // 2
                del self._kept[: _KEPT // 2]
        if reached < self._text_offset:
            before = bytes(self._kept[-_RECENT:])
            self._points.leave(_Point(self._text_offset, self._input_offset, self._decompressor.copy(), before))
        return bytes(self._kept[offset - self._kept_from : end - self._kept_from])

    def _start_at(self, point: _Point | None) -> None:
        self._text_offset = point.text_offset if point else 0
        self._kept_from = point.start if point else 0
        self._input_offset = point.input_offset if point else 0
        self._decompressor = point.decompressor.copy() if point else zlib.decompressobj(_GZIP_FORMAT)
        self._kept = bytearray(point.text) if point else bytearray()
        self._is_new = point is None
        """The decompressor has been fed nothing."""
        self._empty_members = 0

    def _advance(self) -> bool:
        """Decompress some more; False at the end."""
        self._progress(self._input_offset, self._compressed.size)
        decompressor = self._decompressor
        if decompressor.eof:
            return self._next_member()
        chunk = decompressor.unconsumed_tail or self._read_input()
        if not chunk:
            return self._end(ENDS_EARLY)
        before = zlib.decompressobj(_GZIP_FORMAT) if self._is_new else decompressor.copy()
        self._is_new = False
        try:
            self._take(decompressor.decompress(chunk, _OUTPUT))
        except zlib.error as error:
            self._take(_up_to_damage(before, chunk))
            return self._end(f"the gzip data is damaged ({str(error).rpartition(': ')[2]})")
        if decompressor.eof:
            self._input_offset -= len(decompressor.unused_data)
        if self._text_offset > LONGEST_TEXT:
            return self._end(f"the gzip data holds more than {LONGEST_TEXT >> 30} GiB")
        # With input left over, a copy would keep that too.
        if not decompressor.unconsumed_tail and not decompressor.eof:
            self._points.offer(self._text_offset, self._input_offset, decompressor)
        return True

    def _read_input(self) -> bytes:
        chunk = self._peek(_FIRST_INPUT if self._is_new else _INPUT)
        self._input_offset += len(chunk)
        return chunk

    def _peek(self, length: int) -> bytes:
        """What comes next; less only at the end of the file."""
        start = self._input_offset - self._block_offset
        if start < 0 or start + length > len(self._block):
            start, self._block_offset = 0, self._input_offset
            left = self._compressed.size - self._input_offset
            self._block = self._compressed.read_at(self._input_offset, min(_INPUT, left)) if left > 0 else b""
        return self._block[start : start + length]

    def _next_member(self) -> bool:
        start = self._peek(len(MAGIC))
        padding_ends = self._input_offset + MOST_PADDING
        while start.startswith(b"\0") and self._input_offset < padding_ends:
            # Some tools pad with zeros.
            self._progress(self._input_offset, self._compressed.size)
            padding = self._peek(_INPUT)
            self._input_offset += len(padding) - len(padding.lstrip(b"\0"))
            start = self._peek(len(MAGIC))
        if start.startswith(b"\0"):
            return self._end(f"the gzip data continues with more than {MOST_PADDING >> 10} KiB of zeros")
        if start != MAGIC:
            return self._end(None)
        self._empty_members += 1
        if self._empty_members > _MOST_EMPTY:
            return self._end(f"the gzip data continues with more than {_MOST_EMPTY:,} empty members")
        self._decompressor = zlib.decompressobj(_GZIP_FORMAT)
        self._is_new = True
        return True

    def _take(self, text: bytes) -> None:
        self._kept += text
        self._text_offset += len(text)
        if text:
            self._empty_members = 0

    def _end(self, failure: str | None) -> bool:
        self._end_found = End(self._text_offset, failure)
        self._points.ends(self._compressed.size, self._end_found)
        return False


def _up_to_damage(decompressor: Decompressor, chunk: bytes) -> bytes:
    """The text before the damage: a decompressor that fails returns nothing of the chunk it was given."""
    text = bytearray()
    try:
        for byte in chunk:
            text += decompressor.decompress(bytes((byte,)))
    except zlib.error:
        pass
    return bytes(text)
