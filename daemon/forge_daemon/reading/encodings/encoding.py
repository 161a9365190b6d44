"""An encoding whose newline is the byte 0x0A: decoding, and where a line may be cut. UTF-8 is one."""

import codecs

from forge_daemon.light_typing import TYPE_CHECKING

if TYPE_CHECKING:
    from forge_daemon.reading.sources.source import ReadAt

REPLACEMENT = "\ufffd"
LONGEST_CHARACTER = 8
"""In bytes, whatever the encoding."""
_AFTER = b"\n" * 4


class Encoding:
    """A multi-byte encoding. Two objects are the same encoding where they have the same name."""

    unit = 1
    """How many bytes a newline takes."""
    stateful = False
    """Whether how a byte is understood depends on those before it in its line."""
    bom = b""

    def __init__(self, name: str, codec: str) -> None:
        self.name = name
        self.codec = codec

    def decode(self, piece: bytes, _state: bytes = b"") -> tuple[str, int]:
        """The text of whole lines, or of a part cut by `boundary`, and how many sequences in it are malformed.

        Each of these is shown as U+FFFD.
        """
        try:
            return piece.decode(self.codec), 0
        except UnicodeDecodeError:
            # Newlines after it make what is malformed at a cut look as it does within the whole.
            text = (piece + _AFTER).decode(self.codec, "replace")[: -len(_AFTER)]
            return text, text.count(REPLACEMENT) - self._written_replacements(piece)

    def boundary(self, piece: bytes, at_most: int, state: bytes = b"") -> int:
        """Where a line longer than `at_most` bytes can be cut so that both parts decode as the whole would.

        `piece` starts between two characters and holds a few bytes more than `at_most`. At least one character is
        taken, however little is allowed.
        """
        cut = at_most - self.incomplete(piece[:at_most], state)
        if cut > 0 and piece[cut : cut + 1] == b"\n" and piece[cut - 1 : cut] == b"\r":
            cut -= 1
        return cut if cut > 0 else self._end_of_first_character(piece, state)

    def offset_of(self, piece: bytes, characters: int, state: bytes = b"") -> int:
        """How many bytes the first `characters` take. The piece holds at least that many."""
        offset = 0
        while characters > 0 and offset < len(piece):
            # No character takes less than a byte, so this many bytes never hold too many.
            rest = piece[offset:]
            part = rest[: self.boundary(rest, characters, state)] if characters < len(rest) else rest
            characters -= len(self.decode(part, state)[0])
            state = self.state_after(part, state)
            offset += len(part)
        return offset

    def state_after(self, _piece: bytes, _state: bytes) -> bytes:
        """The decoder's state after a piece of a line."""
        return b""

    def state_at(self, _read_at: "ReadAt", _offset: int) -> bytes:
        """The bytes to put before those at an offset within a line so that they decode correctly."""
        return b""

    def fits(self, sample: bytes, *, whole: bool) -> bool:
        """Whether the sample is strictly valid. Where it is not the whole file, its last character may be cut."""
        try:
            codecs.getincrementaldecoder(self.codec)("strict").decode(sample, whole)
        except UnicodeDecodeError:
            return False
        return True

    def _written_replacements(self, piece: bytes) -> int:
        """How many U+FFFD are written in the file, and are not errors."""
        try:
            return piece.count(REPLACEMENT.encode(self.codec))
        except UnicodeEncodeError:
            return 0

    def incomplete(self, piece: bytes, state: bytes = b"") -> int:
        """How many bytes at the end are the start of a character that is cut off there."""
        decoder = codecs.getincrementaldecoder(self.codec)("replace")
        decoder.decode(state)
        decoder.decode(piece)
        return len(decoder.getstate()[0])

    def _end_of_first_character(self, piece: bytes, state: bytes) -> int:
        if piece.startswith(b"\r\n"):
            return 2
        first = piece[:LONGEST_CHARACTER]
        for length in range(1, len(first) + 1):
            try:
                (state + first[:length]).decode(self.codec)
            except UnicodeDecodeError:
                continue
            return length
        try:
            (state + first + _AFTER).decode(self.codec)
        except UnicodeDecodeError as error:
            return min(error.end - len(state), len(first))
        return len(first)


class Utf8(Encoding):
    bom = codecs.BOM_UTF8

    def boundary(self, piece: bytes, at_most: int, _state: bytes = b"") -> int:
        cut = _utf8_boundary(piece, at_most)
        return cut if cut > 0 else self._end_of_first_character(piece, b"")


class SingleByte(Encoding):
    """One byte, one character."""

    def incomplete(self, piece: bytes, state: bytes = b"") -> int:
        return 0


def _utf8_boundary(piece: bytes, position: int) -> int:
    # A character has at most three continuation bytes; one more in a row cannot belong to it.
    for cut in range(position, max(position - 4, -1), -1):
        if piece[cut] & 0xC0 != 0x80:
            break
    else:
        cut = position
    if piece[cut] == 0x0A and cut > 0 and piece[cut - 1] == 0x0D:
        cut -= 1
    return cut


UTF_8 = Utf8("utf-8", "utf-8")
