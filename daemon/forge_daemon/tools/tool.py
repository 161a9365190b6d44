"""A tool: a definition for the model, and the request that its arguments are passed to."""

from typing import Any, Generic, NamedTuple, TypeVar

from forge_daemon.reading.files.file_bytes import Progress, no_progress
from forge_daemon.requests.request import Request
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
        try:
            return self.request(reader, self.structured(arguments), progress)
        except ReadError as error:
            if self.codes is not None and error.code not in self.codes:
                error.code = ErrorCode.INTERNAL
            path = arguments.get("path") if isinstance(arguments, dict) else None
            raise error.at(reader.name_of(path if isinstance(path, str) else "")) from None

    def takes(self, arguments: object) -> bool:
        try:
            structure(arguments, self.arguments)
        except ReadError:
            return False
        return True

    def structured(self, arguments: object) -> A:
        """Or `INVALID_ARGUMENT`, which names every fault, and what there is for a key that is not."""
        try:
            return structure(arguments, self.arguments)
        except ReadError as error:
            known = self.definition["parameters"]["properties"]
            if isinstance(arguments, dict) and not arguments.keys() <= known.keys():
                error.hint = f"{self.name} takes {', '.join(known)}"  # for a model that made one up
            raise
