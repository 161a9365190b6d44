"""From TOML or JSON to checked settings, or to a list of faults that names every faulty key.

A file may come from anywhere, so a fault says where it is and what was expected, never what was found.
"""

import re
from collections.abc import Iterator
from itertools import islice
from typing import TYPE_CHECKING, NamedTuple

from forge_protocol.errors import ReadError

from .patterns import check_pattern
from .settings import ALLOW
from .toml_lines import line_of, longest_key

if TYPE_CHECKING:
    from forge_protocol.settings import SettingsFile

MOST_FAULTS = 20
# More than anybody writes, and so little that a file made to keep the daemon busy does not.
MOST_ITEMS = 5_000
MOST_PATTERN_TEXT = 65_536
LONGEST_KEY = 32

Key = tuple[str, ...]
DENY: Key = ("policy", "deny")


class Fault(NamedTuple):
    """Why settings cannot be used: they themselves, or one of their keys, or one item of an array."""

    message: str
    key: Key = ()
    item: int | None = None
    line: int | None = None

    @property
    def shown_key(self) -> str | None:
        """The key as one may write it: parts that are no bare words are quoted, and bounded."""
        bare = re.compile(r"[A-Za-z0-9_-]{1,60}")
        dotted = ".".join(part if bare.fullmatch(part) else ascii(part[:60]) for part in self.key)
        return (dotted if self.item is None else f"{dotted}[{self.item}]") or None


class FaultySettings(Exception):
    """Settings that cannot be used."""

    def __init__(self, *faults: Fault) -> None:
        super().__init__(*faults)
        self.faults = faults


def parse_settings(value: object) -> "SettingsFile":
    """Check decoded TOML or JSON. Raises FaultySettings with the first MOST_FAULTS faulty keys."""
    from forge_protocol.conversion import structure
    from forge_protocol.settings import SettingsFile

    _refuse(_long_arrays(value))
    _refuse(_faults(value))
    settings = structure(value, SettingsFile)
    _refuse(_bad_patterns(settings))
    return settings


def _refuse(faults: Iterator[Fault]) -> None:
    first = tuple(islice(faults, MOST_FAULTS))
    if first:
        raise FaultySettings(*first)


def parse_file(contents: bytes) -> tuple["SettingsFile", str]:
    """The settings in a TOML file, and its text. Faults have their lines."""
    try:
        text = contents.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise FaultySettings(Fault("not UTF-8", line=contents.count(b"\n", 0, error.start) + 1)) from None
    table = _parse_toml(text)
    try:
        return parse_settings(table), text
    except FaultySettings as error:
        raise FaultySettings(*(_in_toml(fault, text) for fault in error.faults)) from None


def _in_toml(fault: Fault, text: str) -> Fault:
    message = fault.message.replace("an object", "a table")
    return fault._replace(message=message, line=line_of(text, fault.key))


def _parse_toml(text: str) -> dict[str, object]:
    import tomllib

    if longest_key(text) > LONGEST_KEY:
        raise FaultySettings(Fault(f"a key has more than {LONGEST_KEY} parts"))
    try:
        return tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        message, _, place = str(error).rpartition(" (at ")
        numbered = re.match(r"line (\d+)", place)
        line = int(numbered[1]) if numbered else text.rstrip().count("\n") + 1
        raise FaultySettings(Fault(f"broken TOML: {message[:200]}", line=line)) from None
    except ValueError:
        raise FaultySettings(Fault("broken TOML: a number is too long")) from None
    except RecursionError:
        raise FaultySettings(Fault("broken TOML: nested too deeply")) from None


def _long_arrays(value: object, key: Key = ()) -> Iterator[Fault]:
    if isinstance(value, dict) and len(key) < LONGEST_KEY:
        for name, item in value.items():
            yield from _long_arrays(item, (*key, name))
    elif isinstance(value, list) and len(value) > MOST_ITEMS:
        yield Fault(f"more than {MOST_ITEMS} items", key)


_REASON = re.compile(
    r"(?:\[(?P<item>\d+)\])?(?:: )?(?P<message>unknown key|(?:expected|must be) .*?)(?:, got |$)", re.DOTALL
)


def _faults(value: object, key: Key = ()) -> Iterator[Fault]:
    """The smallest parts that are refused even by themselves."""
    reason = _refusal(value, key)
    if reason is None:
        return
    if isinstance(value, dict) and _refusal({}, key) is None:
        for name, item in value.items():
            yield from _faults(item, (*key, name))
    elif match := _REASON.match(reason.removeprefix(".".join(key))):
        yield Fault(match["message"], key, int(match["item"]) if match["item"] else None)
    else:
        yield Fault("this kind of value does not belong here", key)


def _refusal(value: object, key: Key) -> str | None:
    from forge_protocol.conversion import structure
    from forge_protocol.settings import SettingsFile

    for name in reversed(key):
        value = {name: value}
    try:
        structure(value, SettingsFile)
    except ReadError as error:
        return error.reason
    return None


def _bad_patterns(settings: "SettingsFile") -> Iterator[Fault]:
    for key, patterns in ((DENY, settings.policy.deny), (ALLOW, settings.policy.allow)):
        if sum(map(len, patterns)) > MOST_PATTERN_TEXT:
            yield Fault(f"more than {MOST_PATTERN_TEXT} characters in all", key)
        for index, pattern in enumerate(patterns):
            try:
                check_pattern(pattern)
            except ValueError as error:
                yield Fault(str(error), key, index)
