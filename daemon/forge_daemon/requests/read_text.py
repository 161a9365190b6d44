"""Requests about one text: open it as their parameters say, and let a function of the engine read it."""

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from forge_daemon.reading.files.file_bytes import FileBytes
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.text_params import TextParams

from .request import errors_with_path
from .text_form import text_form, with_settings

T = TypeVar("T")


class TextRead(NamedTuple, Generic[T]):
    file: OpenFile
    """For its names: it is closed."""
    found: T
    byte_length: int
    etag: str


def read_text(reader: Reader, params: TextParams, use: Callable[[FileBytes, TextForm], T]) -> TextRead[T]:
    with errors_with_path(reader, params.path):
        asked = text_form(params.encoding, params.decompress, params.ansi)
    with reader.open(Target(params.path, params.workspace_folder, params.source, params.rotated)) as file:
        form = with_settings(asked, file.settings)
        return file.read(lambda snapshot: TextRead(file, use(snapshot, form), snapshot.size, snapshot.etag))
