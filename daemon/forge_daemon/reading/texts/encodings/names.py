"""Encodings by name: the labels of the web's Encoding Standard, and Python's codecs."""

import codecs
import re
import sys
from functools import cache, lru_cache

from forge_protocol.errors import invalid_argument

from .encoding import UTF_8, UTF_16, UTF_32, Encoding
from .iso_2022_jp import ISO_2022_JP

MAX_LABEL = 64
_LABEL = re.compile(rf"[\w :.+()-]{{1,{MAX_LABEL}}}", re.ASCII)

# The encodings of the web's Encoding Standard. Of these, Python knows all labels.
_AS_IN_PYTHON = """
ibm866 iso-8859-2 iso-8859-3 iso-8859-4 iso-8859-5 iso-8859-10 iso-8859-13 iso-8859-14 iso-8859-16
windows-1250 windows-1251 windows-1253 windows-1255 windows-1256 windows-1257 windows-1258
"""
# Of these, Python has other names, takes labels for other encodings, or does not know them: name, Python's codec, such
# labels. Labels are compared by their letters and digits alone.
_STANDARD = """
iso-8859-6 iso8859_6 csiso88596e csiso88596i iso-8859-6-e iso-8859-6-i
iso-8859-7 iso8859_7 sun_eu_greek
iso-8859-8 iso8859_8 csiso88598e iso-8859-8-e visual
iso-8859-8-i iso8859_8 csiso88598i logical
iso-8859-15 iso8859_15 csisolatin9
koi8-r koi8_r koi koi8
koi8-u koi8_u koi8-ru
macintosh mac_roman csmacintosh mac
windows-874 cp874 dos-874 iso-8859-11 tis-620
windows-1252 cp1252 ansi_x3.4-1968 ascii cp819 csisolatin1 ibm819 iso-8859-1 iso-ir-100 iso_8859-1:1987 l1 latin1 \
us-ascii
windows-1254 cp1254 csisolatin5 iso-8859-9 iso-ir-148 iso_8859-9:1989 l5 latin5
x-mac-cyrillic mac_cyrillic x-mac-ukrainian
gbk gb18030 chinese csgb2312 csiso58gb231280 gb2312 gb_2312 gb_2312-80 iso-ir-58 x-gbk
gb18030 gb18030
big5 big5hkscs cn-big5 csbig5 x-x-big5
euc-jp euc_jp cseucpkdfmtjapanese
shift_jis cp932 csshiftjis sjis windows-31j x-sjis
euc-kr cp949 cseuckr csksc56011987 iso-ir-149 korean ks_c_5601-1987 ks_c_5601-1989 ksc5601 ksc_5601 windows-949
"""
_OF_UNICODE = {
    UTF_8: "unicode-1-1-utf-8 unicode11utf8 unicode20utf8 utf8 x-unicode20utf8 utf-8-sig utf8bom",
    UTF_16[0]: "csunicode iso-10646-ucs-2 ucs-2 unicode unicodefeff utf-16",
    UTF_16[1]: "unicodefffe",
    UTF_32[0]: "utf-32",
    UTF_32[1]: "",
    ISO_2022_JP: "csiso2022jp",
}
_OTHER_MULTI_BYTE = frozenset({"cp950", "euc_jis_2004", "euc_jisx0213", "johab", "shift_jis_2004", "shift_jisx0213"})
"""Python's codecs, beside those above, in which a byte 0x0A is a newline and nothing else."""


@lru_cache(maxsize=256)
def encoding_called(label: str) -> Encoding:
    """By a label of the Encoding Standard, else by the name of a Python codec; `INVALID_ARGUMENT` for another."""
    codec = encoding = None
    if _LABEL.fullmatch(label):
        codec = _codec_called(label)
        encoding = _by_label().get(_letters_and_digits(label)) or (codec and _supported(codec))
    if encoding:
        return encoding
    # UTF-7, HZ and EBCDIC are known, for instance.
    known = "known" if codec is None else "supported: its newlines cannot be found by their bytes"
    raise invalid_argument(
        f"encoding: {label[:MAX_LABEL]!r} is not {known}",
        hint="use one such as utf-8, utf-16le, windows-1252, shift_jis, euc-jp, gb18030, big5 or euc-kr",
    )


@cache
def _by_label() -> dict[str, Encoding]:
    encodings: dict[str, Encoding] = {}
    for encoding, others in _OF_UNICODE.items():
        encodings.update((_letters_and_digits(label), encoding) for label in (encoding.name, *others.split()))
    for name in _AS_IN_PYTHON.split():
        encodings[_letters_and_digits(name)] = Encoding(name, codecs.lookup(name).name)
    for row in _STANDARD.strip().split("\n"):
        name, codec, *labels = row.split()
        encodings.update((_letters_and_digits(label), Encoding(name, codec)) for label in (name, *labels))
    return encodings


def _codec_called(label: str) -> codecs.CodecInfo | None:
    """Python does not know the `x-` of names that were not registered."""
    try:
        return codecs.lookup(label.lower().removeprefix("x-"))
    except LookupError:
        return None


def _supported(codec: codecs.CodecInfo) -> Encoding | None:
    for known in _by_label().values():
        if codecs.lookup(known.codec).name == codec.name:
            return known
    # One byte, one character; but not EBCDIC, where a newline is another byte.
    table = getattr(sys.modules.get(codec.incrementaldecoder.__module__), "decoding_table", "")
    is_single_byte = table[10:11] == "\n" and table.count("\n") == 1
    return Encoding(codec.name, codec.name) if is_single_byte or codec.name in _OTHER_MULTI_BYTE else None


def _letters_and_digits(label: str) -> str:
    return re.sub(r"[^a-z0-9]", "", label.lower())
