"""A request is a function of a reader, its parameters and a progress callback. It may block, so it runs on a worker."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TypeVar

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ReadError

P = TypeVar("P")
R = TypeVar("R")

Request = Callable[[Reader, P, Progress], R]


@contextmanager
def errors_with_path(reader: Reader, path: str) -> Iterator[None]:
    """Errors name the path that was asked for, if it may be named."""
    try:
        yield
    except ReadError as error:
        raise error.at(reader.name_of(path)) from None
