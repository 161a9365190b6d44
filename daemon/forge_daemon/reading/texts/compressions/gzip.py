"""gzip: restart points are copies of the decompressor, each with its window of 32 KiB."""

from typing import Any

from .decompress import Library

try:
    from zlib_ng import zlib_ng as zlib  # faster
except ImportError:
    import zlib  # type: ignore[no-redef]

GZIP_FORMAT = 31


class Inflate:
    """zlib with the interface of the other libraries."""

    def __init__(self, inner: Any = None) -> None:
        self._inner: Any = inner or zlib.decompressobj(GZIP_FORMAT)
        self.needs_input = True

    @property
    def eof(self) -> bool:
        return bool(self._inner.eof)

    @property
    def unused_data(self) -> bytes:
        return bytes(self._inner.unused_data)

    def decompress(self, data: bytes, max_length: int) -> bytes:
        text: bytes = self._inner.decompress(self._inner.unconsumed_tail + data, max_length)
        # With as much text as was asked for, there may be more without more input.
        self.needs_input = not (self.eof or self._inner.unconsumed_tail or len(text) == max_length)
        return text

    def copy(self) -> "Inflate":
        return Inflate(self._inner.copy())


_ERROR: Any = zlib.error  # which zlib_ng declares as an exception instead of a type

LIBRARY = Library(Inflate, _ERROR, memory=48 * 1024, copy=Inflate.copy)
