"""The catalog keeps the two tools apart, and can be had without an editor."""

import os
import subprocess
import sys
from pathlib import Path
from typing import Any, get_args, get_type_hints

import attrs
import pytest

from forge_daemon.cli import TOOLSETS
from forge_daemon.tools import (
    TOOL_DEFINITIONS,
    ReadFileMeta,
    ReadFileOutput,
    ToolCatalog,
    Toolset,
    create_agent_toolkit,
)
from forge_daemon.tools.toolkit import TOOLSETS as SERVED
from forge_daemon.workspace.reader import Reader
from forge_protocol import tools
from tests.tools.refusals import refusal


def test_protocol_and_command_line_know_every_toolset() -> None:
    assert set(TOOLSETS) == set(get_args(Toolset)) == set(SERVED)


@pytest.mark.parametrize(
    ("returned", "documented"),
    [(ReadFileOutput, tools.ReadFileOutput), (ReadFileMeta, tools.ReadFileOutputMeta)],
)
def test_what_read_file_returns_is_what_the_protocol_documents(returned: type, documented: type) -> None:
    assert list(get_type_hints(returned)) == [field.name for field in attrs.fields(documented)]


def test_each_definition_is_known_by_its_tools_name() -> None:
    assert {name: definition["name"] for name, definition in TOOL_DEFINITIONS.items()} == {
        "Read": "Read",
        "read_file": "read_file",
    }


@pytest.mark.parametrize(
    ("toolset", "name", "aliases"),
    [("forge", "Read", ["read", "read_file", "read-file", "ReadFile"]), ("workspace", "read_file", [])],
)
def test_a_toolset_lists_its_own_tool_alone(toolset: str, name: str, aliases: list[str]) -> None:
    (tool,) = ToolCatalog.definitions(toolset)
    assert (tool["name"], tool["aliases"]) == (name, aliases)
    assert set(tool) == {"name", "aliases", "description", "parameters"}


def test_read_file_means_the_tool_of_its_toolset(workspace: Path, reader: Reader) -> None:
    (workspace / "file").write_text("one\n")
    contents = {
        toolset: ToolCatalog.call("read_file", {"path": "file"}, toolset, reader)["content"]
        for toolset in ("forge", "workspace")
    }
    assert contents == {"forge": "1| one\n", "workspace": "one"}


@pytest.mark.parametrize(
    ("name", "toolset", "known"),
    [
        ("Write", "forge", "Read, read, read_file"),
        ("Read", "workspace", "read_file"),
        ("READ", "forge", "Read"),
    ],
)
def test_an_unknown_tool_is_refused_and_the_known_ones_are_named(
    reader: Reader, name: str, toolset: str, known: str
) -> None:
    error = refusal(ToolCatalog.call, name, {"path": "file"}, toolset, reader)
    assert (error.code, error.path) == ("INVALID_ARGUMENT", None)
    assert known in error.reason


@pytest.mark.parametrize(
    "use",
    [
        lambda _: ToolCatalog.definitions("another"),
        lambda reader: ToolCatalog.call("Read", {}, "another", reader),
    ],
)
def test_an_unknown_toolset_is_refused(reader: Reader, use: Any) -> None:
    error = refusal(use, reader)
    assert error.code == "INVALID_ARGUMENT"
    assert "forge, workspace" in error.reason


def test_a_toolkit_takes_any_way_to_name_its_workspace(workspace: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (workspace / "file").write_text("one\n")
    monkeypatch.chdir(workspace.parent)
    for root in (workspace, str(workspace), "workspace", f"{workspace}{os.sep}"):
        assert create_agent_toolkit(root).read("file")["workspace_folder"] == "workspace"


def test_a_workspace_that_is_gone_is_not_found(workspace: Path) -> None:
    toolkit = create_agent_toolkit(workspace)
    workspace.rmdir()
    assert refusal(toolkit.read_file, "file").code == "NOT_FOUND"


def test_importing_the_tools_imports_no_language_server() -> None:
    program = "import sys, forge_daemon.tools; print(*(name for name in sys.modules))"
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True, timeout=60)
    packages = {name.partition(".")[0] for name in done.stdout.split()}
    assert packages.isdisjoint({"pygls", "lsprotocol", "asyncio"})
