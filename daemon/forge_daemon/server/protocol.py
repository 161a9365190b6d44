"""pygls' half of the conversation, carried by our dispatcher.

pygls negotiates the handshake and converts LSP's messages. Sending and receiving is left to the dispatcher: pygls
(2.1) does not answer requests with faulty parameters, sends from worker threads without a lock, keeps a future
for every notification, and logs whole messages.
"""

from collections.abc import Callable
from concurrent.futures import Future
from typing import TYPE_CHECKING, Any

from pygls.protocol import LanguageServerProtocol

if TYPE_CHECKING:
    from forge_daemon.rpc.dispatcher import Dispatcher


class ForgeProtocol(LanguageServerProtocol):
    """Overrides the two methods with which pygls sends to the client. Uses no private name of pygls."""

    dispatcher: "Dispatcher"

    def notify(self, method: str, params: Any | None = None) -> None:
        self.dispatcher.notify(method, params)

    def send_request(
        self,
        method: str,
        params: Any | None = None,
        callback: Callable[[Any], None] | None = None,
        msg_id: str | int | None = None,
    ) -> "Future[Any]":
        """The future gets a typed result. The dispatcher chooses the id."""
        answer_type = self.get_result_type(method)

        def parse(result: Any) -> Any:
            if answer_type is None:
                return result
            return self.fm.converter.structure(
                {"id": "", "jsonrpc": self.VERSION, "result": result}, answer_type
            ).result

        future = self.dispatcher.ask(method, params, parse)
        if callback is not None:
            future.add_done_callback(lambda answered: callback(answered.result()))
        return future
