"""A reader over folders of a test, and what it answers or refuses."""

from typing import NamedTuple

from forge_daemon.reading.files.file_bytes import FileBytes
from forge_daemon.requests.request import open_target
from forge_daemon.workspace.folder import Folder
from forge_daemon.workspace.reader import Reader, SourceWanted, Target
from forge_daemon.workspace.settings import SettingsStore
from forge_protocol.errors import ReadError


class Found(NamedTuple):
    path: str
    workspace_folder: str
    answer: str


def reader_of(*folders: Folder) -> Reader:
    return Reader(folders, SettingsStore())


def text_of(source: FileBytes) -> str:
    return source.read_at(0, source.size).decode()


def read(reader: Reader, path: str, source: SourceWanted = "auto", workspace_folder: str | None = None) -> Found:
    with open_target(reader, Target(path, workspace_folder, source)) as file:
        return Found(file.path, file.workspace_folder, file.read(text_of))


def refusal(reader: Reader, path: str, source: SourceWanted = "auto", workspace_folder: str | None = None) -> ReadError:
    try:
        found = read(reader, path, source, workspace_folder)
    except ReadError as error:
        return error
    raise AssertionError(f"{path} was read: {found}")
