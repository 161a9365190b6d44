"""The client: its capabilities, and the requests and notifications that the daemon sends to it."""

import uuid
from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any, NamedTuple

from lsprotocol import types

if TYPE_CHECKING:
    from .protocol import ForgeProtocol

ProgressToken = str | int


class ClientCapabilities(NamedTuple):
    """The client's capabilities that matter here, resolved once."""

    work_done_progress: bool = False
    configuration: bool = False
    registers_configuration: bool = False
    registers_watched_files: bool = False

    @classmethod
    def of(cls, capabilities: types.ClientCapabilities) -> "ClientCapabilities":
        workspace = capabilities.workspace
        window = capabilities.window
        return cls(
            work_done_progress=bool(window and window.work_done_progress),
            configuration=bool(workspace and workspace.configuration),
            registers_configuration=bool(
                workspace
                and workspace.did_change_configuration
                and workspace.did_change_configuration.dynamic_registration
            ),
            registers_watched_files=bool(
                workspace
                and workspace.did_change_watched_files
                and workspace.did_change_watched_files.dynamic_registration
            ),
        )


class Client:
    """Usable from any thread, so it sends plain dictionaries (see `lazy_types`)."""

    def __init__(self, protocol: "ForgeProtocol") -> None:
        self._protocol = protocol
        self.capabilities = ClientCapabilities()
        self.position_encoding: types.PositionEncodingKind | str = types.PositionEncodingKind.Utf16
        self.stoppable: dict[ProgressToken, Callable[[], object]] = {}
        """How to stop the work whose progress is being shown."""

    def log(self, level: types.MessageType, message: str) -> None:
        self._protocol.notify(types.WINDOW_LOG_MESSAGE, {"type": level.value, "message": message})

    def show(self, level: types.MessageType, message: str) -> None:
        self._protocol.notify(types.WINDOW_SHOW_MESSAGE, {"type": level.value, "message": message})

    def publish_diagnostics(self, uri: str, diagnostics: list[dict[str, Any]]) -> None:
        self._protocol.notify(types.TEXT_DOCUMENT_PUBLISH_DIAGNOSTICS, {"uri": uri, "diagnostics": diagnostics})

    def report_progress(self, token: ProgressToken, value: dict[str, Any]) -> None:
        self._protocol.notify(types.PROGRESS, {"token": token, "value": value})

    def ask(self, method: str, params: Any) -> "Future[Any]":
        """Send a request. Callbacks of the future run before any later message is handled."""
        return self._protocol.send_request(method, params)

    def new_token(self) -> ProgressToken:
        return str(uuid.uuid4())
