"""Storage that stops answering stops no request that does not need it, and the process can always be ended."""

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.stuck_folders import Mounted, folder_that_can_die
from tests.lsp.raw_client import RawClient
from tests.mcp_server.mcp_process import McpProcess, text_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="mounts file systems")

SEVERAL = 5
MOMENT = 1.5
"""Longer than storage is believed to be local without being asked again."""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "small").write_text("text\n")
    (folder / "log").write_text("one\n")
    return folder.resolve()


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Mounted]:
    with folder_that_can_die(tmp_path) as folder:
        yield folder


@contextmanager
def mounted(*arguments: str | Path) -> Iterator[None]:
    done = subprocess.run(["mount", *map(str, arguments)], capture_output=True, text=True)
    if done.returncode:
        pytest.skip(f"cannot be mounted here: {done.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", "-l", str(arguments[-1])], check=True)


def check_that_it_serves_and_ends(client: RawClient, workspace: Path) -> None:
    for _ in range(SEVERAL):
        assert client.read(workspace / "small")["content"] == "text\n"
        assert client.refusal(workspace / "none")["code"] == "NOT_FOUND"
    assert client.result("workspace/executeCommand", {"command": "forge.cache.stats", "arguments": [{}]})["folders"]
    client.process.send_signal(signal.SIGTERM)
    assert client.wait() == 128 + signal.SIGTERM


@pytest.mark.parametrize("dies", ["before the start", "later"])
def test_dead_storage_of_your_own_settings_file_delays_nobody(workspace: Path, mortal: Mounted, dies: str) -> None:
    if dies == "before the start":
        mortal.die()
    with RawClient(env={"FORGE_READ_CONFIG": f"{mortal.path}/forge.toml"}) as client:
        client.initialize(workspace)
        if dies == "later":
            assert client.read("small")["content"] == "text\n"
            mortal.die()
        check_that_it_serves_and_ends(client, workspace)


def test_a_layer_of_an_overlay(tmp_path: Path, workspace: Path, mortal: Mounted) -> None:
    for name in ("upper", "work", "merged"):
        (tmp_path / name).mkdir()
    layers = f"lowerdir={mortal.path},upperdir={tmp_path}/upper,workdir={tmp_path}/work"
    with mounted("-t", "overlay", "overlay", "-o", layers, tmp_path / "merged"), RawClient() as client:
        client.initialize(workspace, tmp_path / "merged")
        assert client.read(tmp_path / "merged/file1")["content"] == "text\n"
        mortal.die()
        client.start_request("forge/readFile", {"path": f"{tmp_path}/merged/file2"})
        check_that_it_serves_and_ends(client, workspace)


def test_a_forge_toml_that_is_a_mount_point(tmp_path: Path, workspace: Path, mortal: Mounted) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "forge.toml").touch()
    (other / "file").touch()
    with mounted("--bind", mortal.path / "file1", other / "forge.toml"), RawClient() as client:
        client.initialize(workspace, other)
        assert client.refusal(other / "file")["code"] == "POLICY_DENIED", "it is no TOML"
        mortal.die()
        client.start_request("forge/readFile", {"path": f"{other}/file"})
        check_that_it_serves_and_ends(client, workspace)


def test_a_file_in_the_workspace_that_is_a_mount_point(workspace: Path, mortal: Mounted) -> None:
    (workspace / "mounted").touch()
    with mounted("--bind", mortal.path / "file1", workspace / "mounted"), RawClient() as client:
        client.initialize(workspace)
        assert client.read("mounted")["content"] == "text\n"
        mortal.die()
        client.start_request("forge/readFile", {"path": "mounted"})
        client.start_request("forge/find", {"path": "mounted", "pattern": "x"})
        check_that_it_serves_and_ends(client, workspace)


def test_storage_that_was_moved_over_other_storage(tmp_path: Path, workspace: Path, mortal: Mounted) -> None:
    """The table of mounts names them in the order in which they were mounted at first."""
    for name in ("first", "other"):
        (tmp_path / name).mkdir()
    subprocess.run(["mount", "--bind", mortal.path, tmp_path / "first"], check=True)
    subprocess.run(["mount", "--make-private", tmp_path / "first"], check=True)
    with (
        mounted("-t", "tmpfs", "none", tmp_path / "other"),
        mounted("--move", tmp_path / "first", tmp_path / "other"),
        RawClient() as client,
    ):
        client.initialize(workspace, tmp_path / "other")
        assert client.read(tmp_path / "other/file1")["content"] == "text\n"
        mortal.die()
        client.start_request("forge/readFile", {"path": f"{tmp_path}/other/file2"})
        check_that_it_serves_and_ends(client, workspace)


def test_a_file_that_is_followed(workspace: Path, mortal: Mounted) -> None:
    with RawClient() as client:
        client.initialize(workspace, mortal.path)
        assert client.read(mortal.path / "file0")["content"] == "text\n"
        followed = client.result("forge/follow", {"path": f"{mortal.path}/file1"})
        assert followed["content"] == "text\n"
        assert client.result("forge/follow", {"path": f"{workspace}/log"})["content"] == "one\n"
        mortal.die()
        client.start_request("forge/follow", {"path": f"{mortal.path}/file2"})
        with (workspace / "log").open("a") as log:
            log.write("two\n")
        event = client.incoming("forge/followed")
        assert event["params"]["content"] == "two\n"
        assert client.result("forge/unfollow", {"follow_id": followed["follow_id"]}) is None
        check_that_it_serves_and_ends(client, workspace)


def test_a_file_behind_a_link(tmp_path: Path, workspace: Path, mortal: Mounted) -> None:
    (workspace / "link").symlink_to(mortal.path / "file1")
    with RawClient() as client:
        client.initialize(workspace, mortal.path)
        assert client.read(workspace / "link")["content"] == "text\n"
        mortal.die()
        client.start_request("forge/readFile", {"path": f"{workspace}/link"})
        client.start_request("forge/readFiles", {"files": [{"path": f"{workspace}/link"}] * SEVERAL})
        call = {"name": "read_many", "arguments": {"files": [{"path": f"{workspace}/link"}]}, "toolset": "agent"}
        client.start_command("forge.tools.call", call)
        check_that_it_serves_and_ends(client, workspace)


def test_a_folder_by_a_link_that_now_leads_elsewhere(tmp_path: Path, workspace: Path, mortal: Mounted) -> None:
    (tmp_path / "current").symlink_to(mortal.path)
    with RawClient() as client:
        client.initialize(workspace, tmp_path / "current")
        assert client.read(tmp_path / "current/file1")["content"] == "text\n"
        mortal.die()
        (tmp_path / "turned").symlink_to(workspace)
        (tmp_path / "turned").replace(tmp_path / "current")
        time.sleep(MOMENT)
        client.start_request("forge/readFile", {"path": f"{tmp_path}/current/file1"})
        check_that_it_serves_and_ends(client, workspace)


def test_a_link_that_leads_out_beside_a_folder_that_never_answered(workspace: Path, mortal: Mounted) -> None:
    (workspace / "out").symlink_to("/nowhere")
    mortal.die()
    with RawClient() as client:
        client.initialize(workspace, mortal.path / "file1")
        for _ in range(SEVERAL):
            assert client.refusal(workspace / "out")["code"] == "SANDBOX_VIOLATION"
        check_that_it_serves_and_ends(client, workspace)


@pytest.mark.parametrize("named_by", ["the command line", "the client"])
def test_a_folder_of_an_mcp_server(workspace: Path, mortal: Mounted, named_by: str) -> None:
    mortal.die()
    folders = [workspace, mortal.path] if named_by == "the command line" else []
    capabilities: dict[str, Any] = {} if folders else {"roots": {}}
    with McpProcess(*folders, cwd=workspace) as server:
        server.initialize(**capabilities)
        read = {"name": "read", "arguments": {"path": str(workspace / "small")}}
        wanted = server.begin("tools/call", read)
        if not folders:
            question = server.receive()
            assert question["method"] == "roots/list"
            roots = [{"uri": folder.as_uri()} for folder in (workspace, mortal.path)]
            server.send({"id": question["id"], "result": {"roots": roots}})
        answer = server.receive()
        assert answer["id"] == wanted
        assert "text" in text_of(answer["result"])
        server.begin("tools/call", {"name": "find", "arguments": {"path": f"{mortal.path}/file1", "pattern": "x"}})
        for _ in range(SEVERAL):
            assert "text" in text_of(server.call("read", path=str(workspace / "small")))
        server.process.send_signal(signal.SIGTERM)
        assert server.process.wait(timeout=10) == 128 + signal.SIGTERM


def test_the_command_line_of_somebody_whose_settings_are_there(workspace: Path, mortal: Mounted) -> None:
    mortal.die()
    command = [sys.executable, "-m", "forge_daemon", "read", str(workspace / "small")]
    environment = os.environ | {"FORGE_READ_CONFIG": f"{mortal.path}/forge.toml"}
    done = subprocess.run(command, env=environment, capture_output=True, text=True, timeout=30)
    assert done.stdout == "text\n"
