"""`forge/readFile`: a bounded window of a file of any size."""

from typing import Literal

from attrs import define

from .fields import NotNegative, PageBytes, PageLines, Positive, ProgressToken
from .filter import FilterParams

DEFAULT_MAX_LINES = 200
DEFAULT_MAX_BYTES = 1024 * 1024


@define(kw_only=True)
class Around:
    """The lines around one."""

    line: Positive
    """The line in the middle."""
    before: NotNegative = 10
    """How many lines before it."""
    after: NotNegative = 10
    """How many lines after it."""


@define(kw_only=True)
class Columns:
    """A range of characters of every line, in code points."""

    start: Positive = 1
    """The first one."""
    count: Positive
    """How many."""


@define(kw_only=True)
class ReadFileParams:
    """Which file, which lines of it, and in what form.

    An optional field that is `null` is absent. A path is taken literally: no `~`, no variables, no globbing.
    """

    path: str
    """Relative to a workspace folder, or absolute or a `file:` URI inside one."""
    workspace_folder: str | None = None
    """A folder's URI or name. Needed only if several folders are open and the relative path exists in
    more than one of them."""
    start_line: Positive | None = None
    """First line of the selection; 1 if absent."""
    end_line: Positive | None = None
    """Last line of the selection, not before `start_line`; the end of the file if absent."""
    limit: Positive | None = None
    """How many lines are wanted. With `end_line`, the smaller selection wins."""
    head: Positive | None = None
    """The first N lines. Exclusive with every other selector."""
    tail: Positive | None = None
    """The last N lines. Exclusive with every other selector."""
    around: Around | None = None
    """The lines around one. Exclusive with every other selector; must fit into `max_lines`."""
    cursor: str | None = None
    """Continue exactly where an earlier answer stopped: its `next_cursor` or `end_cursor`. Exclusive with every
    selector."""
    max_lines: PageLines = DEFAULT_MAX_LINES
    """The most lines in one answer: the page, not the selection."""
    filter: FilterParams | None = None
    """Read the file as if it had only the lines that match: every selector, page and cursor counts those alone."""
    max_bytes: PageBytes = DEFAULT_MAX_BYTES
    """The most bytes of content in one answer, in UTF-8."""
    columns: Columns | None = None
    """Return only these characters of every line. Any part of a line of any length can be read this way."""
    encoding: str = "auto"
    """`auto`, a label of the web's Encoding Standard (`shift_jis`, `utf-16le`), or the name of a Python codec."""
    ansi: Literal["keep", "strip"] = "keep"
    """`strip`: leave out terminal escape sequences. `content`, `columns` and `filter` use the text without them."""
    decompress: Literal["auto", "never"] = "auto"
    """Whether a compressed file (gzip, zstd, xz, bzip2) is read as the text it holds."""
    rotated: bool = False
    """Read the log that the file belongs to and its rotated files as one text, the oldest first. From the disk alone:
    `source` is ignored."""
    show_line_numbers: bool = False
    """Put its number before each line of `content`: right-aligned, then `| `. With `filter`, the number in the file."""
    on_binary: Literal["base64", "refuse"] = "base64"
    """How to answer for a binary file: with its bytes, or with `BINARY_NOT_SUPPORTED`."""
    source: Literal["auto", "disk", "buffer", "unsaved"] = "auto"
    """`auto`: the editor's open document if there is one, else the disk. `buffer`: the open document, or `NOT_FOUND`.
    `unsaved`: the open document if its text differs from the file on disk, else the disk."""
    if_none_match: str | None = None
    """An `etag`. If it is still current, the answer is `not_modified: true` with empty content."""
    work_done_token: ProgressToken | None = None
    """LSP's own: report progress under this token if the read takes long."""


@define(kw_only=True)
class Meta:
    """Facts about the file, and about this window of it."""

    byte_length: int
    """The size of the file; for an open document its length in UTF-8."""
    line_count: int | None
    """How many lines the file has, or, with `filter`, match. Null for a binary file, above 64 MiB, and for a
    compressed text or file above 4 MiB; `forge/countLines` counts the lines of those."""
    returned_line_count: int
    """How many lines `content` holds; a fragment of a line counts as one."""
    mtime_ms: int | None
    """When the file was last modified, in milliseconds since the epoch. Null for a document that was never
    saved."""
    start_line: int
    """Number of the window's first line. Negative, counted from the end, in the tail of a file whose
    `line_count` is null."""
    encoding: str
    """The encoding that was used: its name in the Encoding Standard in lower case, such as `utf-8` or `utf-16le`, else
    that of a Python codec; `binary` for a file that is not text."""
    bom: bool
    """Whether the file, or the text compressed in it, starts with a byte order mark, which is not part of `content`."""
    ends_with_newline: bool
    """Whether the file's last line ends with a newline. For a compressed text or file above 4 MiB this is only known if
    the end is shown, and false otherwise."""
    eol: Literal["lf", "crlf", "mixed", "none"]
    """How the lines of this window end in the file; in `content` they end in `\\n`."""
    decode_errors: int
    """Malformed sequences in this window, each shown as U+FFFD."""
    compression: str | None
    """How the file is compressed, if it was read as the text it holds; else null."""
    text_byte_length: int | None
    """The length of the decompressed text. Null if nothing is compressed, or if text or file is above 4 MiB."""


@define(kw_only=True)
class BinaryContent:
    """A page of a binary file."""

    encoding: Literal["base64"]
    """How `data` is encoded."""
    data: str
    """The bytes."""
    byte_offset: int
    """Where in the file they start."""
    byte_count: int
    """How many bytes they are."""


@define(kw_only=True)
class ClippedLine:
    """A line that continues after the part shown."""

    line: int
    """Its number; negative where lines are counted from the end."""
    omitted_bytes: int
    """How many bytes of it, as they are in the file, follow the part shown. For UTF-16 and UTF-32, counted in UTF-8."""


@define(kw_only=True)
class Member:
    """A file of a rotated set."""

    path: str
    """Relative to its workspace folder."""
    byte_length: int
    """The size of the file."""
    start_line: int | None
    """The number of its first line in the text of the set; null if it is not known yet."""
    denied: bool = False
    """It may not be read, and is left out."""
    reason: str | None = None
    """Why it is left out, or, if it is damaged, the rest of it."""


@define(kw_only=True)
class ReadFileResult:
    """The window, and how to continue."""

    path: str
    """Relative to its workspace folder, `/` separators, never absolute."""
    workspace_folder: str
    """That folder's name."""
    content: str
    """The window. Each line keeps its `\\n`; `\\r\\n` is normalised to `\\n`. Without numbers, the pages of a
    file put together are the whole normalised file. At most 1 MiB of UTF-8, numbers not counted."""
    truncated: bool
    """The answer stops before the end of the selection."""
    next_start_line: int | None
    """Where to continue by line. Null when not truncated, and where line numbers are not known."""
    meta: Meta
    """Facts about file and window."""
    truncated_by: Literal["lines", "bytes"] | None
    """Why it stopped: `max_lines`, or the size of an answer."""
    next_cursor: str | None
    """Where to continue exactly, even inside a line longer than an answer. Opaque. Null when not truncated."""
    end_cursor: str | None
    """Where the answer reaches the end of the file: send it later as `cursor` to get what was appended since. Null
    otherwise."""
    line_numbers: list[int] | None
    """With `filter`, the file's number of each line of `content`, negative where `meta.start_line` is. Null
    otherwise."""
    context_lines: list[int] | None
    """With `filter`: those of `line_numbers` that are shown only as context."""
    etag: str
    """Changes whenever the file, or the open document, does. Opaque."""
    source: Literal["disk", "buffer"]
    """Which one was read."""
    document_version: int | None
    """The open document's version; null if the disk was read."""
    clipped_lines: list[ClippedLine] | None
    """With `columns`: the lines that continue after the part shown, by their numbers in the file. Otherwise null."""
    binary: BinaryContent | None
    """The bytes of a binary file; `content` is then empty."""
    members: list[Member] | None = None
    """With `rotated`: the files of the set, the oldest first. Otherwise null."""
    not_modified: bool
    """`if_none_match` is still current, and the content was left out."""
