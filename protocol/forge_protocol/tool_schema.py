"""JSON Schema of a tool's arguments, made from their class for a model."""

from types import NoneType
from typing import Annotated, Any, get_args, get_origin

import attrs

from . import LARGEST_INTEGER
from .fields import Between

_TYPES = {str: "string", int: "integer", bool: "boolean"}


def tell(description: str | None = None, **schema: Any) -> dict[str, Any]:
    """Metadata of a field: how it is described to a model. `schema` overrides what its type says."""
    return {"model": schema if description is None else {**schema, "description": description}}


UNTOLD_IN_LISTS = {"untold_in_lists": True}
"""Metadata of a field that is accepted in a list of these arguments too, but not described there, to save tokens."""


def parameters_of(arguments: type, *, strict: bool = False, brief: bool = False) -> dict[str, Any]:
    """The `parameters` of a tool.

    Strict: with the bounds of numbers, and closed to other keys. Brief: without descriptions.
    """
    fields = [field for field in attrs.fields(arguments) if not (brief and "untold_in_lists" in field.metadata)]
    schema = {
        "type": "object",
        "properties": {field.name: _property(field, strict=strict, brief=brief) for field in fields},
        "required": [field.name for field in fields if field.default is attrs.NOTHING],
    }
    return schema | {"additionalProperties": False} if strict else schema


def _property(field: "attrs.Attribute[Any]", *, strict: bool, brief: bool) -> dict[str, Any]:
    told = field.metadata.get("model", {})
    return {**_of_type(field.type, strict=strict), **({} if brief else told)}


def _of_type(hint: Any, *, strict: bool) -> dict[str, Any]:
    if NoneType in get_args(hint):
        hint = next(arg for arg in get_args(hint) if arg is not NoneType)
    bounds = None
    if get_origin(hint) is Annotated:
        hint, bounds = get_args(hint)[:2]
    if get_origin(hint) is list:
        return {"type": "array", "items": parameters_of(get_args(hint)[0], strict=strict, brief=True)}
    return {"type": _TYPES[hint], **(_within(bounds) if strict and bounds else {})}


def _within(bounds: Between) -> dict[str, int]:
    return {"minimum": bounds.low} | ({"maximum": bounds.high} if bounds.high < LARGEST_INTEGER else {})
