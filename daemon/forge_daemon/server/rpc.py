"""Every override of a pygls private, each with its reason. Written against pygls 2.1.

What pygls does well stays: the initialize handshake, capabilities, requests to the client. What an editor must be able
to rely on is done here: every request is answered exactly once, with the right code, and nobody is shown
a traceback, a pop-up or an absolute path.
"""

import asyncio
import inspect
import logging
import time
from collections.abc import Callable
from concurrent.futures import CancelledError
from functools import partial
from typing import TYPE_CHECKING, Any

from cattrs import BaseValidationError, Converter, transform_error
from lsprotocol import types
from pygls.exceptions import JsonRpcException, JsonRpcMethodNotFound
from pygls.protocol import LanguageServerProtocol, lsp_method

from forge_daemon.reading.sources.source import NotAtOnce
from forge_daemon.rpc import json_text
from forge_daemon.rpc.envelope import fault_in_envelope, is_id, is_scalar, with_used_capabilities
from forge_protocol.conversion import structure, unstructure
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument
from forge_protocol.registry import BY_NAME

from .commands import ExecuteCommandParams

if TYPE_CHECKING:
    from .server import ForgeServer

logger = logging.getLogger(__name__)

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
NOT_INITIALIZED = -32002
NOTIFICATIONS = frozenset(method for method, kinds in types.METHOD_TO_TYPES.items() if kinds[1] is None)
_MOST_FAULTS = 5


class ForgeProtocol(LanguageServerProtocol):
    """Takes bodies, gives bodies. `send` and `on_exit` are set by whoever owns the stream."""

    _server: "ForgeServer"

    def __init__(self, server: "ForgeServer", converter: Converter) -> None:
        super().__init__(server, converter)
        self.send: Callable[[bytes], None] = _nowhere
        self.on_exit: Callable[[int], None] = _no_exit
        self._initialized = False
        self._traced: dict[Any, tuple[str, float]] = {}

    @property
    def exit_code(self) -> int:
        """What the process ends with if the client goes now."""
        return 0 if self._shutdown else 1

    @property
    def has_unanswered(self) -> bool:
        """Whether anybody waits for an answer: the client for ours, or we for the client's."""
        return bool(self._request_futures)

    # In ------------------------------------------------------------------------------------------

    def receive(self, body: bytes) -> None:
        """One frame's body. pygls would build objects while it parses and lose the id of whatever does not fit."""
        try:
            message = json_text.decode(body)
        except (ValueError, RecursionError):
            self.answer_error(None, PARSE_ERROR, "the message is not valid JSON in UTF-8")
            return
        if isinstance(message, list):
            self._refuse_batch(message)
        else:
            self._receive_message(message)

    def _refuse_batch(self, messages: list[Any]) -> None:
        ids = {
            message["id"]: None
            for message in messages
            if isinstance(message, dict) and "method" in message and is_id(message.get("id"))
        }
        for msg_id in ids or [None]:
            self.answer_error(msg_id, INVALID_REQUEST, "batches are not supported: send one message at a time")

    def _receive_message(self, message: Any) -> None:
        fault = fault_in_envelope(message)
        if fault is not None:
            msg_id = message.get("id") if isinstance(message, dict) else None
            self.answer_error(msg_id if is_scalar(msg_id) else None, INVALID_REQUEST, fault)
        elif "method" not in message:
            self._receive_response(message)
        elif "id" in message:
            self._receive_request(message["id"], message["method"], message.get("params"))
        else:
            self._receive_notification(message["method"], message.get("params"))

    def _receive_request(self, msg_id: str | int, method: str, params: Any) -> None:
        if self.trace != types.TraceValue.Off:
            self._traced[msg_id] = (method, time.monotonic())
        if self._shutdown:
            self.answer_error(msg_id, INVALID_REQUEST, "the server is shutting down")
        elif msg_id in self._request_futures:
            self.answer_error(msg_id, INVALID_REQUEST, f"a request with the id {msg_id!r} is still being answered")
        elif method == types.INITIALIZE and self._initialized:
            self.answer_error(msg_id, INVALID_REQUEST, "the server is already initialized")
        elif method != types.INITIALIZE and not self._initialized:
            self.answer_error(msg_id, NOT_INITIALIZED, "the first request must be initialize")
        else:
            self._handle_request(msg_id, method, params)

    def _receive_notification(self, method: str, params: Any) -> None:
        if method == types.EXIT:
            self.on_exit(self.exit_code)
        elif method in NOTIFICATIONS and self._initialized and not self._shutdown:
            try:
                self._handle_notification(method, self._typed(method, params))
            except ReadError as error:
                logger.warning("ignored a %s notification: %s", method, error.reason)

    def _receive_response(self, message: dict[str, Any]) -> None:
        if isinstance(self._request_futures.get(message["id"]), asyncio.Future):
            return  # the client answers a request of its own
        result_type = self._result_types.pop(message["id"], None)
        future = self._request_futures.pop(message["id"], None)
        if future is None or future.done():
            return
        if "error" in message:
            error = message["error"] if isinstance(message["error"], dict) else {}
            future.set_exception(JsonRpcException(str(error.get("message")), code=error.get("code")))
            return
        try:
            result = message["result"]
            if result_type is not None:
                result = self._converter.structure(message, result_type).result
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    def _typed(self, method: str, params: Any) -> Any:
        """The typed parameters of a method, or `INVALID_ARGUMENT` naming every fault."""
        if method == types.WORKSPACE_EXECUTE_COMMAND:
            return structure({} if params is None else params, ExecuteCommandParams)
        if (entry := BY_NAME.get(method)) is not None:
            return structure({} if params is None else params, entry.params)
        params_type: Any = types.METHOD_TO_TYPES[method][2] if method in types.METHOD_TO_TYPES else None
        if params_type is None:
            return params
        if method == types.INITIALIZE and isinstance(params, dict):
            params = with_used_capabilities(params)
        try:
            return self._converter.structure(params, params_type)
        except BaseValidationError as error:
            raise invalid_argument("; ".join(transform_error(error, path="")[:_MOST_FAULTS])) from None
        except Exception:
            raise invalid_argument("the parameters are not those of the method") from None

    def _path_in(self, params: Any) -> str | None:
        """The path a faulty request was about, if it may be named."""
        path = params.get("path") if isinstance(params, dict) else None
        try:
            return self._server.session.reader.at_once.name_of(path) if isinstance(path, str) else None
        except NotAtOnce:
            return None

    # Doing ---------------------------------------------------------------------------------------

    def _handle_request(self, msg_id: str | int, method_name: str, params: Any) -> None:
        """Structures the parameters where a fault can still be answered, which pygls does too early."""
        answer = partial(self._send_handler_result, msg_id=msg_id)
        try:
            if method_name in NOTIFICATIONS:
                raise JsonRpcMethodNotFound()
            handler = self._get_handler(method_name)
        except JsonRpcMethodNotFound:
            self.answer_error(msg_id, METHOD_NOT_FOUND, f"there is no method {method_name}")
            return
        try:
            typed = self._typed(method_name, params)
        except ReadError as error:
            self.answer_read_error(msg_id, error.at(self._path_in(params)))
            return
        self._ctx_msg_id.set(msg_id)
        self._execute_handler(msg_id, handler, answer, (typed,))

    def _execute_handler(
        self,
        msg_id: Any,
        handler: Callable[..., Any],
        callback: Callable[[Any], None],
        args: tuple[Any, ...] | None = None,
        kwargs: dict[str, Any] | None = None,
    ) -> None:
        """A handler may answer at once or return something to await.

        pygls decides by the handler's kind, answers thread handlers from their thread, which tears frames
        apart, and forgets to drop the future it keeps for every notification.
        """
        if not isinstance(handler, partial) and inspect.isgeneratorfunction(handler):  # one of pygls' own
            super()._execute_handler(msg_id, handler, callback, args, kwargs)
            self._request_futures.pop(msg_id, None)
            return
        try:
            result = handler(*(args or ()), **(kwargs or {}))
        except Exception as error:
            callback(_Outcome(error=error))
            return
        if not hasattr(result, "__await__"):
            callback(_Outcome(result))
            return
        future: Any = asyncio.ensure_future(result)
        self._request_futures[msg_id] = future
        future.add_done_callback(lambda _: self._request_futures.pop(msg_id, None))
        future.add_done_callback(callback)

    def _handle_cancel_notification(self, msg_id: Any) -> None:
        """The future stays listed until the answer has gone out, so that its id cannot be used twice."""
        future = self._request_futures.get(msg_id) if is_id(msg_id) else None
        if future is not None:
            future.cancel()

    def _check_handler_result(self, future: Any) -> None:
        """A notification that failed is a matter for the log, not for a pop-up in the editor."""
        if not future.cancelled() and (error := future.exception()) is not None:
            logger.error("a notification failed: %s", _name_of(error))

    @lsp_method(types.INITIALIZE)
    def lsp_initialize(self, params: types.InitializeParams) -> Any:
        """pygls has no hook for experimental capabilities."""
        result = yield from super().lsp_initialize(params)
        self._initialized = True
        self.trace = params.trace or types.TraceValue.Off
        self._server.initialize(params)
        result.capabilities.experimental = self._server.experimental_capabilities()
        return result

    @lsp_method(types.WORKSPACE_EXECUTE_COMMAND)
    def lsp_workspace__execute_command(  # type: ignore[override]
        self, params: ExecuteCommandParams
    ) -> Any:
        """Exactly one object per command, checked like any other parameters; and it can be cancelled."""
        command = self.fm.commands.get(params.command)
        if command is None:
            known = ", ".join(sorted(self.fm.commands))
            raise invalid_argument(f"there is no command {params.command}", hint=f"known: {known}")
        if len(params.arguments) != 1:
            got = len(params.arguments)
            raise invalid_argument(f"{params.command} takes exactly one argument, an object; got {got}")
        argument: Any = structure(params.arguments[0], BY_NAME[params.command].params)
        return command(argument, params.work_done_token)

    # Out -----------------------------------------------------------------------------------------

    def _send_handler_result(self, future: Any, *, msg_id: Any) -> None:
        """The one place where what a handler did becomes an answer."""
        try:
            result = future.result()
        except ReadError as error:
            self.answer_read_error(msg_id, error)
        except (asyncio.CancelledError, CancelledError):
            self.answer_read_error(msg_id, ReadError(ErrorCode.CANCELLED, "cancelled by the client"))
        except JsonRpcException as error:
            self.answer_error(msg_id, error.code, error.message)
        except Exception as error:
            logger.error("request %r failed: %s", msg_id, _name_of(error))
            logger.debug("request %r failed", msg_id, exc_info=True)
            self.answer_read_error(msg_id, ReadError(ErrorCode.INTERNAL, "something went wrong inside the daemon"))
        else:
            self._answer(msg_id, {"result": self._plain(result)})

    def answer_read_error(self, msg_id: Any, error: ReadError) -> None:
        self.answer_error(msg_id, error.code.json_rpc_code, error.message, error.data())

    def answer_error(self, msg_id: Any, code: int, message: str, data: Any = None) -> None:
        error = {"code": code, "message": message}
        self._answer(msg_id, {"error": error if data is None else {**error, "data": data}})

    def _answer(self, msg_id: Any, outcome: dict[str, Any]) -> None:
        self._result_types.pop(msg_id, None)
        self.send(json_text.encode({"jsonrpc": "2.0", "id": msg_id, **outcome}))
        if (traced := self._traced.pop(msg_id, None)) is not None:
            method, started = traced
            took = f"answered {method} ({msg_id}) in {1000 * (time.monotonic() - started):.1f} ms"
            self.notify(types.LOG_TRACE, types.LogTraceParams(message=took))

    def _send_data(self, data: Any) -> None:
        """Notifications and requests of our own. pygls logs whole bodies and escapes everything beyond ASCII."""
        self.send(json_text.encode(self._plain(data)))

    def _plain(self, value: Any) -> Any:
        if type(value).__module__.startswith("forge_protocol"):
            return unstructure(value)
        if hasattr(type(value), "__attrs_attrs__"):
            return self._converter.unstructure(value)
        return value


class _Outcome:
    """What a handler answered at once, in the form of a finished future."""

    def __init__(self, result: Any = None, error: Exception | None = None) -> None:
        self._result = result
        self._error = error

    def cancelled(self) -> bool:
        return False

    def exception(self) -> Exception | None:
        return self._error

    def result(self) -> Any:
        if self._error is not None:
            raise self._error
        return self._result


def _nowhere(_: bytes) -> None:
    raise RuntimeError("the stream is not open")


def _no_exit(_: int) -> None:
    raise RuntimeError("the stream is not open")


def _name_of(error: BaseException) -> str:
    return type(error).__name__
