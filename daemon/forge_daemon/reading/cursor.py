"""The opaque string in which an answer says where the next one goes on."""

from binascii import crc32
from typing import NamedTuple

from forge_protocol.errors import invalid_argument


class Cursor(NamedTuple):
    """A place in one state of one file."""

    etag: str
    """Of the file the cursor was made for."""
    offset: int
    """The next byte to deliver."""
    line: int
    """The line it belongs to; negative where lines are counted from the end; 0 in a binary file."""
    last: int | None
    """The selection's last line; None: the end of the file."""


def encode_cursor(cursor: Cursor) -> str:
    text = f"{cursor.etag}.{cursor.offset}.{cursor.line}.{cursor.last or 0}"
    return f"{text}.{crc32(text.encode()):08x}"


def decode_cursor(text: str) -> Cursor:
    try:
        etag, offset, line, last, _ = text.split(".")
        cursor = Cursor(etag, int(offset), int(line), int(last) or None)
        is_one = cursor.offset >= 0 and (cursor.last or 1) > 0 and encode_cursor(cursor) == text
    except ValueError:
        is_one = False
    if not is_one:
        raise _not_a_cursor()
    return cursor


def _not_a_cursor() -> Exception:
    return invalid_argument("cursor: not a cursor of this daemon", hint="take next_cursor from an answer, as it is")
