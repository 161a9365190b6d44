"""Turns whole lines, or a fragment that was cut on a boundary, into the text of an answer."""

from typing import Literal, NamedTuple

from forge_daemon.reading.lines import utf8

Eol = Literal["lf", "crlf", "mixed", "none"]


class Decoded(NamedTuple):
    text: str
    """Lines end in newline alone."""
    errors: int
    """Malformed sequences, each shown as U+FFFD."""
    eol: Eol


def decode(piece: bytes) -> Decoded:
    eol: Eol = "lf" if b"\n" in piece else "none"
    # Looking for one byte is many times faster than for two, and most texts hold no carriage return.
    if b"\r" in piece and b"\r\n" in piece:
        eol = "crlf" if piece.count(b"\n") == piece.count(b"\r\n") else "mixed"
        piece = piece.replace(b"\r\n", b"\n")
    text, errors = utf8.decode(piece)
    return Decoded(text, errors, eol)
