"""From TOML or JSON to checked settings, and from the settings of several layers to those in force.

A faulty key is left out, and everything else applies. A file may come from anywhere, so a problem states where it is
and what was expected, never what was found.
"""

import re
import tomllib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from forge_daemon.reading.texts.encodings.names import encoding_called
from forge_protocol.conversion import Fault, Faulty, parse
from forge_protocol.errors import ReadError
from forge_protocol.settings import SettingsFile, Workspace, declared_settings

from .patterns import pattern_faults
from .settings import Parsed, Problem, Settings, Severity, Values, not_understood

MAX_PROBLEMS = 20
MAX_KEY_PARTS = 32
"""`tomllib` takes time in proportion to the square of the parts of a dotted key."""

Key = tuple[str, ...]

_NO_LINES: Mapping[Key, int] = MappingProxyType({})
_MAX_KEY_DEPTH = max(len(setting.key) for setting in declared_settings())
_KEY_PART = r"""(?:[\w-]++|"[^"\n]*+"|'[^'\n]*+')"""
_LONG_KEY = re.compile(rf"""(?<![\w"'-])(?:{_KEY_PART}[ \t]*+\.[ \t]*+){{{MAX_KEY_PARTS}}}""")


def parse_file(contents: bytes, *, is_trusted: bool) -> Parsed:
    """The settings in a TOML file, the user's or else a workspace's. Problems have line numbers."""
    try:
        text = contents.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        return not_understood("not UTF-8", contents.count(b"\n", 0, error.start) + 1)
    if long_key := _LONG_KEY.search(text):
        return not_understood(f"a key has more than {MAX_KEY_PARTS} parts", text.count("\n", 0, long_key.start()) + 1)
    try:
        value = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).rpartition(" (at ")
        numbered = re.match(r"line (\d+)", place)
        line = int(numbered[1]) if numbered else text.rstrip().count("\n") + 1
        return not_understood(f"broken TOML: {message[:200]}", line)
    except (ValueError, RecursionError):
        return not_understood("broken TOML: a number is too long, or tables or lists are nested too deeply")
    return parse_settings(value, lines_of_keys(text), is_trusted=is_trusted)


def parse_settings(value: object, lines: Mapping[Key, int] = _NO_LINES, *, is_trusted: bool = True) -> Parsed:
    """Check decoded JSON, or TOML with the lines of its keys."""
    if not isinstance(value, dict):
        return Parsed(None, (Problem(message="expected an object"),))
    faults: list[Fault] = []
    try:
        settings = parse(value, SettingsFile)
    except Faulty as error:
        faults += error.faults
        settings = parse(_without(value, {fault.location for fault in faults}), SettingsFile)
    values = {
        setting.attribute: _checked(setting.key, given, faults)
        for setting in declared_settings()
        if (given := setting.given_in(settings)) is not None
    }
    problems = [_problem(fault, value, lines) for fault in faults[:MAX_PROBLEMS]]
    if not is_trusted and values.pop("allow", ()):
        message = "ignored: a workspace may not allow what is denied; only your own settings may"
        line = _line(("policy", "allow"), lines)
        problems.append(Problem(line=line, key="policy.allow", message=message, severity="warning"))
    problems.sort(key=lambda problem: problem.line or 0)
    policy_fault = next(filter(_is_about_policy, faults), None)
    return Parsed(values, tuple(problems), None if policy_fault is None else _problem(policy_fault, value, lines))


def lines_of_keys(text: str) -> dict[Key, int]:
    """The 1-based line of each key and table, by a plain look at every line: good enough to lead a person there."""
    lines: dict[Key, int] = {}
    table: Key = ()
    for number, line in enumerate(text.split("\n"), 1):
        line = line.strip()
        if line.startswith("["):
            table = key = _parts(line.strip("[").partition("]")[0])
        elif "=" in line and not line.startswith("#"):
            key = table + _parts(line.partition("=")[0])
        else:
            continue
        for length in range(1, min(len(key), _MAX_KEY_DEPTH) + 1):
            lines.setdefault(key[:length], number)
    return lines


def _parts(dotted: str) -> Key:
    return tuple(part.strip(" \t\"'") for part in dotted.split(".", _MAX_KEY_DEPTH))


def _line(key: Iterable[str | int], lines: Mapping[Key, int]) -> int | None:
    """The line of a key, or of the table that contains it."""
    names = tuple(part for part in key if isinstance(part, str))
    found = (lines.get(names[:length]) for length in range(len(names), 0, -1))
    return next(filter(None, found), None)


def _without(value: object, faulty: set[tuple[str | int, ...]], location: tuple[str | int, ...] = ()) -> object:
    """A copy of the value without its faulty parts."""
    if isinstance(value, dict):
        items = ((key, item) for key, item in value.items() if (*location, key) not in faulty)
        return {key: _without(item, faulty, (*location, key)) for key, item in items}
    if isinstance(value, list):
        return [item for index, item in enumerate(value) if (*location, index) not in faulty]
    return value


def _checked(key: Key, value: Any, faults: list[Fault]) -> Any:
    """The value, a list as a tuple without items that mean nothing."""
    if not isinstance(value, list):
        return value
    found = dict(pattern_faults(value) if key[0] == "policy" else _encoding_faults(value))
    faults += (Fault(key if index is None else (*key, index), message) for index, message in found.items())
    return () if None in found else tuple(item for index, item in enumerate(value) if index not in found)


def _encoding_faults(labels: list[str]) -> Iterator[tuple[int | None, str]]:
    for index, label in enumerate(labels):
        try:
            encoding_called(label)
        except ReadError:
            yield index, "not a known encoding"


def _problem(fault: Fault, value: object, lines: Mapping[Key, int]) -> Problem:
    for part in fault.location:
        value = value.get(part) if isinstance(value, dict) else None
    # An unknown table may belong to a newer version or to another tool. In the policy, nothing may be overlooked.
    is_warning = fault.message == "unknown key" and isinstance(value, dict) and not _is_about_policy(fault)
    message = fault.message if lines is _NO_LINES else fault.message.replace("an object", "a table")
    shown = fault._replace(location=tuple(map(_shown, fault.location))).path
    severity: Severity = "warning" if is_warning else "error"
    return Problem(line=_line(fault.location, lines), key=shown, message=message, severity=severity)


def _is_about_policy(fault: Fault) -> bool:
    """Also under `[Policy]`, whose patterns somebody relies on."""
    return str(fault.location[0]).lower() == "policy"


def _shown(part: str | int) -> str | int:
    """A part of a key as it is written in TOML: quoted unless it is a bare key, and cut if it is long."""
    is_bare = isinstance(part, int) or re.fullmatch(r"[A-Za-z0-9_-]{1,60}", part)
    return part if is_bare else ascii(str(part)[:60])


def in_force(all_layers: Sequence[Values]) -> Settings:
    """The settings after the user's own layers, each of which may loosen them, and after the last: the workspace's."""
    *layers, of_workspace = all_layers
    found: dict[str, Any] = {}
    for setting in declared_settings():
        name = setting.attribute
        given = [values[name] for values in layers if name in values]
        value = given[-1] if given else getattr(Settings(), name)
        tighter = of_workspace.get(name)
        match setting.workspace:
            case Workspace.EXTENDS:
                value = tuple(item for each in given for item in each)
                found[f"workspace_{name}"] = tighter or ()
            case Workspace.LOWERS if tighter is not None:
                value = min(value, tighter)
            case Workspace.SETS if tighter is not None:
                value = tighter
            case Workspace.DEFAULTS if value is None:
                value = tighter
        found[name] = value
    return Settings(**found)
