"""Every tool, by toolset, and in Python: without a daemon and without an editor."""

import os
from collections.abc import Mapping, Sequence
from typing import Any

from forge_daemon.reading.files.file_bytes import Progress, no_progress
from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import Problem, SettingsStore, sentence
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument
from forge_protocol.tools import ToolsCallParams, Toolset, ToolsListParams

from .agent import AGENT_TOOLS
from .agent.answer import Answer
from .read import READ
from .read_file import READ_FILE, ReadFileOutput
from .tool import Tool

StrPath = str | os.PathLike[str]


TOOL_DEFINITIONS: dict[str, dict[str, Any]] = {tool.name: tool.definition for tool in (READ, READ_FILE)}


TOOLSETS: dict[str, dict[str, Tool[Any, Any]]] = {
    toolset: {name: tool for tool in tools for name in (tool.name, *tool.aliases)}
    for toolset, tools in (("forge", (READ,)), ("workspace", (READ_FILE,)), ("agent", AGENT_TOOLS))
}
"""The tools of each toolset, by their names and aliases."""


class ToolCatalog:
    """The tools of the specifications are its attributes.

    Both specifications use the name `read_file`; the toolset distinguishes them.
    """

    read = READ
    read_file = READ_FILE

    @staticmethod
    def definitions(toolset: str = "forge") -> list[dict[str, Any]]:
        """What `forge.tools.list` answers."""
        tools = _tools(toolset).items()
        return [{**tool.definition, "aliases": tool.aliases} for name, tool in tools if name == tool.name]

    @classmethod
    def call(cls, name: str, arguments: object, toolset: str, reader: Reader, progress: Progress = no_progress) -> Any:
        """What `forge.tools.call` answers. May block."""
        try:
            return cls.tool(name, toolset)(reader, arguments, progress)
        except ReadError as error:
            if error.code == ErrorCode.INVALID_ARGUMENT:
                _name_other_toolsets(error, name, arguments, toolset)
            raise

    @staticmethod
    def tool(name: str, toolset: str) -> Tool[Any, Any]:
        """By its name or one of its aliases."""
        tools = _tools(toolset)
        if name not in tools:
            raise invalid_argument(f"name: toolset {toolset!r} has no tool {name!r}; it has {', '.join(tools)}")
        return tools[name]


def _tools(toolset: object) -> dict[str, Tool[Any, Any]]:
    if not isinstance(toolset, str) or toolset not in TOOLSETS:
        raise invalid_argument(f"toolset: {toolset!r} is unknown; there are {', '.join(TOOLSETS)}")
    return TOOLSETS[toolset]


def _name_other_toolsets(error: ReadError, name: str, arguments: object, toolset: str) -> None:
    """If a call fits the tool of that name in another toolset, and not in this one, that was probably meant."""
    fitting = [each for each, tools in TOOLSETS.items() if name in tools and tools[name].takes(arguments)]
    if fitting and toolset not in fitting:
        error.hint = f"{name} of toolset {' or '.join(fitting)} takes these arguments"


def list_tools(_reader: Reader, params: ToolsListParams) -> dict[str, Any]:
    """`forge.tools.list`."""
    return {"tools": ToolCatalog.definitions(params.toolset)}


def call_tool(reader: Reader, params: ToolsCallParams, progress: Progress) -> Any:
    """`forge.tools.call`. The answer of toolset `agent` is its text alone."""
    output = ToolCatalog.call(params.name, params.arguments, params.toolset, reader, progress)
    return output.without_images() if isinstance(output, Answer) else output


class AgentToolkit:
    """Every tool for one workspace. Every failure is a `ReadError`. Thread-safe."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def call(self, name: str, arguments: Any, toolset: Toolset = "forge") -> Any:
        """Answer a model's call: any name or alias, any arguments, unchecked.

        The output is a dict, or for toolset `agent` an `Answer`: a string whose `images` are those that were read.
        A path may be a `PathLike`. Raises `ReadError` if anything is wrong with the call.
        """
        return ToolCatalog.call(name, _with_paths_as_text(arguments), toolset, self._reader)

    def definitions(self, toolset: Toolset = "forge") -> list[dict[str, Any]]:
        """The definitions of a toolset for a model: name, aliases, description, parameters."""
        return ToolCatalog.definitions(toolset)

    @property
    def problems(self) -> list[Problem]:
        """What is wrong with the settings files, as far as they were needed."""
        return self._reader.settings.problems()

    def read_file(self, path: StrPath, start_line: int = 1, max_lines: int = 200) -> ReadFileOutput:
        """A window of at most 500 lines of a text file of at most 1 MiB."""
        arguments = {"path": path, "start_line": start_line, "max_lines": max_lines}
        return ToolCatalog.read_file(self._reader, _with_paths_as_text(arguments))

    def read(
        self,
        path: StrPath,
        start_line: int | None = None,
        end_line: int | None = None,
        limit: int | None = None,
        head: int | None = None,
        tail: int | None = None,
        show_line_numbers: bool | None = None,
        cursor: str | None = None,
    ) -> dict[str, Any]:
        """A file, or some of its lines, as the tool `Read` gives them to an agent."""
        arguments = {
            "path": path,
            "start_line": start_line,
            "end_line": end_line,
            "limit": limit,
            "head": head,
            "tail": tail,
            "show_line_numbers": show_line_numbers,
            "cursor": cursor,
        }
        return ToolCatalog.read(self._reader, _with_paths_as_text(arguments))


def create_agent_toolkit(
    workspace_root: StrPath | Sequence[StrPath],
    *,
    policy: Mapping[str, Any] | None = None,
    settings: Mapping[str, Any] | None = None,
) -> AgentToolkit:
    """The tools for one folder, or for several.

    `policy` is `{"deny": […], "allow": […]}`, `settings` has the tables of a settings file, as an editor sends them.
    Both apply over the user's own settings. The built-in policy and the workspace's `forge.toml` apply too.
    Raises `ReadError` if a folder does not exist or a setting is wrong.
    """
    roots = [workspace_root] if isinstance(workspace_root, (str, os.PathLike)) else workspace_root
    folders = [folder_from_path(os.path.abspath(root)) for root in roots]
    for folder in folders:
        if not os.path.isdir(folder.root):
            what = "not a directory" if os.path.lexists(folder.root) else "no such directory"
            raise ReadError(ErrorCode.NOT_FOUND, f"{folder.root}: {what}")
    store = SettingsStore()
    store.set_options(settings)
    store.set_client({"policy": policy} if policy is not None else None)
    if faults := [problem for problem in store.problems() if problem.path is None]:
        raise invalid_argument("; ".join(sentence(fault._replace(file="settings")) for fault in faults))
    return AgentToolkit(Reader(folders, store))


def _with_paths_as_text(arguments: Any) -> Any:
    """A program may pass a path as an object, which no model could send."""
    if not isinstance(arguments, dict):
        return arguments
    return {name: os.fspath(each) if isinstance(each, os.PathLike) else each for name, each in arguments.items()}
