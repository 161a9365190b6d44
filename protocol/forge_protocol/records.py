"""`forge/records`: the records that lines of a log belong to."""

from typing import Annotated

from attrs import define

from .fields import Between, Positive
from .filter import LevelName
from .text_params import TextParams

MAX_LINES = 10_000


@define(kw_only=True)
class RecordsParams(TextParams):
    """Which lines of which file."""

    lines: Annotated[list[Positive], Between(1, MAX_LINES)]
    """The numbers of the lines, in any order."""


@define(kw_only=True)
class LineRecord:
    """A line, and the record it belongs to."""

    line: int
    """The line that was asked for."""
    start_line: int
    """The first line of its record."""
    time: str | None
    """The record's time, as ISO 8601; with a zone if the log has one. Null in a text without times."""
    level: LevelName | None
    """The record's level, if it has one."""
    content: str
    """The record's first line, without the line ending, at most 1,024 characters."""


@define(kw_only=True)
class RecordsResult:
    """The records of the lines that were asked for."""

    path: str
    """Relative to its workspace folder."""
    records: list[LineRecord]
    """One for each of `lines`, in their order, without those past the end."""
    etag: str
    """As in `forge/readFile`."""
