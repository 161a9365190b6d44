"""An encoding: how its bytes become UTF-8, piece by piece."""

import codecs
from functools import cache
from typing import NamedTuple

MALFORMED = "forge-malformed"
ASCII_PIECE = 4096
PIECE = 32 * 1024
"""Bytes converted by one call, during which other threads wait: codecs do not release the GIL."""
_MARK = "\udcff"
"""Stands for a malformed sequence while text is decoded: no codec produces it. Encoded, it is the byte 0xFF."""
_AFTER = b"\n" * 4


def _mark(error: UnicodeError) -> tuple[str, int]:
    assert isinstance(error, UnicodeDecodeError)
    return _MARK, error.end


codecs.register_error(MALFORMED, _mark)


class Encoding(NamedTuple):
    """Every malformed sequence becomes one byte 0xFF, so that it is one malformed sequence in UTF-8 as well."""

    name: str
    codec: str
    """Python's name of it."""
    bom: bytes = b""

    def convert(self, piece: bytes, _prefix: bytes = b"") -> tuple[bytes, int, bytes]:
        """As UTF-8; how many bytes that takes, without an incomplete character at the end; the prefix of the rest.

        The prefix puts a decoder into the state that it has here; it is empty where there is none.
        """
        parts: list[bytes] = []
        done = 0
        extends_ascii = _extends_ascii(self.codec)
        length = ASCII_PIECE if extends_ascii else PIECE
        while part := piece[done : done + length]:
            if extends_ascii and part.isascii():
                parts.append(part)
                done += len(part)
                continue
            decoder = codecs.getincrementaldecoder(self.codec)(MALFORMED)
            parts.append(to_bytes(decoder.decode(part)))
            complete = len(part) - len(decoder.getstate()[0])
            done += complete
            if not complete:
                break
        return b"".join(parts), done, b""

    def finish(self, rest: bytes, _prefix: bytes = b"") -> bytes:
        """What an incomplete character becomes if nothing follows it."""
        if self.is_wide:
            return to_bytes(rest.decode(self.codec, MALFORMED))
        # As before a newline. GB18030 needs several to see where a malformed sequence ends.
        return to_bytes((rest + _AFTER).decode(self.codec, MALFORMED))[: -len(_AFTER)]

    def fits(self, sample: bytes, *, is_whole: bool) -> bool:
        """Whether the sample is well-formed. Where it is not the whole file, its last character may be cut."""
        try:
            codecs.getincrementaldecoder(self.codec)().decode(sample, is_whole)
        except UnicodeDecodeError:
            return False
        return True

    @property
    def is_wide(self) -> bool:
        """Whether NULs belong to it."""
        return self.codec.startswith(("utf-16", "utf-32"))


@cache
def _extends_ascii(codec: str) -> bool:
    ascii_bytes = bytes(range(128))
    return ascii_bytes.decode(codec, "replace") == ascii_bytes.decode()


def to_bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogateescape")


UTF_8 = Encoding("utf-8", "utf-8", codecs.BOM_UTF8)
UTF_16 = (
    Encoding("utf-16le", "utf-16-le", codecs.BOM_UTF16_LE),
    Encoding("utf-16be", "utf-16-be", codecs.BOM_UTF16_BE),
)
UTF_32 = (
    Encoding("utf-32le", "utf-32-le", codecs.BOM_UTF32_LE),
    Encoding("utf-32be", "utf-32-be", codecs.BOM_UTF32_BE),
)
