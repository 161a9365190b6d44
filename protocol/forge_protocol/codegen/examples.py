"""One exchange per request for the reference, from the golden conversations, which tests hold with a daemon."""

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from forge_protocol.registry import Direction, Entry

SHOWN = {"string": "…", "integer": 0}
"""What stands for a value that differs from run to run, such as an etag."""

Example = dict[str, Any]


class NoExample(Exception):
    """A registry entry that no golden conversation is the example of."""


def load_examples(golden: Path, entries: tuple[Entry, ...]) -> dict[str, Example]:
    """The `request` (method and params) and the `result` for each entry a client may send, by the entry's name."""
    conversations = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(golden.glob("*.json"))]
    chosen = {each["example_of"]: each["exchange"] for each in conversations if "example_of" in each}
    asked = [entry.name for entry in entries if entry.direction is Direction.CLIENT_TO_SERVER]
    if missing := [name for name in asked if name not in chosen]:
        raise NoExample(f"no file of {golden.name}/ has example_of: {', '.join(missing)}")
    return {name: _example(name, chosen[name]) for name in asked}


def _example(name: str, exchange: list[Any]) -> Example:
    """The first request of that name that gets a result."""
    results: list[Any] = []
    for step in exchange:
        request = {"method": step["method"], "params": resolve(step["params"], results)}
        results.append(_without_placeholders(resolve(step.get("result"), results)))
        if "result" in step and name in (step["method"], step["params"].get("command")):
            return {"request": request, "result": results[-1]}
    raise NoExample(f"the example of {name} never gets a result")


def _without_placeholders(value: Any) -> Any:
    match value:
        case {"$any": kind}:
            return SHOWN[kind]
        case dict():
            shown = {key: item for key, item in value.items() if item != {"$any": "string?"}}
            return {key: _without_placeholders(item) for key, item in shown.items()}
        case list():
            return [_without_placeholders(item) for item in value]
        case _:
            return value


def resolve(value: Any, results: Sequence[Any]) -> Any:
    """The value with each `$from` replaced by what an earlier result holds there."""
    match value:
        case {"$from": [index, *path]}:
            found = results[index]
            for key in path:
                found = found[key]
            return found
        case dict():
            return {key: resolve(item, results) for key, item in value.items()}
        case list():
            return [resolve(item, results) for item in value]
        case _:
            return value
