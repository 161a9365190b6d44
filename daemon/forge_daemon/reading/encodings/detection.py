"""Which encoding a file is in, by its first bytes."""

import codecs
from collections.abc import Sequence

from .encoding import UTF_8, Encoding
from .wide import UTF_16, UTF_32, Wide

AUTO = "auto"
SAMPLE = 64 * 1024
"""The first bytes of a file, which decide its encoding."""
BINARY_SAMPLE = 8 * 1024
"""A NUL in these makes a file binary, unless the encoding explains it."""
_WITH_BOM: tuple[Encoding, ...] = (UTF_8, *UTF_32, *UTF_16)
"""In the order in which byte order marks are looked for: that of UTF-32LE starts with that of UTF-16LE."""


def detect(sample: bytes, *, whole: bool, candidates: Sequence[Encoding] = ()) -> Encoding | None:
    """The encoding of a file that starts with the sample; None if it is binary."""
    for encoding in _WITH_BOM:
        if encoding.bom and sample.startswith(encoding.bom):
            return encoding if not _has_nul(sample, encoding) else None
    if b"\0" in sample[:BINARY_SAMPLE]:
        return next((encoding for encoding in UTF_16 if _looks_like(encoding, sample)), None)
    if b"\x1b$" in sample and sample.isascii():
        from .iso_2022_jp import ISO_2022_JP

        if ISO_2022_JP.switches_in(sample) and ISO_2022_JP.fits(sample, whole=whole):
            return ISO_2022_JP
    if UTF_8.fits(sample, whole=whole):
        return UTF_8
    return next((encoding for encoding in candidates if encoding.fits(sample, whole=whole)), UTF_8)


def is_binary(sample: bytes, encoding: Encoding) -> bool:
    """Whether a file that is read in this encoding holds no text."""
    return encoding.unit == 1 and b"\0" in sample[:BINARY_SAMPLE]


def _has_nul(sample: bytes, encoding: Encoding) -> bool:
    head = sample[:BINARY_SAMPLE]
    return "\0" in head.decode(encoding.codec, "replace")


def _looks_like(encoding: Wide, sample: bytes) -> bool:
    """Whether newlines, control characters and strict decoding all indicate UTF-16 of this byte order."""
    other = next(each for each in UTF_16 if each is not encoding)
    try:
        text = codecs.getincrementaldecoder(encoding.codec)("strict").decode(sample[: len(sample) // 2 * 2])
    except UnicodeDecodeError:
        return False
    swapped = sample[: len(sample) // 2 * 2].decode(other.codec, "replace")
    if _is_ascii_with_stray_nuls(sample) and not _KANA.issuperset(each for each in set(text) if each > "\xff"):
        return False
    if "\n" in swapped or not ("\n" in text or " " in text) or "\0" in text or text.isspace():
        return False
    from collections import Counter
    from unicodedata import category

    strange = (number for character, number in Counter(text).items() if category(character) in _STRANGE)
    return (sum(strange) - sum(map(text.count, _USUAL_CONTROLS))) * 100 <= len(text)


def _is_ascii_with_stray_nuls(sample: bytes) -> bool:
    """In UTF-16, ASCII has a NUL with every character."""
    return not sample.translate(None, _ASCII_AND_NUL) and sample.count(0) * 4 < len(sample)


_KANA = frozenset(map(chr, range(0x3000, 0x3080)))
"""In UTF-16, these are bytes of ASCII."""
_ASCII_AND_NUL = bytes([0, *b"\a\b\t\n\v\f\r\x1b", *range(0x20, 0x7F)])
_STRANGE = frozenset({"Cc", "Cn", "Co"})
"""Control, unassigned and private-use characters: a text has few of these."""
_USUAL_CONTROLS = "\a\b\t\n\v\f\r\x1b"
