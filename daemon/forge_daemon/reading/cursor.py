"""The opaque string in which an answer says where the next one goes on."""

import struct
from typing import NamedTuple

from forge_protocol.errors import invalid_argument

from .digest import digest

_LAYOUT = struct.Struct("<B22sQqQ")
_VERSION = 1
_CHECK_BYTES = 4


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
    import base64

    packed = _LAYOUT.pack(_VERSION, cursor.etag.encode(), cursor.offset, cursor.line, cursor.last or 0)
    return base64.urlsafe_b64encode(packed + _check(packed)).rstrip(b"=").decode()


def decode_cursor(text: str) -> Cursor:
    import base64
    import binascii

    try:
        raw = base64.b64decode(text + "=" * (-len(text) % 4), altchars=b"-_", validate=True)
    except (ValueError, binascii.Error):
        raise _not_a_cursor() from None
    packed, check = raw[:-_CHECK_BYTES], raw[-_CHECK_BYTES:]
    if len(packed) != _LAYOUT.size or packed[0] != _VERSION or check != _check(packed):
        raise _not_a_cursor()
    _, etag, offset, line, last = _LAYOUT.unpack(packed)
    return Cursor(etag.decode("latin-1"), offset, line, last or None)


def _check(packed: bytes) -> bytes:
    return digest(packed, size=_CHECK_BYTES)


def _not_a_cursor() -> Exception:
    return invalid_argument("cursor: not a cursor of this daemon", hint="take next_cursor from an answer, as it is")
