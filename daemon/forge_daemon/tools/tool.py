"""What a tool is: a definition for the model, and a function for its arguments."""

from collections.abc import Callable
from typing import Any, Generic, NamedTuple, TypeVar

from forge_daemon.reading.sources.source import Progress
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ReadError

T = TypeVar("T")


def no_progress(_done: int, _total: int) -> None:
    """For whoever neither shows progress nor cancels."""


class Tool(NamedTuple, Generic[T]):
    """Called with a reader and with arguments as they come from a model: any JSON value."""

    definition: dict[str, Any]
    run: Callable[[Reader, object, Progress], T]

    @property
    def name(self) -> str:
        name: str = self.definition["name"]
        return name

    @property
    def aliases(self) -> list[str]:
        return list(self.definition.get("aliases", ()))

    def __call__(self, reader: Reader, arguments: object, progress: Progress = no_progress) -> T:
        try:
            return self.run(reader, arguments, progress)
        except ReadError as error:
            path = arguments.get("path") if isinstance(arguments, dict) else None
            raise error.at(reader.name_of(path) if isinstance(path, str) else None) from None
