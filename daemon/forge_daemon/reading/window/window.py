"""What is asked of a file, whichever surface asks, and the window that answers it."""

from typing import TYPE_CHECKING, Literal, NamedTuple

from forge_daemon.reading.texts.form import TextForm
from forge_protocol.errors import ErrorCode, ReadError

from .cursor import Cursor
from .selection import Selection

if TYPE_CHECKING:
    from forge_daemon.reading.match.filter import Filter

Eol = Literal["lf", "crlf", "mixed", "none"]
MAX_CONTENT_BYTES = 1024 * 1024
"""The most content of one answer, numbers not counted."""
COUNT_LINES_UP_TO = 64 * 1024 * 1024
"""Above this size a window does not wait for the file's lines to be counted."""


class Columns(NamedTuple):
    """The characters to return of every line."""

    start: int
    """From 0."""
    number: int


class WindowRequest(NamedTuple):
    selection: Selection = None
    max_lines: int | None = None
    max_bytes: int | None = MAX_CONTENT_BYTES
    max_bytes_of: Literal["content", "file"] = "content"
    """They differ where malformed bytes are shown as U+FFFD, which takes three."""
    reach: int | None = None
    """The furthest byte a line selection may touch, from the start."""
    count_lines_up_to: int = COUNT_LINES_UP_TO
    on_binary: Literal["base64", "refuse"] = "base64"
    selects_bytes: bool = False
    """On a binary file a selector changes nothing."""
    until: Literal["end", "stable end", "last newline"] = "end"
    """Where the text ends for this window: what follows the stable end may change when the file grows."""
    if_none_match: str | None = None
    max_file_size: int | None = None
    filter: "Filter | None" = None
    form: TextForm = TextForm()
    columns: Columns | None = None


class ClippedLine(NamedTuple):
    line: int
    omitted_bytes: int
    """After the part that is shown."""


class Facts(NamedTuple):
    """Facts about the whole file or document."""

    byte_length: int
    line_count: int | None
    mtime_ms: int | None
    encoding: str
    bom: bool
    ends_with_newline: bool
    etag: str
    source: Literal["disk", "buffer"]
    document_version: int | None
    changed_ms: int | None = None
    """When an open document was last changed."""
    compression: str | None = None
    text_byte_length: int | None = None
    """The length of a decompressed text, where it is known."""


class BinaryPage(NamedTuple):
    data: bytes
    byte_offset: int


class Window(NamedTuple):
    """The part of a file that is returned."""

    facts: Facts
    start_line: int
    content: str = ""
    returned_line_count: int = 0
    eol: Eol = "none"
    decode_errors: int = 0
    truncated_by: Literal["lines", "bytes"] | None = None
    next_start_line: int | None = None
    next_cursor: Cursor | None = None
    end_cursor: Cursor | None = None
    """If the answer reaches the end of the file: what is appended starts here."""
    failure: str | None = None
    """Why the text ends here too early: `next_cursor` leads to the error that says so."""
    binary: BinaryPage | None = None
    not_modified: bool = False
    line_numbers: list[int] | None = None
    """With a filter: of each line, in the file."""
    context_lines: list[int] | None = None
    """Those of `line_numbers` that are shown only as context."""
    clipped_lines: tuple[ClippedLine, ...] | None = None
    """With columns."""
    starts_inside_line: bool = False
    """The first line is the rest of one of which a part was delivered before."""
    ends_inside_line: bool = False
    """The last line is not terminated, or longer than an answer."""


class ScanLimitExceeded(ReadError):
    """`reached` is a line number that would have been within reach; 0 if none."""

    def __init__(self, reason: str, reached: int) -> None:
        super().__init__(ErrorCode.SCAN_LIMIT_EXCEEDED, reason)
        self.reached = reached
