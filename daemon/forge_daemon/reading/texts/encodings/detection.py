"""Which encoding a file is in, by its first bytes."""

import codecs
import re
from collections import Counter
from collections.abc import Sequence
from unicodedata import category

from .encoding import UTF_8, UTF_16, UTF_32, Encoding
from .iso_2022_jp import ISO_2022_JP

AUTO = "auto"
SAMPLE = 64 * 1024
"""The first bytes of a file, which decide its encoding."""
BINARY_SAMPLE = 8 * 1024
"""A NUL in these makes a file binary, unless the encoding explains it."""
_WITH_BOM = (UTF_8, *UTF_32, *UTF_16)
"""Byte order marks are looked for in this order: that of UTF-32LE starts with that of UTF-16LE."""
_ASCII_AND_NUL = bytes([0, *b"\a\b\t\n\v\f\r\x1b", *range(0x20, 0x7F)])
_UNUSUAL = frozenset({"Cc", "Cn", "Co"})
"""Control, unassigned and private-use characters: a text has few of these."""
_USUAL_CONTROLS = "\a\b\t\n\v\f\r\x1b"


def detect(sample: bytes, *, is_whole: bool, candidates: Sequence[Encoding] = ()) -> Encoding | None:
    """The encoding of a file that starts with the sample; None if it is binary."""
    for encoding in _WITH_BOM:
        if sample.startswith(encoding.bom):
            return encoding if _is_text_after_bom(sample, encoding) else None
    if has_nul(sample):
        return next((encoding for encoding in UTF_16 if _looks_like(encoding, sample)), None)
    is_switching = b"\x1b" in sample and sample.isascii() and ISO_2022_JP.switches_in(sample)
    if is_switching and ISO_2022_JP.fits(sample, is_whole=is_whole):
        return ISO_2022_JP
    if UTF_8.fits(sample, is_whole=is_whole):
        return UTF_8
    return next((encoding for encoding in candidates if encoding.fits(sample, is_whole=is_whole)), UTF_8)


def has_nul(sample: bytes) -> bool:
    return b"\0" in sample[:BINARY_SAMPLE]


def is_text_with_nuls(sample: bytes) -> bool:
    """Whether only a few NULs, or runs of NULs, make a file binary: a log after it was truncated, or after a crash."""
    text = sample.replace(b"\0", b"")
    is_rare = len(re.findall(rb"\0+", sample)) - 1 <= max(len(text) // 100, text.count(b"\n"))
    return bool(text) and is_rare and UTF_8.fits(text, is_whole=False) and _is_usual(text.decode(errors="ignore"))


def _is_text_after_bom(sample: bytes, encoding: Encoding) -> bool:
    if not encoding.is_wide:
        return not has_nul(sample)
    text = encoding.convert(sample[len(encoding.bom) :])[0]
    has_nul_characters = b"\0" in text[:BINARY_SAMPLE]
    return not has_nul_characters and text.count(b"\xff") * 100 <= len(text.decode(errors="replace"))


def _looks_like(encoding: Encoding, sample: bytes) -> bool:
    """Whether newlines, control characters and strict decoding all indicate UTF-16 of this byte order."""
    units = sample[: len(sample) // 2 * 2]
    if UTF_8.fits(sample, is_whole=False) and not sample.isascii():
        return False
    if not sample.translate(None, _ASCII_AND_NUL) and not _has_nul_in_each_unit(encoding, units):
        return False
    try:
        text = codecs.getincrementaldecoder(encoding.codec)().decode(units)
    except UnicodeDecodeError:
        return False
    (other,) = (each for each in UTF_16 if each is not encoding)
    if "\n" in units.decode(other.codec, "replace") or not ("\n" in text or " " in text):
        return False
    return "\0" not in text and not text.isspace() and _is_usual(text)


def _has_nul_in_each_unit(encoding: Encoding, units: bytes) -> bool:
    """Nearly each, that is, and always in the upper byte."""
    upper = 1 if encoding.codec == "utf-16-le" else 0
    return units[1 - upper :: 2].count(0) == 0 and units[upper::2].count(0) * 10 >= len(units) // 2 * 9


def _is_usual(text: str) -> bool:
    unusual = sum(number for character, number in Counter(text).items() if category(character) in _UNUSUAL)
    return (unusual - sum(map(text.count, _USUAL_CONTROLS))) * 100 <= len(text)
