"""The table of all requests and commands, one row each.

Documentation, JSON Schema, the editors' types and the daemon's own dispatch are made from it.
"""

from enum import StrEnum
from types import NoneType

from attrs import frozen

from .cache import CacheClearParams, CacheStatsParams, CacheStatsResult
from .count_lines import CountLinesParams, CountLinesResult
from .errors import ErrorCode
from .find import FindParams, FindResult
from .follow import FollowedParams, FollowParams, FollowResult, UnfollowParams
from .read_file import ReadFileParams, ReadFileResult
from .read_files import ReadFilesParams, ReadFilesResult
from .tools import ToolsCallParams, ToolsListParams, ToolsListResult


class Kind(StrEnum):
    REQUEST = "request"
    COMMAND = "command"


class Direction(StrEnum):
    CLIENT_TO_SERVER = "client to server"
    SERVER_TO_CLIENT = "server to client"


@frozen(kw_only=True)
class Entry:
    """One request or command."""

    name: str
    """The method on the wire; for a command, the `command` of `workspace/executeCommand`."""
    kind: Kind = Kind.REQUEST
    """A command takes exactly one argument: an object of `params`."""
    direction: Direction = Direction.CLIENT_TO_SERVER
    """Who sends it."""
    params: type
    """The attrs class of its parameters."""
    result: type | None
    """The attrs class of its answer; `NoneType` if the answer is null; None if it depends on the tool."""
    function: str | None
    """What answers it in the daemon, as `module:name`; None for a request that the server sends. It is loaded when the
    daemon starts, so that this package does not import the daemon."""
    title: str = ""
    """What the user sees when it takes long."""
    errors: tuple[ErrorCode, ...]
    """What `data.code` may be."""
    summary: str
    """What it does."""
    since: str = "1.0"
    """The protocol version that added it."""


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
        params=ReadFileParams,
        result=ReadFileResult,
        function="forge_daemon.requests.read_file:READ_FILE",
        title="Reading",
        errors=(*_OPENING, ErrorCode.BINARY_NOT_SUPPORTED, *_READING),
        summary="A bounded window of a file of any size, or of the unsaved text of an open document.",
    ),
    Entry(
        name="forge/readFiles",
        params=ReadFilesParams,
        result=ReadFilesResult,
        function="forge_daemon.requests.read_files:READ_FILES",
        title="Reading files",
        errors=(ErrorCode.INVALID_ARGUMENT, ErrorCode.CANCELLED, ErrorCode.INTERNAL),
        summary="Many windows in one round trip, in order. An item that fails has its own error, with a code of "
        "`forge/readFile` or `SIZE_LIMIT_EXCEEDED`; the others are read all the same.",
    ),
    Entry(
        name="forge/countLines",
        params=CountLinesParams,
        result=CountLinesResult,
        function="forge_daemon.requests.count_lines:COUNT_LINES",
        title="Counting lines",
        errors=(*_OPENING, *_READING),
        summary="The exact number of lines of a text file of any size, with progress and cancel. A binary file is "
        "`INVALID_ARGUMENT`.",
    ),
    Entry(
        name="forge/find",
        params=FindParams,
        result=FindResult,
        function="forge_daemon.requests.find:FIND",
        title="Searching",
        errors=(*_OPENING, *_READING),
        summary="The next or the previous match of a literal or a regular expression in a text file of any size, with "
        "progress and cancel. A binary file is `INVALID_ARGUMENT`; so is a pattern that does not compile, and one that "
        "takes too long.",
    ),
    Entry(
        name="forge/follow",
        params=FollowParams,
        result=FollowResult,
        function="forge_daemon.server.handlers.follow:follow",
        title="Reading",
        errors=(*_OPENING, ErrorCode.BINARY_NOT_SUPPORTED, *_READING),
        summary="The last lines of a file, and from then on, in `forge/followed`, what is appended to it and what "
        "happens to it. The name is followed, across rotation, truncation and removal: the file is checked at least "
        "four times a second, each time with policy and sandbox. At most 64 follows per client.",
        since="1.1",
    ),
    Entry(
        name="forge/unfollow",
        params=UnfollowParams,
        result=NoneType,
        function="forge_daemon.server.handlers.follow:unfollow",
        errors=(ErrorCode.INVALID_ARGUMENT,),
        summary="Ends a follow. Nothing is sent for it after the answer.",
        since="1.1",
    ),
    Entry(
        name="forge/followed",
        direction=Direction.SERVER_TO_CLIENT,
        params=FollowedParams,
        result=NoneType,
        function=None,
        errors=(),
        summary="A change of a followed file. The next event of the same follow is sent only after the client has "
        "answered, which is the flow control.",
        since="1.1",
    ),
    Entry(
        name="forge.tools.list",
        kind=Kind.COMMAND,
        params=ToolsListParams,
        result=ToolsListResult,
        function="forge_daemon.server.handlers.tools:tools_list",
        errors=(ErrorCode.INVALID_ARGUMENT,),
        summary="The tools an agent may be given, with JSON Schema parameters.",
    ),
    Entry(
        name="forge.tools.call",
        kind=Kind.COMMAND,
        params=ToolsCallParams,
        result=None,
        function="forge_daemon.server.handlers.tools:tools_call",
        errors=tuple(ErrorCode),
        summary="Calls a tool and answers with its output: that of `Read` is the result of `forge/readFile`, that of "
        "`read_file` is the smaller object of its own specification, that of a tool of toolset `agent` is a string.",
    ),
    Entry(
        name="forge.cache.stats",
        kind=Kind.COMMAND,
        params=CacheStatsParams,
        result=CacheStatsResult,
        function="forge_daemon.server.handlers.cache:cache_stats",
        errors=(ErrorCode.INVALID_ARGUMENT,),
        summary="The contents and the hit rates of the line-index caches.",
    ),
    Entry(
        name="forge.cache.clear",
        kind=Kind.COMMAND,
        params=CacheClearParams,
        result=CacheStatsResult,
        function="forge_daemon.server.handlers.cache:cache_clear",
        errors=(ErrorCode.INVALID_ARGUMENT,),
        summary="Empties the cache of one folder or of all, and answers with the figures afterwards. Never needed "
        "for fresh answers: no answer depends on the cache.",
    ),
)

REQUESTS = tuple(
    entry for entry in REGISTRY if entry.kind is Kind.REQUEST and entry.direction is Direction.CLIENT_TO_SERVER
)
COMMANDS = tuple(entry for entry in REGISTRY if entry.kind is Kind.COMMAND)
BY_NAME: dict[str, Entry] = {entry.name: entry for entry in REGISTRY}
