"""Every tool, by toolset: both specifications claim the name `read_file`, and a toolset keeps them apart."""

from typing import Any, ClassVar

from forge_daemon.reading.sources.source import Progress
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import invalid_argument
from forge_protocol.tools import READ_DEFINITION, READ_FILE_DEFINITION

from .read import read
from .read_file import ReadFileOutput, read_file
from .tool import Tool, no_progress

TOOL_DEFINITIONS: dict[str, dict[str, Any]] = {
    definition["name"]: definition for definition in (READ_DEFINITION, READ_FILE_DEFINITION)
}


class ToolCatalog:
    """The tools themselves are its attributes."""

    read: ClassVar[Tool[dict[str, Any]]] = Tool(READ_DEFINITION, read)
    read_file: ClassVar[Tool[ReadFileOutput]] = Tool(READ_FILE_DEFINITION, read_file)

    toolsets: ClassVar[dict[str, tuple[Tool[Any], ...]]] = {"forge": (read,), "workspace": (read_file,)}

    @classmethod
    def definitions(cls, toolset: str = "forge") -> list[dict[str, Any]]:
        """What `forge.tools.list` answers."""
        return [{**tool.definition, "aliases": tool.aliases} for tool in cls._tools(toolset)]

    @classmethod
    def call(cls, name: str, arguments: object, toolset: str, reader: Reader, progress: Progress = no_progress) -> Any:
        """What `forge.tools.call` answers."""
        return cls.tool(name, toolset)(reader, arguments, progress)

    @classmethod
    def tool(cls, name: str, toolset: str) -> Tool[Any]:
        """By its name or one of its aliases."""
        tools = cls._tools(toolset)
        for tool in tools:
            if name == tool.name or name in tool.aliases:
                return tool
        known = ", ".join(known for tool in tools for known in (tool.name, *tool.aliases))
        raise invalid_argument(f"name: toolset {toolset!r} has no tool {name!r}; it has {known}")

    @classmethod
    def _tools(cls, toolset: str) -> tuple[Tool[Any], ...]:
        if toolset not in cls.toolsets:
            raise invalid_argument(f"toolset: {toolset!r} is unknown; there are {', '.join(cls.toolsets)}")
        return cls.toolsets[toolset]
