"""`editors/vscode/src/protocol.ts`: interfaces, names, and which name goes with which interface."""

import json
from collections.abc import Iterator

from forge_protocol.errors import ErrorCode
from forge_protocol.registry import Entry
from forge_protocol.settings import declared_settings
from forge_protocol.shapes import ERROR_CODE, Plain

from .model import Field, Message, Model, paragraphs
from .names import Language, camel_case, grouped, result_name, type_name

_TYPESCRIPT = Language(
    {
        Plain.STRING: "string",
        Plain.BOOLEAN: "boolean",
        Plain.OBJECT: "Record<string, unknown>",
        Plain.STRING_OR_INTEGER: "string | number",
    },
    integer="number",
    array="Array<{}>",
    separator=" | ",
)


def emit_typescript(model: Model, notice: str) -> str:
    blocks = [
        f"// {notice}",
        _version(model.version),
        _error_code(),
        *map(_interface, model.messages.values()),
        _settings(),
        *(block for name, entries in grouped(model.entries).items() for block in _group(name, entries)),
    ]
    return "\n\n".join(blocks) + "\n"


def _version(version: str) -> str:
    (comment,) = _comment("The version this file describes. A server with the same first number understands it.")
    return f"{comment}\nexport const PROTOCOL_VERSION = {json.dumps(version)};"


def _error_code() -> str:
    alternatives = "".join(f"\n  | {json.dumps(value)}" for value in ERROR_CODE.values)
    return "\n".join(_comment(paragraphs(ErrorCode.__doc__))) + f"\nexport type {ERROR_CODE.name} ={alternatives};"


def _interface(message: Message) -> str:
    comment = "\n".join(_comment(message.doc))
    if not message.fields:
        return f"{comment}\nexport type {message.name} = Record<string, never>;"
    fields = "\n".join(line for field in message.fields for line in _field(field))
    return f"{comment}\nexport interface {message.name} {{\n{fields}\n}}"


def _field(field: Field) -> Iterator[str]:
    doc = field.doc
    if field.default is not None:
        doc += f" Default: `{json.dumps(field.default)}`."
    yield from _comment(doc, "  ")
    mark = "" if field.required else "?"
    null = " | null" if field.nullable else ""
    yield f"  {field.name}{mark}: {type_name(field.shape, _TYPESCRIPT)}{null};"


def _group(name: str, entries: list[Entry]) -> Iterator[str]:
    names = "\n".join(
        line
        for entry in entries
        for line in (*_comment(entry.summary, "  "), f"  {camel_case(entry)}: {json.dumps(entry.name)},")
    )
    yield f"export const {name} = {{\n{names}\n}} as const;"
    pairs = "\n".join(
        f"  {json.dumps(entry.name)}: {{ params: {entry.params.__name__}; result: {_result(entry)} }};"
        for entry in entries
    )
    yield f"/** What goes with each of `{name}`. */\nexport interface {name}Map {{\n{pairs}\n}}"


def _settings() -> str:
    keys = "\n".join(f"  {json.dumps('.'.join(setting.key))}," for setting in declared_settings())
    return f"/** Every setting, by its tables and name. */\nexport const SETTINGS = [\n{keys}\n] as const;"


def _result(entry: Entry) -> str:
    return result_name(entry, null="null", unknown="unknown")


def _comment(text: str, indent: str = "") -> Iterator[str]:
    first, *rest = text.replace("*/", "*\\/").split("\n")  # a glob would end the comment
    if not rest:
        yield f"{indent}/** {first} */"
        return
    yield f"{indent}/**"
    for line in (first, *rest):
        yield f"{indent} * {line}".rstrip()
    yield f"{indent} */"
