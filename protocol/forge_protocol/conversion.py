"""Strict conversion of plain JSON values to messages and back.

Nothing is coerced: `"7"` and `true` are not integers. JSON has only one kind of number, so `7.0` is one. Unknown keys
are refused. All faults of a request are reported at once, each with its field's path.
"""

import json
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args, get_origin

import attrs
from cattrs import (
    BaseValidationError,
    ClassValidationError,
    Converter,
    ForbiddenExtraKeysError,
    IterableValidationError,
    IterableValidationNote,
)
from cattrs.cols import list_structure_factory
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from .describe import LevelCounts
from .error_data import ErrorData
from .errors import ErrorCode, invalid_argument
from .read_files import ReadFilesItem
from .shapes import SIMPLE, Choice, Plain, shape_of, without_none

T = TypeVar("T")
_MAX_FLOAT = float(2**63)
Hook = Callable[[Any, Any], Any]

WIRE_NAMES = {"work_done_token": "workDoneToken"}
"""LSP's own key keeps LSP's own spelling; everything else is snake_case on every surface."""

LEAVES_OUT_ABSENT = (ErrorData, LevelCounts, ReadFilesItem)
"""Messages whose optional fields are left out when absent. All others carry every field."""

_JSON_TYPES: dict[type, str] = {
    str: "a string",
    int: "an integer",
    bool: "true or false",
    dict: "an object",
    list: "an array",
}
_SIMPLE: dict[Plain, tuple[type, ...]] = {
    Plain.STRING: (str,),
    Plain.BOOLEAN: (bool,),
    Plain.OBJECT: (dict,),
    Plain.STRING_OR_INTEGER: (str, int),
}


class Fault(NamedTuple):
    """What is wrong with one field."""

    location: tuple[str | int, ...]
    """The keys and indexes that lead to it; empty for the value as a whole."""
    message: str
    """What was expected."""
    found: str | None = None
    """What was found instead, bounded in length."""

    @property
    def path(self) -> str:
        """Such as `files[2].start_line`."""
        return "".join(f"[{part}]" if isinstance(part, int) else f".{part}" for part in self.location).removeprefix(".")

    def __str__(self) -> str:
        text = self.message if self.found is None else f"{self.message}, got {self.found}"
        return f"{self.path}: {text}" if self.path else text


class Faulty(Exception):
    """A value that is not of the type. Holds every fault."""

    def __init__(self, faults: tuple[Fault, ...]) -> None:
        super().__init__("; ".join(map(str, faults)))
        self.faults = faults


def parse(value: object, message_type: type[T]) -> T:
    """Convert a decoded JSON value to a message, or raise `Faulty`."""
    try:
        return _converter.structure(value, message_type)
    except (BaseValidationError, Faulty) as error:
        raise Faulty(tuple(_faults(error))) from None


def structure(value: object, message_type: type[T]) -> T:
    """Convert a decoded JSON value to a message, or raise `INVALID_ARGUMENT` naming every fault."""
    try:
        return parse(value, message_type)
    except Faulty as error:
        # An echoed value or key may hold a lone surrogate, which cannot be encoded in UTF-8.
        raise invalid_argument(str(error).encode("utf-8", "backslashreplace").decode("utf-8")) from None


def unstructure(message: object) -> Any:
    """The JSON value of a message."""
    return _converter.unstructure(message)


def _faults(error: Exception, location: tuple[str | int, ...] = ()) -> Iterator[Fault]:
    if isinstance(error, (ClassValidationError, IterableValidationError)):
        of_parts, of_the_whole = error.group_exceptions()
        for nested, note in of_parts:
            part = note.index if isinstance(note, IterableValidationNote) else WIRE_NAMES.get(note.name, note.name)
            yield from _faults(nested, (*location, part))
        for nested in of_the_whole:
            yield from _faults(nested, location)
    elif isinstance(error, ForbiddenExtraKeysError):
        for key in sorted(error.extra_fields):
            yield Fault((*location, key), "unknown key")
    elif isinstance(error, KeyError):
        yield Fault(location, "missing")
    elif isinstance(error, Faulty):
        yield from (fault._replace(location=(*location, *fault.location)) for fault in error.faults)
    else:
        yield Fault(location, str(error))


def _require(condition: bool, message: str, value: object) -> None:
    """Raise `Faulty`, for a field whose path is not known yet."""
    if not condition:
        if isinstance(value, (dict, list)):
            found = _JSON_TYPES[type(value)]
        else:
            found = json.dumps(value, ensure_ascii=False, default=str)
        raise Faulty((Fault((), message, found if len(found) <= 40 else found[:39] + "…"),))


def _is_of(*types: type) -> Hook:
    expected = f"expected {' or '.join(_JSON_TYPES[each] for each in types)}"

    def check(value: object, _: Any) -> Any:
        _require(type(value) in types, expected, value)
        return value

    return check


_is_integer = _is_of(int)


def _scalar(hint: Any) -> Hook:
    shape = shape_of(hint)
    if isinstance(shape, Choice):
        message = f"expected one of {', '.join(map(json.dumps, shape.values))}"

        def choose(value: Any, _: Any) -> Any:
            _require(type(value) is str and value in shape.values, message, value)
            return ErrorCode(value) if hint is ErrorCode else value

        return choose
    if isinstance(shape, Plain):
        return _is_of(*_SIMPLE[shape])
    return _whole_number


def _whole_number(value: object, hint: Any) -> int:
    if type(value) is float and value.is_integer() and abs(value) < _MAX_FLOAT:
        return int(value)
    number: int = _is_integer(value, hint)
    return number


def _optional(hint: Any) -> Hook:
    inner, _ = without_none(hint)
    check = _converter.get_structure_hook(inner)
    return lambda value, _: None if value is None else check(value, inner)


def _bounded(hint: Any) -> Hook:
    base, bounds = get_args(hint)[:2]
    check = _converter.get_structure_hook(base)
    must_be = "must be" if base is int else "the number of items must be"
    too_low, too_high = f"{must_be} at least {bounds.low}", f"{must_be} at most {bounds.high}"

    def check_bounds(value: Any, _: Any) -> Any:
        checked = check(value, base)
        size = checked if base is int else len(checked)
        _require(size >= bounds.low, too_low, size)
        _require(size <= bounds.high, too_high, size)
        return checked

    return check_bounds


def _array(hint: Any) -> Hook:
    check_array, check_items = _is_of(list), list_structure_factory(hint, _converter)
    return lambda value, _: check_items(check_array(value, list), hint)


def _renames(message_type: type) -> dict[str, Any]:
    return {name: override(rename=wire) for name, wire in WIRE_NAMES.items() if name in attrs.fields_dict(message_type)}


def _message(message_type: type) -> Hook:
    check_fields: Callable[..., Any] = make_dict_structure_fn(
        message_type, _converter, _cattrs_forbid_extra_keys=True, **_renames(message_type)
    )
    check_object = _is_of(dict)
    optional = {
        WIRE_NAMES.get(field.name, field.name)
        for field in attrs.fields(message_type)
        if field.default is not attrs.NOTHING
    }

    def check(value: object, _: Any) -> Any:
        fields = check_object(value, dict)
        if None in fields.values():
            fields = {key: item for key, item in fields.items() if item is not None or key not in optional}
        return check_fields(fields, message_type)

    return check


def _unmessage(message_type: type) -> Callable[[Any], Any]:
    return make_dict_unstructure_fn(
        message_type,
        _converter,
        _cattrs_omit_if_default=issubclass(message_type, LEAVES_OUT_ABSENT),
        **_renames(message_type),
    )


def _is(origin: Any) -> Callable[[Any], bool]:
    return lambda hint: get_origin(hint) is origin


def _is_optional(hint: Any) -> bool:
    return without_none(hint)[1]


def _is_scalar(hint: Any) -> bool:
    return hint in SIMPLE or get_origin(hint) is Literal


def _build() -> Converter:
    converter = Converter()
    for hint in (str, bool, int, ErrorCode):  # cattrs has hooks of its own for these, which coerce
        converter.register_structure_hook(hint, _scalar(hint))
    converter.register_structure_hook_factory(_is_scalar, _scalar)
    converter.register_structure_hook_factory(_is(list), _array)
    converter.register_structure_hook_factory(_is_optional, _optional)
    converter.register_structure_hook_factory(_is(Annotated), _bounded)
    converter.register_structure_hook_factory(attrs.has, _message)
    converter.register_unstructure_hook_factory(attrs.has, _unmessage)
    return converter


_converter = _build()
