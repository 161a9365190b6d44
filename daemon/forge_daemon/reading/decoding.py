"""From a piece of a file to the text that is shown: decoded, ends of lines normalised, escape sequences taken out."""

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
        # Before it is decoded: a switch of character sets may stand between the two, and is not shown.
        piece = piece.replace(b"\r\n", b"\n")
    text, errors = encoding.decode(piece, state)
    return Decoded(strip(text) if strip_ansi else text, errors, eol)


def searchable(text: str) -> bytes:
    """Normalised text as searches take it, in UTF-8.

    To them a carriage return before a newline is part of the line's end, so one that is text needs another after it.
    """
    return (text.replace("\n", "\r\n") if "\r\n" in text else text).encode("utf-8", "replace")
