"""Which folders are served: those named, else the client's roots, else the working directory."""

import sys
import threading
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.mcp.folders import Folders
from forge_daemon.workspace.reader import Target
from forge_protocol.errors import ReadError
from tests.lsp.raw_client import PATIENCE
from tests.mcp_server.conftest import Start
from tests.mcp_server.mcp_process import META, McpProcess, text_of


def _other(tmp_path: Path) -> Path:
    other = tmp_path / "other"
    other.mkdir()
    (other / "poem.txt").write_text("of the other\n")
    return other


def _call(server: McpProcess, tool: str, **arguments: Any) -> dict[str, Any]:
    """A call of a client with roots: the first message back is the server's question for them."""
    server.begin("tools/call", {"name": tool, "arguments": arguments})
    return server.receive()


def test_folders_that_are_named_win(start: Start, folder: Path, tmp_path: Path) -> None:
    server = start(folder, cwd=_other(tmp_path))
    server.initialize(roots={})
    assert "two" in text_of(server.call("read", path="poem.txt"))


def test_a_folder_that_is_named_twice_is_served_once(start: Start, folder: Path) -> None:
    server = start(folder, f"{folder}/")
    server.initialize()
    assert text_of(server.call("read", path="poem.txt")).startswith("[poem.txt ")


def test_the_working_directory_is_served_where_the_client_has_no_roots(start: Start, folder: Path) -> None:
    server = start(cwd=folder)
    server.initialize()
    assert "two" in text_of(server.call("read", path="poem.txt"))


def test_the_clients_roots_are_served(start: Start, folder: Path, tmp_path: Path) -> None:
    server = start(cwd=_other(tmp_path))
    server.initialize(roots={"listChanged": True})
    question = _call(server, "read", path="poem.txt")
    assert question["method"] == "roots/list"
    server.send({"id": question["id"], "result": {"roots": [{"uri": folder.as_uri()}, {"uri": "https://x"}, 7]}})
    assert "two" in text_of(server.receive()["result"])
    assert "two" in text_of(server.call("read", path="poem.txt"))


def test_roots_that_change_are_asked_for_again(start: Start, folder: Path, tmp_path: Path) -> None:
    other = _other(tmp_path)
    server = start(cwd=tmp_path)
    server.initialize(roots={"listChanged": True})
    for root, word in ((folder, "two"), (other, "other")):
        question = _call(server, "read", path="poem.txt")
        server.send({"id": question["id"], "result": {"roots": [{"uri": root.as_uri()}]}})
        assert word in text_of(server.receive()["result"])
        server.send({"method": "notifications/roots/list_changed"})


def test_a_client_without_any_root_gets_the_working_directory(start: Start, folder: Path) -> None:
    server = start(cwd=folder)
    server.initialize(roots={})
    question = _call(server, "read", path="poem.txt")
    server.send({"id": question["id"], "error": {"code": -32601, "message": "no"}})
    assert "two" in text_of(server.receive()["result"])


def test_in_2026_07_28_roots_come_with_the_call(start: Start, folder: Path, tmp_path: Path) -> None:
    server = start(cwd=_other(tmp_path))
    meta = {**META, "io.modelcontextprotocol/clientCapabilities": {"roots": {}}}
    call = {"name": "read", "arguments": {"path": "poem.txt"}, "_meta": meta}
    wanted = server.ask("tools/call", call)["result"]
    assert wanted["resultType"] == "input_required"
    assert wanted["inputRequests"] == {"roots": {"method": "roots/list"}}
    roots = {"roots": {"roots": [{"uri": folder.as_uri()}]}}
    result = server.ask("tools/call", {**call, "inputResponses": roots})["result"]
    assert "two" in text_of(result)


def test_the_root_directory_is_served_only_where_it_is_named(start: Start) -> None:
    server = start(cwd=Path("/"))
    server.initialize()
    result = server.call("read", path="etc/hostname")
    assert result["isError"]
    assert "forge-read mcp FOLDER" in text_of(result)


@pytest.mark.skipif(sys.platform == "win32", reason="a working directory cannot be removed there")
def test_a_working_directory_that_was_removed_is_refused_in_words(start: Start, tmp_path: Path) -> None:
    (directory := tmp_path / "gone").mkdir()
    server = start(cwd=directory)
    server.initialize()
    directory.rmdir()
    result = server.call("read", path="poem.txt")
    assert result["isError"]
    assert "forge-read mcp FOLDER" in text_of(result)


def test_nothing_is_kept_of_roots_that_were_closed(folder: Path, tmp_path: Path) -> None:
    (folder / "forge.toml").write_text("[policy]\nunknown = 1\n")
    folders = Folders(())
    reader = folders.reader([{"uri": folder.as_uri()}])
    with pytest.raises(ReadError):
        reader.open(Target("poem.txt"))
    assert reader.settings.problems()
    for thread in threading.enumerate():
        if thread.name == "settings":
            thread.join(PATIENCE)  # it reads the settings of the root once, in the background
    assert folders.reader([{"uri": _other(tmp_path).as_uri()}]).settings.problems() == []
