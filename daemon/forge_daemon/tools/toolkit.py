"""The tools in Python, without a daemon and without an editor."""

import os
from typing import Any

from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import SettingsStore

from .read import READ
from .read_file import READ_FILE, ReadFileOutput


class AgentToolkit:
    """Both tools for one workspace. Every fault is a `ReadError`. Safe to use from several threads."""

    def __init__(self, reader: Reader) -> None:
        self._reader = reader

    def read_file(self, path: str, start_line: int = 1, max_lines: int = 200) -> ReadFileOutput:
        """A window of at most 500 lines of a text file of at most 1 MiB."""
        arguments = {"path": path, "start_line": start_line, "max_lines": max_lines}
        return READ_FILE(self._reader, arguments)

    def read(
        self,
        path: str,
        start_line: int | None = None,
        end_line: int | None = None,
        limit: int | None = None,
        head: int | None = None,
        tail: int | None = None,
        show_line_numbers: bool | None = None,
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
        }
        return READ(self._reader, arguments)


def create_agent_toolkit(workspace_root: str | os.PathLike[str]) -> AgentToolkit:
    """The user's settings, the workspace's `forge.toml` and the policy apply as they do in the daemon."""
    folder = folder_from_path(os.path.abspath(workspace_root))
    return AgentToolkit(Reader([folder], SettingsStore()))
