"""The part of JSON Schema that `forge.schema.json` uses, checked without a dependency."""

from collections.abc import Iterator
from typing import Any

_TYPES: dict[str, tuple[type, ...]] = {
    "null": (type(None),),
    "boolean": (bool,),
    "integer": (int,),
    "string": (str,),
    "array": (list,),
    "object": (dict,),
}
_KNOWN = {
    *(
        "$ref",
        "additionalProperties",
        "anyOf",
        "default",
        "description",
        "enum",
        "items",
        "maxItems",
        "maximum",
    ),
    *("minItems", "minimum", "properties", "required", "type"),
}


def violations(document: dict[str, Any], definition: str, value: Any) -> list[str]:
    """What is wrong with the value, each with its place."""
    return list(_violations(document, document["$defs"][definition], value, definition))


def _violations(document: dict[str, Any], schema: dict[str, Any], value: Any, place: str) -> Iterator[str]:
    assert schema.keys() <= _KNOWN, f"{place}: this check does not know {schema.keys() - _KNOWN}"
    if "$ref" in schema:
        target = document["$defs"][schema["$ref"].removeprefix("#/$defs/")]
        yield from _violations(document, target, value, place)
    if "anyOf" in schema and all(list(_violations(document, each, value, place)) for each in schema["anyOf"]):
        yield f"{place}: none of the alternatives"
    if "enum" in schema and not (type(value) is str and value in schema["enum"]):
        yield f"{place}: not one of {schema['enum']}"
    if "type" in schema:
        names = [schema["type"]] if isinstance(schema["type"], str) else schema["type"]
        if type(value) not in {kind for name in names for kind in _TYPES[name]}:
            yield f"{place}: not {names}"
            return
    if isinstance(value, int):
        yield from _out_of_range(schema, value, "minimum", "maximum", place)
    if isinstance(value, list):
        yield from _out_of_range(schema, len(value), "minItems", "maxItems", place)
        for index, item in enumerate(value):
            yield from _violations(document, schema.get("items", {}), item, f"{place}[{index}]")
    if isinstance(value, dict):
        yield from _object_violations(document, schema, value, place)


def _object_violations(
    document: dict[str, Any], schema: dict[str, Any], value: dict[str, Any], place: str
) -> Iterator[str]:
    properties = schema.get("properties", {})
    for name in schema.get("required", []):
        if name not in value:
            yield f"{place}.{name}: missing"
    for name, item in value.items():
        if name in properties:
            yield from _violations(document, properties[name], item, f"{place}.{name}")
        elif not schema.get("additionalProperties", True):
            yield f"{place}.{name}: unknown"


def _out_of_range(schema: dict[str, Any], size: int, low: str, high: str, place: str) -> Iterator[str]:
    if size < schema.get(low, size) or size > schema.get(high, size):
        yield f"{place}: {size} is out of range"
