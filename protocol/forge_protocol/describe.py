"""`forge/describe`: what kind of text a file is."""

from attrs import define

from .read_file import Member
from .text_params import TextParams


@define(kw_only=True)
class DescribeParams(TextParams):
    """Which file."""

    scan: bool = True
    """Count lines, records and levels, which takes a scan of the text; false: answer at once."""


@define(kw_only=True)
class LevelCounts:
    """How many records there are of each level. Levels without any are left out."""

    trace: int | None = None
    """TRACE, VERBOSE, FINEST and the like."""
    debug: int | None = None
    """DEBUG, FINE."""
    info: int | None = None
    """INFO, and HTTP statuses below 400."""
    notice: int | None = None
    """NOTICE."""
    warning: int | None = None
    """WARNING, WARN, and HTTP statuses from 400 on."""
    error: int | None = None
    """ERROR, SEVERE, and HTTP statuses from 500 on."""
    critical: int | None = None
    """CRITICAL, FATAL, PANIC, ALERT, EMERGENCY."""
    none: int | None = None
    """Records without a level."""


@define(kw_only=True)
class DescribeResult:
    """What is known of the text."""

    path: str
    """Relative to its workspace folder."""
    workspace_folder: str
    """That folder's name."""
    byte_length: int
    """The size of the file, or of the open document in UTF-8."""
    compression: str | None
    """`gzip`, `zstd`, `xz`, `bzip2`, or null."""
    encoding: str
    """As in `forge/readFile`."""
    format: str
    """How records begin: `iso8601`, `syslog`, `json`, `logfmt`, `clf` and so on; `text` if lines have no times."""
    first_time: str | None
    """The time of the first record that has one, as ISO 8601."""
    last_time: str | None
    """That of the last record with one. Null without a scan, if the file is compressed or the newest of a rotated set
    has none."""
    line_count: int | None
    """Null without a scan, as are the next two."""
    record_count: int | None
    """How many records there are. In a text without times, a line that is not a continuation starts one."""
    levels: LevelCounts | None
    """How many records there are of each level."""
    etag: str
    """As in `forge/readFile`."""
    members: list[Member] | None = None
    """As in `forge/readFile`."""
