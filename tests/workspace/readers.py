"""A reader over folders of a test, and what it answers or refuses."""

from forge_daemon.reading.sources.source import Source
from forge_daemon.workspace.folder import Folder
from forge_daemon.workspace.reader import Found, Reader, SourceWanted, Target
from forge_daemon.workspace.settings import SettingsStore
from forge_protocol.errors import ReadError


def reader_of(*folders: Folder) -> Reader:
    return Reader(folders, SettingsStore())


def text_of(source: Source) -> str:
    return source.read_at(0, source.size).decode()


def read(reader: Reader, path: str, source: SourceWanted = "auto", workspace_folder: str | None = None) -> Found[str]:
    return reader.read(reader.find(Target(path, workspace_folder, source)), source, text_of)


def refusal(reader: Reader, path: str, source: SourceWanted = "auto", workspace_folder: str | None = None) -> ReadError:
    try:
        found = read(reader, path, source, workspace_folder)
    except ReadError as error:
        return error
    raise AssertionError(f"{path} was read: {found}")
