"""Whatever a client sends, each request is answered exactly once, and the next message is understood."""

import json
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.conftest import Start
from tests.lsp.raw_client import RawClient, endless_file, error_of, framed, result_of

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602


@pytest.fixture(autouse=True)
def still_understood(client: RawClient, workspace: Path) -> Any:
    """After every test of this module the same daemon must serve the next request as if nothing had been."""
    (workspace / "a.txt").write_text("one\ntwo\n")
    yield
    assert client.read("a.txt")["content"] == "one\ntwo\n"
    assert client.seen("window/showMessage") == []


def read_body(msg_id: object, path: str = "a.txt") -> bytes:
    return json.dumps({"jsonrpc": "2.0", "id": msg_id, "method": "forge/readFile", "params": {"path": path}}).encode()


def nobody_in_particular(client: RawClient) -> Any:
    """The error of an answer that belongs to no request."""
    return error_of(client.wait_for(lambda message: "method" not in message and message["id"] is None))


# Frames ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "header",
    [
        "content-length: {}\r\n\r\n",
        "CONTENT-LENGTH: {}\r\n\r\n",
        "Content-Length:{}\r\n\r\n",
        "Content-Length:   {}   \r\n\r\n",
        "Content-Length: {}\n\n",
        "Content-Length: {}\r\nContent-Type: application/vscode-jsonrpc; charset=utf-8\r\n\r\n",
        "X-Something: a: b\r\nContent-Length: {}\r\n\r\n",
        "Content-Length: {0}\r\nContent-Length: {0}\r\n\r\n",
        "Content-Length: 000{}\r\n\r\n",
    ],
)
def test_a_header_may_be_written_in_many_ways(client: RawClient, header: str) -> None:
    body = read_body(header)
    client.send_bytes(header.format(len(body)).encode() + body)
    assert result_of(client.answer_to(header))["content"] == "one\ntwo\n"


def test_a_frame_may_come_byte_by_byte(client: RawClient) -> None:
    for byte in framed(read_body("drop by drop")):
        client.send_bytes(bytes([byte]))
    assert "result" in client.answer_to("drop by drop")


def test_many_frames_may_come_at_once_and_the_last_one_later(client: RawClient) -> None:
    stream = b"".join(framed(read_body(f"of many {number}")) for number in range(50))
    client.send_bytes(stream[:-10])
    for number in range(49):
        assert "result" in client.answer_to(f"of many {number}")
    client.send_bytes(stream[-10:])
    assert "result" in client.answer_to("of many 49")


@pytest.mark.parametrize(
    "garbage",
    [
        b"hello\r\n\r\n",
        b"Content-Length: -5\r\n\r\n",
        b"Content-Length: +5\r\n\r\n",
        b"Content-Length: 0x10\r\n\r\n",
        b"Content-Length: \r\n\r\n",
        b"Content-Length: 1e3\r\n\r\n",
        b"Content-Length: \xd9\xa5\r\n\r\n",
        b"Content-Length: 10000000000\r\n\r\n",
        b"Content-Length: " + b"9" * 5000 + b"\r\n\r\n",
        b"Content-Length: 5\r\nContent-Length: 6\r\n\r\n",
        b"Content-Type: text/plain\r\n\r\n",
        b"\r\n\r\n",
        b'{"jsonrpc":"2.0"}' * 1000,
        bytes(8192),
    ],
    ids=lambda garbage: garbage[:24],
)
def test_a_stream_that_cannot_be_understood_is_told_and_ended(start: Start, garbage: bytes) -> None:
    client = start()
    client.send_bytes(garbage)
    assert client.wait() == 2
    (answer,) = client.drain()
    assert (answer["id"], answer["error"]["code"]) == (None, PARSE_ERROR)


# Bodies ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "body",
    [
        b"",
        b"{",
        b"not json",
        read_body(1)[:-1],
        read_body(1) + b" x",
        b'{"jsonrpc":"2.0","id":1,"method":"forge/readFile","params":{"path":"\xff"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"forge/readFile","params":{"path":"\xed\xa0\x80"}}',
        b'{"jsonrpc":"2.0","id":1,"method":"forge/readFile","params":{"limit":NaN}}',
        b'{"jsonrpc":"2.0","id":1,"method":"forge/readFile","params":{"limit":-Infinity}}',
        b'{"jsonrpc":"2.0","id":%b,"method":"shutdown"}' % (b"1" * 5000),
        b"\xef\xbb\xbf" + read_body(1),
        read_body(1).decode().encode("utf-16"),
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    ],
    ids=lambda body: body[:40] or b"empty",
)
def test_what_is_not_json_in_utf_8_is_a_parse_error_of_nobody_in_particular(client: RawClient, body: bytes) -> None:
    client.send_body(body)
    assert nobody_in_particular(client)["code"] == PARSE_ERROR


@pytest.mark.parametrize(
    "message",
    [
        {},
        {"jsonrpc": "2.0"},
        {"jsonrpc": "2.0", "method": 5},
        {"jsonrpc": "2.0", "id": None, "method": "shutdown"},
        {"jsonrpc": "2.0", "id": None, "result": None},
        {"jsonrpc": "2.0", "result": 5},
        5,
        "shutdown",
        None,
        True,
        [],
        [[]],
        [1, "x", None],
    ],
    ids=repr,
)
def test_what_is_no_message_is_an_invalid_request_of_nobody_in_particular(client: RawClient, message: object) -> None:
    client.send(message)
    assert nobody_in_particular(client)["code"] == INVALID_REQUEST


@pytest.mark.parametrize(
    "fields",
    [
        {"method": "shutdown"},
        {"jsonrpc": "1.0", "method": "shutdown"},
        {"jsonrpc": 2.0, "method": "shutdown"},
        {"jsonrpc": "2.0", "method": None},
        {"jsonrpc": "2.0", "method": ["shutdown"]},
        {"jsonrpc": "2.0"},
    ],
    ids=repr,
)
def test_an_invalid_request_with_an_id_is_answered_under_that_id(client: RawClient, fields: dict[str, Any]) -> None:
    client.send({"id": "invalid", **fields})
    assert error_of(client.answer_to("invalid"))["code"] == INVALID_REQUEST


def test_a_batch_is_refused_and_each_of_its_ids_answered_once(client: RawClient) -> None:
    messages = [json.loads(read_body(msg_id)) for msg_id in ("b1", "b2", 777_777, "b1")]
    client.send([*messages, {"jsonrpc": "2.0", "method": "exit"}, {"jsonrpc": "2.0", "id": "r", "result": 1}])
    answers = [client.answer_to(msg_id) for msg_id in ("b1", "b2", 777_777)]
    assert {error_of(answer)["code"] for answer in answers} == {INVALID_REQUEST}
    client.send([{"jsonrpc": "2.0", "method": "exit"}])
    assert nobody_in_particular(client)["code"] == INVALID_REQUEST
    client.read("a.txt")
    assert not client.answers_set_aside()


@pytest.mark.parametrize("msg_id", [1.5, True, False, 1e300], ids=repr)
def test_an_odd_id_is_refused_under_the_same_id(client: RawClient, msg_id: object) -> None:
    client.send_body(read_body(msg_id))
    answer = client.wait_for(
        lambda message: "method" not in message and json.dumps(message["id"]) == json.dumps(msg_id)
    )
    assert error_of(answer)["code"] == INVALID_REQUEST


@pytest.mark.parametrize("msg_id", [None, [1], {"a": 1}, []], ids=repr)
def test_an_id_that_cannot_be_one_is_refused_under_none(client: RawClient, msg_id: object) -> None:
    client.send_body(read_body(msg_id))
    assert nobody_in_particular(client)["code"] == INVALID_REQUEST


@pytest.mark.parametrize(
    "msg_id",
    [0, -1, 2**53 + 1, 10**25, "", "5", "\u65e5\u672c", "\ud800", "x" * 100_000],
    ids=lambda value: repr(value)[:20],
)
def test_every_string_and_integer_is_an_id(client: RawClient, msg_id: object) -> None:
    client.send_body(read_body(msg_id))
    assert "result" in client.wait_for(lambda message: "method" not in message and message["id"] == msg_id)


def test_the_same_id_may_be_used_again_but_not_while_it_is_in_flight(client: RawClient, workspace: Path) -> None:
    endless_file(workspace / "endless")
    for _ in range(2):
        client.send_body(read_body("again"))
        assert "result" in client.answer_to("again")
    client.start_request("forge/countLines", {"path": "endless"}, msg_id="busy")
    client.send_body(read_body("busy"))
    assert error_of(client.answer_to("busy"))["code"] == INVALID_REQUEST
    client.notify("$/cancelRequest", {"id": "busy"})
    assert error_of(client.answer_to("busy"))["code"] == -32800
    client.discount("busy")


# Methods and parameters --------------------------------------------------------------------------


@pytest.mark.parametrize("extra", [{}, {"params": None}, {"params": {"a": 1}}, {"params": [1]}], ids=repr)
@pytest.mark.parametrize("method", ["forge/noSuchThing", "$/noSuchThing", "", "textDocument/hover", "exit"])
def test_an_unknown_method_is_said_to_be_unknown(client: RawClient, method: str, extra: dict[str, Any]) -> None:
    client.send({"jsonrpc": "2.0", "id": "unknown", "method": method, **extra})
    assert error_of(client.answer_to("unknown"))["code"] == METHOD_NOT_FOUND


@pytest.mark.parametrize(
    "method",
    [
        "$/noSuchThing",
        "forge/noSuchThing",
        "forge/readFile",
        "shutdown",
        "textDocument/willSave",
        "textDocument/didSave",
    ],
)
def test_a_notification_nobody_knows_or_that_should_be_a_request_is_ignored(client: RawClient, method: str) -> None:
    client.notify(method, {"path": "a.txt"})
    client.notify(method)


@pytest.mark.parametrize("params", [{}, {"params": None}, {"params": []}, {"params": "a.txt"}, {"params": 5}], ids=repr)
def test_missing_or_shapeless_params_are_invalid(client: RawClient, params: dict[str, Any]) -> None:
    client.send({"jsonrpc": "2.0", "id": "shapeless", "method": "forge/readFile", **params})
    error = error_of(client.answer_to("shapeless"))
    assert (error["code"], error["data"]["code"]) == (INVALID_PARAMS, "INVALID_ARGUMENT")


def test_keys_around_the_params_are_ignored_and_keys_inside_are_not(client: RawClient) -> None:
    message = json.loads(read_body("extra"))
    client.send({**message, "extra": 1, "result": 5, "error": {}})
    assert "result" in client.answer_to("extra")
    error = client.error("forge/readFile", {"path": "a.txt", "jsonrpc": "2.0", "type_name": "not a name"})
    assert error["code"] == INVALID_PARAMS
    assert "jsonrpc: unknown key" in error["message"]
    assert "type_name: unknown key" in error["message"]


def test_a_key_jsonrpc_deep_inside_is_a_key_like_any_other(client: RawClient) -> None:
    answer = client.command(
        "forge.tools.call", {"name": "Read", "arguments": {"path": "a.txt", "jsonrpc": {"jsonrpc": 1}}}
    )
    assert error_of(answer)["code"] == INVALID_PARAMS
    assert "jsonrpc" in error_of(answer)["message"]


@pytest.mark.parametrize("depth", [200, 900, 5_000, 50_000])
def test_deep_nesting_is_answered(client: RawClient, depth: int) -> None:
    nested = b'{"a":' * depth + b"1" + b"}" * depth
    client.send_body(
        b'{"jsonrpc":"2.0","id":"deep","method":"workspace/executeCommand","params":{"command":"forge.tools.call",'
        b'"arguments":[{"name":"Read","arguments":{"path":%b}}]}}' % nested
    )
    answer = client.wait_for(lambda message: "method" not in message and message["id"] in (None, "deep"))
    assert error_of(answer)["code"] in (PARSE_ERROR, INVALID_PARAMS)


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("workspace/executeCommand", None),
        ("workspace/executeCommand", {}),
        ("workspace/executeCommand", {"command": 5, "arguments": [{}]}),
        ("workspace/executeCommand", {"command": "forge.cache.stats", "arguments": [{}, {}]}),
        ("workspace/executeCommand", {"command": "forge.cache.stats", "arguments": {}}),
        ("workspace/executeCommand", {"command": "forge.cache.stats", "arguments": [None]}),
        ("workspace/executeCommand", {"command": "forge.cache.stats", "arguments": [[]]}),
        ("workspace/executeCommand", {"command": "forge.cache.stats", "arguments": [{"x": 1}]}),
        ("workspace/executeCommand", {"command": "forge.tools.call", "arguments": [{"name": "Read"}]}),
        ("workspace/executeCommand", {"command": "forge.noSuchCommand", "arguments": [{}]}),
        ("workspace/executeCommand", {"command": "forge.cache.stats", "arguments": [{}], "workDoneToken": []}),
        ("forge/readFile", {"path": 0}),
        ("forge/readFile", {"path": ["a.txt"]}),
        ("forge/readFile", {"path": "a.txt", "start_line": "1"}),
        ("forge/readFile", {"path": "a.txt", "start_line": 1.5}),
        ("forge/readFile", {"path": "a.txt", "start_line": 1e30}),
        ("forge/readFile", {"path": "a.txt", "start_line": True}),
        ("forge/readFile", {"path": "a.txt", "start_line": 2**63}),
        ("forge/readFile", {"path": "a.txt", "start_line": 10**30}),
        ("forge/readFile", {"path": "a.txt", "workDoneToken": {}}),
        ("forge/readFiles", {"files": "a.txt"}),
        ("forge/readFiles", {"files": [{"path": "a.txt"}] * 51}),
        ("forge/readFile", {"path": "nul\0inside"}),
        ("forge/readFile", {"path": "half a \ud800 character"}),
        ("forge/readFile", {"path": "a.txt", "workspace_folder": "\ud800"}),
        ("forge/countLines", {"path": "\udfff"}),
        ("forge/readFile", {"path": ""}),
    ],
    ids=lambda value: value if isinstance(value, str) else ascii(value)[:60],
)
def test_parameters_of_the_wrong_kind_are_named_as_such(client: RawClient, method: str, params: object) -> None:
    error = client.error(method, params)
    assert error["code"] == INVALID_PARAMS
    assert error["data"]["code"] == "INVALID_ARGUMENT"
    assert error["data"]["retriable"] is False
    assert error["message"]


@pytest.mark.parametrize("extra", [{}, {"arguments": []}, {"arguments": None}, {"unknown": 1, "arguments": [{}]}])
def test_a_command_needs_no_argument_and_ignores_unknown_keys(client: RawClient, extra: dict[str, object]) -> None:
    assert client.result("workspace/executeCommand", {"command": "forge.cache.stats", **extra})["folders"]


def test_a_whole_float_is_an_integer(client: RawClient, workspace: Path) -> None:
    (workspace / "two.txt").write_text("one\ntwo\n")
    assert client.read("two.txt", start_line=2.0)["content"] == "two\n"


@pytest.mark.parametrize(
    ("method", "params"),
    [
        ("textDocument/didOpen", {}),
        ("textDocument/didOpen", None),
        ("textDocument/didOpen", {"textDocument": {"uri": "untitled:1", "languageId": "x", "version": 1, "text": "x"}}),
        ("textDocument/didChange", {"textDocument": {"uri": "file:///x", "version": 1}, "contentChanges": "x"}),
        ("textDocument/didChange", {"textDocument": 5, "contentChanges": []}),
        ("textDocument/didClose", {"textDocument": {"uri": "file:///nowhere"}}),
        ("textDocument/didClose", []),
        ("workspace/didChangeConfiguration", {}),
        ("workspace/didChangeConfiguration", {"settings": 5}),
        ("workspace/didChangeWorkspaceFolders", {"event": 5}),
        (
            "workspace/didChangeWorkspaceFolders",
            {"event": {"added": [{"uri": "vscode-remote://x/y", "name": "r"}], "removed": []}},
        ),
        ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "file:///x", "type": 77}]}),
        ("workspace/didChangeWatchedFiles", {"changes": [{"uri": "file:///\0", "type": 1}]}),
        ("window/workDoneProgress/cancel", {"token": "unknown"}),
        ("window/workDoneProgress/cancel", {"token": [1]}),
        ("$/cancelRequest", None),
        ("$/cancelRequest", {"id": "unknown"}),
        ("$/cancelRequest", {"id": [1]}),
        ("$/cancelRequest", {"id": {}}),
        ("$/cancelRequest", {"id": None}),
        ("$/setTrace", {"value": "loud"}),
        ("initialized", None),
        ("notebookDocument/didOpen", {"notebookDocument": {}}),
    ],
    ids=lambda value: value if isinstance(value, str) else ascii(value)[:60],
)
def test_a_faulty_notification_harms_nothing(client: RawClient, method: str, params: object) -> None:
    client.notify(method, params)


def test_answers_to_questions_nobody_asked_are_ignored(client: RawClient, workspace: Path) -> None:
    endless_file(workspace / "endless")
    busy = client.start_request("forge/countLines", {"path": "endless"})
    for msg_id in ("never asked", 987_654, busy):
        client.send({"jsonrpc": "2.0", "id": msg_id, "result": {}})
        client.send({"jsonrpc": "2.0", "id": msg_id, "error": {"code": 1, "message": "no"}})
        client.send({"jsonrpc": "2.0", "id": msg_id, "error": "no"})
    client.send({"jsonrpc": "2.0", "id": None, "error": {"code": -32700, "message": "what?"}})
    client.notify("$/cancelRequest", {"id": busy})
    assert error_of(client.answer_to(busy))["code"] == -32800
