"""ISO-2022-JP, in which the meaning of a byte depends on those before it in its line."""

import re
from collections.abc import Iterator
from contextlib import suppress

from forge_daemon.light_typing import TYPE_CHECKING

from .encoding import LONGEST_CHARACTER, REPLACEMENT, Encoding

if TYPE_CHECKING:
    from forge_daemon.reading.sources.source import ReadAt

_LOOK_BACK = 64 * 1024
_CHARACTER_SET = rb"\$[@B]|\$\(D|\([BJI]"
_DESIGNATION = re.compile(rb"\x1b(?:" + _CHARACTER_SET + rb")")
_LAST_DESIGNATION = re.compile(rb".*(" + _DESIGNATION.pattern + rb")", re.DOTALL)
_NO_DESIGNATION = re.compile(rb"\x1b(?!" + _CHARACTER_SET + rb")")
_ESCAPE = re.compile(rb"(" + _DESIGNATION.pattern + rb")|\x1b")
_CUT_DESIGNATION = re.compile(rb"\x1b(?:\$\(?|\()?\Z")
_END_OF_SEGMENT = re.compile(rb"[\x1b\n]")
_TO_ASCII = b"\x1b(B"


class Iso2022Jp(Encoding):
    """Escape sequences switch character sets. Each line starts in ASCII, as RFC 1468 requires."""

    stateful = True

    def decode(self, piece: bytes, state: bytes = b"") -> tuple[str, int]:
        if not _NO_DESIGNATION.search(piece):
            # Where each line ends in ASCII, all of them are decoded together.
            with suppress(UnicodeDecodeError):
                return (state + piece.replace(b"\n", _TO_ASCII + b"\n")).decode(self.codec), 0
        text = "".join(self._decoded(piece, state))
        return text, text.count(REPLACEMENT)

    def boundary(self, piece: bytes, at_most: int, state: bytes = b"") -> int:
        start = 0
        if (last := piece.rfind(b"\x1b", 0, at_most)) >= 0:
            end = last + 1
            if (designation := _DESIGNATION.match(piece, last)) is not None:
                end = designation.end()
            if end > at_most:
                return last or end
            start, state = end, self.state_after(piece[:end], state)
        if start == at_most > 0:
            return start
        end = start + super().boundary(piece[start:], at_most - start, state)
        return start if end > at_most and start else end

    def incomplete(self, piece: bytes, state: bytes = b"") -> int:
        if (last := piece.rfind(b"\x1b")) < 0:
            return super().incomplete(piece, state)
        if _CUT_DESIGNATION.match(piece, last):
            return len(piece) - last
        # Python's decoder stumbles over escape sequences that choose no character set.
        designation = _DESIGNATION.match(piece, last)
        end = designation.end() if designation else last + 1
        return super().incomplete(piece[end:], self.state_after(piece[:end], state))

    def state_after(self, piece: bytes, state: bytes) -> bytes:
        last = _LAST_DESIGNATION.match(piece)
        return last[1] if last else state

    def state_at(self, read_at: "ReadAt", offset: int) -> bytes:
        while offset > 0:
            start = max(0, offset - _LOOK_BACK)
            block = read_at(start, offset - start)
            newline = block.rfind(b"\n") + 1
            escapes = _DESIGNATION.findall(block, newline)
            if escapes:
                last: bytes = escapes[-1]
                return b"" if last == _TO_ASCII else last
            if newline or not start:
                return b""
            # An escape sequence may lie across two blocks.
            offset = start + LONGEST_CHARACTER
        return b""

    def switches_in(self, sample: bytes) -> bool:
        """Whether the sample switches character sets anywhere."""
        return _DESIGNATION.search(sample) is not None

    def fits(self, sample: bytes, *, whole: bool) -> bool:
        lines = sample if whole else sample[: sample.rfind(b"\n") + 1]
        return self.decode(lines)[1] == 0

    def _end_of_first_character(self, piece: bytes, state: bytes) -> int:
        if (escape := _ESCAPE.match(piece)) is not None:
            return escape.end()
        # An escape sequence or the end of the line ends what is incomplete before it.
        end = _END_OF_SEGMENT.search(piece, 1)
        if end is not None and not piece.startswith(b"\r\n"):
            piece = piece[: end.start()]
        return super()._end_of_first_character(piece, state)

    def _decoded(self, piece: bytes, state: bytes) -> Iterator[str]:
        for number, line in enumerate(piece.split(b"\n")):
            if number:
                yield "\n"
                state = b""
            start = 0
            for escape in _ESCAPE.finditer(line):
                if escape.start() > start:
                    yield (state + line[start : escape.start()]).decode(self.codec, "replace")
                if not escape[1]:
                    yield "\x1b"
                start, state = escape.end(), escape[1] or state
            yield (state + line[start:]).decode(self.codec, "replace")


ISO_2022_JP = Iso2022Jp("iso-2022-jp", "iso2022_jp_ext")
