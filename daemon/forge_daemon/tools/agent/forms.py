"""How a file is opened for a model: decompressed, without terminal escape sequences, in the encoding it names."""

import re

from forge_daemon.reading.encodings.detection import AUTO, SAMPLE
from forge_daemon.reading.encodings.names import encoding_called
from forge_daemon.reading.sources.source import Source
from forge_daemon.reading.text import TextForm
from forge_daemon.requests.text_form import text_form
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ErrorCode, ReadError

_HIGH_BYTES = re.compile(rb"[\x80-\xff]+")
_LOOKED_AT = 4096
_KANA = re.compile("[\u3040-\u30ff]")
_TYPICAL = {
    "shift_jis": lambda text: 2 * len(_KANA.findall(text)),
    "euc-jp": lambda text: 2 * len(_KANA.findall(text)),
    "euc-kr": lambda text: len(re.findall("[\uac00-\ud7a3]", text)),
    "gb18030": lambda text: _usual_hanzi(text.encode("gb2312", "ignore"), 0xB0, 0xD7),
    "big5": lambda text: _usual_hanzi(text.encode("big5", "ignore"), 0xA4, 0xC6),
}
"""How many characters are those that such a text mostly consists of. Half of a Japanese one is kana."""


def form_for_models(encoding: str | None) -> TextForm:
    """Raises `INVALID_ARGUMENT` if there is no such encoding."""
    return text_form(encoding or AUTO, ansi="strip")


def open_for_model(reader: Reader, target: Target) -> OpenFile:
    """Open the file. If there is none, the error says what to call next."""
    try:
        return reader.open(target)
    except ReadError as error:
        if error.code == ErrorCode.NOT_FOUND and error.hint is None:
            error.hint = 'read "." lists the files'
        raise


def is_malformed(source: Source) -> bool:
    """Whether the start of a text is malformed in the encoding that is used for it."""
    sample = source.read_at(0, SAMPLE)
    return not source.encoding.fits(sample, whole=len(sample) < SAMPLE)


def fitting_encodings(source: Source) -> str:
    """One or two encodings in which the start of a file that is not UTF-8 may make sense."""
    sample = source.read_at(0, SAMPLE)
    runs = [len(run) for run in _HIGH_BYTES.findall(sample)]
    texts = {name: encoding_called(name).decode(sample[:_LOOKED_AT])[0] for name in _fitting(sample)}
    # Letters with accents stand among others; those of other scripts, but for katakana in Shift_JIS, follow each other.
    if sum(runs) < 2 * len(runs) and not _KANA.search(texts.get("shift_jis", "")):
        return "windows-1252"
    likely = sorted(texts, key=lambda name: _TYPICAL[name](texts[name]), reverse=True)
    return " or ".join(likely[:2] or ["windows-1251", "windows-1252"])


def _fitting(sample: bytes) -> list[str]:
    return [name for name in _TYPICAL if encoding_called(name).fits(sample, whole=len(sample) < SAMPLE)]


def _usual_hanzi(encoded: bytes, first: int, last: int) -> int:
    """Both standards begin with the characters in frequent use."""
    leads = re.findall(rb"[\x80-\xff].", encoded, re.DOTALL)
    return sum(first <= pair[0] <= last for pair in leads)
