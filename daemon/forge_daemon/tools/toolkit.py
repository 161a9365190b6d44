"""Every tool, by toolset, and in Python: without a daemon and without an editor."""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

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


class ToolCatalog:
    """The tools of the specifications are its attributes.

    Both specifications use the name `read_file`; the toolset distinguishes them.
    """

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
        Raises `ReadError` if anything is wrong with the call.
        """
        return ToolCatalog.call(name, _as_json(arguments), toolset, self._reader)

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
        return ToolCatalog.read_file(self._reader, _as_json(arguments))

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
        return ToolCatalog.read(self._reader, _as_json(arguments))


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
    store.set_options(_as_json(settings) if settings is not None else None)
    store.set_client(_as_json({"policy": policy}) if policy is not None else None)
    if faults := [problem for problem in store.problems() if problem.path is None]:
        raise invalid_argument("; ".join(sentence(fault._replace(file="settings")) for fault in faults))
    return AgentToolkit(Reader(folders, store))


def _as_json(arguments: Any) -> Any:
    """The arguments as JSON values: a program may pass paths, or objects that no model could send."""
    try:
        return json.loads(json.dumps(arguments, default=os.fspath))
    except (TypeError, ValueError, RecursionError) as fault:
        raise invalid_argument(f"the arguments are not JSON: {fault}") from None
