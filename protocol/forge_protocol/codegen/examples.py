"""One exchange per entry for the reference, taken from the golden messages so that it is known to be true."""

import json
from pathlib import Path
from typing import Any

from forge_protocol.registry import Direction, Entry, Kind

EXECUTE_COMMAND = "workspace/executeCommand"

_ILLUSTRATIONS = {
    "etag": "4mJ0qkq1c8w",
    "next_cursor": "AQIAAAAAAAAB",
    "mtime_ms": 1767225600000,
    "entries": 1,
    "bytes": 96,
    "misses": 1,
    "reason": "no such file",
    "message": "nothing-of-the-kind: no such file",
}
"""What a value that varies may look like, by its key."""


_MAY_BE_ABSENT = {"$any": "string?"}


class NoExample(Exception):
    """A registry entry that no golden conversation is the example of."""


def load_examples(folder: Path, entries: tuple[Entry, ...]) -> dict[str, tuple[Any, Any]]:
    """The request (method and params) and the result for each entry, by the entry's name."""
    conversations = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
    chosen = {each["example_of"]: each for each in conversations if "example_of" in each}
    asked = [entry for entry in entries if entry.direction is Direction.CLIENT_TO_SERVER]
    if missing := [entry.name for entry in asked if entry.name not in chosen]:
        raise NoExample(f"no file of {folder.name}/ has example_of: {', '.join(missing)}")
    return {entry.name: _example(entry, chosen[entry.name]["exchange"]) for entry in asked}


def _example(entry: Entry, exchange: list[dict[str, Any]]) -> tuple[Any, Any]:
    for step in exchange:
        if _name(entry, step) == entry.name and "result" in step:
            request = {"method": step["method"], "params": _illustrate(step["params"])}
            return request, _illustrate(step["result"])
    raise NoExample(f"the example of {entry.name} never gets a result")


def _name(entry: Entry, step: dict[str, Any]) -> Any:
    is_command = entry.kind is Kind.COMMAND and step["method"] == EXECUTE_COMMAND
    return step["params"].get("command") if is_command else step["method"]


def _illustrate(value: Any, key: str = "") -> Any:
    match value:
        case {"$any": kind}:
            return _ILLUSTRATIONS.get(key, 0 if kind == "integer" else "…")
        case {"$from": [_, *path]}:
            return _illustrate({"$any": "string"}, path[-1])
        case dict():
            return {name: _illustrate(item, name) for name, item in value.items() if item != _MAY_BE_ABSENT}
        case list():
            return [_illustrate(item) for item in value]
        case _:
            return value
