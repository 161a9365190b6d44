"""One MCP client: its requests, and the requests sent to it."""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import Future
from functools import partial
from typing import Any

from forge_daemon.rpc.dispatcher import (
    INVALID_PARAMS,
    Dispatcher,
    Method,
    RpcError,
    method_not_found,
)
from forge_daemon.rpc.envelope import is_id
from forge_daemon.rpc.workers import Work, Workers
from forge_daemon.tools import ToolCatalog
from forge_protocol.errors import ErrorCode, ReadError

from . import results
from .folders import Folders
from .revisions import (
    CAPABILITIES,
    PREFIX,
    SERVER_INFO,
    SUPPORTED,
    Conversation,
    agreed_version,
    meta_of,
    modern_conversation,
)

logger = logging.getLogger(__name__)

ROOTS_SECONDS = 5.0
"""A client that does not list its roots by then is served without."""


class McpServer:
    """The methods of MCP. Only calls of tools may take long."""

    def __init__(self, folders: Folders, toolset: str, workers: Workers) -> None:
        self.dispatcher = Dispatcher(self, workers, sends_null_ids=False)
        self._folders = folders
        self._toolset = toolset
        self._agreed: Conversation | None = None
        """Since `initialize`: how requests that do not name their revision are answered."""
        self._asking = threading.Lock()
        self._roots: Future[list[Any]] | None = None
        self._late_roots: Future[list[Any]] | None = None
        """Those that were waited for in vain, once."""
        self._methods: dict[str, Callable[..., Any]] = {
            "server/discover": self._discover,
            "ping": self._ping,
            "tools/list": self._list_tools,
            "tools/call": self._call_tool,
        }
        self._notifications: dict[str, Callable[[Any], None]] = {
            "notifications/cancelled": self._cancel,
            "notifications/roots/list_changed": self._forget_roots,
        }

    # For the dispatcher

    def request(self, name: str, _params: Any) -> Method:
        if name != "initialize" and name not in self._methods:
            raise method_not_found(name)
        return Method(partial(self._serve, name), on_worker=name == "tools/call")

    def notification(self, name: str) -> Method | None:
        run = self._notifications.get(name)
        return None if run is None else Method(run)

    def _serve(self, name: str, given: Any, *work: Work) -> Any:
        params = _object(given)
        conversation = modern_conversation(meta_of(params))
        if conversation is None and name == "initialize":
            return self._initialize(params)
        if conversation is None:
            conversation = self._agreed
        if conversation is None and name == "ping":
            conversation = Conversation(modern=False, client_capabilities={})
        if conversation is None:
            raise RpcError(
                INVALID_PARAMS, f"begin with initialize, or name the revision in _meta: {PREFIX}protocolVersion"
            )
        if name == "initialize" or (conversation.modern and name == "ping"):
            raise method_not_found(name)
        return self._methods[name](conversation, params, *work)

    def _cancel(self, params: Any) -> None:
        """Nothing may be sent for a cancelled request."""
        if isinstance(params, dict):
            self.dispatcher.cancel(params.get("requestId"), answer=False)

    def _forget_roots(self, _params: Any) -> None:
        self._roots = None

    # Methods

    def _initialize(self, params: dict[str, Any]) -> dict[str, Any]:
        version, capabilities = params.get("protocolVersion"), params.get("capabilities")
        if not isinstance(version, str):
            raise RpcError(INVALID_PARAMS, "protocolVersion must be a string")
        self._agreed = Conversation(
            modern=False, client_capabilities=capabilities if isinstance(capabilities, dict) else {}
        )
        return {"protocolVersion": agreed_version(version), "serverInfo": SERVER_INFO, **self._self_description()}

    def _discover(self, conversation: Conversation, _params: dict[str, Any]) -> dict[str, Any]:
        return conversation.result({"supportedVersions": SUPPORTED, **self._self_description()}, cacheable=True)

    def _self_description(self) -> dict[str, Any]:
        description: dict[str, Any] = {"capabilities": CAPABILITIES}
        return description | ({"instructions": self._folders.instructions} if self._toolset == "agent" else {})

    def _ping(self, conversation: Conversation, _params: dict[str, Any]) -> dict[str, Any]:
        return conversation.result({})

    def _list_tools(self, conversation: Conversation, params: dict[str, Any]) -> dict[str, Any]:
        if params.get("cursor") is not None:
            raise RpcError(INVALID_PARAMS, "cursor: the list has only one page")
        return conversation.result({"tools": results.tools(self._toolset, self._folders.max_chars)}, cacheable=True)

    def _call_tool(self, conversation: Conversation, params: dict[str, Any], work: Work) -> dict[str, Any]:
        """Runs on a worker."""
        name, arguments = params.get("name"), params.get("arguments")
        try:
            tool = ToolCatalog.tool(name if isinstance(name, str) else "", self._toolset)
        except ReadError as error:
            raise RpcError(INVALID_PARAMS, error.reason) from None
        roots: list[Any] | None = None
        if not self._folders.given and conversation.client_capabilities.get("roots") is not None:
            roots = _roots_sent_with(params) if conversation.modern else self._client_roots()
            if roots is None:
                wanted = {"inputRequests": {"roots": {"method": "roots/list"}}}
                return conversation.result(wanted, kind="input_required")
        work.report_to(_ProgressNotices(self.dispatcher.notify, meta_of(params).get("progressToken")))
        try:
            output = tool(self._folders.reader(roots), {} if arguments is None else arguments, work.progress)
        except ReadError as error:
            if error.code == ErrorCode.CANCELLED:
                raise
            return conversation.result(results.refusal(error))
        finally:
            self._folders.report_problems()
        return conversation.result(results.content_of(output))

    # Roots

    def _client_roots(self) -> list[Any]:
        with self._asking:
            if self._roots is None:
                self._roots = self.dispatcher.ask("roots/list", parse=_roots_in)
            roots = self._roots
        if roots is self._late_roots and not roots.done():
            return []
        try:
            return roots.result(ROOTS_SECONDS)
        except TimeoutError:
            self._late_roots = roots
            logger.warning("the client has not listed its roots within %s seconds", ROOTS_SECONDS)
        except RpcError as error:
            logger.warning("the client does not list its roots: %s", error.message)
        return []


class _ProgressNotices:
    """Reports the progress of a call if its sender asked for that. The value always increases, as MCP requires."""

    def __init__(self, notify: Callable[[str, dict[str, Any]], None], token: Any) -> None:
        self._notify = notify
        self._token = token
        self._shown = 0

    def show(self, done: int, total: int) -> None:
        if is_id(self._token):
            self._shown = done if done > self._shown else self._shown + 1
            amount = {"progress": self._shown, **({"total": total} if total else {})}
            self._notify("notifications/progress", {"progressToken": self._token, **amount})

    def end(self) -> None:
        """Nothing to send: the answer ends the progress."""


def _object(params: Any) -> dict[str, Any]:
    if params is None:
        return {}
    if not isinstance(params, dict):
        raise RpcError(INVALID_PARAMS, "params must be an object")
    return params


def _roots_in(result: Any) -> list[Any]:
    """The roots in an answer to `roots/list`."""
    roots = result.get("roots") if isinstance(result, dict) else None
    return roots if isinstance(roots, list) else []


def _roots_sent_with(params: dict[str, Any]) -> list[Any] | None:
    """The answer to `roots/list` that is sent with a repeated call."""
    try:
        roots = params["inputResponses"]["roots"]["roots"]
    except (KeyError, TypeError):
        return None
    return roots if isinstance(roots, list) else []
