"""`forge/countLines`: the exact number of lines of a file of any size."""

from attrs import define

from .filter import FilterParams
from .text_params import TextParams


@define(kw_only=True)
class CountLinesParams(TextParams):
    """Which file."""

    filter: FilterParams | None = None
    """Count only the lines that match, as in `forge/readFile`."""


@define(kw_only=True)
class CountLinesResult:
    """The number of lines, and what was counted."""

    path: str
    """Relative to its workspace folder."""
    workspace_folder: str
    """That folder's name."""
    line_count: int
    """A last line without a newline counts; a trailing newline adds none."""
    byte_length: int
    """The size of the file, or of the open document in UTF-8."""
    etag: str
    """As in `forge/readFile`."""
    matched_lines: int | None = None
    """With `filter`: how many lines pass, without those that are only around them."""
