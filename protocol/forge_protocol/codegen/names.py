"""What methods and commands are called in the editors' languages."""

import re

from forge_protocol.registry import Entry, Kind

GROUPS = {Kind.REQUEST: "Requests", Kind.NOTIFICATION: "Notifications", Kind.COMMAND: "Commands"}


def grouped(entries: tuple[Entry, ...]) -> dict[str, list[Entry]]:
    """The entries under the name of their group, groups without any left out."""
    groups = {name: [entry for entry in entries if entry.kind is kind] for kind, name in GROUPS.items()}
    return {name: members for name, members in groups.items() if members}


def camel_case(entry: Entry) -> str:
    """`forge/readFile` is `readFile`, `forge.tools.call` is `toolsCall`."""
    first, *rest = re.split("[/.]", entry.name)[1:]
    return first + "".join(word.capitalize() for word in rest)


def snake_case(entry: Entry) -> str:
    """`forge/readFile` is `read_file`, `forge.tools.call` is `tools_call`."""
    return re.sub("[A-Z]", lambda capital: "_" + capital[0].lower(), camel_case(entry))
