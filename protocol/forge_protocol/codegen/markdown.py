"""`protocol/PROTOCOL.md`: the reference for people who write clients."""

import json
import re
from collections.abc import Iterable, Iterator
from pathlib import Path
from types import NoneType
from typing import assert_never

from forge_protocol import LARGEST_INTEGER
from forge_protocol.errors import ErrorCode
from forge_protocol.fields import Between
from forge_protocol.registry import Entry
from forge_protocol.shapes import Array, Choice, Integer, Plain, Reference, Shape

from .examples import Example
from .model import Field, Message, Model
from .names import grouped, snake_case

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
        "entries": "\n\n".join(_entries(model, examples)),
        **{snake_case(name): _fields(message) for name, message in model.messages.items()},
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
    result = entry.result if entry.result is not NoneType else None
    yield f"### `{entry.name}`"
    yield entry.summary
    yield table(
        ("kind", "direction", "params", "result", "errors"),
        [
            (
                entry.kind,
                entry.direction,
                _link(entry.params),
                _link(result) if result else "null" * (entry.result is NoneType),
                ", ".join(f"`{code}`" for code in entry.errors),
            )
        ],
    )
    for message in [*_with_nested(model, entry.params), *(_with_nested(model, result) if result else ())]:
        if message.name not in shown:
            shown.add(message.name)
            yield f"#### {message.name}"
            yield message.doc
            yield from filter(None, [_fields(message)])
    if entry.result is None:
        yield _NO_RESULT


def _example(entry: Entry, example: Example) -> Iterator[str]:
    yield f"Example of `{entry.name}`: the request, and the `result` of its answer."
    for value in (example["request"], example["result"]):
        yield f"```json\n{json.dumps(value, indent=2, ensure_ascii=False)}\n```"


def _with_nested(model: Model, message_type: type) -> Iterator[Message]:
    message = model.messages[message_type.__name__]
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


def _link(message: type) -> str:
    return f"[{message.__name__}](#{message.__name__.lower()})"


def table(header: tuple[str, ...], rows: Iterable[tuple[str, ...]]) -> str:
    lines = [header, ("---",) * len(header), *rows]
    return "\n".join("| " + " | ".join(cell.replace("|", "\\|") for cell in line) + " |" for line in lines)
