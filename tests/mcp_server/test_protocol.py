"""The wire of MCP: both ways to open a conversation, exactly one answer each, nothing else on stdout."""

import json
import re
import signal
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.raw_client import endless_file
from tests.mcp_server.conftest import Start
from tests.mcp_server.mcp_process import META, text_of

INVALID_REQUEST, METHOD_NOT_FOUND, INVALID_PARAMS, PARSE_ERROR = -32600, -32601, -32602, -32700


def test_initialize_agrees_on_the_revision_asked_for(start: Start, folder: Path) -> None:
    for version in ("2025-06-18", "2025-11-25"):
        result = start(folder).initialize(version)
        assert result["protocolVersion"] == version
        assert result["serverInfo"]["name"] == "forge-read"
        assert "tools" in result["capabilities"]
        assert "project" in result["instructions"]


def test_an_unknown_revision_is_answered_with_the_newest_that_has_a_handshake(start: Start, folder: Path) -> None:
    assert start(folder).initialize("2099-01-01")["protocolVersion"] == "2025-11-25"


def test_a_request_that_names_its_revision_needs_no_handshake(start: Start, folder: Path) -> None:
    server = start(folder, "--toolset", "workspace")
    found = server.ask_modern("server/discover")["result"]
    assert found["supportedVersions"][0] == "2026-07-28"
    listed = server.ask_modern("tools/list")["result"]
    called = server.ask_modern("tools/call", {"name": "read_file", "arguments": {"path": "poem.txt"}})["result"]
    assert called["structuredContent"]["content"] == "one\ntwo\nthree"
    for result in (found, listed, called):
        assert result["resultType"] == "complete"
        assert result["_meta"]["io.modelcontextprotocol/serverInfo"]["name"] == "forge-read"
    assert listed["ttlMs"] >= 0
    assert listed["cacheScope"] == "public"


def test_older_revisions_get_none_of_the_new_fields(start: Start, folder: Path) -> None:
    server = start(folder)
    server.initialize()
    assert set(server.ask("tools/list")["result"]) == {"tools"}
    assert server.ask("ping")["result"] == {}


def test_both_kinds_of_request_are_served_on_one_stream(start: Start, folder: Path) -> None:
    server = start(folder)
    server.initialize()
    assert "resultType" in server.ask_modern("tools/list")["result"]
    assert "resultType" not in server.ask("tools/list")["result"]


def test_a_revision_that_is_not_served_is_refused_with_those_that_are(start: Start, folder: Path) -> None:
    meta = {**META, "io.modelcontextprotocol/protocolVersion": "1900-01-01"}
    error = start(folder).ask("tools/list", {"_meta": meta})["error"]
    assert error["code"] == -32022
    assert error["data"]["requested"] == "1900-01-01"
    assert "2026-07-28" in error["data"]["supported"]


@pytest.mark.parametrize(
    "params", [None, {}, {"_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28"}}, {"_meta": 7}]
)
def test_a_request_without_a_revision_before_the_handshake_is_refused(
    start: Start, folder: Path, params: object
) -> None:
    assert start(folder).ask("tools/list", params)["error"]["code"] == INVALID_PARAMS  # type: ignore[arg-type]


def test_what_a_revision_does_not_have_is_not_found(start: Start, folder: Path) -> None:
    server = start(folder)
    for method in ("ping", "initialize", "logging/setLevel", "resources/list"):
        assert server.ask_modern(method)["error"]["code"] == METHOD_NOT_FOUND
    server.initialize()
    assert server.ask("prompts/list")["error"]["code"] == METHOD_NOT_FOUND


def test_what_is_no_message_is_refused_and_the_next_message_is_answered(start: Start, folder: Path) -> None:
    server = start(folder)
    server.send_bytes(b"not JSON\n")
    assert server.receive()["error"]["code"] == PARSE_ERROR
    server.send_bytes(b"\xff\xfe\n")
    assert server.receive()["error"]["code"] == PARSE_ERROR
    server.send_bytes(b"[]\n\n   \r\n")
    assert server.receive()["error"]["code"] == INVALID_REQUEST
    server.send_bytes(b'{"jsonrpc": "1.0", "id": 7, "method": "ping"}\n')
    refused = server.receive()
    assert (refused["id"], refused["error"]["code"]) == (7, INVALID_REQUEST)
    assert server.ask("ping")["result"] == {}


def test_parameters_that_do_not_fit_are_refused(start: Start, folder: Path) -> None:
    server = start(folder)
    server.initialize()
    faulty: list[Any] = [[], {}, {"name": 7}, {"name": "no_such_tool"}]
    for params in faulty:
        assert server.ask("tools/call", params)["error"]["code"] == INVALID_PARAMS, params
    refused = server.ask("tools/call", {"name": "read", "arguments": []})["result"]
    assert refused["isError"], "the model can do something about it"
    assert text_of(refused) == "expected an object, got an array"
    assert server.ask("tools/list", {"cursor": "x"})["error"]["code"] == INVALID_PARAMS
    assert server.ask("initialize", {})["error"]["code"] == INVALID_PARAMS


def test_an_id_in_use_is_refused(start: Start, folder: Path) -> None:
    server = start(folder)
    server.initialize()
    search = {"path": endless_file(folder / "endless").name, "pattern": "no such text"}
    call = {"id": "x", "method": "tools/call", "params": {"name": "find", "arguments": search}}
    server.send(call)
    server.send(call)
    refused = server.receive()
    assert (refused["id"], refused["error"]["code"]) == ("x", INVALID_REQUEST)
    server.send({"method": "notifications/cancelled", "params": {"requestId": "x"}})
    assert server.ask("ping")["result"] == {}


def test_tools_are_annotated_as_harmless(start: Start, folder: Path) -> None:
    server = start(folder)
    server.initialize()
    for tool in server.ask("tools/list")["result"]["tools"]:
        assert tool["annotations"] == {
            "readOnlyHint": True,
            "destructiveHint": False,
            "idempotentHint": True,
            "openWorldHint": False,
        }
        assert tool["inputSchema"]["type"] == "object"


def test_a_refusal_is_an_answer_for_the_model(start: Start, folder: Path) -> None:
    server = start(folder)
    server.initialize()
    for path, word in (("poem.tx", "poem.txt"), (".env", "denied"), ("../x", "leads out"), ("", "empty")):
        result = server.call("read", path=path)
        assert result["isError"], path
        assert word in text_of(result), result
        assert str(folder) not in json.dumps(result)


def test_the_input_ends_and_so_does_the_server_after_its_answers(start: Start, folder: Path) -> None:
    server = start(folder)
    server.initialize()
    server.begin("tools/call", {"name": "read", "arguments": {"path": "poem.txt"}})
    assert server.close_input() == 0
    assert "two" in text_of(server.receive()["result"])


@pytest.mark.skipif(sys.platform == "win32", reason="has no SIGTERM")
def test_a_signal_ends_it(start: Start, folder: Path) -> None:
    server = start(folder)
    server.initialize()
    server.process.send_signal(signal.SIGTERM)
    assert server.process.wait(timeout=10) == 128 + signal.SIGTERM


def test_a_folder_that_is_none_is_told_at_once(start: Start, tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    for name, reason in (("nothing", b"nothing: no such directory"), ("file", b"file: not a directory")):
        server = start(tmp_path / name)
        assert server.process.wait(timeout=10) == 2
        assert server.process.stderr is not None
        assert reason in server.process.stderr.read()


def test_a_cancelled_call_is_not_answered_and_others_are(start: Start, folder: Path) -> None:
    with open(folder / "large.txt", "wb") as large:
        large.truncate(8 << 30)  # a hole: takes no space, but seconds to scan
        large.seek(0)
        large.write(b"text\n" * 2000)
    server = start(folder)
    server.initialize()
    arguments = {"path": "large.txt", "start_line": -1}
    token = {"progressToken": "p"}
    cancelled = server.begin("tools/call", {"name": "read", "arguments": arguments, "_meta": token})
    first = server.receive()
    assert first["method"] == "notifications/progress"
    assert first["params"]["progressToken"] == "p"
    seen = first["params"]["progress"]
    second = server.receive()
    assert second["params"]["progress"] > seen
    server.send({"method": "notifications/cancelled", "params": {"requestId": cancelled, "reason": "enough"}})
    ping = server.begin("ping")
    while (message := server.receive()).get("id") != ping:
        assert message["method"] == "notifications/progress"
    assert "three" in text_of(server.call("read", path="poem.txt"))
    assert server.close_input() == 0


def test_logs_go_to_stderr(start: Start, folder: Path) -> None:
    (folder / "forge.toml").write_text("[cache]\nmax_bytes = 'many'\n")
    server = start(folder)
    server.initialize()
    server.call("read", path="poem.txt")
    assert server.close_input() == 0
    assert server.process.stderr is not None
    assert b"max_bytes" in server.process.stderr.read()


def test_the_log_tells_start_folders_and_requests_and_nothing_that_a_client_says(start: Start, folder: Path) -> None:
    server = start(folder, "--log-level", "debug")
    server.initialize()
    server.call("read", path="poem.txt")
    server.call("read", path="/secret/poem.txt")
    assert server.ask("/secret\nlines")["error"]["code"] == METHOD_NOT_FOUND
    assert server.close_input() == 0
    assert server.process.stderr is not None
    log = server.process.stderr.read().decode()
    told = [line.partition(" forge_daemon.")[2].partition(": ")[2] for line in log.splitlines()]
    assert [re.sub(r"[\d.]+ ms", "N ms", line) for line in told if line and "starts" not in line] == [
        "folders open: 1",
        "initialize: answered in N ms",
        "tools/call: answered in N ms",
        "tools/call: answered in N ms",
        "unknown method: -32601 in N ms",
        "ends with exit code 0: the client left",
    ]
    assert "starts: MCP" in log
    assert "secret" not in log
    assert str(folder) not in log
