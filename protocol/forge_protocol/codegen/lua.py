"""`editors/neovim/lua/forge/protocol.lua`: LuaCATS classes, and the names as a table."""

import json
from collections.abc import Iterator

from forge_protocol.errors import ErrorCode
from forge_protocol.registry import Entry
from forge_protocol.shapes import ERROR_CODE, Plain

from .model import Field, Message, Model, paragraphs
from .names import Language, camel_case, grouped, result_name, snake_case, type_name

_LUA = Language(
    {
        Plain.STRING: "string",
        Plain.BOOLEAN: "boolean",
        Plain.OBJECT: "table<string, any>",
        Plain.STRING_OR_INTEGER: "string|integer",
    },
    integer="integer",
    array="{}[]",
    separator="|",
    prefix="forge.",
)


def emit_lua(model: Model, notice: str) -> str:
    groups = grouped(model.entries)
    blocks = [
        f"-- {notice}",
        _error_code(),
        *("\n".join(_class(message)) for message in model.messages.values()),
        *("\n".join(_names_class(name, entries)) for name, entries in groups.items()),
        "\n".join(_table(model.version, groups)),
    ]
    return "\n\n".join(blocks) + "\n"


def _error_code() -> str:
    alternatives = "".join(f"\n---| {json.dumps(value)}" for value in ERROR_CODE.values)
    return f"{_comment(paragraphs(ErrorCode.__doc__))}\n---@alias forge.{ERROR_CODE.name}{alternatives}"


def _class(message: Message) -> Iterator[str]:
    yield _comment(message.doc)
    yield f"---@class forge.{message.name}"
    yield from map(_field, message.fields)


def _field(field: Field) -> str:
    # Neovim hands a null in an object over as nil, so that absent and null are one thing in Lua.
    mark = "?" if field.nullable or not field.required else ""
    default = "" if field.default is None else f" Default: `{json.dumps(field.default)}`."
    return f"---@field {field.name}{mark} {type_name(field.shape, _LUA)} {field.doc}{default}"


def _names_class(name: str, entries: list[Entry]) -> Iterator[str]:
    yield f"---@class forge.{name}"
    for entry in entries:
        result = result_name(entry, null="nil", unknown="any", prefix="forge.")
        yield (
            f"---@field {snake_case(camel_case(entry))} {json.dumps(entry.name)} {entry.summary} "
            f"Takes `forge.{entry.params.__name__}`, answers `{result}`."
        )


def _table(version: str, groups: dict[str, list[Entry]]) -> Iterator[str]:
    yield "return {"
    yield f"  protocol_version = {json.dumps(version)},"
    for name, entries in groups.items():
        yield f"  ---@type forge.{name}"
        yield f"  {snake_case(name)} = {{"
        yield from (f"    {snake_case(camel_case(entry))} = {json.dumps(entry.name)}," for entry in entries)
        yield "  },"
    yield "}"


def _comment(text: str) -> str:
    return "\n".join(f"---{line}" for line in text.split("\n"))
