"""The tools in Python, without a daemon and without an editor."""

import json
import os
from typing import Any

from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import Problem, SettingsStore
from forge_protocol.errors import invalid_argument
from forge_protocol.tools import Toolset

from .catalog import ToolCatalog
from .read_file import ReadFileOutput

StrPath = str | os.PathLike[str]


class AgentToolkit:
    """Every tool for one workspace. Every failure is a `ReadError`. Thread-safe."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def call(self, name: str, arguments: Any, toolset: Toolset = "forge") -> Any:
        """Answer a model's call: any name or alias, any arguments, unchecked.

        The output is a dict, or for toolset `agent` a string. Raises `ReadError` if anything is wrong with the call.
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


def create_agent_toolkit(workspace_root: StrPath) -> AgentToolkit:
    """The user's settings, the workspace's `forge.toml` and the policy apply as they do in the daemon."""
    folder = folder_from_path(os.path.abspath(workspace_root))
    return AgentToolkit(Reader([folder], SettingsStore()))


def _as_json(arguments: Any) -> Any:
    """The arguments as JSON values: a program may pass paths, or objects that no model could send."""
    try:
        return json.loads(json.dumps(arguments, default=os.fspath))
    except (TypeError, ValueError, RecursionError) as fault:
        raise invalid_argument(f"the arguments are not JSON: {fault}") from None
