"""`forge/find`: the next or the previous match in a file of any size."""

from typing import Literal

from attrs import define, field

from .fields import SINCE_1_1, Positive, ProgressToken


@define(kw_only=True)
class FindParams:
    """What to search for, and where to start.

    The file is searched line by line, without wrapping. Matches may overlap; the nearest one is the answer.
    """

    path: str
    """As in `forge/readFile`."""
    pattern: str
    """1 to 1,000 characters. A literal must not contain a newline: it could never match."""
    workspace_folder: str | None = None
    """As in `forge/readFile`."""
    regex: bool = False
    """`pattern` is a regular expression in the syntax of Python's `re`, applied to one line at a time."""
    ignore_case: bool = False
    """Letters match in either case, as with Python's `re.IGNORECASE`."""
    direction: Literal["forward", "backward"] = "forward"
    """`forward`: the first match that starts at or after the position. `backward`: the last one that starts
    before it."""
    start_line: Positive = 1
    """The position's line. One past the last line is the end of the file: forward from there nothing is found,
    backward everything is searched. Backward from the default nothing is found."""
    start_column: Positive = 1
    """The position's column. One past the end of the line is the end of the line."""
    source: Literal["auto", "disk", "buffer", "unsaved"] = "auto"
    """As in `forge/readFile`."""
    encoding: str = field(default="auto", metadata=SINCE_1_1)
    """As in `forge/readFile`."""
    ansi: Literal["keep", "strip"] = field(default="keep", metadata=SINCE_1_1)
    """`strip`: search the text without terminal escape sequences, and count its columns."""
    decompress: Literal["auto", "never"] = field(default="auto", metadata=SINCE_1_1)
    """As in `forge/readFile`."""
    work_done_token: ProgressToken | None = None
    """LSP's own: report progress under this token if the search takes long."""


@define(kw_only=True)
class FindMatch:
    """Where a match is. Columns are counted in code points, from 1, without the byte order mark."""

    line: int
    """Its line number."""
    start_column: int
    """Its first column."""
    end_column: int
    """Its last column, inclusive; `start_column - 1` for an empty match of a regular expression."""
    content: str
    """The line, without its line ending, with U+FFFD for malformed bytes. At most 8,192 characters: from the first
    column if the match starts within the first 4,096, else from 1,024 columns before the match."""


@define(kw_only=True)
class FindResult:
    """The match, if there is one."""

    path: str
    """Relative to its workspace folder."""
    match: FindMatch | None
    """Null if nothing matches."""
    scanned_bytes: int
    """From the position to the start of the match, or to the end (backward: the start) of the file."""
    etag: str
    """As in `forge/readFile`."""
