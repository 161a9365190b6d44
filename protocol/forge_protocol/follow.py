"""`forge/follow`, `forge/followed` and `forge/unfollow`: what is appended to a file, as it is written."""

from typing import Literal

from attrs import define

from .error_data import ErrorData
from .fields import PageLines, Positive, ProgressToken
from .filter import FilterParams
from .read_file import ReadFileResult

DEFAULT_TAIL = 10
DEFAULT_FOLLOW_LINES = 1_000


@define(kw_only=True)
class FollowParams:
    """Which file to follow, and where to start."""

    path: str
    """As in `forge/readFile`. The name is followed, whichever file has it at the time."""
    workspace_folder: str | None = None
    """As in `forge/readFile`."""
    tail: Positive | None = None
    """Start with the last N lines; 10 if absent. Exclusive with `cursor`."""
    cursor: str | None = None
    """Start where an earlier answer ended: its `end_cursor` or `next_cursor`. Exclusive with `tail`."""
    encoding: str = "auto"
    """As in `forge/readFile`."""
    ansi: Literal["keep", "strip"] = "keep"
    """As in `forge/readFile`."""
    filter: FilterParams | None = None
    """Only the lines that match, as in `forge/readFile`. With `rotated`, `first_line` and `last_line` are
    `INVALID_ARGUMENT`."""
    rotated: bool = False
    """As in `forge/readFile`. When the log is rotated, its text goes on: nothing is lost, and no event says so."""
    max_lines: PageLines = DEFAULT_FOLLOW_LINES
    """The most lines in the answer, and in each `forge/followed`."""
    work_done_token: ProgressToken | None = None
    """LSP's own: report progress under this token if the first read takes long."""


@define(kw_only=True)
class FollowResult(ReadFileResult):
    """The first window, and the id of the follow."""

    follow_id: str
    """Identifies the follow in `forge/followed` and `forge/unfollow`. Opaque."""


@define(kw_only=True)
class FollowedParams:
    """A change of a followed file."""

    follow_id: str
    """Which follow."""
    event: Literal["appended", "truncated", "replaced", "removed", "created", "refused"]
    """`truncated`: the same file was shortened or rewritten. `replaced`: another file has the name, as after a
    rotation. `refused`: policy or sandbox deny the file that is there now, the operating system has refused it for
    5 seconds, or it is not a text file; the follow ends. After `truncated`, `replaced` and `created` lines are
    numbered from 1 again."""
    content: str | None = None
    """With `appended`: whole new lines. A last line without a newline is sent once it is complete, or when it has
    not changed for a second."""
    start_line: int | None = None
    """With `appended`: the number of the first line; null if it is not known yet, or with `rotated` not at all."""
    returned_line_count: int | None = None
    """With `appended`: how many lines `content` holds."""
    line_numbers: list[int] | None = None
    """With `appended`, with `filter`: the number of each line of `content`."""
    context_lines: list[int] | None = None
    """With `appended`, with `filter`: those of `line_numbers` that are shown only as context."""
    continues_line: bool = False
    """With `appended`: the first line is the rest of one that was sent before it was complete."""
    skipped_bytes: int = 0
    """With `appended`: how much was left out before `content`, because the client was more than 8 MiB behind and
    falling further behind. 0 while it keeps up."""
    skipped_files: int = 0
    """With `replaced`: how many files had the name since the last event and are not read, because more than 16 were
    waiting for the client."""
    byte_length: int | None = None
    """The size of the file now; null if there is none."""
    line_count: int | None = None
    """How many lines the file has now; null if it is not known yet."""
    etag: str | None = None
    """The `etag` of the file now; null if there is none."""
    end_cursor: str | None = None
    """Where `content` ends. `forge/follow` and `forge/readFile` can continue there."""
    error: ErrorData | None = None
    """With `refused`: why."""


@define(kw_only=True)
class UnfollowParams:
    """Which follow to end."""

    follow_id: str
    """From the answer to `forge/follow`. A follow that has already ended is not an error."""
    work_done_token: ProgressToken | None = None
    """Accepted as in every request; there is no progress to report."""
