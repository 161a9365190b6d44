"""A tool: a definition for the model, and the request that its arguments are passed to."""

from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from typing import Any, Generic, NamedTuple, TypeVar

from forge_daemon.reading.sources.source import Progress, no_progress
from forge_daemon.requests.request import Pending, Request, naming
from forge_daemon.workspace.reader import Reader
from forge_protocol.conversion import structure
from forge_protocol.errors import ErrorCode, ReadError

A = TypeVar("A")
T = TypeVar("T")


class Tool(NamedTuple, Generic[A, T]):
    """Called with a reader and with arguments as they come from a model: any JSON value."""

    definition: dict[str, Any]
    arguments: type[A]
    request: Request[A, T]
    codes: frozenset[ErrorCode] | None = None
    """All that its specification knows: any other error is `INTERNAL`."""

    @property
    def name(self) -> str:
        name: str = self.definition["name"]
        return name

    @property
    def aliases(self) -> list[str]:
        return list(self.definition.get("aliases", ()))

    def __call__(self, reader: Reader, arguments: object, progress: Progress = no_progress) -> T:
        with self._own_codes():
            return self.request.run(reader, self._structured(reader, arguments), progress)

    def begin(self, reader: Reader, arguments: object) -> T | Pending[T]:
        """The output if that cannot block, else the rest of the work."""
        with self._own_codes():
            begun = self.request.begin(reader, self._structured(reader, arguments))
        return Pending(partial(self._finish, begun)) if isinstance(begun, Pending) else begun

    def _finish(self, begun: Pending[T], progress: Progress) -> T:
        with self._own_codes():
            return begun.run(progress)

    def takes(self, arguments: object) -> bool:
        try:
            structure(arguments, self.arguments)
        except ReadError:
            return False
        return True

    def _structured(self, reader: Reader, arguments: object) -> A:
        path = arguments.get("path") if isinstance(arguments, dict) else None
        with naming(reader, path if isinstance(path, str) else ""):
            return structure(arguments, self.arguments)

    @contextmanager
    def _own_codes(self) -> Iterator[None]:
        try:
            yield
        except ReadError as error:
            if self.codes is not None and error.code not in self.codes:
                error.code = ErrorCode.INTERNAL
            raise
