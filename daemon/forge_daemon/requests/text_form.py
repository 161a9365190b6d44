"""How a request wants a file's bytes to be interpreted."""

from typing import Literal

from forge_daemon.reading.texts.encodings.names import encoding_called
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.workspace.settings import Settings

AUTO = "auto"


def text_form(
    encoding: str = AUTO,
    decompress: Literal["auto", "never"] = "auto",
    ansi: Literal["keep", "strip"] = "keep",
) -> TextForm:
    """Raises `INVALID_ARGUMENT` if there is no such encoding."""
    return TextForm(
        encoding=None if encoding == AUTO else encoding_called(encoding),
        decompress=decompress == "auto",
        strip_ansi=ansi == "strip",
    )


def with_settings(form: TextForm, settings: Settings) -> TextForm:
    """What the settings of the file's folder add."""
    candidates = () if form.encoding else tuple(map(encoding_called, settings.encodings or ()))
    return form._replace(candidates=candidates, max_temporary_bytes=settings.max_temporary_bytes)
