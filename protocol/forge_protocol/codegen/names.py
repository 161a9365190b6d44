"""What methods and commands are called in the editors' languages."""

import re
from types import NoneType

from forge_protocol.registry import Direction, Entry, Kind

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


def camel_case(entry: Entry) -> str:
    """`forge/readFile` is `readFile`, `forge.tools.call` is `toolsCall`."""
    first, *rest = re.split("[/.]", entry.name)[1:]
    return first + "".join(word.capitalize() for word in rest)


def snake_case(name: str) -> str:
    """`readFile` is `read_file`."""
    return re.sub("(?<=.)[A-Z]", r"_\g<0>", name).lower()
