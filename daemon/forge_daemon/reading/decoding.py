"""From the file's bytes to text: binary or not, byte order mark, UTF-8, ends of lines."""

from typing import Literal, NamedTuple

BINARY_SAMPLE = 8 * 1024
BYTE_ORDER_MARK = b"\xef\xbb\xbf"
REPLACEMENT = "\ufffd"
WIDEST_REPLACEMENT = len(REPLACEMENT.encode())
"""One malformed byte may become this many bytes of content."""

Eol = Literal["lf", "crlf", "mixed", "none"]


class Decoded(NamedTuple):
    text: str
    """Normalised: lines end in newline alone."""
    errors: int
    """Malformed sequences, each shown as U+FFFD."""
    eol: Eol


def is_binary(head: bytes) -> bool:
    return b"\0" in head[:BINARY_SAMPLE]


def byte_order_mark_length(head: bytes) -> int:
    return len(BYTE_ORDER_MARK) if head.startswith(BYTE_ORDER_MARK) else 0


def decode(piece: bytes) -> Decoded:
    """Decode whole lines, or a fragment that `character_boundary` cut."""
    try:
        text, errors = piece.decode(), 0
    except UnicodeDecodeError:
        text = piece.decode(errors="replace")
        # A U+FFFD that stands in the file is no error.
        errors = text.count(REPLACEMENT) - piece.count(REPLACEMENT.encode())
    # Looking for one byte is many times faster than for two, and most files hold no carriage return.
    if b"\r" not in piece or b"\r\n" not in piece:
        return Decoded(text, errors, "lf" if b"\n" in piece else "none")
    eol: Eol = "crlf" if piece.count(b"\n") == piece.count(b"\r\n") else "mixed"
    return Decoded(text.replace("\r\n", "\n"), errors, eol)


def character_boundary(piece: bytes, at_most: int) -> int:
    """Where a line longer than `at_most` bytes can be cut so that both parts decode as the whole would.

    `piece` must hold a few bytes more than `at_most`. At least one character is taken, however little is
    allowed.
    """
    cut = _boundary_at_or_before(piece, at_most)
    return cut if cut > 0 else _end_of_first_character(piece)


def incomplete_at_end(last_bytes: bytes) -> int:
    """How many of a text's last bytes may still become part of a character, or of the end of a line."""
    if last_bytes.endswith(b"\r"):
        return 1
    for length in range(1, min(4, len(last_bytes) + 1)):
        byte = last_bytes[-length]
        if not _is_continuation(byte):
            return length if byte >= 0xC2 and length < _CHARACTER_LENGTHS.get(byte >> 4, 2) else 0
    return 0


_CHARACTER_LENGTHS = {0xE: 3, 0xF: 4}
"""By the first four bits of the first byte; two for the others that begin a character of several bytes."""


def _boundary_at_or_before(piece: bytes, position: int) -> int:
    # A character has at most three continuation bytes; one more in a row cannot belong to it.
    for cut in range(position, max(position - 4, -1), -1):
        if not _is_continuation(piece[cut]):
            break
    else:
        cut = position
    if piece[cut] == 0x0A and cut > 0 and piece[cut - 1] == 0x0D:
        cut -= 1
    return cut


def _end_of_first_character(piece: bytes) -> int:
    if piece.startswith(b"\r\n"):
        return 2
    first = piece[:4]
    try:
        return len(first.decode()[0].encode())
    except UnicodeDecodeError as error:
        return error.end if error.start == 0 else len(first[: error.start].decode()[0].encode())


def _is_continuation(byte: int) -> bool:
    return byte & 0xC0 == 0x80
