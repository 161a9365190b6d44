"""A workspace and its tools, without the settings of the person who runs the tests."""

from pathlib import Path
from typing import Any

import pytest

from forge_daemon.tools import ToolCatalog
from forge_daemon.tools.toolkit import AgentToolkit, create_agent_toolkit
from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import SettingsStore
from tests.tools.agent_calls import Call


@pytest.fixture(autouse=True)
def user_settings(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Where the user's own settings would be."""
    path = tmp_path / "home" / "forge.toml"
    path.parent.mkdir()
    monkeypatch.setenv("FORGE_READ_CONFIG", str(path))
    return path


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    path = tmp_path / "workspace"
    path.mkdir()
    return path


@pytest.fixture
def toolkit(workspace: Path) -> AgentToolkit:
    return create_agent_toolkit(workspace)


@pytest.fixture
def reader(workspace: Path) -> Reader:
    """What the daemon would call the tools with."""
    return Reader([folder_from_path(str(workspace))], SettingsStore())


@pytest.fixture
def call(reader: Reader) -> Call:
    """Calls a tool of toolset `agent`, always in the same session."""

    def call(tool: str, **arguments: Any) -> str:
        answer: str = ToolCatalog.call(tool, arguments, "agent", reader)
        return answer

    return call
