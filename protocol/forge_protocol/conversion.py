"""Strict conversion of plain JSON values to messages and back.

Nothing is coerced: `"7"` and `true` are not integers. JSON has only one kind of number, so `7.0` is one. Unknown keys
are refused. All faults of a request are reported at once, each with its field's path.
"""

import json
from collections.abc import Callable, Iterator
from typing import Annotated, Any, Literal, NamedTuple, NoReturn, TypeVar, get_args, get_origin

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
from .shapes import SIMPLE, Choice, Plain, shape_of, without_none

T = TypeVar("T")
_MAX_FLOAT = float(2**63)
_MAX_SHOWN = 40
Hook = Callable[[Any, Any], Any]

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
        for key in sorted(map(str, error.extra_fields)):
            yield Fault((*location, key), "unknown key")
    elif isinstance(error, KeyError):
        yield Fault(location, "missing")
    elif isinstance(error, Faulty):
        yield from (fault._replace(location=(*location, *fault.location)) for fault in error.faults)
    else:
        yield Fault(location, str(error))


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


def _scalar(hint: Any) -> Hook:
    shape = shape_of(hint)
    if isinstance(shape, Choice):
        return _choice(shape.values, hint)
    return _plain(*_EXPECTED[shape]) if isinstance(shape, Plain) else _integer(None)


def _plain(name: str, types: tuple[type, ...]) -> Hook:
    expected = f"expected {name}"
    return lambda value, _: value if type(value) in types else _refuse(expected, value)


def _choice(values: tuple[str, ...], hint: Any) -> Hook:
    expected = f"expected one of {', '.join(map(json.dumps, values))}"
    make = ErrorCode if hint is ErrorCode else str
    return lambda value, _: make(value) if type(value) is str and value in values else _refuse(expected, value)


def _integer(bounds: Between | None) -> Hook:
    def check(value: Any, _: Any) -> Any:
        if type(value) is float and value.is_integer() and abs(value) < _MAX_FLOAT:
            value = int(value)
        if type(value) is not int:
            _refuse("expected an integer", value)
        if bounds is not None and not bounds.low <= value <= bounds.high:
            _refuse_size("must be", value, bounds)
        return value

    return check


def _refuse_size(must_be: str, size: int, bounds: Between) -> NoReturn:
    limit = f"at least {bounds.low}" if size < bounds.low else f"at most {bounds.high}"
    _refuse(f"{must_be} {limit}", size)


def _array(hint: Any) -> Hook:
    check_items = list_structure_factory(hint, _converter)
    return lambda value, _: check_items(value, hint) if type(value) is list else _refuse("expected an array", value)


def _bounded(hint: Any) -> Hook:
    base, bounds = get_args(hint)[:2]
    if base is int:
        return _integer(bounds)
    check_items = _array(base)

    def check(value: Any, _: Any) -> Any:
        items = check_items(value, base)
        if not bounds.low <= len(items) <= bounds.high:
            _refuse_size("the number of items must be", len(items), bounds)
        return items

    return check


def _optional(hint: Any) -> Hook:
    inner, _ = without_none(hint)
    check = _converter.get_structure_hook(inner)
    return lambda value, _: None if value is None else check(value, inner)


def _renames(message_type: type) -> dict[str, Any]:
    return {name: override(rename=wire) for name, wire in WIRE_NAMES.items() if name in attrs.fields_dict(message_type)}


def _message(message_type: type) -> Hook:
    check_fields: Callable[..., Any] = make_dict_structure_fn(
        message_type, _converter, _cattrs_forbid_extra_keys=True, **_renames(message_type)
    )
    optional = {
        WIRE_NAMES.get(field.name, field.name)
        for field in attrs.fields(message_type)
        if field.default is not attrs.NOTHING
    }

    def check(value: Any, _: Any) -> Any:
        if type(value) is not dict:
            _refuse("expected an object", value)
        if None in value.values():
            value = {key: item for key, item in value.items() if item is not None or key not in optional}
        return check_fields(value, message_type)

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


def _is_json(hint: Any) -> bool:
    """Whether a field of the type holds its own JSON value."""
    hint, _ = without_none(hint)
    if get_origin(hint) in (list, Annotated):
        return _is_json(get_args(hint)[0])
    return _is_scalar(hint) and hint is not ErrorCode


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
    converter.register_unstructure_hook_factory(_is_json, lambda _: identity)
    return converter


_converter = _build()
