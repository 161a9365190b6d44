"""The revisions of MCP that are served, and what differs between them.

Up to 2025-11-25 a client opens with `initialize`, and the revision agreed on then holds for the process. From
2026-07-28 on every request names its revision and the client's capabilities in `_meta`, and nothing is remembered
between requests. Both kinds of request may come over the same stream.
"""

from typing import Any, NamedTuple

from forge_daemon import __version__
from forge_daemon.rpc.dispatcher import INVALID_PARAMS, RpcError

MODERN = "2026-07-28"
WITH_HANDSHAKE = ("2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05")
"""Newest first. What is sent to a client of the last two is valid there as well."""
SUPPORTED = [MODERN, *WITH_HANDSHAKE[:2]]

PREFIX = "io.modelcontextprotocol/"
UNSUPPORTED_PROTOCOL_VERSION = -32022

SERVER_INFO = {"name": "forge-read", "title": "forge-read", "version": __version__}
CAPABILITIES: dict[str, Any] = {"tools": {}}
_CACHE_HINTS = {"ttlMs": 3_600_000, "cacheScope": "public"}
"""The tools of a process never change."""


class Conversation(NamedTuple):
    """The revision and capabilities that apply to one request."""

    modern: bool
    client_capabilities: dict[str, Any]

    def result(self, fields: dict[str, Any], *, cacheable: bool = False, kind: str = "complete") -> dict[str, Any]:
        """The result of a request as its revision writes it."""
        if not self.modern:
            return fields
        hints = _CACHE_HINTS if cacheable else {}
        return {"resultType": kind, **fields, **hints, "_meta": {f"{PREFIX}serverInfo": SERVER_INFO}}


def meta_of(params: dict[str, Any]) -> dict[str, Any]:
    meta = params.get("_meta")
    return meta if isinstance(meta, dict) else {}


def modern_conversation(meta: dict[str, Any]) -> Conversation | None:
    """None if the request does not name its revision. Raises `RpcError` if it cannot be served."""
    version = meta.get(f"{PREFIX}protocolVersion")
    if version is None:
        return None
    if version != MODERN:
        data = {"supported": SUPPORTED, "requested": version}
        raise RpcError(UNSUPPORTED_PROTOCOL_VERSION, "unsupported protocol version", data)
    capabilities = meta.get(f"{PREFIX}clientCapabilities")
    if not isinstance(capabilities, dict):
        raise RpcError(INVALID_PARAMS, f"_meta: {PREFIX}clientCapabilities must be an object")
    return Conversation(modern=True, client_capabilities=capabilities)


def agreed_version(asked: str) -> str:
    """What `initialize` answers: the revision asked for, or the newest one that begins with `initialize`."""
    return asked if asked in WITH_HANDSHAKE else WITH_HANDSHAKE[0]
