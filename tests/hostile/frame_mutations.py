"""Frames generated from a seed, and the expected answers, derived from the JSON alone."""

import json
import random
from typing import Any, NamedTuple

from forge_protocol import registry

PARSE_ERROR, INVALID_REQUEST, METHOD_NOT_FOUND = -32700, -32600, -32601
REFUSALS = frozenset({-32602, -32803, -32801})
"""What a request of ours can be refused with. An internal error is never right."""

REQUESTS = [entry.name for entry in registry.REQUESTS]
COMMANDS = [entry.name for entry in registry.COMMANDS]
SERVED = frozenset({*REQUESTS, "workspace/executeCommand"})
_UNSERVED = ["exit", "initialize", "textDocument/hover", "$/nothing", "", "forge/readfile", "textDocument/didOpen"]
_NOTIFICATIONS = [
    "$/cancelRequest",
    "$/setTrace",
    "initialized",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "workspace/didChangeConfiguration",
    "workspace/didChangeWatchedFiles",
    "workspace/didChangeWorkspaceFolders",
    "window/workDoneProgress/cancel",
]
_PATHS = [
    "a.txt",
    "none",
    "",
    ".",
    "..",
    "/etc/passwd",
    "link",
    "a.txt/",
    "\0",
    "\ud800",
    "日本",
    "file:///a",
    "x" * 300,
]
_KEYS = [
    "path",
    "files",
    "pattern",
    "limit",
    "start_line",
    "tail",
    "around",
    "cursor",
    "source",
    "command",
    "arguments",
]
_MORE_KEYS = ["name", "id", "jsonrpc", "method", "params", "textDocument", "uri", "text", "event", "settings", "value"]
_SCALARS: list[Any] = [
    None,
    True,
    False,
    0,
    1,
    -1,
    2**63,
    10**30,
    1.5,
    "",
    "x",
    "disk",
    "Read",
    "2.0",
    "\udfff",
    "\u2028",
]
_HEADERS = [b"Content-Length: %d\r\n\r\n", b"content-length:%d\n\n", b"X: y\r\nContent-Length: %d \r\n\r\n"]
_BAD_HEADERS = [
    b"Content-Length: -%d\r\n\r\n",
    b"%d\r\n\r\n",
    b"Content-Length %d\n\n",
    b"\r\nContent-Length: %d\r\n\r\n",
]
_DEEP = 30_000


class Frame(NamedTuple):
    header: bytes
    body: bytes
    is_one: bool
    """The header tells the body's length, so that the body must arrive as it is."""


def frame(number: int) -> Frame:
    """The same number gives the same frame; 0 gives a plain one."""
    chance = random.Random(number)
    body = _body(chance) if number else _encoded(_request(1, "forge/readFile", {"path": "a.txt"}))
    if number and chance.random() < 0.01:
        return Frame(_mutated(chance, chance.choice(_HEADERS + _BAD_HEADERS) % len(body)), body, False)
    return Frame(chance.choice(_HEADERS) % len(body), body, True)


def _body(chance: random.Random) -> bytes:
    kind = chance.random()
    if kind < 0.45:
        return _encoded(_message(chance))
    if kind < 0.80:
        return _mutated(chance, _encoded(_message(chance)))
    if kind < 0.87:
        return _encoded([_message(chance) for _ in range(chance.randrange(4))])
    if kind < 0.94:
        return _encoded(_value(chance, 3))
    if kind < 0.998:
        return chance.randbytes(chance.randrange(40))
    opening, closing = chance.choice([(b"[", b"]"), (b'{"id":', b"}")])
    return opening * _DEEP + b"1" + closing * _DEEP


def _message(chance: random.Random) -> dict[str, Any]:
    kind = chance.random()
    if kind < 0.35:
        message = _request(_id(chance), chance.choice(REQUESTS), _params(chance))
    elif kind < 0.55:
        argument = _value(chance, 2) if chance.random() < 0.5 else {"name": "Read", "arguments": _params(chance)}
        params = {"command": chance.choice(COMMANDS), "arguments": [argument]}
        message = _request(_id(chance), "workspace/executeCommand", params)
    elif kind < 0.70:
        message = _request(_id(chance), chance.choice(_UNSERVED), _value(chance, 2))
    elif kind < 0.90:
        message = {"jsonrpc": "2.0", "method": chance.choice(_NOTIFICATIONS), "params": _value(chance, 3)}
    else:
        message = {"jsonrpc": "2.0", "id": _id(chance), chance.choice(["result", "error"]): _value(chance, 2)}
    while chance.random() < 0.2:
        message[chance.choice(["jsonrpc", "id", "method", "params", "extra"])] = _value(chance, 1)
    while chance.random() < 0.1:
        message.pop(chance.choice(list(message)), None)
        if not message:
            break
    return message


def _request(msg_id: object, method: str, params: object) -> dict[str, Any]:
    return {"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params}


def _id(chance: random.Random) -> Any:
    return chance.randrange(10**6) if chance.random() < 0.8 else chance.choice(_SCALARS)


def _params(chance: random.Random) -> Any:
    params = {"path": chance.choice(_PATHS)}
    while chance.random() < 0.4:
        params[chance.choice(_KEYS)] = _value(chance, 1)
    return params


def _value(chance: random.Random, depth: int) -> Any:
    kind = chance.random()
    if depth == 0 or kind < 0.4:
        return chance.choice(_SCALARS) if chance.random() < 0.6 else chance.choice(_PATHS)
    if kind < 0.55:
        return [_value(chance, depth - 1) for _ in range(chance.randrange(4))]
    return {chance.choice(_KEYS + _MORE_KEYS): _value(chance, depth - 1) for _ in range(chance.randrange(4))}


def _encoded(value: object) -> bytes:
    return json.dumps(value).encode()


def _mutated(chance: random.Random, data: bytes) -> bytes:
    changed = bytearray(data)
    for _ in range(chance.randrange(1, 4)):
        place = chance.randrange(len(changed) + 1)
        kind = chance.randrange(5)
        if kind == 0:
            changed[place:place] = chance.randbytes(1)
        elif kind == 1:
            del changed[place : place + chance.randrange(1, 8)]
        elif kind == 2:
            changed[place : place + 1] = chance.choice([b"{", b"}", b"[", b"]", b'"', b",", b":", b"\\", b"0", b"\xff"])
        elif kind == 3:
            changed[place:place] = changed[: chance.randrange(20)]
        else:
            changed[place : place + 1] = chance.choice([b"1e999", b"NaN", b"\xed\xa0\x80", b"null", b"\0", b"\xc3\xa9"])
    return bytes(changed)


class Answer(NamedTuple):
    """What one answer must be: its id as JSON, and the codes of which it has one; None is a result."""

    msg_id: str
    codes: frozenset[int | None]


def answers_to(body: bytes) -> list[Answer]:
    """What an initialized daemon must answer, and nothing else."""
    try:
        message = json.loads(body.decode(), parse_constant=_no_constant)
    except (ValueError, RecursionError):
        return [_refused(None, PARSE_ERROR)]
    if isinstance(message, list):
        ids = {
            item["id"]: 0 for item in message if isinstance(item, dict) and "method" in item and _is_id(item.get("id"))
        }
        return [_refused(msg_id, INVALID_REQUEST) for msg_id in ids or [None]]
    if not isinstance(message, dict):
        return [_refused(None, INVALID_REQUEST)]
    msg_id = message.get("id")
    if message.get("jsonrpc") != "2.0" or (
        "id" in message and not _is_id(msg_id) and not _is_error_for_nobody(message)
    ):
        return [_refused(_told(msg_id), INVALID_REQUEST)]
    if "method" not in message:
        is_response = "id" in message and ("result" in message or "error" in message)
        return [] if is_response else [_refused(_told(msg_id), INVALID_REQUEST)]
    if not isinstance(message["method"], str):
        return [_refused(_told(msg_id), INVALID_REQUEST)]
    return [_answered(msg_id, message["method"])] if "id" in message else []


def _answered(msg_id: object, method: str) -> Answer:
    if method == "initialize":
        return _refused(msg_id, INVALID_REQUEST)
    if method in SERVED:
        # The same id may be in flight already.
        return Answer(json.dumps(msg_id), REFUSALS | {None, INVALID_REQUEST})
    return Answer(json.dumps(msg_id), frozenset({METHOD_NOT_FOUND, INVALID_REQUEST}))


def _refused(msg_id: object, code: int) -> Answer:
    return Answer(json.dumps(msg_id), frozenset({code}))


def _told(msg_id: object) -> object:
    """How an invalid id is echoed: a scalar as it is, anything else as null."""
    if isinstance(msg_id, float) and msg_id in (float("inf"), float("-inf")):
        return None
    return msg_id if msg_id is None or isinstance(msg_id, (str, int, float)) else None


def _is_id(value: object) -> bool:
    return type(value) in (str, int)


def _is_error_for_nobody(message: dict[str, Any]) -> bool:
    return "method" not in message and message["id"] is None and "error" in message


def _no_constant(name: str) -> None:
    raise ValueError(name)
