"""UTF-8 as it may be malformed: decoding, and where it may be cut so that both parts decode as the whole does."""

import codecs

REPLACEMENT = "\ufffd"
LOOK_AHEAD = 8
"""A cut on a character boundary needs to see the character after it."""
_REPLACEMENT_BYTES = REPLACEMENT.encode()
_MAX_CHARACTER_BYTES = 4


def decode(piece: bytes) -> tuple[str, int]:
    """The text, and how many sequences in it are malformed, each shown as U+FFFD."""
    try:
        return piece.decode(), 0
    except UnicodeDecodeError:
        text = piece.decode(errors="replace")
        return text, text.count(REPLACEMENT) - piece.count(_REPLACEMENT_BYTES)


def boundary(piece: bytes, at_most: int) -> int:
    """Where to cut a piece so that the first part has `at_most` bytes, or a few less; at least one character.

    `piece` starts between two characters, and holds `LOOK_AHEAD` bytes more than `at_most` unless it ends there.
    CR LF is one character.
    """
    if len(piece) <= at_most:
        return len(piece)
    cut = _boundary_before(piece, at_most)
    return cut if cut > 0 else _end_of_first_character(piece)


def offset_of(piece: bytes, characters: int) -> int:
    """How many bytes the first `characters` take; all of them if there are fewer."""
    try:
        return len(piece.decode()[:characters].encode())
    except UnicodeDecodeError:
        pass
    offset = 0
    while characters > 0 and offset < len(piece):
        # No character takes less than a byte, so this many bytes never hold too many.
        end = offset + boundary(piece[offset : offset + characters + LOOK_AHEAD], characters)
        characters -= len(decode(piece[offset:end])[0])
        offset = end
    return offset


def incomplete(piece: bytes) -> int:
    """How many bytes at the end are the start of a character that is cut off there."""
    decoder = codecs.getincrementaldecoder("utf-8")("replace")
    decoder.decode(piece[-_MAX_CHARACTER_BYTES:])
    return len(decoder.getstate()[0])


def _boundary_before(piece: bytes, position: int) -> int:
    # A character has at most three continuation bytes; one more in a row cannot belong to it.
    for cut in range(position, max(position - _MAX_CHARACTER_BYTES, -1), -1):
        if piece[cut] & 0xC0 != 0x80:
            break
    else:
        cut = position
    if piece[cut] == 0x0A and cut > 0 and piece[cut - 1] == 0x0D:
        cut -= 1
    return cut


def _end_of_first_character(piece: bytes) -> int:
    if piece.startswith(b"\r\n"):
        return 2
    for length in range(1, min(len(piece), _MAX_CHARACTER_BYTES) + 1):
        try:
            piece[:length].decode()
        except UnicodeDecodeError as error:
            if error.end < length or error.reason != "unexpected end of data":
                return error.end
        else:
            return length
    return min(len(piece), _MAX_CHARACTER_BYTES)
