"""JSON Schema of a tool's arguments, made from their class for a model."""

from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import attrs

from . import LARGEST_INTEGER
from .fields import Between

_TYPES = {str: "string", int: "integer", bool: "boolean"}


def describe(description: str | None = None, **schema: Any) -> dict[str, Any]:
    """Metadata of a field: how it is described to a model. `schema` overrides what its type says."""
    return {"model": schema if description is None else {**schema, "description": description}}


HIDDEN_IN_LIST_ITEMS = {"hidden_in_list_items": True}
"""Metadata of a field that is accepted in a list of these arguments too, but not described there, to save tokens."""
HIDDEN = {"hidden": True}
"""Metadata of a field that is for clients, and never described to a model."""


def parameters_of(arguments: type, *, strict: bool = False, brief: bool = False) -> dict[str, Any]:
    """The `parameters` of a tool.

    Strict: with the bounds of numbers, and closed to other keys. Brief: without descriptions.
    """
    fields = [
        field
        for field in attrs.fields(arguments)
        if "hidden" not in field.metadata and not (brief and "hidden_in_list_items" in field.metadata)
    ]
    schema = {
        "type": "object",
        "properties": {field.name: _property(field, strict=strict, brief=brief) for field in fields},
        "required": [field.name for field in fields if field.default is attrs.NOTHING],
    }
    return schema | {"additionalProperties": False} if strict else schema


def _property(field: "attrs.Attribute[Any]", *, strict: bool, brief: bool) -> dict[str, Any]:
    description = field.metadata.get("model", {})
    return {**_of_type(field.type, strict=strict), **({} if brief else description)}


def _of_type(hint: Any, *, strict: bool) -> dict[str, Any]:
    if NoneType in get_args(hint):
        hint = next(arg for arg in get_args(hint) if arg is not NoneType)
    bounds = None
    if get_origin(hint) is Annotated:
        hint, bounds = get_args(hint)[:2]
    if get_origin(hint) is list:
        items = parameters_of(get_args(hint)[0], strict=strict, brief=True)
        return {"type": "array", "items": items, **(_within(bounds, "Items") if strict and bounds else {})}
    if get_origin(hint) is Literal:
        return {"enum": list(get_args(hint))}
    return {"type": _TYPES[hint], **(_within(bounds, "imum") if strict and bounds else {})}


def _within(bounds: Between, of: str) -> dict[str, int]:
    low = {f"min{of}": bounds.low} if bounds.low > -LARGEST_INTEGER else {}
    return low | ({f"max{of}": bounds.high} if bounds.high < LARGEST_INTEGER else {})
