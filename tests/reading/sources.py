"""Bytes to read, and what reading them ought to give."""

import os
from collections.abc import Callable
from typing import TypeVar

from forge_daemon.reading.cursor import Cursor, cursor_at
from forge_daemon.reading.lines.cache import LineIndexCache
from forge_daemon.reading.lines.line_index import LineIndex
from forge_daemon.reading.sources.disk import DiskFile
from forge_daemon.reading.sources.source import Source, ends_digest, etag_of, no_progress
from forge_daemon.reading.windows.read import read_window
from forge_daemon.reading.windows.window import Window, WindowRequest

BOM = b"\xef\xbb\xbf"
FIVE = b"one\ntwo\nthree\nfour\nfive\n"


T = TypeVar("T")
__all__ = ["BOM", "FIVE", "cursor_in", "in_memory", "lines_of", "no_progress", "normalised", "read_disk", "window_of"]


def read_disk(fd: int, cache: LineIndexCache | None, use: Callable[[Source], T]) -> T:
    """Once: `FileChanged` where the file changes meanwhile. The descriptor stays open."""
    file = DiskFile(os.dup(fd), cache)
    try:
        file.look_again()
        source = file.source()
        answer = use(source)
        file.require_unchanged(source, no_progress)
    except BaseException:
        file.forget()
        raise
    finally:
        file.close()
    return answer


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

    def read_at(offset: int, length: int) -> bytes:
        return data[offset : offset + length]

    return Source(
        kind="disk",
        size=len(data),
        read_at=read_at,
        etag=etag_of(data),
        line_index=LineIndex(len(data)),
        mtime_ms=0,
        key=b"memory",
        ends_digest=ends_digest(read_at, len(data)),
    )


def window_of(data: bytes, request: WindowRequest) -> Window:
    return read_window(in_memory(data), request, no_progress)


def cursor_in(data: bytes, offset: int, line: int, last: int | None = None) -> Cursor:
    return cursor_at(in_memory(data), offset, line, last)


def normalised(data: bytes) -> str:
    return data.removeprefix(BOM).decode(errors="replace").replace("\r\n", "\n")


def lines_of(text: str) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines
