"""The one table of everything that can be asked of the daemon.

Documentation, JSON Schema, the editors' types and the daemon's own dispatch are made from it.
"""

from enum import StrEnum

from attrs import frozen

from .cache import CacheClearParams, CacheStatsParams, CacheStatsResult
from .count_lines import CountLinesParams, CountLinesResult
from .errors import ErrorCode
from .find import FindParams, FindResult
from .read_file import ReadFileParams, ReadFileResult
from .read_files import ReadFilesParams, ReadFilesResult
from .tools import ToolsCallParams, ToolsListParams, ToolsListResult


class Kind(StrEnum):
    REQUEST = "request"
    NOTIFICATION = "notification"
    COMMAND = "command"


class Direction(StrEnum):
    CLIENT_TO_SERVER = "client to server"
    SERVER_TO_CLIENT = "server to client"


@frozen(kw_only=True)
class Entry:
    """One request, notification or command."""

    name: str
    """The method on the wire; for a command, the `command` of `workspace/executeCommand`."""
    kind: Kind
    """A command takes exactly one argument: an object of `params`."""
    params: type
    """The attrs class of its parameters."""
    result: type | None
    """The attrs class of its answer; None where the answer depends on the tool, or there is none."""
    errors: tuple[ErrorCode, ...]
    """What `data.code` may be."""
    summary: str
    """What it is for, and what is special about it."""
    since: str = "1.0"
    """The protocol version that brought it."""
    direction: Direction = Direction.CLIENT_TO_SERVER
    """Who sends it."""


_OPENING = (
    ErrorCode.INVALID_ARGUMENT,
    ErrorCode.POLICY_DENIED,
    ErrorCode.SANDBOX_VIOLATION,
    ErrorCode.NOT_FOUND,
    ErrorCode.NOT_FILE,
    ErrorCode.PERMISSION_DENIED,
)
_READING = (ErrorCode.CONTENT_MODIFIED, ErrorCode.CANCELLED, ErrorCode.INTERNAL)

REGISTRY: tuple[Entry, ...] = (
    Entry(
        name="forge/readFile",
        kind=Kind.REQUEST,
        params=ReadFileParams,
        result=ReadFileResult,
        errors=(*_OPENING, ErrorCode.BINARY_NOT_SUPPORTED, *_READING),
        summary="A bounded window of a file of any size, or of the unsaved text of an open document.",
    ),
    Entry(
        name="forge/readFiles",
        kind=Kind.REQUEST,
        params=ReadFilesParams,
        result=ReadFilesResult,
        errors=(ErrorCode.INVALID_ARGUMENT, ErrorCode.CANCELLED, ErrorCode.INTERNAL),
        summary="Many windows in one round trip, in order. An item that fails carries its own error, with every "
        "code of `forge/readFile` and `SIZE_LIMIT_EXCEEDED` possible; the others are read all the same.",
    ),
    Entry(
        name="forge/countLines",
        kind=Kind.REQUEST,
        params=CountLinesParams,
        result=CountLinesResult,
        errors=(*_OPENING, *_READING),
        summary="The exact number of lines of a text file of any size, with progress and cancel. A binary file is "
        "`INVALID_ARGUMENT`.",
    ),
    Entry(
        name="forge/find",
        kind=Kind.REQUEST,
        params=FindParams,
        result=FindResult,
        errors=(*_OPENING, *_READING),
        summary="The next or the previous match of a literal or a regular expression in a text file of any size, with "
        "progress and cancel. A binary file is `INVALID_ARGUMENT`; so is a pattern that does not compile, and one that "
        "takes too long.",
    ),
    Entry(
        name="forge.tools.list",
        kind=Kind.COMMAND,
        params=ToolsListParams,
        result=ToolsListResult,
        errors=(ErrorCode.INVALID_ARGUMENT,),
        summary="The tools an agent may be given, with JSON Schema parameters.",
    ),
    Entry(
        name="forge.tools.call",
        kind=Kind.COMMAND,
        params=ToolsCallParams,
        result=None,
        errors=tuple(ErrorCode),
        summary="Calls a tool and answers with its output: that of `Read` is the result of `forge/readFile`, that of "
        "`read_file` is the smaller object of its own specification, that of a tool of toolset `agent` is a string.",
    ),
    Entry(
        name="forge.cache.stats",
        kind=Kind.COMMAND,
        params=CacheStatsParams,
        result=CacheStatsResult,
        errors=(ErrorCode.INVALID_ARGUMENT,),
        summary="What the line-index caches hold and how well they do.",
    ),
    Entry(
        name="forge.cache.clear",
        kind=Kind.COMMAND,
        params=CacheClearParams,
        result=CacheStatsResult,
        errors=(ErrorCode.INVALID_ARGUMENT,),
        summary="Empties the cache of one folder or of all, and answers with the figures afterwards. Never needed "
        "for fresh answers: no answer depends on the cache.",
    ),
)

BY_NAME: dict[str, Entry] = {entry.name: entry for entry in REGISTRY}
