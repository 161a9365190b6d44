"""Turns a piece of a file into the text shown: decoded, line endings normalised, escape sequences left out."""

from forge_daemon.light_typing import Literal, NamedTuple

from .ansi import strip
from .encodings.encoding import UTF_8, Encoding

WIDEST_REPLACEMENT = 3
"""One byte may become this many bytes of content: a malformed one, or one of another encoding than UTF-8."""

Eol = Literal["lf", "crlf", "mixed", "none"]


class Decoded(NamedTuple):
    text: str
    """Normalised: lines end in newline alone."""
    errors: int
    """Malformed sequences, each shown as U+FFFD."""
    eol: Eol


def decode(piece: bytes, encoding: Encoding = UTF_8, state: bytes = b"", *, strip_ansi: bool = False) -> Decoded:
    """Decode whole lines, or a fragment that was cut on a boundary."""
    eol: Eol = "lf" if b"\n" in piece else "none"
    # Looking for one byte is many times faster than for two, and most files hold no carriage return.
    if b"\r" in piece and b"\r\n" in piece:
        eol = "crlf" if piece.count(b"\n") == piece.count(b"\r\n") else "mixed"
        # Before decoding: an escape sequence between the two may switch character sets, and is not shown.
        piece = piece.replace(b"\r\n", b"\n")
    text, errors = encoding.decode(piece, state)
    return Decoded(strip(text) if strip_ansi else text, errors, eol)


def searchable(text: str) -> bytes:
    """Normalised text in UTF-8, for searching.

    Searches treat a carriage return before a newline as part of the line ending. If one of them is text, every
    line gets such an ending.
    """
    return (text.replace("\n", "\r\n") if "\r\n" in text else text).encode("utf-8", "replace")
