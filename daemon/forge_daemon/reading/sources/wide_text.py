"""UTF-16 and UTF-32 as UTF-8, at any offset: block by block, each with the offset of its text."""

from array import array
from bisect import bisect_right

from forge_daemon.reading.encodings.wide import Wide

from .derived import Bytes, End, RestartPoints
from .source import Progress

_BLOCK = 32 * 1024
"""Bytes of the file put into UTF-8 together."""
_KEPT = 4


class WidePoints(RestartPoints):
    """Where in the text each block of the file starts."""

    def __init__(self) -> None:
        super().__init__()
        self._starts = array("Q", [0])

    @property
    def memory(self) -> int:
        return super().memory + self._starts.itemsize * len(self._starts)

    def before(self, offset: int) -> tuple[int, int]:
        """The last known block at or before an offset of the text, and where its text starts."""
        with self.lock:
            block = bisect_right(self._starts, offset) - 1
            return block, self._starts[block]

    def append(self, block: int, start_of_next: int) -> None:
        """Record where the next block's text starts. The file's last block may grow, so none follows it."""
        with self.lock:
            if block == len(self._starts) - 1:
                self._starts.append(start_of_next)


class WideText:
    """One reader's view of the text, without the byte order mark."""

    def __init__(self, wide: Bytes, encoding: Wide, bom: int, points: WidePoints, progress: Progress) -> None:
        self._wide = wide
        self._encoding = encoding
        self._bom = bom
        self._points = points
        self._progress = progress
        self._kept: dict[int, tuple[bytes, bool]] = {}
        self._file_offset = 0
        self._end_found = points.end_of(wide.size)

    @property
    def size(self) -> int:
        """The size of the text; an upper bound while it is not known."""
        return self._wide.size * 3 // 2 + 3 if self._end_found is None else self._end_found.size

    @property
    def failure(self) -> str | None:
        return None if self._end_found is None else self._end_found.failure

    @property
    def done(self) -> tuple[int, int]:
        return self._file_offset, self._wide.size

    @property
    def unfinished(self) -> int:
        """A character that is cut off at the end of the file is one malformed byte of the text."""
        unit = self._encoding.unit
        length = self._wide.size - self._bom
        last = self._wide.read_at(self._bom + length // unit * unit - unit, unit) if length >= unit else b""
        return int(length % unit > 0 or self._encoding.starts_pair(last))

    def read_at(self, offset: int, length: int) -> bytes:
        end = min(offset + length, self.size)
        block, start = self._points.before(offset)
        parts = []
        while start < end:
            text, is_last = self._block(block)
            if start + len(text) > offset:
                parts.append(text[max(0, offset - start) : end - start])
            start += len(text)
            if is_last:
                self._end_found = End(start, self._wide.failure)
                self._points.ends(self._wide.size, self._end_found)
                break
            self._points.append(block, start)
            block += 1
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _block(self, number: int) -> tuple[bytes, bool]:
        """A block as UTF-8, and whether the file ends with it. A character that lies across its end belongs to it."""
        if (kept := self._kept.get(number)) is not None:
            return kept
        unit = self._encoding.unit
        start = self._bom + number * _BLOCK
        self._file_offset = start
        self._progress(start, self._wide.size)
        before = self._wide.read_at(start - unit, unit) if number else b""
        wide = self._wide.read_at(start, _BLOCK + unit)
        first = unit if self._encoding.splits_character(before, wide[:unit]) else 0
        last = wide[_BLOCK - unit : _BLOCK]
        # Half a character, and perhaps half a unit after it, with which the file ends.
        is_cut = len(wide) < _BLOCK + unit and self._encoding.starts_pair(last)
        end = _BLOCK + (unit if is_cut or self._encoding.splits_character(last, wide[_BLOCK:]) else 0)
        block = self._encoding.to_utf8(wide[first:end]), is_cut or len(wide) <= _BLOCK
        self._kept[number] = block
        if len(self._kept) > _KEPT:
            del self._kept[next(iter(self._kept))]
        return block
