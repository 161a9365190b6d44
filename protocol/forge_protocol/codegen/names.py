"""What methods and commands are called in the editors' languages."""

import json
import re
from types import NoneType
from typing import NamedTuple

from forge_protocol.registry import Direction, Entry, Kind
from forge_protocol.shapes import Array, Choice, Integer, Plain, Reference, Shape

GROUPS = {
    (Kind.REQUEST, Direction.CLIENT_TO_SERVER): "Requests",
    (Kind.REQUEST, Direction.SERVER_TO_CLIENT): "ServerRequests",
    (Kind.COMMAND, Direction.CLIENT_TO_SERVER): "Commands",
}


def grouped(entries: tuple[Entry, ...]) -> dict[str, list[Entry]]:
    """The entries under the name of their group, groups without any left out."""
    groups = {
        name: [entry for entry in entries if (entry.kind, entry.direction) == group] for group, name in GROUPS.items()
    }
    return {name: members for name, members in groups.items() if members}


def result_name(entry: Entry, *, null: str, unknown: str, prefix: str = "") -> str:
    """What an answer is called where a null is called `null` and what depends on the tool `unknown`."""
    if entry.result is None:
        return unknown
    return null if entry.result is NoneType else f"{prefix}{entry.result.__name__}"


class Language(NamedTuple):
    """How the types of fields are written in a language."""

    plain: dict[Plain, str]
    integer: str
    array: str
    """With `{}` for the type of an item."""
    separator: str
    """Between the values of a choice."""
    prefix: str = ""
    """Of the names of messages."""


def type_name(shape: Shape, language: Language) -> str:
    match shape:
        case Plain():
            return language.plain[shape]
        case Integer():
            return language.integer
        case Choice(values, None):
            return language.separator.join(map(json.dumps, values))
        case Choice(_, str(name)):
            return f"{language.prefix}{name}"
        case Reference(message):
            return f"{language.prefix}{message.__name__}"
        case Array(items):
            return language.array.format(type_name(items, language))
    raise TypeError(f"no language has a type for {shape}")


def camel_case(entry: Entry) -> str:
    """`forge/readFile` is `readFile`, `forge.tools.call` is `toolsCall`."""
    first, *rest = re.split("[/.]", entry.name)[1:]
    return first + "".join(word.capitalize() for word in rest)


def snake_case(name: str) -> str:
    """`readFile` is `read_file`."""
    return re.sub("(?<=.)[A-Z]", r"_\g<0>", name).lower()
