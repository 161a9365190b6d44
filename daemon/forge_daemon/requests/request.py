"""A request is a function of a reader, its parameters and a progress callback. It may block, so it runs on a worker.

What all of them share is here: opening what the parameters ask for, and errors that say what to ask for instead. An
error whose path is not known yet gets that of the request, from the surface that runs it.
"""

from collections.abc import Callable
from typing import Generic, NamedTuple, TypeVar

from forge_daemon.reading.files.file_bytes import FileBytes, Progress
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.workspace.hints import hint_for
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, Target
from forge_daemon.workspace.rotated_set import RotatedSet
from forge_protocol.errors import ReadError
from forge_protocol.read_file import ReadFileParams
from forge_protocol.text_params import TextParams

from .text_form import text_form, with_settings

P = TypeVar("P")
R = TypeVar("R")
T = TypeVar("T")

Request = Callable[[Reader, P, Progress], R]


def open_target(reader: Reader, target: Target) -> OpenFile:
    """A file, or a rotated set."""
    try:
        return RotatedSet.of(reader, target) if target.rotated else reader.open(target)
    except ReadError as error:
        error.hint = hint_for(error, reader, target)
        raise


class TextRead(NamedTuple, Generic[T]):
    file: OpenFile
    """For its names: it is closed."""
    found: T
    byte_length: int
    etag: str


def read_text(reader: Reader, params: TextParams, use: Callable[[FileBytes, TextForm], T]) -> TextRead[T]:
    """Open a text as its parameters say, and let a function of the engine read it."""
    asked = text_form(params.encoding, params.decompress, params.ansi)
    with open_target(reader, target_of(params)) as file:
        form = with_settings(asked, file.settings)
        return file.read(lambda snapshot: TextRead(file, use(snapshot, form), snapshot.size, snapshot.etag))


def target_of(params: TextParams | ReadFileParams) -> Target:
    return Target(params.path, params.workspace_folder, params.source, params.rotated)
