"""JSON-RPC without a transport: bodies in, bodies out, exactly one answer to every request.

It knows neither LSP nor MCP: each of them supplies its methods and a function that sends a body. The table of methods
says what may take long. Everything runs on the thread that received it, which also encodes and sends the answer: what
touches storage as `Work`, which another thread does not wait for, everything else before the next message is received.
"""

import itertools
import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from contextlib import AbstractContextManager, nullcontext
from functools import partial
from time import monotonic
from typing import Any, NamedTuple, Protocol

from forge_protocol.errors import ErrorCode, ReadError, forget_frames

from . import json_text
from .envelope import fault_in_envelope, is_id, is_scalar
from .workers import Work, Workers

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
    return RpcError(METHOD_NOT_FOUND, f"unknown method {name}")


class Method(NamedTuple):
    """A request or notification that is served."""

    run: Callable[..., Any]
    """Takes the parameters as JSON and returns the result. On a worker it also takes the `Work`."""
    on_worker: bool = False


class Methods(Protocol):
    """What a surface serves."""

    def request(self, name: str, params: Any) -> Method:
        """The method of a request; raises `RpcError` if it is unknown, or not to be served now."""
        ...

    def notification(self, name: str) -> Method | None:
        """The method of a notification; None if it is to be ignored."""
        ...


def unchanged(value: Any) -> Any:
    return value


class Dispatcher:
    """The conversation with one client. Messages are received on one thread, and answered on any."""

    def __init__(
        self,
        methods: Methods,
        workers: Workers,
        to_json: Callable[[Any], Any] = unchanged,
        *,
        sends_null_ids: bool = True,
    ) -> None:
        self._methods = methods
        self._workers = workers
        self._sends_null_ids = sends_null_ids
        """Whether an error that belongs to no request has the id null, as JSON-RPC says, or none, as MCP does."""
        self._to_json = to_json
        """Makes a JSON value of a result or of the parameters of a message to the client."""
        self.send: Callable[[bytes], None] = _send_nowhere
        """Set by the owner of the stream."""
        self.on_answered: Callable[[str, MessageId, float], None] | None = None
        """Called after each answer with the request's method and id, and the seconds it took."""
        self._lock = threading.Lock()
        self._encoding = threading.Lock()
        self._calls: dict[MessageId, _Call] = {}
        self._asked: dict[MessageId, tuple[Future[Any], Callable[[Any], Any]]] = {}
        self._ids = itertools.count(1)

    @property
    def has_unanswered(self) -> bool:
        return bool(self._calls) or self._encoding.locked()

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
        elif (fault := fault_in_envelope(message)) is not None:
            msg_id = message.get("id") if isinstance(message, dict) else None
            self.answer_error(msg_id if is_scalar(msg_id) else None, RpcError(INVALID_REQUEST, fault))
        elif "method" not in message:
            self._receive_response(message)
        elif "id" in message:
            self._receive_request(message["id"], message["method"], message.get("params"))
        else:
            self._receive_notification(message["method"], message.get("params"))

    def _refuse_batch(self, messages: list[Any]) -> None:
        ids = {
            message["id"]: None
            for message in messages
            if isinstance(message, dict) and "method" in message and is_id(message.get("id"))
        }
        for msg_id in ids or [None]:
            error = RpcError(INVALID_REQUEST, "batches are not supported: send one message at a time")
            self.answer_error(msg_id, error)

    def _receive_request(self, msg_id: MessageId, name: str, params: Any) -> None:
        call = _Call(msg_id, name)
        with self._lock:
            is_new = self._calls.setdefault(msg_id, call) is call
        if not is_new:
            self.answer_error(msg_id, RpcError(INVALID_REQUEST, f"the id {msg_id!r} is still in use"))
            return
        try:
            method = self._methods.request(name, params)
        except Exception as error:
            self._refuse(call, error)
            return
        call.is_known = True
        if method.on_worker:
            call.work = Work(partial(self._run_on_worker, call, method, params), partial(self._refuse, call))
            self._workers.run(call.work)
        else:
            self._run(call, lambda: method.run(params), nullcontext())

    def _run_on_worker(self, call: "_Call", method: Method, params: Any, work: Work) -> None:
        def run() -> Any:
            try:
                return method.run(params, work)
            finally:
                work.end_report()
                work.is_writing = True

        # Encoded, an answer takes up to six times the memory: one is encoded and sent at a time.
        self._run(call, run, self._encoding)

    def _run(self, call: "_Call", run: Callable[[], Any], turn: AbstractContextManager[object]) -> None:
        try:
            result = run()
            with turn:
                body = json_text.encode({"jsonrpc": "2.0", "id": call.msg_id, "result": self._to_json(result)})
                del result
                if self._claim(call):
                    self.send(body)
                    self._answered(call)
                del body  # before the next one is encoded
        except Exception as error:
            with turn:
                self._refuse(call, error)

    def _receive_notification(self, name: str, params: Any) -> None:
        method = self._methods.notification(name)
        if method is None:
            return
        try:
            method.run(params)
        except ReadError as error:
            logger.warning("ignored a %s notification: %s", name, error.reason)
        except Exception as error:
            logger.error("a notification failed: %s", type(error).__name__)

    def _receive_response(self, message: dict[str, Any]) -> None:
        future, parse = self._asked.pop(message["id"], (None, unchanged))
        if future is None or not future.set_running_or_notify_cancel():  # by now nothing waits for it
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
        """Stop a request that is running, and answer it with `CANCELLED` or, if `answer` is false, not at all."""
        call = self._calls.get(msg_id) if is_id(msg_id) else None
        if call is None or call.work is None:
            return
        if answer:
            call.work.stop()
        elif self._claim(call):
            call.work.cancel()

    def cancel_all(self) -> None:
        for msg_id in list(self._calls):
            self.cancel(msg_id)

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

    def _claim(self, call: "_Call") -> bool:
        """Whether the caller is the one that answers the request."""
        with self._lock:
            if self._calls.get(call.msg_id) is not call:
                return False
            del self._calls[call.msg_id]
            return True

    def _refuse(self, call: "_Call", error: BaseException) -> None:
        if not self._claim(call):
            return
        if not isinstance(error, (ReadError, RpcError)):
            logger.error("request %r failed: %s", call.msg_id, type(error).__name__)
            logger.debug("request %r failed", call.msg_id, exc_info=error)
        self.answer_error(call.msg_id, error)
        forget_frames(error)
        self._answered(call, error)

    def _answered(self, call: "_Call", error: BaseException | None = None) -> None:
        took = monotonic() - call.started
        if logger.isEnabledFor(logging.DEBUG):
            logger.debug("%s: %s in %.1f ms", call.loggable_name, _outcome(error), 1000 * took)
        if (on_answered := self.on_answered) is not None:
            on_answered(call.name, call.msg_id, took)


class _Call:
    """A request that is not answered yet."""

    __slots__ = ("is_known", "msg_id", "name", "started", "work")

    def __init__(self, msg_id: MessageId, name: str) -> None:
        self.msg_id = msg_id
        self.name = name
        self.started = monotonic()
        self.work: Work | None = None
        self.is_known = False

    @property
    def loggable_name(self) -> str:
        """An unknown method name may be anything, such as a path, and is not logged."""
        return self.name if self.is_known else "unknown method"


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


def _send_nowhere(_: bytes) -> None:
    raise RuntimeError("the stream is not open")
