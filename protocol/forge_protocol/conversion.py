"""Strict conversion of plain JSON values to messages and back.

Nothing is coerced: `"7"` and `true` are not integers. JSON has only one kind of number, so `7.0` is one. Unknown keys
are refused. All faults of a request are reported at once, each with its field's path.
"""

import json
from collections.abc import Callable, Iterator
from functools import reduce
from operator import or_
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
from cattrs.fns import identity
from cattrs.gen import make_dict_structure_fn, make_dict_unstructure_fn, override

from .describe import LevelCounts
from .error_data import ErrorData
from .errors import ErrorCode, invalid_argument
from .fields import Between
from .read_files import ReadFilesItem

T = TypeVar("T")
_PLAIN = (str, int, bool, type(None))
_MAX_FLOAT = float(2**63)
Hook = Callable[[object, Any], Any]

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
    except (BaseValidationError, _WrongValue) as error:
        raise Faulty(tuple(_faults(error))) from None


def structure(value: object, message_type: type[T]) -> T:
    """Convert a decoded JSON value to a message, or raise `INVALID_ARGUMENT` naming every fault."""
    try:
        return parse(value, message_type)
    except Faulty as error:
        raise invalid_argument(_sendable(str(error))) from None


def _sendable(text: str) -> str:
    """An echoed value or key may hold a lone surrogate, which cannot be encoded in UTF-8."""
    return text.encode("utf-8", "backslashreplace").decode("utf-8")


def unstructure(message: object) -> Any:
    """The JSON value of a message."""
    return _converter.unstructure(message)


class _WrongValue(Exception):
    """A fault of one field, whose path is not known yet."""

    def __init__(self, message: str, found: str) -> None:
        super().__init__(message)
        self.message = message
        self.found = found


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
    elif isinstance(error, _WrongValue):
        yield Fault(location, error.message, error.found)
    else:
        yield Fault(location, str(error))


def _found(value: object) -> str:
    if isinstance(value, (dict, list)):
        return _JSON_TYPES[type(value)]
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 40 else text[:39] + "…"


def _exactly(expected: type) -> Hook:
    def check(value: object, _: Any) -> Any:
        if type(value) is not expected:
            raise _WrongValue(f"expected {_JSON_TYPES[expected]}", _found(value))
        return value

    return check


def _integer(value: object, _: Any) -> int:
    if type(value) is float and value.is_integer() and abs(value) < _MAX_FLOAT:
        return int(value)
    if type(value) is not int:
        raise _WrongValue(f"expected {_JSON_TYPES[int]}", _found(value))
    return value


def _string_or_integer(value: object, _: Any) -> Any:
    if type(value) not in (str, int):
        raise _WrongValue("expected a string or an integer", _found(value))
    return value


def _one_of(value: object, literal: Any) -> Any:
    return _chosen(value, get_args(literal))


def _error_code(value: object, _: Any) -> ErrorCode:
    return ErrorCode(_chosen(value, tuple(ErrorCode)))


def _chosen(value: object, choices: tuple[str, ...]) -> Any:
    if type(value) is not str or value not in choices:
        raise _WrongValue(f"expected one of {', '.join(map(json.dumps, choices))}", _found(value))
    return value


def _optional(hint: Any) -> Hook:
    inner = reduce(or_, (arg for arg in get_args(hint) if arg is not type(None)))
    check = _converter.get_structure_hook(inner)
    return lambda value, _: None if value is None else check(value, inner)


def _bounded(hint: Any) -> Hook:
    base, bounds = get_args(hint)[:2]
    check = _converter.get_structure_hook(base)

    def check_bounds(value: Any, _: Any) -> Any:
        if base is int and type(value) is int and bounds.low <= value <= bounds.high:
            return value
        checked = check(value, base)
        size, what = (len(checked), "the number of items ") if isinstance(checked, list) else (checked, "")
        if size < bounds.low:
            raise _WrongValue(f"{what}must be at least {bounds.low}", str(size))
        if size > bounds.high:
            raise _WrongValue(f"{what}must be at most {bounds.high}", str(size))
        return checked

    return check_bounds


def _array(hint: Any) -> Hook:
    check_array, check_items = _exactly(list), list_structure_factory(hint, _converter)
    return lambda value, _: check_items(check_array(value, list), hint)


def _renames(message_type: type) -> dict[str, Any]:
    return {name: override(rename=wire) for name, wire in WIRE_NAMES.items() if name in attrs.fields_dict(message_type)}


def _message(message_type: type) -> Hook:
    check_fields: Callable[..., Any] = make_dict_structure_fn(
        message_type, _converter, _cattrs_forbid_extra_keys=True, **_renames(message_type)
    )
    check_object = _exactly(dict)
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


def _is_union(hint: Any) -> bool:
    return get_origin(hint) is not Annotated and type(None) in get_args(hint)


def _is_plain_optional(hint: Any) -> bool:
    """Strings, numbers and null are sent unchanged. Registering that saves cattrs a call for each."""
    return _is_union(hint) and all(_is(Literal)(arg) or arg in _PLAIN for arg in get_args(hint))


def _is_bounded(hint: Any) -> bool:
    return get_origin(hint) is Annotated and isinstance(get_args(hint)[1], Between)


def _build() -> Converter:
    converter = Converter()
    for plain in (str, bool):
        converter.register_structure_hook(plain, _exactly(plain))
    converter.register_structure_hook(int, _integer)
    converter.register_structure_hook(ErrorCode, _error_code)
    converter.register_structure_hook_func(lambda hint: hint == dict[str, Any], _exactly(dict))
    converter.register_structure_hook_func(lambda hint: hint == str | int, _string_or_integer)
    converter.register_structure_hook_func(_is(Literal), _one_of)
    converter.register_structure_hook_factory(_is(list), _array)
    converter.register_structure_hook_factory(_is_union, _optional)
    converter.register_structure_hook_factory(_is_bounded, _bounded)
    converter.register_structure_hook_factory(attrs.has, _message)
    converter.register_unstructure_hook_factory(attrs.has, _unmessage)
    converter.register_unstructure_hook_func(_is_plain_optional, identity)
    return converter


_converter = _build()
