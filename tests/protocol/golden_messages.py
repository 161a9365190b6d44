"""The golden conversations: loading them, and comparing what a daemon answers with what they expect.

The format is described in `golden/README.md`.
"""

import base64
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple

GOLDEN = Path(__file__).with_name("golden")
EXECUTE_COMMAND = "workspace/executeCommand"

_ANY = {"string": (str,), "integer": (int,), "string?": (str,)}
_ABSENT = object()


class Step(NamedTuple):
    """One request and the answer it gets: a `result` or an `error`."""

    method: str
    params: Any
    answer: dict[str, Any]

    @property
    def entry_name(self) -> str:
        """What the registry calls it."""
        command: str = self.params["command"] if self.method == EXECUTE_COMMAND else self.method
        return command


class Conversation(NamedTuple):
    file: str
    name: str
    workspace: dict[str, dict[str, str]]
    open_documents: list[dict[str, Any]]
    exchange: list[Step]
    example_of: str | None = None


def load(file: Path) -> Conversation:
    raw = json.loads(file.read_text(encoding="utf-8"))
    exchange = [Step(each.pop("method"), each.pop("params"), each) for each in raw.pop("exchange")]
    return Conversation(file=file.stem, exchange=exchange, **raw)


def load_all() -> list[Conversation]:
    return [load(file) for file in sorted(GOLDEN.glob("*.json"))]


def lay_out(conversation: Conversation, root: Path) -> None:
    """Write the files of the conversation's workspace."""
    for path, content in conversation.workspace.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content_of(content))


def content_of(content: dict[str, str]) -> bytes:
    match content:
        case {"text": text, **rest} if not rest:
            return text.encode()
        case {"base64": encoded, **rest} if not rest:
            return base64.b64decode(encoded, validate=True)
        case _:
            raise ValueError(f"neither text nor base64: {content}")


def match(expected: Any, actual: Any) -> list[str]:
    """Where the two differ, each difference with its place; empty where the answer is as expected."""
    return list(_differences(expected, actual, "answer"))


def _differences(expected: Any, actual: Any, place: str) -> Iterator[str]:
    if isinstance(expected, dict) and "$any" in expected:
        kind = expected["$any"]
        may_be_absent = kind.endswith("?") and actual is _ABSENT
        if not may_be_absent and type(actual) not in _ANY[kind]:
            yield f"{place}: expected any {kind}, got {_shown(actual)}"
    elif type(expected) is not type(actual):
        yield f"{place}: expected {_shown(expected)}, got {_shown(actual)}"
    elif isinstance(expected, dict):
        for key in expected | actual:
            wanted, found = expected.get(key, _ABSENT), actual.get(key, _ABSENT)
            yield from _differences(wanted, found, f"{place}.{key}")
    elif isinstance(expected, list) and len(expected) == len(actual):
        for index, (wanted, found) in enumerate(zip(expected, actual, strict=True)):
            yield from _differences(wanted, found, f"{place}[{index}]")
    elif expected != actual:
        yield f"{place}: expected {_shown(expected)}, got {_shown(actual)}"


def _shown(value: Any) -> str:
    return "nothing" if value is _ABSENT else json.dumps(value, ensure_ascii=False)
