"""`forge/readFiles`: many windows in one round trip. An item that fails does not affect the others."""

from typing import Annotated, Any

from attrs import define

from .error_data import ErrorData
from .fields import Between, Items, ProgressToken
from .read_file import ReadFileParams, ReadFileResult

MAX_BATCH_FILES = 50
DEFAULT_MAX_TOTAL_BYTES = 8 * 1024 * 1024
MAX_TOTAL_BYTES = 32 * 1024 * 1024


@define(kw_only=True)
class ReadFilesParams:
    """The windows to read, and the most bytes they may have together."""

    files: Annotated[list[Any], Between(1, MAX_BATCH_FILES), Items(ReadFileParams)]
    """Each as for `forge/readFile`. An invalid item gets its own error."""
    max_total_bytes: Annotated[int, Between(1, MAX_TOTAL_BYTES)] = DEFAULT_MAX_TOTAL_BYTES
    """The most content in the whole answer. When it is used up, the item is cut after a line, and those
    after it are `SIZE_LIMIT_EXCEEDED`, retriable."""
    work_done_token: ProgressToken | None = None
    """LSP's own: report progress under this token if the reads take long."""


@define(kw_only=True)
class ItemError(ErrorData):
    """Why one item of a batch was not read."""

    message: str
    """Path and reason in one sentence."""


@define(kw_only=True)
class ReadFilesItem:
    """Has exactly one of the two."""

    result: ReadFileResult | None = None
    """As `forge/readFile` would have answered."""
    error: ItemError | None = None
    """Why it was not read."""


@define(kw_only=True)
class ReadFilesResult:
    """The answers, in the order of the request."""

    results: list[ReadFilesItem]
    """One for each of `files`."""
