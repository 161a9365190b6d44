"""`protocol/PROTOCOL.md`: the reference for people who write clients."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import NoneType
from typing import TypeGuard, assert_never

from forge_protocol import LARGEST_INTEGER
from forge_protocol.errors import ErrorCode
from forge_protocol.fields import Between
from forge_protocol.registry import Entry

from .examples import Example
from .model import Field, Message, Model
from .names import grouped, result_name, snake_case
from .shapes import Array, Choice, Integer, Plain, Reference, Shape

_TEMPLATE = Path(__file__).with_name("PROTOCOL.template.md")
_NO_RESULT = "The answer is the tool's own output: see [Tools](#tools)."

Examples = dict[str, Example]


def emit_markdown(model: Model, examples: Examples, notice: str) -> str:
    parts = {
        "notice": notice,
        "version": model.version,
        "errors": table(
            ("`data.code`", "JSON-RPC code", "when"),
            ((f"`{code}`", str(code.json_rpc_code), code.meaning) for code in ErrorCode),
        ),
        "error_data": _fields(model.messages["ErrorData"]),
        "entries": "\n\n".join(_entries(model, examples)),
        "read_arguments": _fields(model.messages["ReadArguments"]),
        "read_file_arguments": _fields(model.messages["ReadFileArguments"]),
        "agent_read_arguments": _fields(model.messages["AgentReadArguments"]),
        "agent_find_arguments": _fields(model.messages["AgentFindArguments"]),
        "agent_list_arguments": _fields(model.messages["AgentListArguments"]),
    }
    return fill_in(_TEMPLATE, parts)


def fill_in(template: Path, parts: dict[str, str]) -> str:
    """The text of the template with each `{{name}}` replaced by the part of that name."""
    return re.sub(r"\{\{(\w+)\}\}", lambda placeholder: parts[placeholder[1]], template.read_text(encoding="utf-8"))


def _entries(model: Model, examples: Examples) -> Iterator[str]:
    shown: set[str] = set()
    for group, entries in grouped(model.entries).items():
        yield f"## {snake_case(group).replace('_', ' ').capitalize()}"
        for entry in entries:
            yield from _entry(entry, model, shown)
            if entry.name in examples:
                yield from _example(entry, examples[entry.name])


def _entry(entry: Entry, model: Model, shown: set[str]) -> Iterator[str]:
    yield f"### `{entry.name}`"
    yield entry.summary
    yield table(
        ("kind", "direction", "params", "result", "errors"),
        [
            (
                entry.kind,
                entry.direction,
                _link(entry.params.__name__),
                _link(entry.result.__name__)
                if _has_fields(entry.result)
                else result_name(entry, null="null", unknown=""),
                ", ".join(f"`{code}`" for code in entry.errors),
            )
        ],
    )
    for root in (entry.params, entry.result):
        if not _has_fields(root):
            if root is None:
                yield _NO_RESULT
            continue
        for message in _with_nested(model, root.__name__):
            if message.name not in shown:
                shown.add(message.name)
                yield f"#### {message.name}"
                yield message.doc
                yield from filter(None, [_fields(message)])


def _has_fields(root: type | None) -> TypeGuard[type]:
    return root is not None and root is not NoneType


def _example(entry: Entry, example: Example) -> Iterator[str]:
    yield f"Example of `{entry.name}`: the request, and the `result` of its answer."
    for value in (example["request"], example["result"]):
        yield f"```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```"


def _with_nested(model: Model, name: str) -> Iterator[Message]:
    message = model.messages[name]
    yield message
    for field in message.fields:
        match field.shape:
            case Reference(nested) | Array(Reference(nested)):
                yield from _with_nested(model, nested)


def _fields(message: Message) -> str:
    if not message.fields:
        return ""
    if message.is_request:
        return table(
            ("field", "type", "default", "meaning"),
            ((f"`{field.name}`", shape_text(field.shape), _default(field), field.doc) for field in message.fields),
        )
    return table(
        ("field", "type", "meaning"),
        ((f"`{field.name}`", _answer_type(field), field.doc) for field in message.fields),
    )


def _default(field: Field) -> str:
    if field.required:
        return "required"
    return "" if field.default is None else f"`{json.dumps(field.default)}`"


def _answer_type(field: Field) -> str:
    suffix = " or null" if field.nullable else ""
    return shape_text(field.shape) + (suffix if field.required else ", may be left out")


def shape_text(shape: Shape) -> str:
    match shape:
        case Plain():
            return shape.value
        case Integer(bounds):
            return "integer" + _between(bounds)
        case Choice(values, name):
            return f"[{name}](#errors)" if name else ", ".join(f"`{json.dumps(value)}`" for value in values)
        case Reference(message):
            return _link(message)
        case Array(items, bounds):
            return f"array of {shape_text(items)}{_between(bounds)}"
        case _:
            assert_never(shape)


def _between(bounds: Between | None) -> str:
    if bounds is None:
        return ""
    return f", ≥ {bounds.low}" if bounds.high == LARGEST_INTEGER else f", {bounds.low} … {bounds.high}"


def _link(message: str) -> str:
    return f"[{message}](#{message.lower()})"


def table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
