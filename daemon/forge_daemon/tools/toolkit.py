"""The tools in Python, without a daemon and without an editor."""

import json
import os
from collections.abc import Mapping, Sequence
from typing import Any

from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import Problem, SettingsStore, sentence
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument
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
