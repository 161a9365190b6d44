"""Strict conversion of plain JSON values to messages and back.

Nothing is coerced: `"7"` and `true` are not integers. JSON has only one kind of number, so `7.0` is one. Unknown keys
are refused. All faults of a request are reported at once, each with its field's path.
"""

import json
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, NamedTuple, NoReturn, TypeVar, get_args, get_origin

import attrs

from .describe import LevelCounts
from .error_data import ErrorData
from .errors import ErrorCode, invalid_argument
from .fields import Between
from .read_files import ReadFilesItem
from .shapes import Choice, Plain, shape_of, without_none

T = TypeVar("T")
_MAX_FLOAT = float(2**63)
_MAX_SHOWN = 40
Parser = Callable[[Any], Any]
"""Takes a JSON value and returns that of a field, or raises `Faulty`."""

WIRE_NAMES = {"work_done_token": "workDoneToken"}
"""LSP's own key keeps LSP's own spelling; everything else is snake_case on every surface."""

LEAVES_OUT_ABSENT = (ErrorData, LevelCounts, ReadFilesItem)
"""Messages whose optional fields are left out when absent. All others carry every field."""

_EXPECTED: dict[Plain, tuple[str, tuple[type, ...]]] = {
    Plain.STRING: ("a string", (str,)),
    Plain.BOOLEAN: ("true or false", (bool,)),
    Plain.OBJECT: ("an object", (dict,)),
    Plain.STRING_OR_INTEGER: ("a string or an integer", (str, int)),
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

    def inside(self, part: str | int) -> list[Fault]:
        """The faults of a value that is found under a key or an index."""
        return [fault._replace(location=(part, *fault.location)) for fault in self.faults]


def parse(value: object, message_type: type[T]) -> T:
    """Convert a decoded JSON value to a message, or raise `Faulty`."""
    hint: Any = message_type
    message: T = _message_parser(hint)(value)
    return message


def structure(value: object, message_type: type[T]) -> T:
    """Convert a decoded JSON value to a message, or raise `INVALID_ARGUMENT` naming every fault."""
    try:
        return parse(value, message_type)
    except Faulty as error:
        # An echoed value or key may hold a lone surrogate, which cannot be encoded in UTF-8.
        raise invalid_argument(str(error).encode("utf-8", "backslashreplace").decode("utf-8")) from None


def unstructure(message: object) -> Any:
    """The JSON value of a message."""
    message_type: Any = type(message)
    value = {}
    for name, wire_name, convert, is_left_out in _written_fields(message_type):
        item = getattr(message, name)
        if item is not None or not is_left_out:
            value[wire_name] = item if convert is None or item is None else convert(item)
    return value


def _refuse(expected: str, value: object) -> NoReturn:
    """Raise `Faulty`, for a field whose path is not known yet."""
    if isinstance(value, (dict, list)):
        found = "an object" if isinstance(value, dict) else "an array"
    else:
        try:
            found = json.dumps(value, ensure_ascii=False, default=str)
        except ValueError:  # the library may be called with numbers of any length
            found = "a number"
    raise Faulty((Fault((), expected, found if len(found) <= _MAX_SHOWN else found[: _MAX_SHOWN - 1] + "…"),))


def _field_parser(hint: Any, bounds: Between | None = None) -> Parser:
    """For all but null."""
    if get_origin(hint) is Annotated:
        return _field_parser(*get_args(hint)[:2])
    if get_origin(hint) is list:
        return _array_parser(get_args(hint)[0], bounds)
    if attrs.has(hint):
        return _message_parser(hint)
    shape = shape_of(hint)
    if isinstance(shape, Plain):
        return _plain_parser(*_EXPECTED[shape])
    return _choice_parser(shape.values, hint) if isinstance(shape, Choice) else _integer_parser(bounds)


def _plain_parser(name: str, types: tuple[type, ...]) -> Parser:
    expected = f"expected {name}"

    def parse_plain(value: Any) -> Any:
        return value if type(value) in types else _refuse(expected, value)

    return parse_plain


def _integer_parser(bounds: Between | None) -> Parser:
    def parse_integer(value: Any) -> Any:
        if type(value) is float and value.is_integer() and abs(value) < _MAX_FLOAT:
            value = int(value)
        if type(value) is not int:
            _refuse("expected an integer", value)
        if bounds is not None and not bounds.low <= value <= bounds.high:
            _refuse(_limit("must be", value, bounds), value)
        return value

    return parse_integer


def _limit(must_be: str, value: int, bounds: Between) -> str:
    return f"{must_be} at least {bounds.low}" if value < bounds.low else f"{must_be} at most {bounds.high}"


def _choice_parser(values: tuple[str, ...], hint: Any) -> Parser:
    expected = f"expected one of {', '.join(map(json.dumps, values))}"
    make = ErrorCode if hint is ErrorCode else str

    def parse_choice(value: Any) -> str:
        return make(value) if type(value) is str and value in values else _refuse(expected, value)

    return parse_choice


def _array_parser(item_type: Any, bounds: Between | None) -> Parser:
    parse_item = None if item_type is Any else _field_parser(item_type)

    def parse_array(value: Any) -> list[Any]:
        if type(value) is not list:
            _refuse("expected an array", value)
        if bounds is not None and not bounds.low <= len(value) <= bounds.high:
            _refuse(_limit("the number of items must be", len(value), bounds), len(value))
        return value if parse_item is None else _items(value, parse_item)

    return parse_array


def _items(values: list[Any], parse_item: Parser) -> list[Any]:
    items: list[Any] = []
    faults: list[Fault] = []
    for index, value in enumerate(values):
        try:
            items.append(parse_item(value))
        except Faulty as error:
            faults += error.inside(index)
    if faults:
        raise Faulty(tuple(faults))
    return items


@cache
def _message_parser(message_type: type) -> Parser:
    fields = {_wire_name(field): _Field.of(field) for field in attrs.fields(message_type)}

    def parse_message(value: Any) -> Any:
        if type(value) is not dict:
            _refuse("expected an object", value)
        given: dict[str, Any] = {}
        faults: list[Fault] = []
        for key, field in fields.items():
            if key not in value:
                faults += [Fault((key,), "missing")] * field.is_required
            elif value[key] is not None or not field.takes_null:
                try:
                    given[field.name] = field.parse(value[key])
                except Faulty as error:
                    faults += error.inside(key)
            elif field.is_required:
                given[field.name] = None
        if not value.keys() <= fields.keys():
            faults += [Fault((key,), "unknown key") for key in sorted(map(str, value.keys() - fields.keys()))]
        if faults:
            raise Faulty(tuple(faults))
        return message_type(**given)

    return parse_message


class _Field(NamedTuple):
    name: str
    parse: Parser
    is_required: bool
    takes_null: bool
    """Null is the same as absent, unless the field is required."""

    @classmethod
    def of(cls, field: "attrs.Attribute[Any]") -> "_Field":
        hint, is_optional = without_none(field.type)
        is_required = field.default is attrs.NOTHING
        return cls(field.name, _field_parser(hint), is_required, is_optional or not is_required)


def _wire_name(field: "attrs.Attribute[Any]") -> str:
    return WIRE_NAMES.get(field.name, field.name)


class _WrittenField(NamedTuple):
    name: str
    wire_name: str
    convert: Callable[[Any], Any] | None
    """Makes its JSON value; None if it is one."""
    is_left_out: bool
    """If it is absent."""


@cache
def _written_fields(message_type: type) -> list[_WrittenField]:
    leaves_out = issubclass(message_type, LEAVES_OUT_ABSENT)
    return [
        _WrittenField(field.name, _wire_name(field), _converter(field.type), leaves_out and field.default is None)
        for field in attrs.fields(message_type)
    ]


def _converter(hint: Any) -> Callable[[Any], Any] | None:
    hint, _ = without_none(hint)
    if attrs.has(hint):
        return unstructure
    if get_origin(hint) is list and (convert := _converter(get_args(hint)[0])) is not None:
        return lambda items: [convert(item) for item in items]
    return None
