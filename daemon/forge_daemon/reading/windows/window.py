"""What is asked of a file, whichever surface asks, and the window that answers it."""

from forge_daemon.light_typing import TYPE_CHECKING, Literal, NamedTuple
from forge_daemon.reading.cursor import Cursor
from forge_daemon.reading.decoding import Eol
from forge_daemon.reading.selection import Selection
from forge_daemon.reading.text import AUTOMATIC, TextForm
from forge_protocol.errors import ErrorCode, ReadError

if TYPE_CHECKING:
    from forge_daemon.reading.search.line_filter import LineFilter

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
    """What a surface wants of a file, whichever surface it is."""

    selection: Selection = None
    max_lines: int | None = None
    max_bytes: int | None = MAX_CONTENT_BYTES
    max_bytes_of: Literal["content", "file"] = "content"
    """They differ where malformed bytes are shown as U+FFFD, which takes three."""
    reach: int | None = None
    """The furthest byte a line selection may touch, from the start; for the last lines, from the end."""
    count_lines_up_to: int = COUNT_LINES_UP_TO
    on_binary: Literal["base64", "refuse"] = "base64"
    whole_lines: bool = False
    """Leave out a last line that is not terminated. `next_cursor` then stands before it, though nothing was cut."""
    if_none_match: str | None = None
    max_file_size: int | None = None
    line_filter: "LineFilter | None" = None
    """The file as if it had only the lines that match."""
    form: TextForm = AUTOMATIC
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
    compression: Literal["gzip"] | None = None
    text_byte_length: int | None = None
    """Of what was compressed, where it is known."""


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
    """Where the answer reaches the end of the file: what is appended starts here."""
    ends_early: bool = False
    """What was compressed is cut or damaged here: `next_cursor` leads to the error that says so."""
    binary: BinaryPage | None = None
    not_modified: bool = False
    line_numbers: list[int] | None = None
    """Of the lines that match a filter, in the file."""
    clipped_lines: tuple[ClippedLine, ...] | None = None
    """Of a window of some columns."""


class ScanLimitExceeded(ReadError):
    """`reached` is a line number, or a number of last lines, that would have been within reach; 0 if none."""

    def __init__(self, reason: str, reached: int) -> None:
        super().__init__(ErrorCode.SCAN_LIMIT_EXCEEDED, reason)
        self.reached = reached
