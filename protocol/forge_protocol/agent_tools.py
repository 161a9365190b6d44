"""The tools of toolset `agent`: arguments, and definitions that cost a model few tokens."""

from typing import Annotated, Any

from attrs import define, field

from . import LARGEST_INTEGER
from .fields import Between, Positive
from .tool_schema import UNTOLD_IN_LISTS, parameters_of, tell

LineOrFromEnd = Annotated[int, Between(-LARGEST_INTEGER, LARGEST_INTEGER)]


@define(kw_only=True)
class AgentReadArguments:
    """Arguments of the tool `read` of toolset `agent`."""

    path: str
    """File or folder: relative to the workspace, or absolute inside it."""
    start_line: LineOrFromEnd | None = field(default=None, metadata=tell("negative: from the end"))
    """First line; a negative number counts from the end."""
    end_line: Positive | None = None
    """Last line, inclusive."""
    limit: Positive | None = field(default=None, metadata=tell("lines"))
    """How many lines."""
    start_column: Positive | None = field(default=None, metadata=UNTOLD_IN_LISTS)
    """First character to return: of `start_line`, or of each line if `end_line` or `limit` is given."""
    encoding: str | None = field(default=None, metadata=UNTOLD_IN_LISTS)
    """How the file is encoded, as in `forge/readFile`; by default as its first bytes say."""


@define(kw_only=True)
class AgentFindArguments:
    """Arguments of the tool `find` of toolset `agent`."""

    path: str
    """File: relative to the workspace, or absolute inside it."""
    pattern: str
    """What to search for."""
    regex: bool = field(default=False, metadata=tell("Python re; else literal"))
    """`pattern` is a regular expression, as Python's `re` understands it."""
    ignore_case: bool = False
    """Letters match in either case."""
    context: Annotated[int, Between(0, 20)] = field(default=2, metadata=tell("lines around a match, default 2"))
    """How many lines to show before and after a matching line."""
    start_line: Positive = 1
    """The first line to search."""
    limit: Annotated[int, Between(1, 1000)] = field(default=50, metadata=tell("matches, default 50"))
    """The most matching lines in one answer."""
    encoding: str | None = None
    """How the file is encoded, as in `forge/readFile`; by default as its first bytes say."""


@define(kw_only=True)
class AgentReadManyArguments:
    """Arguments of the tool `read_many` of toolset `agent`."""

    files: Annotated[list[AgentReadArguments], Between(1, 20)]
    """The arguments of `read` for each file."""


AGENT_ARGUMENTS: dict[str, type] = {
    "read": AgentReadArguments,
    "find": AgentFindArguments,
    "read_many": AgentReadManyArguments,
}
"""By the name of the tool."""

AGENT_READ_DEFINITION: dict[str, Any] = {
    "name": "read",
    "description": (
        "Read a file as numbered lines, or list a folder. An answer that ends with [more: …] continues there."
    ),
    "parameters": parameters_of(AgentReadArguments),
}
AGENT_FIND_DEFINITION: dict[str, Any] = {
    "name": "find",
    "description": "Find the matching lines of a file of any size, with line numbers and context.",
    "parameters": parameters_of(AgentFindArguments),
}
AGENT_READ_MANY_DEFINITION: dict[str, Any] = {
    "name": "read_many",
    "description": "Read up to 20 files in one call.",
    "parameters": parameters_of(AgentReadManyArguments),
}
AGENT_DEFINITIONS = (AGENT_READ_DEFINITION, AGENT_FIND_DEFINITION, AGENT_READ_MANY_DEFINITION)
