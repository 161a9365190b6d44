"""Every tool, by toolset. Both specifications use the name `read_file`; the toolset distinguishes them."""

from typing import Any, ClassVar

from forge_daemon.reading.files.file_bytes import Progress, no_progress
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument
from forge_protocol.tools import ToolsCallParams

from .agent import AGENT_TOOLS
from .agent.answer import Answer
from .read import READ
from .read_file import READ_FILE
from .tool import Tool

TOOL_DEFINITIONS: dict[str, dict[str, Any]] = {tool.name: tool.definition for tool in (READ, READ_FILE)}


class ToolCatalog:
    """The tools of the specifications are its attributes."""

    read = READ
    read_file = READ_FILE

    toolsets: ClassVar[dict[str, tuple[Tool[Any, Any], ...]]] = {
        "forge": (READ,),
        "workspace": (READ_FILE,),
        "agent": AGENT_TOOLS,
    }

    @classmethod
    def definitions(cls, toolset: str = "forge") -> list[dict[str, Any]]:
        """What `forge.tools.list` answers."""
        return [{**tool.definition, "aliases": tool.aliases} for tool in cls._tools(toolset)]

    @classmethod
    def call(cls, name: str, arguments: object, toolset: str, reader: Reader, progress: Progress = no_progress) -> Any:
        """What `forge.tools.call` answers. May block."""
        try:
            return cls.tool(name, toolset)(reader, arguments, progress)
        except ReadError as error:
            if error.code == ErrorCode.INVALID_ARGUMENT:
                cls._name_other_toolsets(error, name, arguments, toolset)
            raise

    @classmethod
    def tool(cls, name: str, toolset: str) -> Tool[Any, Any]:
        """By its name or one of its aliases."""
        tools = cls._tools(toolset)
        for tool in tools:
            if name == tool.name or name in tool.aliases:
                return tool
        known = ", ".join(known for tool in tools for known in (tool.name, *tool.aliases))
        raise invalid_argument(f"name: toolset {toolset!r} has no tool {name!r}; it has {known}")

    @classmethod
    def _name_other_toolsets(cls, error: ReadError, name: str, arguments: object, toolset: str) -> None:
        """If a call fits the tool of that name in another toolset, and not in this one, that was probably meant."""
        fitting = [
            each
            for each, tools in cls.toolsets.items()
            for tool in tools
            if name in (tool.name, *tool.aliases) and tool.takes(arguments)
        ]
        if fitting and toolset not in fitting:
            error.hint = f"{name} of toolset {' or '.join(fitting)} takes these arguments"

    @classmethod
    def _tools(cls, toolset: object) -> tuple[Tool[Any, Any], ...]:
        if not isinstance(toolset, str) or toolset not in cls.toolsets:
            raise invalid_argument(f"toolset: {toolset!r} is unknown; there are {', '.join(cls.toolsets)}")
        return cls.toolsets[toolset]


def call_tool(reader: Reader, params: ToolsCallParams, progress: Progress) -> Any:
    """`forge.tools.call`. The answer of toolset `agent` is its text alone."""
    output = ToolCatalog.call(params.name, params.arguments, params.toolset, reader, progress)
    return output.without_images() if isinstance(output, Answer) else output
