"""Folders come and go while the daemon runs, and each path belongs to the right one."""

import os
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.conftest import Start
from tests.lsp.raw_client import RawClient, error_of, folder_item, result_of


@pytest.fixture
def folders(client: RawClient, tmp_path: Path) -> Any:
    """Two more folders beside the first, open; each with a file of its own and one both have."""
    paths = [tmp_path / "left", tmp_path / "right"]
    for path in paths:
        path.mkdir()
        (path / "both.txt").write_text(f"both, {path.name}")
        (path / f"{path.name}.txt").write_text(path.name)
    client.change_folders(added=tuple(folder_item(path) for path in paths))
    yield paths
    client.change_folders(removed=tuple(folder_item(path) for path in paths))


def stats(client: RawClient) -> dict[str, dict[str, int]]:
    figures = result_of(client.command("forge.cache.stats", {}))["folders"]
    return {each.pop("workspace_folder"): each for each in figures}


def test_no_folder_open_is_said_so(shared_client: RawClient) -> None:
    refusal = shared_client.refusal("a.txt")
    assert refusal["code"] == "SANDBOX_VIOLATION"
    assert "no workspace folder is open" in refusal["reason"]
    assert shared_client.refusal("/etc/passwd")["path"] is None


def test_a_folder_can_be_read_from_when_it_is_added_until_it_is_removed(client: RawClient, tmp_path: Path) -> None:
    late = tmp_path / "late"
    late.mkdir()
    (late / "a.txt").write_text("late")
    assert client.refusal(late / "a.txt")["code"] == "SANDBOX_VIOLATION"
    client.change_folders(added=(folder_item(late),))
    assert client.read("a.txt")["workspace_folder"] == "late"
    assert client.read(late / "a.txt")["path"] == "a.txt"
    client.change_folders(removed=(folder_item(late),))
    assert client.refusal(late / "a.txt")["code"] == "SANDBOX_VIOLATION"
    assert client.refusal("a.txt")["code"] == "NOT_FOUND"


def test_a_path_in_one_folder_only_needs_no_folder_name(client: RawClient, folders: list[Path]) -> None:
    assert client.read("left.txt")["workspace_folder"] == "left"
    assert client.read("right.txt")["workspace_folder"] == "right"


def test_a_path_in_several_folders_is_ambiguous_and_the_candidates_are_named(
    client: RawClient, folders: list[Path]
) -> None:
    refusal = client.refusal("both.txt")
    assert refusal["code"] == "INVALID_ARGUMENT"
    assert refusal["path"] == "both.txt"
    assert "left" in refusal["reason"]
    assert "right" in refusal["reason"]
    assert "workspace" not in refusal["reason"].replace("workspace folder", "")


def test_a_folder_is_chosen_by_name_by_uri_or_by_an_absolute_path(client: RawClient, folders: list[Path]) -> None:
    right = folders[1]
    chosen = [
        client.read("both.txt", workspace_folder="right"),
        client.read("both.txt", workspace_folder=right.as_uri()),
        client.read("both.txt", workspace_folder=right.as_uri() + "/"),
        client.read(right / "both.txt"),
        client.read((right / "both.txt").as_uri()),
    ]
    assert [answer["content"] for answer in chosen] == ["both, right"] * 5
    assert {answer["path"] for answer in chosen} == {"both.txt"}


def test_a_folder_that_is_not_open_cannot_be_chosen(client: RawClient, folders: list[Path]) -> None:
    assert client.refusal("both.txt", workspace_folder="middle")["code"] == "INVALID_ARGUMENT"


def test_folders_of_the_same_name_need_the_uri(client: RawClient, tmp_path: Path) -> None:
    twins = [tmp_path / parent / "twin" for parent in "ab"]
    for twin in twins:
        twin.mkdir(parents=True)
        (twin / "x.txt").write_text(twin.parent.name)
    client.change_folders(added=tuple(map(folder_item, twins)))
    assert client.refusal("x.txt", workspace_folder="twin")["code"] == "INVALID_ARGUMENT"
    assert client.read("x.txt", workspace_folder=twins[1].as_uri())["content"] == "b"
    client.change_folders(removed=tuple(map(folder_item, twins)))


def test_the_same_folder_twice_is_one_folder(client: RawClient, workspace: Path) -> None:
    (workspace / "a.txt").write_text("once")
    again = {"uri": workspace.as_uri() + "/", "name": "again"}
    client.change_folders(added=(folder_item(workspace), again, again))
    assert client.read("a.txt")["content"] == "once"
    client.change_folders(removed=(again,))
    assert client.refusal(workspace / "a.txt")["code"] == "SANDBOX_VIOLATION"


def test_a_folder_that_is_removed_and_added_in_one_event_is_renamed(client: RawClient, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a")
    client.change_folders(removed=(folder_item(workspace),), added=(folder_item(workspace, "renamed"),))
    assert client.read("a.txt")["workspace_folder"] == "renamed"


def test_an_inner_folder_owns_its_files(client: RawClient, workspace: Path) -> None:
    inner = workspace / "inner"
    inner.mkdir()
    (inner / "a.txt").write_text("a")
    client.change_folders(added=(folder_item(inner),))
    answer = client.read(inner / "a.txt")
    assert (answer["workspace_folder"], answer["path"]) == ("inner", "a.txt")
    client.change_folders(removed=(folder_item(inner),))
    assert client.read(inner / "a.txt")["path"] == "inner/a.txt"


def test_a_link_into_another_open_folder_is_followed_only_while_that_is_open(
    client: RawClient, workspace: Path, tmp_path: Path
) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (other / "target.txt").write_text("over there")
    (workspace / "link.txt").symlink_to(other / "target.txt")
    assert client.refusal("link.txt")["code"] == "SANDBOX_VIOLATION"
    client.change_folders(added=(folder_item(other),))
    assert client.read("link.txt")["content"] == "over there"
    client.change_folders(removed=(folder_item(other),))
    assert client.refusal("link.txt")["code"] == "SANDBOX_VIOLATION"


def test_the_cache_goes_with_its_folder(client: RawClient, workspace: Path) -> None:
    (workspace / "a.txt").write_bytes(b"line\n" * 300_000)
    os.utime(workspace / "a.txt", (1_000_000_000, 1_000_000_000))
    client.read("a.txt", tail=1)
    client.read("a.txt", tail=1)
    assert stats(client)["workspace"]["misses"] > 0
    client.change_folders(removed=(folder_item(workspace),))
    assert stats(client) == {}
    client.change_folders(added=(folder_item(workspace),))
    assert set(stats(client)["workspace"].values()) == {0}


def test_the_cache_of_one_folder_is_cleared_by_name(client: RawClient, folders: list[Path]) -> None:
    answer = client.command("forge.cache.clear", {"workspace_folder": "left"})
    assert [each["workspace_folder"] for each in result_of(answer)["folders"]] == ["workspace", "left", "right"]
    assert error_of(client.command("forge.cache.clear", {"workspace_folder": "middle"}))["code"] == -32602


def test_an_older_client_names_one_root(start: Start, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a")
    client = start()
    client.initialize(workspaceFolders=None, rootUri=workspace.as_uri())
    assert client.read("a.txt")["workspace_folder"] == "workspace"


def test_a_folder_of_another_machine_is_left_out_and_the_others_are_served(start: Start, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a")
    remote = {"uri": "vscode-remote://elsewhere/home", "name": "remote"}
    client = start()
    client.initialize(workspaceFolders=[remote, folder_item(workspace)])
    assert client.read("a.txt")["content"] == "a"
    assert "'remote'" in client.incoming("window/logMessage")["params"]["message"]


def test_folder_changes_are_announced(start: Start) -> None:
    support = start().initialize()["capabilities"]["workspace"]["workspaceFolders"]
    assert support["supported"]
    assert support["changeNotifications"]
