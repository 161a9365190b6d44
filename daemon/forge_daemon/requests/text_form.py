"""How a request wants a file's bytes to be interpreted."""

from forge_daemon.light_typing import Literal
from forge_daemon.reading.encodings.detection import AUTO
from forge_daemon.reading.encodings.encoding import Encoding
from forge_daemon.reading.text import TextForm
from forge_daemon.workspace.settings import Settings

_USUAL = TextForm(decompress=True)


def text_form(
    encoding: str = AUTO,
    decompress: Literal["auto", "never"] = "auto",
    ansi: Literal["keep", "strip"] = "keep",
) -> TextForm:
    """Raises `INVALID_ARGUMENT` if there is no such encoding."""
    if encoding == AUTO and decompress == "auto" and ansi == "keep":
        return _USUAL
    return TextForm(
        encoding=None if encoding == AUTO else _called(encoding),
        decompress=decompress == "auto",
        strip_ansi=ansi == "strip",
    )


def with_candidates(form: TextForm, settings: Settings) -> TextForm:
    """If the encoding is to be detected, add the candidates from the settings."""
    if form.encoding is not None or not settings.encodings:
        return form
    return form._replace(candidates=tuple(map(_called, settings.encodings)))


def _called(name: str) -> Encoding:
    # Most files name none, and the table of names is long.
    from forge_daemon.reading.encodings.names import encoding_called

    return encoding_called(name)
