"""The type of a field, language-neutral, and its JSON Schema."""

from collections.abc import Callable
from enum import StrEnum
from functools import reduce
from operator import or_
from types import NoneType
from typing import Annotated, Any, Literal, assert_never, get_args, get_origin

import attrs

from .errors import ErrorCode
from .fields import Between, Items, ProgressToken


class Plain(StrEnum):
    STRING = "string"
    BOOLEAN = "boolean"
    OBJECT = "object"
    STRING_OR_INTEGER = "string or integer"


@attrs.frozen
class Integer:
    bounds: Between | None = None
    """None for what the daemon says of itself: it needs no range."""


@attrs.frozen
class Choice:
    """One of a few strings."""

    values: tuple[str, ...]
    name: str | None = None
    """The name of the choice, if the protocol gives it one."""


@attrs.frozen
class Reference:
    message: type


@attrs.frozen
class Array:
    items: "Shape"
    bounds: Between | None = None


Shape = Plain | Integer | Choice | Reference | Array

ERROR_CODE = Choice(tuple(ErrorCode), ErrorCode.__name__)

SIMPLE: dict[Any, Shape] = {
    str: Plain.STRING,
    bool: Plain.BOOLEAN,
    int: Integer(),
    dict[str, Any]: Plain.OBJECT,
    ProgressToken: Plain.STRING_OR_INTEGER,
    ErrorCode: ERROR_CODE,
}


def without_none(hint: Any) -> tuple[Any, bool]:
    """A type without its `None`, and whether it had one."""
    alternatives = get_args(hint) if get_origin(hint) is not Annotated else ()
    if NoneType not in alternatives:
        return hint, False
    return reduce(or_, (each for each in alternatives if each is not NoneType)), True


def shape_of(hint: Any) -> Shape:
    if hint in SIMPLE:
        return SIMPLE[hint]
    if attrs.has(hint):
        return Reference(hint)
    origin, arguments = get_origin(hint), get_args(hint)
    if origin is Literal:
        return Choice(arguments)
    if origin is list:
        return Array(shape_of(arguments[0]))
    if origin is Annotated:
        return _annotated(*arguments)
    raise TypeError(f"unsupported field type: {hint}")


def _annotated(base: Any, bounds: Between, items: Items | None = None) -> Shape:
    if get_origin(base) is list:
        item_type = items.message_type if items else get_args(base)[0]
        return Array(shape_of(item_type), bounds)
    return Integer(bounds)


def messages_in(hint: Any) -> list[type]:
    """The message classes that a type mentions."""
    if isinstance(hint, Items):
        return [hint.message_type]
    if isinstance(hint, type) and attrs.has(hint):
        return [hint]
    return [found for part in get_args(hint) for found in messages_in(part)]


def schema_of(shape: Shape, schema_of_message: Callable[[type], dict[str, Any]]) -> dict[str, Any]:
    """JSON Schema of a field. That of a message, or of the choice with a name, is up to the caller."""
    match shape:
        case Plain.STRING_OR_INTEGER:
            return {"anyOf": [{"type": "string"}, {"type": "integer"}]}
        case Plain():
            return {"type": shape.value}
        case Integer(bounds):
            return {"type": "integer"} | _between(bounds, "minimum", "maximum")
        case Choice(values, name):
            return schema_of_message(ErrorCode) if name else {"enum": list(values)}
        case Reference(message):
            return schema_of_message(message)
        case Array(items, bounds):
            return {"type": "array", "items": schema_of(items, schema_of_message)} | _between(
                bounds, "minItems", "maxItems"
            )
        case _:
            assert_never(shape)


def _between(bounds: Between | None, low: str, high: str) -> dict[str, int]:
    return {low: bounds.low, high: bounds.high} if bounds else {}
