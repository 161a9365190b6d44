"""`protocol/forge.schema.json`: every message as JSON Schema 2020-12."""

import json
from types import NoneType
from typing import Any

from forge_protocol.registry import Entry
from forge_protocol.shapes import ERROR_CODE, schema_of

from .model import Field, Message, Model

METHODS = "x-forge-methods"

_COMMENT = (
    f"{{notice}} Each message is a definition under $defs. {METHODS} maps every method and command to its "
    "kind, who sends it, its params and result (null: the answer depends on the tool) and the error codes it may "
    "be answered with; the data of an error is $defs/ErrorData."
)


def emit_json_schema(model: Model, notice: str) -> str:
    schema = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "$id": f"urn:forge-read:protocol:{model.version}",
        "$comment": _COMMENT.format(notice=notice),
        "title": "forge-read protocol",
        METHODS: {entry.name: _entry(entry) for entry in model.entries},
        "$defs": {ERROR_CODE.name: {"enum": list(ERROR_CODE.values)}}
        | {message.name: _message(message) for message in model.messages.values()},
    }
    return json.dumps(schema, indent=2, ensure_ascii=False) + "\n"


def _entry(entry: Entry) -> dict[str, Any]:
    return {
        "kind": entry.kind.value,
        "direction": entry.direction.value,
        "params": reference(entry.params),
        "result": _result(entry),
        "errors": list(entry.errors),
    }


def _result(entry: Entry) -> dict[str, Any] | None:
    if entry.result is None:
        return None
    return {"type": "null"} if entry.result is NoneType else reference(entry.result)


def _message(message: Message) -> dict[str, Any]:
    schema = {
        "description": message.doc,
        "type": "object",
        "properties": {field.name: _field(field) for field in message.fields},
        "required": [field.name for field in message.fields if field.required],
    }
    # A client ignores fields of an answer that it does not know, so that a later version can add some.
    return schema | {"additionalProperties": False} if message.is_request else schema


def _field(field: Field) -> dict[str, Any]:
    schema = schema_of(field.shape, reference)
    if field.nullable:
        schema = _or_null(schema)
    schema["description"] = field.doc
    if field.default is not None:
        schema["default"] = field.default
    return schema


def _or_null(schema: dict[str, Any]) -> dict[str, Any]:
    if isinstance(schema.get("type"), str):
        return schema | {"type": [schema["type"], "null"]}
    return {"anyOf": [schema, {"type": "null"}]}


def reference(message: type) -> dict[str, Any]:
    return {"$ref": f"#/$defs/{message.__name__}"}
