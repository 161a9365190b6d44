"""UTF-16 and UTF-32, whose newlines take more than one byte."""

import codecs

from .encoding import Encoding

_MALFORMED = "forge-malformed"
_MARK = "\udcff"
"""Stands for a malformed sequence while text is decoded: no codec produces it."""

codecs.register_error(_MALFORMED, lambda error: (_MARK, getattr(error, "end")))  # noqa: B009 - typed as Exception


class Wide(Encoding):
    """UTF-16 or UTF-32 in one byte order."""

    def __init__(self, name: str, codec: str, unit: int, bom: bytes) -> None:
        super().__init__(name, codec)
        self.unit = unit
        self.bom = bom

    def to_utf8(self, piece: bytes) -> bytes:
        """Whole characters as UTF-8. A malformed sequence becomes a byte that is malformed in UTF-8 as well."""
        try:
            return piece.decode(self.codec).encode()
        except UnicodeDecodeError:
            return piece.decode(self.codec, _MALFORMED).encode("utf-8", "surrogateescape")

    def starts_pair(self, unit: bytes) -> bool:
        """Whether a unit is the first half of a surrogate pair."""
        return self.unit == 2 and len(unit) == 2 and unit[self._high] & 0xFC == 0xD8

    def splits_character(self, before: bytes, after: bytes) -> bool:
        """Whether a character lies across the cut between two units."""
        return self.starts_pair(before) and len(after) >= 2 and after[self._high] & 0xFC == 0xDC

    @property
    def _high(self) -> int:
        return 1 if self.codec == "utf-16-le" else 0


UTF_16 = (
    Wide("utf-16le", "utf-16-le", 2, codecs.BOM_UTF16_LE),
    Wide("utf-16be", "utf-16-be", 2, codecs.BOM_UTF16_BE),
)
UTF_32 = (
    Wide("utf-32le", "utf-32-le", 4, codecs.BOM_UTF32_LE),
    Wide("utf-32be", "utf-32-be", 4, codecs.BOM_UTF32_BE),
)
