"""What describes all of a text."""

from forge_daemon.reading.files.file_bytes import FileBytes
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.lines.newlines import STRIDE
from forge_daemon.reading.texts.concatenated import RotatedText
from forge_daemon.reading.texts.text import Text
from forge_protocol.errors import ErrorCode, ReadError

from .window import Facts

MAX_COUNTED_COMPRESSED = 4 * 1024 * 1024
"""The lines of a compressed text are not counted for a window if the text or the file is longer."""
MAX_COUNTED_SET = 1024 * 1024
"""Bytes of the files of a rotated set, and, below, how many they are. Of more, nothing is read but what is shown."""
MAX_COUNTED_FILES = 16


def text_facts(text: Text, index: LineIndex, count_lines_up_to: int) -> Facts:
    file = text.file
    is_counted = counts_lines(text, count_lines_up_to)
    line_count = index.count() if is_counted else None
    return Facts(
        byte_length=file.size,
        line_count=None if text.failure else line_count,
        mtime_ms=file.mtime_ms,
        encoding=text.encoding,
        bom=text.has_bom,
        ends_with_newline=ends_with_newline(text) if is_counted else _file_ends_with_newline(text),
        etag=file.etag,
        source=file.kind,
        document_version=file.document_version,
        changed_ms=file.changed_ms,
        compression=text.compression,
        text_byte_length=text.known_length if text.compression and is_counted else None,
    )


def binary_facts(file: FileBytes) -> Facts:
    return Facts(
        byte_length=file.size,
        line_count=None,
        mtime_ms=file.mtime_ms,
        encoding="binary",
        bom=False,
        ends_with_newline=False,
        etag=file.etag,
        source=file.kind,
        document_version=None,
    )


def counts_lines(text: Text, up_to: int) -> bool:
    """Whether all lines are counted for a window of the text. Never depends on what is cached."""
    size = text.file.size
    limit = min(up_to, MAX_COUNTED_COMPRESSED)
    if text.file.newest:
        return False
    if text.file.is_set:
        is_small = len(text.file.members) <= MAX_COUNTED_FILES and size <= min(limit, MAX_COUNTED_SET)
        return is_small and not text.is_longer_than(limit)
    if text.compression is None:
        return size <= up_to
    return size <= limit and not text.is_longer_than(limit)


def ends_with_newline(text: Text) -> bool:
    """Whether a text whose end was read ends with a newline."""
    if isinstance(text, RotatedText):
        # Each file but the newest ends with a newline, which is inserted where it is missing.
        newest = text.newest
        if newest is None or not newest.is_longer_than(0):
            return text.file.size > 0
        text = newest
    length = text.length()
    return length > 0 and text.read_at(length - 1, 1) == b"\n"


def _file_ends_with_newline(text: Text) -> bool:
    """As far as the file itself shows it: the end of a long text is not looked for."""
    if isinstance(text, RotatedText):
        newest = text.newest
        if newest is None or newest.file.size == 0:
            return text.file.size > 0
        return _file_ends_with_newline(newest)
    if text.compression is not None:
        return False
    newline = "\n".encode(text.encoding) if text.encoding.startswith("utf-") else b"\n"
    file, width = text.file, len(newline)
    return file.size >= width and file.size % width == 0 and file.read_at(file.size - width, width) == newline


def require_whole(text: Text) -> None:
    """Raise `INTERNAL` if a text that was read to its end is damaged or cut off there."""
    if text.failure is not None:
        raise ReadError(ErrorCode.INTERNAL, f"{text.failure}, after {text.length():,} bytes of text")


def note_start_lines(text: RotatedText, index: LineIndex, start: int, end: int) -> None:
    """Remember the number of the first line of each file that starts between two offsets, whose lines were counted."""
    starts, before, line = text.starts, start, index.line_at(start)
    for position, offset in enumerate(starts.offsets):
        if start <= offset <= end and position not in starts.lines:
            is_near = offset - before <= STRIDE
            line = line + text.read_at(before, offset - before).count(b"\n") if is_near else index.line_at(offset)
            before = offset
            starts.lines[position] = line
    for position, line in list(starts.lines.items()):
        text.file.members[position].start_line = line
