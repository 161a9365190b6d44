"""Cursors: opaque strings that say where an answer ended, for the next one to continue.

A cursor outlives growth and nothing else. It carries the `etag` of the file, and a fingerprint: a digest of the file's
first and last bytes and of the text before its position, as they were when it was made. If the file is larger now and
the fingerprint still matches, the file only grew (see `files.same_file`).
"""

from binascii import crc32
from typing import NamedTuple

from forge_daemon.reading.files.digest import digest
from forge_daemon.reading.files.file_bytes import FileBytes
from forge_daemon.reading.files.same_file import RACY_SUFFIX, fingerprint
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.match.run import Place
from forge_daemon.reading.texts.text import Text
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

MAX_TEXT_PER_BYTE = 2_000_000
"""The most bytes of text that one byte of a compressed file can become, rounded up."""
_FINGERPRINT_BYTES = 8
_BYTES_BEFORE = 512
_MAX_READ_ALIKE = 64 * 1024
"""How much of what was delivered last must still be there."""


class Cursor(NamedTuple):
    """A place in the lines of one file, or in those that pass a filter."""

    etag: str
    """The etag that the file had when the cursor was made."""
    size: int
    """The size that the file had then."""
    fingerprint: str
    place: Place
    """The next byte to deliver; its numbers are zero or negative if lines were counted from the end."""
    last: int | None = None
    """The selection's last line; None: the end of the file."""
    filter_name: str = ""
    newest: int = 0
    """In a rotated set, how many files the text has in which the place is, counted from the newest; 0: all."""


def cursor_at(file: FileBytes, text: Text | None, place: Place, last: int | None, filter_name: str = "") -> Cursor:
    """`text` is None for a binary file."""
    fingerprint_ = _fingerprint(file, text, place.offset, file.size)
    return Cursor(file.etag, file.size, fingerprint_, place, last, filter_name, file.newest)


def encode_cursor(cursor: Cursor) -> str:
    place = cursor.place
    where = (place.offset, place.number, place.line, int(place.inside_line))
    numbers = (cursor.size, *where, cursor.last or 0, cursor.newest)
    text = ".".join((cursor.etag, cursor.fingerprint, cursor.filter_name, *map(str, numbers)))
    return f"{crc32(text.encode()):08x}.{text}"  # never begins with "-", so a shell can pass it on


def decode_cursor(text: str) -> Cursor:
    try:
        _, etag, digest_, filter_name, size, offset, number, line, inside, last, newest = text.split(".")
        place = Place(int(offset), int(number), int(line), inside == "1")
        cursor = Cursor(etag, int(size), digest_, place, int(last) or None, filter_name, int(newest))
        longest = cursor.size * MAX_TEXT_PER_BYTE
        within = 0 <= place.offset <= longest and max(abs(place.line), abs(place.number)) <= longest + 1
        is_one = within and (cursor.last or 1) > 0 and cursor.newest >= 0 and encode_cursor(cursor) == text
    except ValueError:
        is_one = False
    if not is_one:
        raise invalid_argument("cursor: not a cursor of this daemon", hint="send next_cursor of an answer, unchanged")
    return cursor


def require_filter(cursor: Cursor, filter_name: str) -> None:
    """Raise `INVALID_ARGUMENT` if the cursor was made with another filter."""
    if cursor.filter_name != filter_name:
        raise invalid_argument(
            "cursor: returned with a different filter" if cursor.filter_name else "cursor: returned without a filter",
            hint="send the cursor with the filter of the request that returned it",
        )


def check_cursor(cursor: Cursor, file: FileBytes, text: Text | None) -> None:
    """Raise `CONTENT_MODIFIED` unless the file is unchanged since the cursor was made, or has only grown."""
    if not _still_holds(cursor, file, text):
        raise ReadError(
            ErrorCode.CONTENT_MODIFIED,
            "changed since the cursor was returned",
            hint="read it again from a line number",
            retriable=True,
            etag=file.etag,
        )


def renewed(cursor: Cursor, file: FileBytes, text: Text) -> Cursor:
    """The cursor with the file's new `etag`, if the file was only touched: same size, same contents as far as seen."""
    is_touched = file.size == cursor.size and (
        _fingerprint(file, text, cursor.place.offset, cursor.size) == cursor.fingerprint
    )
    return cursor._replace(etag=file.etag) if is_touched else cursor


def _still_holds(cursor: Cursor, file: FileBytes, text: Text | None) -> bool:
    is_same = cursor.etag.removesuffix(RACY_SUFFIX) == file.etag.removesuffix(RACY_SUFFIX)
    if not is_same and not (file.key and file.size > cursor.size):
        return False
    if _fingerprint(file, text, cursor.place.offset, cursor.size) != cursor.fingerprint:
        return False
    if is_same and text is not None and cursor.place.line > 0 and (cursor.etag.endswith(RACY_SUFFIX) or file.is_racy):
        # It may have been written again within one tick of the clock, so the line is counted.
        return LineIndex(text).line_at(cursor.place.offset) == cursor.place.line
    return True


def _fingerprint(file: FileBytes, text: Text | None, offset: int, size: int) -> str:
    """A digest of the first `size` bytes of the file, and of the text before an offset."""
    read_at = file.read_at if text is None else text.read_at
    before = read_at(max(0, offset - _BYTES_BEFORE), min(offset, _BYTES_BEFORE))
    kind = b"" if text is None or _reads_alike(text, offset) else text.kind.encode()
    ends = file.fingerprint if size == file.size and file.fingerprint else fingerprint(file.read_at, size)
    return digest(file.key + kind, ends, before, size=_FINGERPRINT_BYTES).hex()


def _reads_alike(text: Text, offset: int) -> bool:
    """Whether the text before an offset is the same in every encoding: appended text may decide which one it is."""
    if offset > _MAX_READ_ALIKE:
        return False
    before = text.read_at(0, offset)
    return before.isascii() and b"\x1b" not in before
