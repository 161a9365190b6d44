"""JSON-RPC without a transport: bodies in, bodies out, exactly one answer to every request.

It knows neither LSP nor MCP: each of them supplies its methods and a function that sends a body.
"""

import asyncio
import itertools
import logging
from collections.abc import Callable
from concurrent.futures import Future
from time import monotonic
from typing import Any, NamedTuple, Protocol

from forge_protocol.errors import ErrorCode, ReadError, forget_frames

from . import json_text
from .envelope import fault_in_envelope, is_id, is_scalar

logger = logging.getLogger(__name__)

PARSE_ERROR = -32700
INVALID_REQUEST = -32600
METHOD_NOT_FOUND = -32601
INVALID_PARAMS = -32602

MessageId = str | int


class RpcError(Exception):
    """An error of the protocol itself, such as an unknown method. A failed read is a `ReadError`."""

    def __init__(self, code: int, message: str, data: object = None) -> None:
        super().__init__(message)
        self.code = code
        self.message = message
        self.data = data


def method_not_found(name: str) -> RpcError:
    return RpcError(METHOD_NOT_FOUND, f"there is no method {name}")


class Method(NamedTuple):
    """A request or notification that is served."""

    parse: Callable[[Any], Any]
    """Makes typed parameters of a JSON value, or raises `ReadError`."""
    run: Callable[[Any], Any]
    """Takes them and returns the result, or an awaitable of it."""


class Methods(Protocol):
    """What a surface serves."""

    def request(self, name: str) -> Method:
        """The method of a request; raises `RpcError` if it is unknown, or not to be served now."""
        ...

    def notification(self, name: str) -> Method | None:
        """The method of a notification; None if it is to be ignored."""
        ...


_CANCELLED = ReadError(ErrorCode.CANCELLED, "cancelled by the client")


def unchanged(value: Any) -> Any:
    return value


class Dispatcher:
    """The conversation with one client. Used only on the loop's thread."""

    def __init__(
        self, methods: Methods, to_json: Callable[[Any], Any] = unchanged, *, sends_null_ids: bool = True
    ) -> None:
        self._methods = methods
        self._sends_null_ids = sends_null_ids
        """Whether an error that belongs to no request has the id null, as JSON-RPC says, or none, as MCP does."""
        self._to_json = to_json
        """Makes a JSON value of a result or of the parameters of a message to the client."""
        self.send: Callable[[bytes], None] = _send_nowhere
        """Set by the owner of the stream."""
        self.on_answered: Callable[[str, MessageId, float], None] | None = None
        """Called after each answer with the request's method and id, and the seconds it took."""
        self._running: dict[MessageId, _Running] = {}
        self._notified: set[asyncio.Future[Any]] = set()
        self._asked: dict[MessageId, tuple[Future[Any], Callable[[Any], Any]]] = {}
        self._ids = itertools.count(1)

    @property
    def has_unanswered(self) -> bool:
        """Whether either side is waiting for an answer of the other."""
        return bool(self._running or self._notified or self._asked)

    # From the client -----------------------------------------------------------------------------

    def receive(self, body: bytes) -> None:
        """Handle the body of one message."""
        try:
            message = json_text.decode(body)
        except (ValueError, RecursionError):
            self.answer_error(None, RpcError(PARSE_ERROR, "the message is not valid JSON in UTF-8"))
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
            error = RpcError(INVALID_REQUEST, "batches are not supported: send one message at a time")
            self.answer_error(msg_id, error)

    def _receive_message(self, message: Any) -> None:
        fault = fault_in_envelope(message)
        if fault is not None:
            msg_id = message.get("id") if isinstance(message, dict) else None
            self.answer_error(msg_id if is_scalar(msg_id) else None, RpcError(INVALID_REQUEST, fault))
        elif "method" not in message:
            self._receive_response(message)
        elif "id" in message:
            self._receive_request(message["id"], message["method"], message.get("params"))
        else:
            self._receive_notification(message["method"], message.get("params"))

    def _receive_request(self, msg_id: MessageId, name: str, params: Any) -> None:
        request = _Running(msg_id, name)
        try:
            if msg_id in self._running:
                raise RpcError(INVALID_REQUEST, f"a request with the id {msg_id!r} is still being answered")
            method = self._methods.request(name)
            request.is_known = True
            result = method.run(method.parse(params))
        except Exception as error:
            self._answer(request, error=error)
            return
        if not hasattr(result, "__await__"):
            self._answer(request, result)
            return
        request.future = future = asyncio.ensure_future(result)
        self._running[msg_id] = request
        future.add_done_callback(lambda _: self._finish(request, future))

    def _finish(self, request: "_Running", future: "asyncio.Future[Any]") -> None:
        del self._running[request.msg_id]
        error = _CANCELLED if future.cancelled() else future.exception()
        if request.wants_answer:
            self._answer(request, None if error else future.result(), error)

    def _receive_notification(self, name: str, params: Any) -> None:
        method = self._methods.notification(name)
        if method is None:
            return
        try:
            result = method.run(method.parse(params))
        except ReadError as error:
            logger.warning("ignored a %s notification: %s", name, error.reason)
        except Exception as error:
            _log_failed_notification(error)
        else:
            if hasattr(result, "__await__"):
                future = asyncio.ensure_future(result)
                self._notified.add(future)
                future.add_done_callback(self._finish_notification)

    def _finish_notification(self, future: "asyncio.Future[Any]") -> None:
        self._notified.discard(future)
        if not future.cancelled() and (error := future.exception()) is not None:
            _log_failed_notification(error)

    def _receive_response(self, message: dict[str, Any]) -> None:
        future, parse = self._asked.pop(message["id"], (None, unchanged))
        if future is None or future.cancelled():  # by now nothing waits for it
            return
        try:
            if "error" in message:
                error = message["error"] if isinstance(message["error"], dict) else {}
                raise RpcError(error.get("code", 0), str(error.get("message")))
            result = parse(message["result"])
        except Exception as error:
            future.set_exception(error)
        else:
            future.set_result(result)

    def cancel(self, msg_id: Any, *, answer: bool = True) -> None:
        """Stop a request that is running, and answer it with `CANCELLED` or, where `answer` is false, not at all.

        Its id stays in use until its work has stopped.
        """
        request = self._running.get(msg_id) if is_id(msg_id) else None
        if request is not None and request.future is not None:
            request.wants_answer = answer
            request.future.cancel()

    async def settle(self, patience: float) -> None:
        """Wait until all running requests are answered, for at most `patience` seconds."""
        running = [request.future for request in self._running.values() if request.future is not None]
        if running:
            await asyncio.wait(running, timeout=patience)

    def cancel_all(self) -> None:
        """Stop all running requests, and forget the requests sent to the client."""
        for request in list(self._running.values()):
            self.cancel(request.msg_id)
        for notified in list(self._notified):
            notified.cancel()
        for asked, _ in list(self._asked.values()):
            asked.cancel()
        self._asked.clear()

    # To the client -------------------------------------------------------------------------------

    def notify(self, name: str, params: Any = None) -> None:
        self._send_method({"method": name}, params)

    def ask(self, name: str, params: Any = None, parse: Callable[[Any], Any] = unchanged) -> "Future[Any]":
        """Send a request to the client.

        The future gets the client's answer, `parse`d, before any later message is handled; it fails with an
        `RpcError` if the client refuses, or with what `parse` raises.
        """
        # Not numbers, so that they cannot be mistaken for the client's own.
        msg_id = f"forge-{next(self._ids)}"
        future: Future[Any] = Future()
        self._asked[msg_id] = (future, parse)
        self._send_method({"id": msg_id, "method": name}, params)
        return future

    def _send_method(self, message: dict[str, Any], params: Any) -> None:
        if params is not None:
            message["params"] = self._to_json(params)
        self.send(json_text.encode({"jsonrpc": "2.0", **message}))

    def answer_error(self, msg_id: Any, error: BaseException) -> None:
        answer = {"jsonrpc": "2.0", "id": msg_id, "error": _error(error)}
        if msg_id is None and not self._sends_null_ids:
            del answer["id"]
        self.send(json_text.encode(answer))

    def _answer(self, request: "_Running", result: Any = None, error: BaseException | None = None) -> None:
        """The only place that sends the answer to a request."""
        if error is None:
            try:
                body = json_text.encode({"jsonrpc": "2.0", "id": request.msg_id, "result": self._to_json(result)})
            except Exception as failure:
                error = failure
            else:
                self.send(body)
        if error is not None:
            if not isinstance(error, (ReadError, RpcError)):
                logger.error("request %r failed: %s", request.msg_id, type(error).__name__)
                logger.debug("request %r failed", request.msg_id, exc_info=error)
            self.answer_error(request.msg_id, error)
            forget_frames(error)
        if logger.isEnabledFor(logging.DEBUG):
            took = 1000 * (monotonic() - request.started)
            logger.debug("%s: %s in %.1f ms", request.loggable_name, _outcome(error), took)
        if self.on_answered is not None:
            self.on_answered(request.name, request.msg_id, monotonic() - request.started)


class _Running:
    """A request that is not answered yet."""

    __slots__ = ("future", "is_known", "msg_id", "name", "started", "wants_answer")

    def __init__(self, msg_id: MessageId, name: str) -> None:
        self.msg_id = msg_id
        self.name = name
        self.started = monotonic()
        self.future: asyncio.Future[Any] | None = None
        self.wants_answer = True
        self.is_known = False

    @property
    def loggable_name(self) -> str:
        """An unknown method name may be anything, such as a path, and is not logged."""
        return self.name if self.is_known else "a request that is not served"


def _outcome(error: BaseException | None) -> str:
    """The outcome of a request in one word, for the log."""
    if error is None:
        return "answered"
    return error.code if isinstance(error, ReadError) else str(_error(error)["code"])


def _error(error: BaseException) -> dict[str, Any]:
    """The `error` of an answer. Never a traceback, nor the text of an exception that was not meant for clients."""
    if isinstance(error, RpcError):
        return {"code": error.code, "message": error.message, **({} if error.data is None else {"data": error.data})}
    if not isinstance(error, ReadError):
        error = ReadError(ErrorCode.INTERNAL, "something went wrong inside the daemon")
    return {"code": error.code.json_rpc_code, "message": error.message, "data": error.data()}


def _log_failed_notification(error: BaseException) -> None:
    logger.error("a notification failed: %s", type(error).__name__)


def _send_nowhere(_: bytes) -> None:
    raise RuntimeError("the stream is not open")
