"""The tools of toolset `agent`: arguments, and definitions that cost a model few tokens."""

from typing import Annotated, Any

from attrs import define

from . import LARGEST_INTEGER
from .fields import Between, Positive

LineOrFromEnd = Annotated[int, Between(-LARGEST_INTEGER, LARGEST_INTEGER)]


@define(kw_only=True)
class AgentReadArguments:
    """Arguments of the tool `read` of toolset `agent`."""

    path: str
    """File or folder: relative to the workspace, or absolute inside it."""
    start_line: LineOrFromEnd | None = None
    """First line; a negative number counts from the end."""
    end_line: Positive | None = None
    """Last line, inclusive."""
    limit: Positive | None = None
    """How many lines."""
    start_column: Positive | None = None
    """First character of a line: of `start_line`, or of each line where `end_line` or `limit` is given."""
    encoding: str | None = None
    """How the file is encoded, as in `forge/readFile`; by default as its first bytes say."""


@define(kw_only=True)
class AgentFindArguments:
    """Arguments of the tool `find` of toolset `agent`."""

    path: str
    """File: relative to the workspace, or absolute inside it."""
    pattern: str
    """What to search for."""
    regex: bool = False
    """`pattern` is a regular expression, as Python's `re` understands it."""
    ignore_case: bool = False
    """Letters match in either case."""
    context: Annotated[int, Between(0, 20)] = 2
    """How many lines to show before and after a matching line."""
    start_line: Positive = 1
    """Search from this line on."""
    limit: Annotated[int, Between(1, 1000)] = 50
    """The most matching lines in one answer."""
    encoding: str | None = None
    """How the file is encoded, as in `forge/readFile`; by default as its first bytes say."""


@define(kw_only=True)
class AgentReadManyArguments:
    """Arguments of the tool `read_many` of toolset `agent`."""

    files: Annotated[list[AgentReadArguments], Between(1, 20)]
    """What to read, each as with `read`."""


def _type(name: str, description: str | None = None) -> dict[str, Any]:
    return {"type": name} if description is None else {"type": name, "description": description}


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "required": required}


AGENT_READ_DEFINITION: dict[str, Any] = {
    "name": "read",
    "description": (
        "Read a file as numbered lines, or list a folder. An answer that ends with [more: …] continues there."
    ),
    "parameters": _object(
        ["path"],
        path=_type("string"),
        start_line=_type("integer", "negative: from the end"),
        end_line=_type("integer"),
        limit=_type("integer", "lines"),
        start_column=_type("integer"),
        encoding=_type("string"),
    ),
}
AGENT_FIND_DEFINITION: dict[str, Any] = {
    "name": "find",
    "description": "Find the matching lines of a file of any size, with line numbers and context.",
    "parameters": _object(
        ["path", "pattern"],
        path=_type("string"),
        pattern=_type("string"),
        regex=_type("boolean", "Python re; else literal"),
        ignore_case=_type("boolean"),
        context=_type("integer", "lines around a match, default 2"),
        start_line=_type("integer"),
        limit=_type("integer", "matches, default 50"),
        encoding=_type("string"),
    ),
}
AGENT_READ_MANY_DEFINITION: dict[str, Any] = {
    "name": "read_many",
    "description": "Read up to 20 files in one call.",
    "parameters": _object(
        ["files"],
        files={
            **_type("array"),
            "items": _object(
                ["path"],
                path=_type("string"),
                start_line=_type("integer"),
                end_line=_type("integer"),
                limit=_type("integer"),
            ),
        },
    ),
}
