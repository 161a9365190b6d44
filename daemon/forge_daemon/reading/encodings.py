"""Encodings: which one a file is in, how its bytes become text, and where its lines may be cut.

A byte 0x0A is a newline and nothing else in every encoding here but UTF-16 and UTF-32, so lines are found in the bytes
as they are. UTF-16 and UTF-32 are read through `sources.wide`, which presents them as UTF-8.
"""

import codecs
import re
import sys
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from typing import TYPE_CHECKING

from forge_protocol.errors import invalid_argument

if TYPE_CHECKING:
    from .sources.source import ReadAt

AUTO = "auto"
SAMPLE = 64 * 1024
"""The first bytes of a file, which decide its encoding."""
BINARY_SAMPLE = 8 * 1024
"""A NUL in these makes a file binary, unless the encoding explains it."""
REPLACEMENT = "\ufffd"

_MALFORMED = "forge-malformed"
_MARK = "\udcff"
"""Stands for a malformed sequence while text is decoded: no codec produces it."""
_LONGEST_NAME = 64
_LONGEST_CHARACTER = 8
"""In bytes, whatever the encoding."""
_AFTER = b"\n" * 4
_LOOK_BACK = 64 * 1024

codecs.register_error(_MALFORMED, lambda error: (_MARK, getattr(error, "end")))  # noqa: B009 - typed as Exception


class Encoding:
    """A multi-byte encoding. Two objects are the same encoding where they have the same name."""

    unit = 1
    """A newline takes so many bytes."""
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
        """How many bytes the first so many characters take. The piece holds that many."""
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
        """The state in which what follows a piece of a line is to be understood."""
        return b""

    def state_at(self, _read_at: "ReadAt", _offset: int) -> bytes:
        """What has to precede the bytes from an offset within a line for them to be understood."""
        return b""

    def fits(self, sample: bytes, *, whole: bool) -> bool:
        """Whether the sample is strictly valid. Where it is not the whole file, its last character may be cut."""
        try:
            codecs.getincrementaldecoder(self.codec)("strict").decode(sample, whole)
        except UnicodeDecodeError:
            return False
        return True

    def _written_replacements(self, piece: bytes) -> int:
        """How many U+FFFD stand in the file, and are no errors."""
        try:
            return piece.count(REPLACEMENT.encode(self.codec))
        except UnicodeEncodeError:
            return 0

    def incomplete(self, piece: bytes, state: bytes = b"") -> int:
        """How many bytes at the end are the start of a character that goes on after it."""
        decoder = codecs.getincrementaldecoder(self.codec)("replace")
        decoder.decode(state)
        decoder.decode(piece)
        return len(decoder.getstate()[0])

    def _end_of_first_character(self, piece: bytes, state: bytes) -> int:
        if piece.startswith(b"\r\n"):
            return 2
        first = piece[:_LONGEST_CHARACTER]
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


class Iso2022Jp(Encoding):
    """Escape sequences switch character sets. Each line starts in ASCII, as RFC 1468 has it."""

    stateful = True

    def decode(self, piece: bytes, state: bytes = b"") -> tuple[str, int]:
        text = "".join(self._decoded(piece, state))
        return text, text.count(REPLACEMENT)

    def boundary(self, piece: bytes, at_most: int, state: bytes = b"") -> int:
        start = 0
        for escape in _ESCAPE.finditer(piece, 0, at_most + _LONGEST_CHARACTER):
            if escape.end() > at_most:
                if escape.start() >= at_most:
                    break
                return escape.start() or escape.end()
            start, state = escape.end(), escape[1] or state
        if start == at_most > 0:
            return start
        end = start + super().boundary(piece[start:], at_most - start, state)
        return start if end > at_most and start else end

    def state_after(self, piece: bytes, state: bytes) -> bytes:
        escapes: list[bytes] = _DESIGNATION.findall(piece)
        return escapes[-1] if escapes else state

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
            offset = start + _LONGEST_CHARACTER
        return b""

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
                yield (state + line[start : escape.start()]).decode(self.codec, "replace")
                if not escape[1]:
                    yield "\x1b"
                start, state = escape.end(), escape[1] or state
            yield (state + line[start:]).decode(self.codec, "replace")


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
        """Whether it is the first half of a character of two units."""
        return self.unit == 2 and len(unit) == 2 and unit[self._high] & 0xFC == 0xD8

    def splits_character(self, before: bytes, after: bytes) -> bool:
        """Whether a character lies across the cut between two units."""
        return self.starts_pair(before) and len(after) >= 2 and after[self._high] & 0xFC == 0xDC

    @property
    def _high(self) -> int:
        return 1 if self.codec == "utf-16-le" else 0


_DESIGNATION = re.compile(rb"\x1b(?:\$[@B]|\$\(D|\([BJI])")
_ESCAPE = re.compile(rb"(" + _DESIGNATION.pattern + rb")|\x1b")
_END_OF_SEGMENT = re.compile(rb"[\x1b\n]")
_TO_ASCII = b"\x1b(B"


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
_UTF_16 = (
    Wide("utf-16le", "utf-16-le", 2, codecs.BOM_UTF16_LE),
    Wide("utf-16be", "utf-16-be", 2, codecs.BOM_UTF16_BE),
)
_UTF_32 = (
    Wide("utf-32le", "utf-32-le", 4, codecs.BOM_UTF32_LE),
    Wide("utf-32be", "utf-32-be", 4, codecs.BOM_UTF32_BE),
)
_ISO_2022_JP = Iso2022Jp("iso-2022-jp", "iso2022_jp_ext")
_WITH_BOM: tuple[Encoding, ...] = (UTF_8, *_UTF_32, *_UTF_16)
"""In the order in which byte order marks are looked for: that of UTF-32LE starts with that of UTF-16LE."""

# The encodings of the web's Encoding Standard: name, Python's codec, further labels. Labels are compared by their
# letters and digits alone.
_STANDARD = """
ibm866 cp866 866 cp866 csibm866
iso-8859-2 iso8859_2 csisolatin2 iso-ir-101 iso_8859-2:1987 l2 latin2
iso-8859-3 iso8859_3 csisolatin3 iso-ir-109 iso_8859-3:1988 l3 latin3
iso-8859-4 iso8859_4 csisolatin4 iso-ir-110 iso_8859-4:1988 l4 latin4
iso-8859-5 iso8859_5 csisolatincyrillic cyrillic iso-ir-144 iso_8859-5:1988
iso-8859-6 iso8859_6 arabic asmo-708 csiso88596e csiso88596i csisolatinarabic ecma-114 iso-8859-6-e iso-8859-6-i \
iso-ir-127 iso_8859-6:1987
iso-8859-7 iso8859_7 csisolatingreek ecma-118 elot_928 greek greek8 iso-ir-126 iso_8859-7:1987 sun_eu_greek
iso-8859-8 iso8859_8 csiso88598e csisolatinhebrew hebrew iso-8859-8-e iso-ir-138 iso_8859-8:1988 visual
iso-8859-8-i iso8859_8 csiso88598i logical
iso-8859-10 iso8859_10 csisolatin6 iso-ir-157 l6 latin6
iso-8859-13 iso8859_13
iso-8859-14 iso8859_14
iso-8859-15 iso8859_15 csisolatin9 l9
iso-8859-16 iso8859_16
koi8-r koi8_r cskoi8r koi koi8
koi8-u koi8_u koi8-ru
macintosh mac_roman csmacintosh mac x-mac-roman
windows-874 cp874 dos-874 iso-8859-11 tis-620
windows-1250 cp1250 cp1250 x-cp1250
windows-1251 cp1251 cp1251 x-cp1251
windows-1252 cp1252 ansi_x3.4-1968 ascii cp1252 cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso_8859-1:1987 l1 \
latin1 us-ascii x-cp1252
windows-1253 cp1253 cp1253 x-cp1253
windows-1254 cp1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso_8859-9:1989 l5 latin5 x-cp1254
windows-1255 cp1255 cp1255 x-cp1255
windows-1256 cp1256 cp1256 x-cp1256
windows-1257 cp1257 cp1257 x-cp1257
windows-1258 cp1258 cp1258 x-cp1258
x-mac-cyrillic mac_cyrillic x-mac-ukrainian
gbk gb18030 chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
gb18030 gb18030
big5 big5hkscs big5-hkscs cn-big5 csbig5 x-x-big5
euc-jp euc_jp cseucpkdfmtjapanese x-euc-jp
shift_jis cp932 csshiftjis ms932 ms_kanji sjis windows-31j x-sjis
euc-kr cp949 cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
"""
_OF_UNICODE = {
    UTF_8: "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8 utf-8-sig utf8bom",
    _UTF_16[0]: "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16",
    _UTF_16[1]: "unicodefffe",
    _UTF_32[0]: "utf-32",
    _UTF_32[1]: "",
    _ISO_2022_JP: "csiso2022jp",
}
_OTHER_MULTI_BYTE = frozenset({"cp950", "euc_jis_2004", "euc_jisx0213", "johab", "shift_jis_2004", "shift_jisx0213"})
"""Python's codecs, beside those above, in which a byte 0x0A is a newline and nothing else."""


@lru_cache(maxsize=256)
def encoding_called(label: str) -> Encoding:
    """By a label of the Encoding Standard, else by the name of a Python codec; `INVALID_ARGUMENT` for another."""
    encoding = _by_label().get(_letters_and_digits(label)) or _python_codec(label)
    if encoding is None:
        raise invalid_argument(
            f"encoding: {label[:_LONGEST_NAME]!r} is not known, or not one whose lines can be told apart",
            hint="use one such as utf-8, utf-16le, windows-1252, shift_jis, euc-jp, gb18030, big5 or euc-kr",
        )
    return encoding


def detect(sample: bytes, *, whole: bool, candidates: Sequence[Encoding] = ()) -> Encoding | None:
    """The encoding of a file that starts with the sample; None: it is binary."""
    for encoding in _WITH_BOM:
        if encoding.bom and sample.startswith(encoding.bom):
            return encoding if not _has_nul(sample, encoding) else None
    if b"\0" in sample[:BINARY_SAMPLE]:
        return next((encoding for encoding in _UTF_16 if _looks_like(encoding, sample)), None)
    if (
        sample.isascii()
        and b"\x1b$" in sample
        and _DESIGNATION.search(sample)
        and _ISO_2022_JP.fits(sample, whole=whole)
    ):
        return _ISO_2022_JP
    if UTF_8.fits(sample, whole=whole):
        return UTF_8
    return next((encoding for encoding in candidates if encoding.fits(sample, whole=whole)), UTF_8)


def is_binary(sample: bytes, encoding: Encoding) -> bool:
    """Whether a file that is to be read in this encoding is none of text."""
    return encoding.unit == 1 and b"\0" in sample[:BINARY_SAMPLE]


@cache
def _by_label() -> dict[str, Encoding]:
    encodings: dict[str, Encoding] = {}
    for encoding, others in _OF_UNICODE.items():
        encodings.update((_letters_and_digits(label), encoding) for label in (encoding.name, *others.split()))
    for row in _STANDARD.strip().split("\n"):
        name, codec, *labels = row.split()
        encoding = _of_bytes(name, codec)
        encodings.update((_letters_and_digits(label), encoding) for label in (name, *labels))
    return encodings


def _of_bytes(name: str, codec: str) -> Encoding:
    return (SingleByte if _is_single_byte(codec) else Encoding)(name, codec)


def _is_single_byte(codec: str) -> bool:
    return codec.startswith(("iso8859", "cp8", "cp12", "koi8", "mac"))


def _python_codec(label: str) -> Encoding | None:
    if len(label) > _LONGEST_NAME or not label.isascii() or "\0" in label:
        return None
    try:
        codec = codecs.lookup(label)
    except LookupError:
        return None
    for known in _by_label().values():
        if codecs.lookup(known.codec).name == codec.name:
            return known
    if codec.name in _OTHER_MULTI_BYTE:
        return Encoding(codec.name, codec.name)
    # One byte, one character; but not EBCDIC, where a newline is another byte.
    table = getattr(sys.modules.get(codec.incrementaldecoder.__module__), "decoding_table", "")
    return SingleByte(codec.name, codec.name) if table[10:11] == "\n" and table.count("\n") == 1 else None


def _letters_and_digits(label: str) -> str:
    return re.sub(r"[^a-z0-9]", "", label.lower())


def _has_nul(sample: bytes, encoding: Encoding) -> bool:
    head = sample[:BINARY_SAMPLE]
    return "\0" in head.decode(encoding.codec, "replace")


def _looks_like(encoding: Wide, sample: bytes) -> bool:
    """Whether newlines, control characters and strict decoding say UTF-16 of this byte order."""
    other = next(each for each in _UTF_16 if each is not encoding)
    try:
        text = codecs.getincrementaldecoder(encoding.codec)("strict").decode(sample[: len(sample) // 2 * 2])
    except UnicodeDecodeError:
        return False
    swapped = sample[: len(sample) // 2 * 2].decode(other.codec, "replace")
    if "\n" in swapped or not ("\n" in text or " " in text) or "\0" in text or text.isspace():
        return False
    from collections import Counter
    from unicodedata import category

    strange = (number for character, number in Counter(text).items() if category(character) in _STRANGE)
    return (sum(strange) - sum(map(text.count, _USUAL_CONTROLS))) * 100 <= len(text)


_STRANGE = frozenset({"Cc", "Cn", "Co"})
"""Controls, and what is no character or one of nobody's: a text has few of these."""
_USUAL_CONTROLS = "\a\b\t\n\v\f\r\x1b"
