"""A reader over folders of a test, and what it answers or refuses."""

import sys
from typing import NamedTuple

from forge_daemon.reading.sources.source import Source, no_progress
from forge_daemon.workspace import storage
from forge_daemon.workspace.folder import Folder
from forge_daemon.workspace.reader import Reader, SourceWanted, Target
from forge_daemon.workspace.settings import SettingsStore
from forge_protocol.errors import ReadError


class Found(NamedTuple):
    path: str
    workspace_folder: str
    answer: str


def forget_proofs() -> None:
    """Another test may have made the kernel say something else a moment ago."""
    if sys.platform == "linux":
        storage._mounts(storage._MOUNTS).moment().clear()


def reader_of(*folders: Folder) -> Reader:
    forget_proofs()
    return Reader(folders, SettingsStore())


def text_of(source: Source) -> str:
    return source.read_at(0, source.size).decode()


def read(reader: Reader, path: str, source: SourceWanted = "auto", workspace_folder: str | None = None) -> Found:
    with reader.open(Target(path, workspace_folder, source)) as file:
        return Found(file.path, file.workspace_folder, file.read(text_of, no_progress))


def refusal(reader: Reader, path: str, source: SourceWanted = "auto", workspace_folder: str | None = None) -> ReadError:
    try:
        found = read(reader, path, source, workspace_folder)
    except ReadError as error:
        return error
    raise AssertionError(f"{path} was read: {found}")
