"""What we rely on in pygls. Where an upgrade changes it, this fails first, and says what."""

import asyncio
import inspect
import json
import re
from collections.abc import Iterator
from concurrent.futures import Future
from pathlib import Path
from typing import Any

import pytest
from lsprotocol import types
from pygls.lsp.server import LanguageServer
from pygls.protocol import LanguageServerProtocol

import forge_daemon.server
from forge_daemon.server.protocol import ForgeProtocol
from forge_daemon.server.server import ForgeServer
from forge_protocol.registry import COMMANDS, REQUESTS

OVERRIDDEN = {
    "notify": ["self", "method", "params"],
    "send_request": ["self", "method", "params", "callback", "msg_id"],
}


class Wire:
    """A server without a process: what it is sent, and what it sends."""

    def __init__(self, loop: asyncio.Runner) -> None:
        self._loop = loop
        self.server = ForgeServer()
        self.sent: list[Any] = []
        self.server.dispatcher.send = lambda body: self.sent.append(json.loads(body))

    def receive(self, **message: Any) -> None:
        self._loop.run(self._receive(json.dumps({"jsonrpc": "2.0", **message}).encode()))

    async def _receive(self, body: bytes) -> None:
        self.server.dispatcher.receive(body)

    def ask(self) -> "Future[Any]":
        return self.server.protocol.send_request(
            types.WORKSPACE_CONFIGURATION, types.ConfigurationParams(items=[types.ConfigurationItem(section="forge")])
        )


@pytest.fixture
def loop() -> Iterator[asyncio.Runner]:
    with asyncio.Runner() as loop:
        yield loop


@pytest.fixture
def wire(workspace: Path, loop: asyncio.Runner) -> Wire:
    wire = Wire(loop)
    items = [{"uri": workspace.as_uri(), "name": workspace.name}]
    params: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": items}
    wire.receive(id=0, method="initialize", params=params)
    wire.receive(method="initialized", params={})
    return wire


@pytest.mark.parametrize("name", OVERRIDDEN)
def test_a_method_we_replace_has_the_parameters_we_know(name: str) -> None:
    assert list(inspect.signature(getattr(LanguageServerProtocol, name)).parameters) == OVERRIDDEN[name]


def test_nothing_else_of_pygls_is_overridden() -> None:
    own = {name for name in vars(ForgeProtocol) if callable(getattr(ForgeProtocol, name))}
    assert {name for name in own if hasattr(LanguageServerProtocol, name)} == set(OVERRIDDEN)
    added = {name for name in vars(ForgeServer) if hasattr(LanguageServer, name)}
    assert {name for name in added if not name.startswith("__")} == set()


def test_nothing_that_pygls_keeps_private_is_used() -> None:
    private = {
        name
        for kind in (LanguageServer, LanguageServerProtocol)
        for name in {*dir(kind), *vars(LanguageServer("x", "1").protocol), *vars(LanguageServer("x", "1"))}
        if re.fullmatch(r"_[a-z]\w*", name)
    }
    for module in Path(forge_daemon.server.__path__[0]).rglob("*.py"):
        used = set(re.findall(r"(?:protocol|server|fm|super\(\))\.(_[a-z]\w*)", module.read_text()))
        assert not used & private, module.name


def test_features_and_commands_are_kept_under_their_names() -> None:
    server = ForgeServer()
    assert set(server.protocol.fm.features) >= {entry.name for entry in REQUESTS}
    assert set(server.protocol.fm.commands) == {entry.name for entry in COMMANDS}


def test_the_handshake_is_a_generator_that_returns_the_capabilities(wire: Wire) -> None:
    assert inspect.isgeneratorfunction(LanguageServerProtocol.lsp_initialize)
    capabilities = wire.sent[0]["result"]["capabilities"]
    assert capabilities["textDocumentSync"]["change"] == types.TextDocumentSyncKind.Incremental
    assert capabilities["executeCommandProvider"]["commands"] == list(wire.server.protocol.fm.commands)
    assert capabilities["experimental"]["forge"]["requests"]
    assert capabilities["positionEncoding"] == types.PositionEncodingKind.Utf16


def test_the_handshake_negotiates_the_position_encoding(loop: asyncio.Runner) -> None:
    wire = Wire(loop)
    capabilities = {"general": {"positionEncodings": ["utf-8", "utf-16"]}}
    wire.receive(id=0, method="initialize", params={"processId": None, "rootUri": None, "capabilities": capabilities})
    assert wire.sent[0]["result"]["capabilities"]["positionEncoding"] == "utf-8"
    assert wire.server.session.client.position_encoding == "utf-8"


def test_the_converter_of_pygls_is_at_hand(wire: Wire) -> None:
    params = {"textDocument": {"uri": "file:///a"}}
    structured = wire.server.protocol.fm.converter.structure(params, types.DidCloseTextDocumentParams)
    assert structured.text_document.uri == "file:///a"


def test_what_pygls_says_to_the_client_goes_through_the_dispatcher(wire: Wire) -> None:
    wire.server.window_show_message(types.ShowMessageParams(type=types.MessageType.Info, message="é"))
    assert wire.sent[-1] == {
        "jsonrpc": "2.0",
        "method": "window/showMessage",
        "params": {"type": 3, "message": "é"},
    }


def test_an_answer_to_a_request_of_ours_is_typed(wire: Wire) -> None:
    future = wire.server.client_register_capability(types.RegistrationParams(registrations=[]))
    wire.receive(id=wire.sent[-1]["id"], result=None)
    assert future.result(0) is None
    answers: list[Any] = []
    folders = wire.server.workspace_workspace_folders(None, answers.append)
    wire.receive(id=wire.sent[-1]["id"], result=[{"uri": "file:///a", "name": "a"}])
    assert list(folders.result(0) or ()) == [types.WorkspaceFolder(uri="file:///a", name="a")]
    assert answers == [folders.result(0)]


def test_an_error_answer_to_a_request_of_ours_is_its_exception(wire: Wire) -> None:
    for error in ({"code": -32603, "message": "no"}, "no", None):
        future = wire.ask()
        wire.receive(id=wire.sent[-1]["id"], error=error)
        assert future.exception(0) is not None


def test_an_answer_of_the_wrong_shape_is_an_exception(wire: Wire) -> None:
    future = wire.ask()
    wire.receive(id=wire.sent[-1]["id"], result=5)
    assert future.exception(0) is not None


def test_every_message_of_the_specification_is_known_as_request_or_notification() -> None:
    from forge_daemon.server.messages import NOTIFICATIONS

    assert {types.EXIT, types.CANCEL_REQUEST, types.SET_TRACE, types.TEXT_DOCUMENT_DID_OPEN} <= NOTIFICATIONS
    assert not {types.SHUTDOWN, types.INITIALIZE, types.WORKSPACE_EXECUTE_COMMAND} & NOTIFICATIONS
