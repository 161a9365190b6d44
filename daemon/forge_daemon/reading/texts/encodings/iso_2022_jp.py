"""ISO-2022-JP, in which the meaning of a byte depends on those before it in its line.

Python's incremental decoder fails on malformed escape sequences, and on those of terminals, so lines are split at
escape sequences here.
"""

import codecs
import re
from collections.abc import Iterator
from contextlib import suppress

from .encoding import MALFORMED, Encoding, to_bytes

_CHARACTER_SET = rb"\$[@B]|\$\(D|\([BJI]"
_DESIGNATION = rb"\x1b(?:" + _CHARACTER_SET + rb")"
_OTHER_ESCAPE = rb"\x1b(?!" + _CHARACTER_SET + rb")"
_CUT_DESIGNATION = rb"\x1b(?:\$\(?|\()?\Z"
_TO_ASCII = b"\x1b(B"


class Iso2022Jp(Encoding):
    """Escape sequences switch character sets. Each line starts in ASCII, as RFC 1468 requires."""

    def convert(self, piece: bytes, prefix: bytes = b"") -> tuple[bytes, int, bytes]:
        if lines := piece.rfind(b"\n") + 1:
            return self._converted(piece[:lines], prefix), lines, b""
        done = len(piece) - self._incomplete(piece, prefix)
        designations = re.findall(_DESIGNATION, piece[:done])
        return self._converted(piece[:done], prefix), done, designations[-1] if designations else prefix

    def finish(self, rest: bytes, prefix: bytes = b"") -> bytes:
        return self._converted(rest, prefix)

    def fits(self, sample: bytes, *, is_whole: bool) -> bool:
        lines = sample if is_whole else sample[: sample.rfind(b"\n") + 1]
        return b"\xff" not in self._converted(lines, b"")

    def switches_in(self, sample: bytes) -> bool:
        """Whether the sample switches character sets anywhere."""
        return re.search(_DESIGNATION, sample) is not None

    def _converted(self, piece: bytes, prefix: bytes) -> bytes:
        if not re.search(_OTHER_ESCAPE, piece):
            # Where each line ends in ASCII, all of them are decoded together.
            with suppress(UnicodeDecodeError):
                return (prefix + piece.replace(b"\n", _TO_ASCII + b"\n")).decode(self.codec).encode()
        return to_bytes("".join(self._parts(piece, prefix)))

    def _parts(self, piece: bytes, prefix: bytes) -> Iterator[str]:
        for number, line in enumerate(piece.split(b"\n")):
            if number:
                yield "\n"
                prefix = b""
            start = 0
            for designation in re.finditer(_DESIGNATION, line):
                yield self._decoded(line[start : designation.start()], prefix)
                start, prefix = designation.end(), designation[0]
            yield self._decoded(line[start:], prefix)

    def _decoded(self, text: bytes, prefix: bytes) -> str:
        """A part of a line in one character set. Escape sequences of terminals may be in it."""
        return "\x1b".join([(prefix + part).decode(self.codec, MALFORMED) for part in text.split(b"\x1b")])

    def _incomplete(self, piece: bytes, prefix: bytes) -> int:
        """How many bytes at the end may be the start of a character or of a switch."""
        last = piece.rfind(b"\x1b")
        if last >= 0 and re.match(_CUT_DESIGNATION, piece[last:]):
            return len(piece) - last
        designation = re.match(_DESIGNATION, piece[last:]) if last >= 0 else None
        end = last + (designation.end() if designation else 1)
        current = [prefix, *re.findall(_DESIGNATION, piece[:end])][-1]
        if not current.startswith(b"\x1b$"):
            return 0  # each byte is a character
        decoder = codecs.getincrementaldecoder(self.codec)(MALFORMED)
        decoder.decode(current + piece[end:])
        return len(decoder.getstate()[0])


ISO_2022_JP = Iso2022Jp("iso-2022-jp", "iso2022_jp_ext")
