"""The tools `Read` and `read_file`, their definitions, and the commands that list and call tools."""

from typing import Annotated, Any, Literal

from attrs import define, field

from .fields import Between, Positive
from .read_file import ReadFileResult
from .tool_schema import describe, parameters_of

Toolset = Literal["forge", "workspace", "agent"]


@define(kw_only=True)
class ToolsListParams:
    """Which tools to list."""

    toolset: Toolset = "forge"
    """`forge` holds `Read`, `workspace` holds `read_file`, `agent` holds `read`, `find`, `list` and
    `read_many`."""


@define(kw_only=True)
class ToolDefinition:
    """How a tool is described to a model."""

    name: str
    """The name to call it by."""
    aliases: list[str]
    """Other names it can be called by."""
    description: str
    """What it does."""
    parameters: dict[str, Any]
    """JSON Schema of its arguments."""


@define(kw_only=True)
class ToolsListResult:
    """The tools of one toolset."""

    tools: list[ToolDefinition]
    """Their definitions."""


@define(kw_only=True)
class ToolsCallParams:
    """Which tool to call, with which arguments."""

    name: str
    """Its name or one of its aliases."""
    arguments: dict[str, Any]
    """As its `parameters` say."""
    toolset: Toolset = "forge"
    """The toolset the name belongs to."""


@define(kw_only=True)
class ReadArguments:
    """Arguments of the tool `Read`."""

    path: str = field(metadata=describe("File to read: relative to the workspace folder, or absolute inside it."))
    """File to read: relative to the workspace, or absolute inside it."""
    start_line: Positive | None = field(default=None, metadata=describe("First line to return, 1-based."))
    """First line, 1-based."""
    end_line: Positive | None = field(default=None, metadata=describe("Last line to return, inclusive."))
    """Last line, inclusive."""
    limit: Positive | None = field(default=None, metadata=describe("How many lines to return."))
    """How many lines."""
    head: Positive | None = field(
        default=None, metadata=describe("Return only the first N lines. Not together with another line selector.")
    )
    """Only the first N lines. Not together with start_line, end_line, limit or tail."""
    tail: Positive | None = field(
        default=None, metadata=describe("Return only the last N lines. Not together with another line selector.")
    )
    """Only the last N lines. Not together with start_line, end_line, limit or head."""
    show_line_numbers: bool | None = field(
        default=None, metadata=describe("Prefix each line with its number (default: true).", default=True)
    )
    """Prefix each line with its number (default: true)."""
    cursor: str | None = field(
        default=None,
        metadata=describe("next_cursor of an earlier answer: continue there. Not together with a line selector."),
    )
    """`next_cursor` of an earlier answer: continue exactly there. Not together with a line selector."""


@define(kw_only=True)
class ReadOutput(ReadFileResult):
    """Output of the tool `Read`."""

    omitted_lines: int
    """With `tail`: how many of the requested lines did not fit before those returned."""


@define(kw_only=True)
class ReadFileArguments:
    """Arguments of the tool `read_file`."""

    # The specification of `read_file` fixes the wording of these descriptions.
    path: str = field(metadata=describe('Workspace-root-relative file path to read (e.g., "src/main.ts").'))
    """Workspace-root-relative file path."""
    start_line: Positive = field(
        default=1,
        metadata=describe("1-based start line of the returned window (default: 1).", type="number", default=1),
    )
    """First line of the window."""
    max_lines: Annotated[int, Between(1, 500)] = field(
        default=200, metadata=describe("Maximum number of lines to return (default: 200).", type="number", default=200)
    )
    """The most lines in one answer."""


@define(kw_only=True)
class ReadFileOutputMeta:
    """Facts about the file that `read_file` read."""

    byte_length: int
    """Size of the file."""
    line_count: int
    """Lines of the file."""
    returned_line_count: int
    """Lines in `content`."""
    mtime_ms: int
    """When it was last changed, in milliseconds since 1970."""


@define(kw_only=True)
class ReadFileOutput:
    """Output of the tool `read_file`."""

    path: str
    """Relative to the workspace folder."""
    content: str
    """The lines, joined by `\\n`, without one after the last."""
    truncated: bool
    """There are more lines."""
    next_start_line: int | None
    """`start_line` of the next window; null where there is none."""
    meta: ReadFileOutputMeta
    """The file."""


READ_DEFINITION: dict[str, Any] = {
    "name": "Read",
    "aliases": ["read", "read_file", "read-file", "ReadFile"],
    "description": (
        "Reads a file of the workspace, including unsaved edits, as numbered lines. Without a selector the "
        "whole file is returned; where truncated is true, next_cursor continues. Binary files are returned as base64."
    ),
    "parameters": parameters_of(ReadArguments),
}

# The specification of `read_file` fixes the wording of this definition.
READ_FILE_DEFINITION: dict[str, Any] = {
    "name": "read_file",
    "description": "Reads a UTF-8 text file in the workspace and returns a line-limited content window.",
    "parameters": parameters_of(ReadFileArguments, closed=False),
}
