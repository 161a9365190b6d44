"""The tools of toolset `agent`: arguments, and definitions that cost a model few tokens."""

from typing import Annotated, Any

from attrs import define, field

from . import LARGEST_INTEGER
from .fields import AnswerCharacters, Between, Items, Positive
from .filter import LevelName
from .tool_schema import HIDDEN, HIDDEN_IN_LIST_ITEMS, describe, parameters_of

LineOrFromEnd = Annotated[int, Between(-LARGEST_INTEGER, LARGEST_INTEGER)]
WaitSeconds = Annotated[int, Between(0, 30)]
MAX_NAMES = 1000
"""In one answer of `list`."""


@define(kw_only=True)
class AgentReadArguments:
    """Arguments of the tool `read` of toolset `agent`."""

    path: str
    """File or folder: relative to the workspace, or absolute inside it."""
    start_line: LineOrFromEnd | None = field(default=None, metadata=describe("negative: from the end"))
    """First line; a negative number counts from the end."""
    end_line: Positive | None = None
    """Last line, inclusive."""
    limit: Positive | None = field(default=None, metadata=describe("lines"))
    """How many lines."""
    start_column: Positive | None = field(default=None, metadata=HIDDEN_IN_LIST_ITEMS)
    """First character to return: of `start_line`, or of each line if `end_line` or `limit` is given."""
    encoding: str | None = field(default=None, metadata=HIDDEN_IN_LIST_ITEMS)
    """As in `forge/readFile`; by default as the first bytes say. `raw`: a notebook as the file it is, not as cells."""
    if_changed: bool = field(default=False, metadata=HIDDEN_IN_LIST_ITEMS)
    """Answer with one line if this session was answered the same call before, and the file is the same."""
    rotated: bool = field(default=False, metadata={**HIDDEN_IN_LIST_ITEMS, **describe("with app.log.1 …")})
    """The log with its rotated files as one text, as in `forge/readFile`."""
    wait: WaitSeconds = field(
        default=0, metadata={**HIDDEN_IN_LIST_ITEMS, **describe("seconds, until start_line exists")}
    )
    """How many seconds to wait for the first line to be there, or with `if_changed` for a change."""
    max_chars: AnswerCharacters | None = field(default=None, metadata=HIDDEN)
    """The most characters in this answer, if less than the settings allow. For clients: models do not see it."""


@define(kw_only=True)
class AgentFindArguments:
    """Arguments of the tool `find` of toolset `agent`."""

    path: str | None = field(default=None, metadata=describe("file, folder or glob (src/**/*.py)"))
    """File, folder or glob such as `src/**/*.py`: relative to the workspace, or absolute inside it. By default all
    folders."""
    pattern: str | None = None
    """What to search for. Can be left out with `level`, `since` or `until`."""
    regex: bool = field(default=False, metadata=describe("RE2; else literal"))
    """`pattern` is a regular expression in RE2's syntax."""
    ignore_case: bool = False
    """Letters match in either case."""
    context: Annotated[int, Between(0, 20)] | None = field(default=None, metadata=describe("default 2, in folders 0"))
    """How many lines to show before and after a matching line. The default is 2 in a file, and 0 in a folder."""
    start_line: LineOrFromEnd = field(default=1, metadata=describe("-5: the last 5 matches"))
    """The first line to search; a negative number selects that many of the last matching lines."""
    start_column: Positive = 1
    """In `start_line`, only what matches at or after this character."""
    limit: Annotated[int, Between(1, 1000)] = field(default=50, metadata=describe("lines, default 50"))
    """The most matching lines in one answer."""
    encoding: str | None = None
    """As in `read`."""
    max_chars: AnswerCharacters | None = field(default=None, metadata=HIDDEN)
    """As in `read`."""
    start_after: str | None = field(default=None, metadata=describe("in folders: a file"))
    """In a folder: continue after this file, as `[more: …]` says."""
    level: LevelName | None = None
    """Only lines of log records of this level or a higher one."""
    since: str | None = field(default=None, metadata=describe("14:05 or -2h"))
    """Only what was logged at this time or later, as in `forge/readFile`."""
    until: str | None = None
    """Only what was logged before this time."""
    rotated: bool = False
    """Search the log with its rotated files, as in `forge/readFile`."""


@define(kw_only=True)
class AgentListArguments:
    """Arguments of the tool `list` of toolset `agent`."""

    path: str | None = field(default=None, metadata=describe("folder or glob"))
    """Folder or glob: relative to the workspace, or absolute inside it. By default all folders."""
    depth: Annotated[int, Between(1, 100)] | None = field(default=None, metadata=describe("default 1"))
    """How many levels of folders. The default is 1, or as many as a glob matches."""
    limit: Annotated[int, Between(1, MAX_NAMES)] = field(default=200, metadata=describe("names, default 200"))
    """The most names in one answer."""
    start_after: str | None = None
    """Continue after this name, as `[more: …]` says."""
    max_chars: AnswerCharacters | None = field(default=None, metadata=HIDDEN)
    """As in `read`."""


@define(kw_only=True)
class AgentReadManyArguments:
    """Arguments of the tool `read_many` of toolset `agent`."""

    files: Annotated[list[Any], Between(1, 20), Items(AgentReadArguments)] = field(
        metadata=describe("arguments of read")
    )
    """The arguments of `read` for each file, but for `wait`. Faulty ones are told in the place of that file."""
    max_chars: AnswerCharacters | None = field(default=None, metadata=HIDDEN)
    """As in `read`, of the whole answer."""


AGENT_ARGUMENTS: dict[str, type] = {
    "read": AgentReadArguments,
    "find": AgentFindArguments,
    "list": AgentListArguments,
    "read_many": AgentReadManyArguments,
}
"""By the name of the tool."""

_DESCRIPTIONS = {
    "read": "Read a file as numbered lines, or list a folder. An answer that ends with [more: …] continues there.",
    "find": "Find matching lines in a file of any size, or in a folder without what git ignores; in logs also by level "
    "(or worse) and time.",
    "list": "List a folder: names with sizes, folders/ with numbers of entries.",
    "read_many": "Read up to 20 files in one call.",
}
AGENT_DEFINITIONS: dict[str, dict[str, Any]] = {
    name: {"name": name, "description": _DESCRIPTIONS[name], "parameters": parameters_of(arguments)}
    for name, arguments in AGENT_ARGUMENTS.items()
}
