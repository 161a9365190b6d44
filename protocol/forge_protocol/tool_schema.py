"""JSON Schema of a tool's arguments, made from their class for a model."""

from functools import partial
from typing import Any

import attrs

from . import LARGEST_INTEGER
from .shapes import schema_of, shape_of, without_none


def describe(description: str | None = None, **schema: Any) -> dict[str, Any]:
    """Metadata of a field: how it is described to a model. A `type` in `schema` replaces the field's own."""
    return {"model": schema if description is None else {**schema, "description": description}}


HIDDEN_IN_LIST_ITEMS = {"hidden_in_list_items": True}
"""Metadata of a field that is accepted in a list of these arguments too, but not described there, to save tokens.

Such a list is open to it: a client that checks arguments by the schema lets it pass."""
HIDDEN = {"hidden": True}
"""Metadata of a field that is for clients, and never described to a model."""


def parameters_of(arguments: type, *, closed: bool = True, brief: bool = False) -> dict[str, Any]:
    """The `parameters` of a tool. Closed: to other keys. Brief: without descriptions."""
    fields = [
        field
        for field in attrs.fields(arguments)
        if "hidden" not in field.metadata and not (brief and "hidden_in_list_items" in field.metadata)
    ]
    schema = {
        "type": "object",
        "properties": {field.name: _property(field, brief=brief) for field in fields},
        "required": [field.name for field in fields if field.default is attrs.NOTHING],
    }
    return schema | {"additionalProperties": False} if closed else schema


def _property(field: "attrs.Attribute[Any]", *, brief: bool) -> dict[str, Any]:
    described = field.metadata.get("model", {})
    if "type" in described:
        return dict(described)
    shape = shape_of(without_none(field.type)[0])
    schema = schema_of(shape, partial(parameters_of, closed=False, brief=True))
    limited = {key: value for key, value in schema.items() if value not in (LARGEST_INTEGER, -LARGEST_INTEGER)}
    return limited if brief else limited | described
