"""`forge/findTime`: the place of a time in a log of any size."""

from attrs import define

from .text_params import TextParams


@define(kw_only=True)
class FindTimeParams(TextParams):
    """Which file, and which time."""

    time: str
    """As `since` of a filter: an ISO 8601 date or time, a time of day, or an age."""


@define(kw_only=True)
class FindTimeResult:
    """The first line that was logged at that time or later. All three are null if there is none."""

    path: str
    """Relative to its workspace folder."""
    line: int | None
    """Its number."""
    time: str | None
    """Its time, as ISO 8601; with a zone if the log has one."""
    content: str | None
    """The line, without its line ending, at most 8,192 characters."""
    etag: str
    """As in `forge/readFile`."""
