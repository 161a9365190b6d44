"""How a file is understood for a model: unpacked, without terminal escape sequences, in the encoding it says."""

from forge_daemon.reading.encodings.detection import AUTO, SAMPLE
from forge_daemon.reading.encodings.names import encoding_called
from forge_daemon.reading.sources.source import Source
from forge_daemon.reading.text import TextForm
from forge_daemon.requests.text_form import text_form

_TRIED = ("shift_jis", "euc-jp", "gb18030", "big5", "euc-kr", "windows-1252")


def form_for_models(encoding: str | None) -> TextForm:
    """`INVALID_ARGUMENT` where there is no such encoding."""
    return text_form(encoding or AUTO, ansi="strip")


def fitting_encodings(source: Source) -> str:
    """One or two encodings in which the start of a file that is not UTF-8 makes sense."""
    sample = source.read_at(0, SAMPLE)
    fitting = [name for name in _TRIED if encoding_called(name).fits(sample, whole=len(sample) < SAMPLE)]
    return " or ".join(fitting[:2] or ["windows-1252"])
