"""Bytes to read, and what reading them ought to give."""

from forge_daemon.reading.cursor import Cursor
from forge_daemon.reading.lines.line_index import LineIndex
from forge_daemon.reading.sources.source import Source, etag_of
from forge_daemon.reading.window import Window, WindowRequest, read_window

BOM = b"\xef\xbb\xbf"
FIVE = b"one\ntwo\nthree\nfour\nfive\n"


def no_progress(_done: int, _total: int) -> None:
    pass


class InMemory:
    """Bytes to read from."""

    failure = None

    def __init__(self, data: bytes) -> None:
        self.data = data

    @property
    def size(self) -> int:
        return len(self.data)

    def read_at(self, offset: int, length: int, /) -> bytes:
        return self.data[offset : offset + length]


def in_memory(data: bytes) -> Source:
    """A file that needs no disk."""
    return Source(
        kind="disk",
        size=len(data),
        read_at=lambda offset, length: data[offset : offset + length],
        etag=etag_of(data),
        line_index=LineIndex(len(data)),
        mtime_ms=0,
    )


def window_of(data: bytes, request: WindowRequest) -> Window:
    return read_window(in_memory(data), request, no_progress)


def cursor_in(data: bytes, offset: int, line: int, last: int | None = None) -> Cursor:
    return Cursor(in_memory(data).etag, offset, line, last)


def normalised(data: bytes) -> str:
    return data.removeprefix(BOM).decode(errors="replace").replace("\r\n", "\n")


def lines_of(text: str) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines
