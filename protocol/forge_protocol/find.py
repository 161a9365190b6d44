"""`forge/find`: the next or the previous match in a file of any size."""

from typing import Literal

from attrs import define

from .fields import Positive
from .filter import FilterParams
from .text_params import TextParams


@define(kw_only=True)
class FindParams(TextParams):
    """What to search for, and where to start.

    The file is searched line by line, without wrapping. Matches may overlap; the nearest one is the answer.
    """

    pattern: str
    """1 to 10,000 characters. A literal must not contain a newline: it could never match."""
    regex: bool = False
    """`pattern` is a regular expression in RE2's syntax, applied to one line at a time."""
    ignore_case: bool = False
    """Letters match in either case."""
    whole_word: bool = False
    """A match begins and ends at a word boundary (`\\b`)."""
    filter: FilterParams | None = None
    """Search only in lines that pass, not in those around them (`before`, `after`). `line` and `start_line` are still
    numbers of the file's lines."""
    count: bool = False
    """Also count the lines that match from `start_line` on. Takes a scan of the rest of the file."""
    direction: Literal["forward", "backward"] = "forward"
    """`forward`: the first match that starts at or after the position. `backward`: the last one that starts
    before it."""
    start_line: Positive = 1
    """The position's line. One past the last line is the end of the file: forward from there nothing is found,
    backward everything is searched. Backward from the default nothing is found."""
    start_column: Positive = 1
    """The position's column. One past the end of the line is the end of the line."""


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
    matched_lines: int | None = None
    """With `count`: how many lines match from `start_line` on."""
