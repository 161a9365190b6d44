"""Which file a word on the command line means, and which folder it belongs to."""

import os
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

from forge_daemon.workspace.folder import folder_from_path, normal_path, relative_to
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import SettingsStore
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .errors import report
from .output import flush

STANDARD_INPUT = "-"


class LocatedFile(NamedTuple):
    name: str
    """For people."""
    reader: Reader
    path: str
    """Absolute."""


def for_each(words: Iterable[str], work: Callable[[str], None]) -> int:
    """Do the work for every file, and report those that fail. Returns the exit code."""
    code = 0
    for word in words:
        try:
            work(word)
        except ReadError as error:
            flush()
            failed = report(error, name_of(word))
            code = code or failed
    return code


def name_of(word: str) -> str:
    return "(standard input)" if word == STANDARD_INPUT else word


def descriptor_of(word: str) -> int | None:
    """Of standard input, or of the pipe that a shell puts in the place of `<(command)`."""
    if word == STANDARD_INPUT:
        return 0
    number = word.removeprefix("/dev/fd/")
    return int(number) if number != word and number.isdecimal() else None


@contextmanager
def locate(word: str) -> Iterator[LocatedFile]:
    """The file, or standard input or another pipe as a file.

    The root is the current directory if the file is beneath it, else the file's own directory: the user named it.
    """
    descriptor = descriptor_of(word)
    if descriptor is not None:
        from .standard_input import spool  # it imports `tempfile`, which is slow

        with spool(descriptor) as path:
            yield LocatedFile(name_of(word), _reader_of(os.path.dirname(path)), path)
        return
    path, root = _absolute(word)
    if root is None:
        root = os.path.dirname(path)
        if not os.path.lexists(root):
            raise ReadError(ErrorCode.NOT_FOUND, "does not exist, nor does its directory")
    if word.endswith(("/", "/.", os.sep)):
        path = os.path.join(path, "")
    yield LocatedFile(name_of(word), _reader_of(root), path)


def locate_folder(word: str) -> LocatedFile:
    """A folder. The root is the current directory if the folder is in it, else the folder itself."""
    path, root = _absolute(word)
    if not os.path.lexists(path):
        raise ReadError(ErrorCode.NOT_FOUND, "does not exist")
    return LocatedFile(name_of(word), _reader_of(root or path), path)


def _absolute(word: str) -> tuple[str, str | None]:
    """The path, and the current directory if it is beneath it."""
    if not word:
        raise invalid_argument("the path is empty")
    try:
        here = os.getcwd()
    except OSError:
        if not os.path.isabs(word):
            raise ReadError(ErrorCode.NOT_FOUND, "the working directory no longer exists") from None
        return os.path.normpath(word), None
    path = os.path.abspath(word)
    return path, None if relative_to(normal_path(here), normal_path(path)) is None else here


def _reader_of(root: str) -> Reader:
    return Reader([folder_from_path(root)], SettingsStore())
