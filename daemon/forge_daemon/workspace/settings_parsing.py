"""From TOML or JSON to checked settings, and a list of faults that names every faulty key.

A faulty key is left out, and everything else applies. A file may come from anywhere, so a fault says where it is
and what was expected, never what was found.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from types import MappingProxyType

from forge_daemon.light_typing import TYPE_CHECKING, Any, NamedTuple

from .patterns import check_patterns
from .settings import Severity
from .toml_lines import Key, lines_of, longest_key

if TYPE_CHECKING:
    from forge_protocol.settings import SettingsFile

MOST_FAULTS = 20
# More than people write, and too little to keep the daemon busy.
MOST_ITEMS = 5_000
MOST_ENCODINGS = 16
LONGEST_KEY = 32

POLICY: Key = ("policy",)
DENY: Key = (*POLICY, "deny")
ALLOW: Key = (*POLICY, "allow")
ENCODINGS: Key = ("files", "encodings")


class Fault(NamedTuple):
    """Why settings cannot be used: they themselves, or one of their keys, or one item of an array."""

    message: str
    key: Key = ()
    item: int | None = None
    line: int | None = None
    severity: Severity = "error"

    @property
    def shown_key(self) -> str | None:
        """The key as it is written in TOML: parts that are not bare keys are quoted, and long ones cut."""
        bare = re.compile(r"[A-Za-z0-9_-]{1,60}")
        dotted = ".".join(part if bare.fullmatch(part) else ascii(part[:60]) for part in self.key)
        return (dotted if self.item is None else f"{dotted}[{self.item}]") or None


class NotSettings(Exception):
    """The settings cannot be used at all."""

    def __init__(self, fault: Fault) -> None:
        super().__init__(fault)
        self.fault = fault


class Parsed(NamedTuple):
    """What can be used, and what is wrong with the rest."""

    values: "SettingsFile"
    faults: tuple[Fault, ...] = ()
    """The first MOST_FAULTS of them."""
    policy_fault: Fault | None = None
    """Why it is not known what the settings deny."""
    lines: Mapping[Key, int] = MappingProxyType({})
    """Where the keys stand that may have no effect."""


def parse_settings(value: object) -> Parsed:
    """Check decoded TOML or JSON. Raises `NotSettings` if it is not an object."""
    from forge_protocol.conversion import structure
    from forge_protocol.settings import SettingsFile

    if not isinstance(value, dict):
        raise NotSettings(Fault("expected an object"))
    faults: list[Fault] = []
    values = structure(_usable(value, SettingsFile, (), faults), SettingsFile)
    of_policy = (fault for fault in faults if fault.key[:1] == POLICY)
    return Parsed(values, tuple(faults[:MOST_FAULTS]), next(of_policy, None))


def parse_file(contents: bytes) -> Parsed:
    """The settings in a TOML file. Raises `NotSettings` if it is not TOML. Faults have line numbers."""
    from forge_protocol.settings import declared_settings

    try:
        text = contents.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise NotSettings(Fault("not UTF-8", line=contents.count(b"\n", 0, error.start) + 1)) from None
    values, faults, policy_fault, _ = parse_settings(_parse_toml(text))
    if policy_fault is not None:
        faults = tuple(dict.fromkeys((*faults, policy_fault)))
    may_have_no_effect = (setting.key for setting in declared_settings())
    lines = lines_of(text, [*may_have_no_effect, *(fault.key for fault in faults)])
    faults = tuple(_in_toml(fault, lines) for fault in faults)
    of_policy = (fault for fault in faults if fault.key[:1] == POLICY)
    return Parsed(values, faults[:MOST_FAULTS], next(of_policy, None), lines)


def _in_toml(fault: Fault, lines: Mapping[Key, int]) -> Fault:
    message = fault.message.replace("an object", "a table")
    return fault._replace(message=message, line=lines.get(fault.key))


def _parse_toml(text: str) -> dict[str, object]:
    import tomllib

    if longest_key(text) > LONGEST_KEY:
        raise NotSettings(Fault(f"a key has more than {LONGEST_KEY} parts"))
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).rpartition(" (at ")
        numbered = re.match(r"line (\d+)", place)
        line = int(numbered[1]) if numbered else text.rstrip().count("\n") + 1
        raise NotSettings(Fault(f"broken TOML: {message[:200]}", line=line)) from None
    except ValueError:
        raise NotSettings(Fault("broken TOML: a number is too long")) from None
    except RecursionError:
        raise NotSettings(Fault("broken TOML: nested too deeply")) from None


def _usable(table: dict[str, object], kind: type[Any], key: Key, faults: list[Fault]) -> dict[str, object]:
    """The table without what is faulty in it."""
    from attrs import fields_dict, has

    known: dict[str, Any] = {name: field.type for name, field in fields_dict(kind).items()}
    usable: dict[str, object] = {}
    for name, value in table.items():
        here = (*key, name)
        if name not in known:
            # A table may belong to a newer version or to another tool. In the policy, nothing may be overlooked.
            is_warning = isinstance(value, dict) and key[:1] != POLICY
            faults.append(Fault("unknown key", here, severity="warning" if is_warning else "error"))
        elif not has(known[name]):
            usable[name] = _usable_value(value, kind, here, faults)
        elif isinstance(value, dict):
            usable[name] = _usable(value, known[name], here, faults)
        elif value is not None:
            faults.append(Fault("expected an object", here))
    return usable


def _usable_value(value: object, kind: type[Any], key: Key, faults: list[Fault]) -> object:
    """The value, a list without its faulty items, or None."""
    if isinstance(value, list):
        if len(value) > MOST_ITEMS:
            faults.append(Fault(f"more than {MOST_ITEMS:,} items", key))
            return None
        if _refusal([], kind, key) is None:
            return _usable_items(value, kind, key, faults)
    if (reason := _refusal(value, kind, key)) is not None:
        faults.append(Fault(reason, key))
        return None
    return value


def _usable_items(items: list[object], kind: type[Any], key: Key, faults: list[Fault]) -> list[object] | None:
    refused: Iterable[tuple[int | None, str | None]] = []
    if _refusal(items, kind, key) is not None:
        refused = [(index, _refusal([item], kind, key)) for index, item in enumerate(items)]
    elif key in (DENY, ALLOW):
        refused = check_patterns([str(item) for item in items])
    elif key == ENCODINGS:
        refused = _check_encodings([str(item) for item in items])
    faulty = {index: Fault(reason, key, index) for index, reason in refused if reason is not None}
    faults += faulty.values()
    return None if None in faulty else [item for index, item in enumerate(items) if index not in faulty]


def _check_encodings(labels: list[str]) -> Iterator[tuple[int | None, str]]:
    """Each encoding is tried on a file, so their number is limited."""
    from forge_daemon.reading.encodings.names import encoding_called
    from forge_protocol.errors import ReadError

    if len(labels) > MOST_ENCODINGS:
        yield None, f"more than {MOST_ENCODINGS} encodings"
        return
    for index, label in enumerate(labels):
        try:
            encoding_called(label)
        except ReadError:
            yield index, "not an encoding that is known"


def _refusal(value: object, kind: type[Any], key: Key) -> str | None:
    """Why the field cannot have this value; None where it can."""
    from forge_protocol.conversion import Faulty, parse

    try:
        parse({key[-1]: value}, kind)
    except Faulty as error:
        return error.faults[0].message
    return None
