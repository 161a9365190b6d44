"""The table of all requests and commands, one row each.

Documentation, JSON Schema, the editors' types and the daemon's own dispatch are made from it.
"""

from enum import StrEnum
from types import NoneType

from attrs import frozen

from .cache import CacheClearParams, CacheStatsParams, CacheStatsResult
from .count_lines import CountLinesParams, CountLinesResult
from .describe import DescribeParams, DescribeResult
from .errors import ErrorCode
from .find import FindParams, FindResult
from .find_files import FindFilesParams, FindFilesResult
from .find_time import FindTimeParams, FindTimeResult
from .follow import FollowedParams, FollowParams, FollowResult, UnfollowParams
from .list_folder import ListParams, ListResult
from .read_file import ReadFileParams, ReadFileResult
from .read_files import ReadFilesParams, ReadFilesResult
from .records import RecordsParams, RecordsResult
from .tools import ToolsCallParams, ToolsListParams, ToolsListResult


class Kind(StrEnum):
    REQUEST = "request"
    COMMAND = "command"


class Direction(StrEnum):
    CLIENT_TO_SERVER = "client to server"
    SERVER_TO_CLIENT = "server to client"


_OPENING = (
    ErrorCode.INVALID_ARGUMENT,
    ErrorCode.POLICY_DENIED,
    ErrorCode.SANDBOX_VIOLATION,
    ErrorCode.NOT_FOUND,
    ErrorCode.NOT_FILE,
    ErrorCode.PERMISSION_DENIED,
)
_READING = (ErrorCode.CONTENT_MODIFIED, ErrorCode.CANCELLED, ErrorCode.INTERNAL)


@frozen(kw_only=True)
class Entry:
    """One request or command."""

    name: str
    """The method on the wire; for a command, the `command` of `workspace/executeCommand`."""
    params: type
    """The attrs class of its parameters."""
    result: type | None
    """The attrs class of its answer; `NoneType` if the answer is null; None if it depends on the tool."""
    function: str | None
    """What answers it in the daemon, as `module:name`; None for a request that the server sends. It is loaded when the
    daemon starts, so that this package does not import the daemon."""
    at_once: bool = False
    """Whether it is answered before the next message is received, because it touches no storage."""
    title: str = ""
    """What the user sees when it takes long."""
    errors: tuple[ErrorCode, ...] = (*_OPENING, *_READING)
    """What `data.code` may be; if nothing is said, what it may be for a request that reads a text file."""
    summary: str
    """What it does."""

    @property
    def kind(self) -> Kind:
        """A command takes one argument: an object of `params`."""
        return Kind.REQUEST if "/" in self.name else Kind.COMMAND

    @property
    def direction(self) -> Direction:
        """Who sends it."""
        return Direction.CLIENT_TO_SERVER if self.function else Direction.SERVER_TO_CLIENT


REGISTRY: tuple[Entry, ...] = (
    Entry(
        name="forge/readFile",
        params=ReadFileParams,
        result=ReadFileResult,
        function="forge_daemon.requests.read_file:read_file",
        title="Reading",
        errors=(*_OPENING, ErrorCode.BINARY_NOT_SUPPORTED, *_READING),
        summary="A bounded window of a file of any size, or of the unsaved text of an open document.",
    ),
    Entry(
        name="forge/readFiles",
        params=ReadFilesParams,
        result=ReadFilesResult,
        function="forge_daemon.requests.read_files:read_files",
        title="Reading files",
        errors=(ErrorCode.INVALID_ARGUMENT, ErrorCode.CANCELLED, ErrorCode.INTERNAL),
        summary="Many windows in one round trip, in order. An item that fails has its own error, with a code of "
        "`forge/readFile` or `SIZE_LIMIT_EXCEEDED`; the others are read all the same.",
    ),
    Entry(
        name="forge/countLines",
        params=CountLinesParams,
        result=CountLinesResult,
        function="forge_daemon.requests.count_lines:count_lines",
        title="Counting lines",
        summary="The exact number of lines of a text file of any size, with progress and cancel. A binary file is "
        "`INVALID_ARGUMENT`.",
    ),
    Entry(
        name="forge/find",
        params=FindParams,
        result=FindResult,
        function="forge_daemon.requests.find:find",
        title="Searching",
        summary="The next or the previous match of a literal or a regular expression in a text file of any size, with "
        "progress and cancel. A binary file is `INVALID_ARGUMENT`; so is a pattern that does not compile, and one that "
        "takes too long.",
    ),
    Entry(
        name="forge/findFiles",
        params=FindFilesParams,
        result=FindFilesResult,
        function="forge_daemon.requests.find_files:find_files",
        title="Searching files",
        summary="The lines that match in all text files of a folder, page by page, with progress and cancel. Open "
        "documents are searched with their unsaved text. Policy and sandbox apply to each file; one that may not be "
        "read, or cannot be, is counted in `skipped` and is no error.",
    ),
    Entry(
        name="forge/list",
        params=ListParams,
        result=ListResult,
        function="forge_daemon.requests.list_folder:list_folder",
        title="Listing",
        errors=(*_OPENING, ErrorCode.CANCELLED, ErrorCode.INTERNAL),
        summary="The files, folders and links in a folder, page by page, with progress and cancel.",
    ),
    Entry(
        name="forge/findTime",
        params=FindTimeParams,
        result=FindTimeResult,
        function="forge_daemon.requests.find_time:find_time",
        title="Searching",
        summary="The first line of a log that was logged at or after a time, found by bisection. A text without times "
        "is `INVALID_ARGUMENT`.",
    ),
    Entry(
        name="forge/records",
        params=RecordsParams,
        result=RecordsResult,
        function="forge_daemon.requests.records:records",
        title="Reading",
        summary="The records that lines of a log belong to: where each starts, its time and its level. For what an "
        "editor shows beside its lines.",
    ),
    Entry(
        name="forge/describe",
        params=DescribeParams,
        result=DescribeResult,
        function="forge_daemon.requests.describe:describe",
        title="Scanning",
        summary="What kind of text a file is: its format, the span of its times, and how many lines, records and "
        "records of each level it has. Counts are exact and take one scan, with progress and cancel.",
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
    ),
    Entry(
        name="forge/unfollow",
        params=UnfollowParams,
        result=NoneType,
        function="forge_daemon.server.handlers.follow:unfollow",
        errors=(ErrorCode.INVALID_ARGUMENT,),
        summary="Ends a follow. Nothing is sent for it after the answer.",
    ),
    Entry(
        name="forge/followed",
        params=FollowedParams,
        result=NoneType,
        function=None,
        errors=(),
        summary="A change of a followed file. The next event of the same follow is sent only after the client has "
        "answered, which is the flow control.",
    ),
    Entry(
        name="forge.tools.list",
        params=ToolsListParams,
        result=ToolsListResult,
        function="forge_daemon.tools.toolkit:list_tools",
        at_once=True,
        errors=(ErrorCode.INVALID_ARGUMENT,),
        summary="The tools an agent may be given, with JSON Schema parameters.",
    ),
    Entry(
        name="forge.tools.call",
        params=ToolsCallParams,
        result=None,
        function="forge_daemon.tools.toolkit:call_tool",
        errors=tuple(ErrorCode),
        summary="Calls a tool and answers with its output: that of `Read` is the result of `forge/readFile`, that of "
        "`read_file` is the smaller object of its own specification, that of a tool of toolset `agent` is a string.",
    ),
    Entry(
        name="forge.cache.stats",
        params=CacheStatsParams,
        result=CacheStatsResult,
        function="forge_daemon.server.handlers.cache:cache_stats",
        at_once=True,
        errors=(ErrorCode.INVALID_ARGUMENT,),
        summary="The contents and the hit rates of the line-index caches.",
    ),
    Entry(
        name="forge.cache.clear",
        params=CacheClearParams,
        result=CacheStatsResult,
        function="forge_daemon.server.handlers.cache:cache_clear",
        at_once=True,
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
