"""What we rely on inside pygls. Where an upgrade changes it, this fails first, and says what."""

import asyncio
import inspect
import json
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.exceptions import JsonRpcMethodNotFound
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol, lsp_method

from forge_daemon.server.rpc import NOTIFICATIONS, ForgeProtocol
from forge_daemon.server.server import ForgeServer

OVERRIDDEN = {
    "__init__": ["self", "server", "converter"],
    "_handle_request": ["self", "msg_id", "method_name", "params"],
    "_execute_handler": ["self", "msg_id", "handler", "callback", "args", "kwargs"],
    "_handle_cancel_notification": ["self", "msg_id"],
    "_check_handler_result": ["self", "future"],
    "_send_handler_result": ["self", "future", "msg_id"],
    "_send_data": ["self", "data"],
    "lsp_initialize": ["self", "params"],
    "lsp_workspace__execute_command": ["self", "params"],
}
USED = {
    "_get_handler": ["self", "feature_name"],
    "_handle_notification": ["self", "method_name", "params"],
    "notify": ["self", "method", "params"],
    "send_request": ["self", "method", "params", "callback", "msg_id"],
}


class Wire:
    """A protocol without a process: what it is sent, and what it sends."""

    def __init__(self) -> None:
        self.server = ForgeServer()
        self.protocol = self.server.protocol
        self.sent: list[Any] = []
        self.protocol.send = lambda body: self.sent.append(json.loads(body))

    def receive(self, **message: Any) -> None:
        self.protocol.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def initialize(self, *folders: Path) -> None:
        items = [{"uri": folder.as_uri(), "name": folder.name} for folder in folders]
        params: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": items}
        self.receive(id=0, method="initialize", params=params)
        self.receive(method="initialized", params={})


@pytest.fixture
def wire(workspace: Path) -> Wire:
    wire = Wire()
    wire.initialize(workspace)
    return wire


@pytest.mark.parametrize("name", OVERRIDDEN | USED)
def test_a_method_we_replace_or_call_has_the_parameters_we_know(name: str) -> None:
    known = (OVERRIDDEN | USED)[name]
    assert list(inspect.signature(getattr(LanguageServerProtocol, name)).parameters) == known


def test_nothing_else_of_pygls_is_overridden() -> None:
    own = {name for name in vars(ForgeProtocol) if callable(getattr(ForgeProtocol, name))}
    assert {name for name in own if hasattr(LanguageServerProtocol, name)} == set(OVERRIDDEN)


def test_the_books_we_keep_with_pygls_are_there(wire: Wire) -> None:
    assert wire.protocol._request_futures == {}
    assert wire.protocol._result_types == {}
    assert wire.protocol._shutdown is False
    assert wire.protocol.msg_id is not None
    assert wire.protocol.trace == types.TraceValue.Off


def test_the_handshake_of_pygls_is_a_generator_that_builds_the_capabilities(wire: Wire) -> None:
    assert inspect.isgeneratorfunction(LanguageServerProtocol.lsp_initialize)
    capabilities = wire.sent[0]["result"]["capabilities"]
    assert capabilities["textDocumentSync"]["change"] == types.TextDocumentSyncKind.Incremental
    assert capabilities["experimental"]["forge"]["requests"]
    assert wire.server.workspace.position_encoding == types.PositionEncodingKind.Utf16


def test_a_built_in_feature_can_be_replaced_and_comes_before_any_other() -> None:
    server = ForgeServer()
    server.feature("x/y")(lambda params: params)
    server.protocol.fm.add_builtin_feature("x/y", len)
    server.protocol.fm.add_builtin_feature("x/y", repr)
    assert server.protocol._get_handler("x/y") is repr


def test_handlers_are_found_by_name_and_a_missing_one_raises(wire: Wire) -> None:
    assert callable(wire.protocol._get_handler("forge/readFile"))
    with pytest.raises(JsonRpcMethodNotFound):
        wire.protocol._get_handler("forge/noSuchThing")


def test_a_method_is_marked_for_registration_by_name() -> None:
    @lsp_method("x/y")
    def method() -> None: ...

    assert method.method_name == "x/y"  # type: ignore[attr-defined]


def test_a_command_is_kept_under_its_name(wire: Wire) -> None:
    assert set(wire.protocol.fm.commands) == {
        "forge.tools.list",
        "forge.tools.call",
        "forge.cache.stats",
        "forge.cache.clear",
    }


async def test_two_thousand_notifications_leave_nothing_behind(wire: Wire, workspace: Path) -> None:
    """pygls keeps a future for each of them."""
    uri = (workspace / "a").as_uri()
    document = {"uri": uri, "languageId": "x", "version": 0, "text": ""}
    wire.receive(method="textDocument/didOpen", params={"textDocument": document})
    for version in range(2000):
        wire.receive(
            method="textDocument/didChange",
            params={"textDocument": {"uri": uri, "version": version}, "contentChanges": [{"text": "x"}]},
        )
        wire.receive(method="$/setTrace", params={"value": "off"})
    assert wire.protocol._request_futures == {}


async def test_requests_leave_nothing_behind(wire: Wire, workspace: Path) -> None:
    (workspace / "a").write_text("a")
    for number in range(1, 201):
        wire.receive(id=number, method="forge/readFile", params={"path": "a"})
        wire.receive(id=-number, method="forge/readFiles", params={"files": [{"path": "a"}]})
    async with asyncio.timeout(30):
        while len(wire.sent) < 401:
            await asyncio.sleep(0.01)
    assert {answer["id"] for answer in wire.sent} == {*range(-200, 201)}
    assert wire.protocol._request_futures == {}
    assert wire.protocol._result_types == {}


def test_a_request_of_ours_is_kept_as_a_plain_future_until_it_is_answered(wire: Wire) -> None:
    """By that, an answer to it is told from an answer the client sends to a request of its own."""
    future = wire.protocol.send_request(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items=[]))
    assert isinstance(future, Future)
    assert not isinstance(future, asyncio.Future)
    (msg_id,) = wire.protocol._request_futures
    assert msg_id in wire.protocol._result_types
    wire.receive(id=msg_id, result=[{"a": 1}])
    assert list(future.result(0)) == [{"a": 1}]
    assert (wire.protocol._request_futures, wire.protocol._result_types) == ({}, {})


def test_an_error_answer_to_a_request_of_ours_is_its_exception(wire: Wire) -> None:
    for error in ({"code": -32603, "message": "no"}, "no", None):
        future = wire.protocol.send_request(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items=[]))
        wire.receive(id=wire.sent[-1]["id"], error=error)
        assert future.exception(0) is not None


def test_an_answer_of_the_wrong_shape_is_an_exception(wire: Wire) -> None:
    future = wire.protocol.send_request(types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items=[]))
    wire.receive(id=wire.sent[-1]["id"], result=5)
    assert future.exception(0) is not None


@pytest.mark.parametrize(("error", "code"), [(ValueError("secret"), -32603), (JsonRpcMethodNotFound("gone"), -32601)])
def test_a_handler_that_fails_is_answered_without_a_traceback(wire: Wire, error: Exception, code: int) -> None:
    def fail(_: Any) -> None:
        raise error

    wire.protocol.fm.add_builtin_feature("x/fail", fail)
    wire.receive(id=1, method="x/fail")
    answer = wire.sent[-1]["error"]
    assert answer["code"] == code
    assert "secret" not in json.dumps(answer)
    assert "Traceback" not in json.dumps(answer)


def test_a_notification_that_fails_is_logged_and_shown_to_nobody(wire: Wire, caplog: pytest.LogCaptureFixture) -> None:
    def fail(_: Any) -> None:
        raise ValueError("secret")

    wire.protocol.fm.add_builtin_feature(types.TEXT_DOCUMENT_DID_SAVE, fail)
    before = len(wire.sent)
    wire.receive(method="textDocument/didSave", params={"textDocument": {"uri": "file:///a"}})
    assert len(wire.sent) == before
    assert "a notification failed: ValueError" in caplog.text
    assert "secret" not in caplog.text


def test_errors_inside_pygls_are_never_pop_ups(wire: Wire) -> None:
    assert list(inspect.signature(LanguageServer.report_server_error).parameters) == ["self", "error", "source"]
    before = len(wire.sent)
    wire.server.report_server_error(ValueError("x"), ValueError)
    assert len(wire.sent) == before


def test_every_message_of_the_specification_is_known_as_request_or_notification() -> None:
    assert {types.EXIT, types.CANCEL_REQUEST, types.SET_TRACE, types.TEXT_DOCUMENT_DID_OPEN} <= NOTIFICATIONS
    assert not {types.SHUTDOWN, types.INITIALIZE, types.WORKSPACE_EXECUTE_COMMAND} & NOTIFICATIONS


def test_a_protocol_without_a_stream_says_so() -> None:
    protocol = ForgeServer().protocol
    with pytest.raises(RuntimeError, match="not open"):
        protocol.send(b"")
    with pytest.raises(RuntimeError, match="not open"):
        protocol.on_exit(0)
