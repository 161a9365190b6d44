"""`forge/countLines`: the exact number of lines of a file of any size."""

from typing import Literal

from attrs import define, field

from .fields import SINCE_1_1, ProgressToken
from .filter import FilterParams


@define(kw_only=True)
class CountLinesParams:
    """Which file."""

    path: str
    """As in `forge/readFile`."""
    workspace_folder: str | None = None
    """As in `forge/readFile`."""
    source: Literal["auto", "disk", "buffer", "unsaved"] = "auto"
    """As in `forge/readFile`."""
    filter: FilterParams | None = field(default=None, metadata=SINCE_1_1)
    """Count only the lines that match, as in `forge/readFile`."""
    encoding: str = field(default="auto", metadata=SINCE_1_1)
    """As in `forge/readFile`."""
    decompress: Literal["auto", "never"] = field(default="auto", metadata=SINCE_1_1)
    """As in `forge/readFile`."""
    ansi: Literal["keep", "strip"] = field(default="keep", metadata=SINCE_1_1)
    """As in `forge/readFile`. Matters only with `filter`."""
    work_done_token: ProgressToken | None = None
    """LSP's own: report progress under this token if the count takes long."""


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
    """Of the file, or of the open document in UTF-8."""
    etag: str
    """As in `forge/readFile`."""
