"""One MCP client: its requests, each answered exactly once, and what is asked of the client in turn."""

import asyncio
import logging
from collections.abc import Callable
from typing import Any

from forge_daemon.rpc import json_text
from forge_daemon.rpc.envelope import fault_in_envelope, is_id
from forge_daemon.rpc.offload import Offload, Work
from forge_daemon.tools import ToolCatalog
from forge_protocol.errors import ErrorCode, ReadError

from . import results
from .folders import Folders
from .revisions import (
    CAPABILITIES,
    INTERNAL_ERROR,
    INVALID_PARAMS,
    INVALID_REQUEST,
    METHOD_NOT_FOUND,
    PARSE_ERROR,
    PREFIX,
    SERVER_INFO,
    SUPPORTED,
    Conversation,
    RequestError,
    agreed_version,
    meta_of,
    modern_conversation,
)

logger = logging.getLogger(__name__)

ROOTS_SECONDS = 5.0
"""A client that does not list its roots by then is served without."""


class McpServer:
    """Takes messages, gives messages. `send` is set by the owner of the stream. Lives on the loop's thread."""

    def __init__(self, folders: Folders, toolset: str, offload: Offload) -> None:
        self.send: Callable[[bytes], None] = _nowhere
        self._folders = folders
        self._toolset = toolset
        self._offload = offload
        self._agreed: Conversation | None = None
        """Since `initialize`: how requests that do not name their revision are answered."""
        self._running: dict[str | int, asyncio.Task[None]] = {}
        self._roots: asyncio.Future[list[Any]] | None = None
        self._roots_requests = 0
        self._methods: dict[str, Callable[[Conversation, dict[str, Any]], dict[str, Any]]] = {
            "server/discover": self._discover,
            "ping": self._ping,
            "tools/list": self._list_tools,
        }

    # In

    def receive(self, body: bytes) -> None:
        try:
            message = json_text.decode(body)
        except (ValueError, RecursionError):
            self._answer_error(None, RequestError(PARSE_ERROR, "the message is not valid JSON in UTF-8"))
            return
        fault = "batches are not supported" if isinstance(message, list) else fault_in_envelope(message)
        if fault is not None:
            msg_id = message.get("id") if isinstance(message, dict) else None
            self._answer_error(msg_id if is_id(msg_id) else None, RequestError(INVALID_REQUEST, fault))
        elif "method" not in message:
            self._receive_response(message)
        elif "id" in message:
            self._receive_request(message["id"], message["method"], message.get("params"))
        else:
            self._receive_notification(message["method"], message.get("params"))

    def _receive_request(self, msg_id: str | int, method: str, params: Any) -> None:
        try:
            if msg_id in self._running:
                raise RequestError(INVALID_REQUEST, f"a request with the id {msg_id!r} is still being answered")
            if params is None:
                params = {}
            if not isinstance(params, dict):
                raise RequestError(INVALID_PARAMS, "params must be an object")
            self._begin(msg_id, method, params)
        except RequestError as error:
            self._answer_error(msg_id, error)

    def _begin(self, msg_id: str | int, method: str, params: dict[str, Any]) -> None:
        conversation = modern_conversation(meta_of(params))
        if conversation is None and method == "initialize":
            self._answer(msg_id, self._initialize(params))
            return
        if conversation is None:
            conversation = self._agreed
        if conversation is None and method == "ping":
            conversation = Conversation(modern=False, client_capabilities={})
        if conversation is None:
            raise RequestError(
                INVALID_PARAMS, f"begin with initialize, or name the revision in _meta: {PREFIX}protocolVersion"
            )
        if method == "tools/call":
            task = asyncio.ensure_future(self._call_tool(msg_id, conversation, params))
            self._running[msg_id] = task
            task.add_done_callback(lambda _: self._running.pop(msg_id, None))
        elif method not in self._methods or (conversation.modern and method == "ping"):
            raise RequestError(METHOD_NOT_FOUND, f"no method {method!r}")
        else:
            self._answer(msg_id, self._methods[method](conversation, params))

    def _receive_notification(self, method: str, params: Any) -> None:
        if method == "notifications/cancelled" and isinstance(params, dict) and is_id(params.get("requestId")):
            if (task := self._running.get(params["requestId"])) is not None:
                task.cancel()
        elif method == "notifications/roots/list_changed":
            self._roots = None

    def _receive_response(self, message: dict[str, Any]) -> None:
        if message.get("id") != self._roots_requests or self._roots is None or self._roots.done():
            return
        result = message.get("result")
        roots = result.get("roots") if isinstance(result, dict) else None
        self._roots.set_result(roots if isinstance(roots, list) else [])

    # Methods

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        version, capabilities = params.get("protocolVersion"), params.get("capabilities")
        if not isinstance(version, str):
            raise RequestError(INVALID_PARAMS, "protocolVersion must be a string")
        self._agreed = Conversation(
            modern=False, client_capabilities=capabilities if isinstance(capabilities, dict) else {}
        )
        return {"protocolVersion": agreed_version(version), "serverInfo": SERVER_INFO, **self._self_description()}

    def _discover(self, conversation: Conversation, _params: dict[str, Any]) -> dict[str, Any]:
        return conversation.result({"supportedVersions": SUPPORTED, **self._self_description()}, cacheable=True)

    def _self_description(self) -> dict[str, Any]:
        instructions = self._folders.instructions
        return {"capabilities": CAPABILITIES} | ({"instructions": instructions} if instructions else {})

    def _ping(self, conversation: Conversation, _params: dict[str, Any]) -> dict[str, Any]:
        return conversation.result({})

    def _list_tools(self, conversation: Conversation, params: dict[str, Any]) -> dict[str, Any]:
        if params.get("cursor") is not None:
            raise RequestError(INVALID_PARAMS, "cursor: the list has only one page")
        return conversation.result({"tools": results.tools(self._toolset)}, cacheable=True)

    async def _call_tool(self, msg_id: str | int, conversation: Conversation, params: dict[str, Any]) -> None:
        try:
            self._answer(msg_id, await self._tool_result(conversation, params))
        except asyncio.CancelledError:
            pass  # nothing may be sent for a cancelled request
        except RequestError as error:
            self._answer_error(msg_id, error)
        except Exception:
            logger.exception("a tool call failed")
            self._answer_error(msg_id, RequestError(INTERNAL_ERROR, "internal error; the server's log says more"))

    async def _tool_result(self, conversation: Conversation, params: dict[str, Any]) -> dict[str, Any]:
        name, arguments = params.get("name"), params.get("arguments")
        try:
            tool = ToolCatalog.tool(name if isinstance(name, str) else "", self._toolset)
        except ReadError as error:
            raise RequestError(INVALID_PARAMS, error.reason) from None
        roots: list[Any] | None = None
        if not self._folders.given and conversation.client_capabilities.get("roots") is not None:
            if conversation.modern:
                roots = _roots_sent_with(params)
                if roots is None:
                    wanted = {"inputRequests": {"roots": {"method": "roots/list"}}}
                    return conversation.result(wanted, kind="input_required")
            else:
                roots = await self._client_roots()
        report = _ProgressNotices(self._notify, meta_of(params).get("progressToken"))

        def work(work: Work) -> Any:
            return tool(self._folders.reader(roots), {} if arguments is None else arguments, work.progress)

        try:
            output = await self._offload.run(work, report)
        except ReadError as error:
            if error.code == ErrorCode.CANCELLED:
                raise asyncio.CancelledError from None
            return conversation.result(results.refusal(error))
        finally:
            self._folders.report_problems()
        return conversation.result(results.content_of(output))

    # Roots

    async def _client_roots(self) -> list[Any]:
        if self._roots is None:
            self._roots = asyncio.get_running_loop().create_future()
            self._roots_requests += 1
            self._send({"id": self._roots_requests, "method": "roots/list"})
        try:
            return await asyncio.wait_for(asyncio.shield(self._roots), ROOTS_SECONDS)
        except TimeoutError:
            logger.warning("the client has not listed its roots within %s seconds", ROOTS_SECONDS)
            return []

    # Out

    async def finish(self, patience: float) -> None:
        """Let what is running be answered, but not for ever."""
        if self._running:
            await asyncio.wait(self._running.values(), timeout=patience)

    def _answer(self, msg_id: str | int, result: dict[str, Any]) -> None:
        self._send({"id": msg_id, "result": result})

    def _answer_error(self, msg_id: str | int | None, error: RequestError) -> None:
        """MCP leaves out an id that could not be read."""
        about = {"code": error.code, "message": error.message} | ({} if error.data is None else {"data": error.data})
        self._send(({} if msg_id is None else {"id": msg_id}) | {"error": about})

    def _notify(self, method: str, params: dict[str, Any]) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        self.send(json_text.encode({"jsonrpc": "2.0", **message}))


class _ProgressNotices:
    """Reports how far a call is, where its sender asked for that. The figure always grows, as MCP wants it."""

    def __init__(self, notify: Callable[[str, dict[str, Any]], None], token: Any) -> None:
        self._notify = notify
        self._token = token
        self._shown = 0

    def show(self, done: int, total: int) -> None:
        if is_id(self._token) and done > self._shown:
            self._shown = done
            amount = {"progress": done, **({"total": total} if total else {})}
            self._notify("notifications/progress", {"progressToken": self._token, **amount})

    def end(self) -> None:
        """The answer says it."""


def _roots_sent_with(params: dict[str, Any]) -> list[Any] | None:
    """The answer to `roots/list` that a repeated call carries."""
    try:
        roots = params["inputResponses"]["roots"]["roots"]
    except (KeyError, TypeError):
        return None
    return roots if isinstance(roots, list) else []


def _nowhere(_body: bytes) -> None:
    """Before a stream is there."""
