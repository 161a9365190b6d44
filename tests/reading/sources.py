"""Bytes to read, and what reading them ought to give."""

import os
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from forge_daemon.reading.files.cache import FileCache
from forge_daemon.reading.files.disk import DiskFile
from forge_daemon.reading.files.file_bytes import FileBytes, FileChanged, Knowledge, no_progress
from forge_daemon.reading.files.same_file import etag_of
from forge_daemon.reading.match.run import Place
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import open_text
from forge_daemon.reading.texts.text import Text
from forge_daemon.reading.window.cursor import Cursor, cursor_at
from forge_daemon.reading.window.read import read_window
from forge_daemon.reading.window.window import Window, WindowRequest

BOM = b"\xef\xbb\xbf"
FIVE = b"one\ntwo\nthree\nfour\nfive\n"


T = TypeVar("T")
__all__ = [
    "BOM",
    "FIVE",
    "cursor_in",
    "in_memory",
    "lines_of",
    "no_progress",
    "normalised",
    "opened",
    "read_disk",
    "text_in",
    "window_of",
]


def opened(path: Path) -> int:
    """As the daemon opens files: without this flag Windows reads `\\r\\n` as one character."""
    return os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0))


def read_disk(fd: int, cache: FileCache | None, use: Callable[[FileBytes], T]) -> T:
    """Once: `FileChanged` if the file changes meanwhile. The descriptor stays open."""
    file = DiskFile(os.dup(fd), cache)
    try:
        answer = use(file.snapshot())
        file.require_unchanged()
    except FileChanged:
        file.forget()
        raise
    finally:
        file.close()
    return answer


def in_memory(data: bytes) -> FileBytes:
    """A file that needs no disk."""
    return FileBytes(
        kind="disk",
        size=len(data),
        read_at=lambda offset, length: data[offset : offset + max(0, length)],
        etag=etag_of(data),
        mtime_ms=0,
        knowledge=Knowledge(),
        key=b"memory",
    )


def text_in(file: FileBytes) -> Text:
    text = open_text(file, TextForm(), no_progress)
    assert text is not None, "the file is binary"
    return text


def window_of(data: bytes, request: WindowRequest) -> Window:
    return read_window(in_memory(data), request, no_progress)


def cursor_in(data: bytes, offset: int, line: int, last: int | None = None, *, inside_line: bool = False) -> Cursor:
    """`offset`: of the text, which has no byte order mark."""
    file = in_memory(data)
    return cursor_at(file, text_in(file), Place(offset, line, line, inside_line), last)


def normalised(data: bytes) -> str:
    return data.removeprefix(BOM).decode(errors="replace").replace("\r\n", "\n")


def lines_of(text: str) -> list[str]:
    lines = [line + "\n" for line in text.split("\n")]
    last = lines.pop().removesuffix("\n")
    return [*lines, last] if last else lines
