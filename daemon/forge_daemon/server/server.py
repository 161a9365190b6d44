"""The pygls server: the handlers, put where pygls looks for them."""

from functools import partial
from typing import Any

from lsprotocol import types
from pygls.lsp.server import LanguageServer

from forge_daemon import __version__
from forge_protocol import PROTOCOL_VERSION
from forge_protocol.registry import REGISTRY, Kind

from .client import Client
from .handlers import COMMANDS, METHODS, initialize
from .rpc import ForgeProtocol
from .session import Session


class ForgeServer(LanguageServer):
    protocol: ForgeProtocol

    def __init__(self) -> None:
        super().__init__("forge-read", __version__, protocol_cls=ForgeProtocol)
        self.session = Session(Client(self.protocol))
        features = self.protocol.fm
        for method, handler in METHODS.items():
            features.add_builtin_feature(method, partial(handler, self.session))
        for name, command in COMMANDS.items():
            features.command(name)(partial(command, self.session))

    def initialize(self, params: types.InitializeParams) -> None:
        self.session.client.position_encoding = self.workspace.position_encoding or types.PositionEncodingKind.Utf16
        initialize(self.session, params)

    def experimental_capabilities(self) -> dict[str, Any]:
        """What a client can find out about us before it asks for anything."""
        return {
            "forge": {
                "version": __version__,
                "protocol_version": PROTOCOL_VERSION,
                "requests": [entry.name for entry in REGISTRY if entry.kind is Kind.REQUEST],
                "commands": [entry.name for entry in REGISTRY if entry.kind is Kind.COMMAND],
            }
        }

    def report_server_error(self, error: Exception, source: Any) -> None:
        """pygls would show a pop-up. What failed has been logged or answered already."""
