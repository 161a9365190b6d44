"""`forge/list`: what is in a folder."""

from typing import Annotated, Literal

from attrs import define

from .fields import Between, ProgressToken

Depth = Annotated[int, Between(1, 100)]


@define(kw_only=True)
class ListParams:
    """Which folder to list.

    The list is complete: hidden and ignored names too. Left out are names that policy denies, and FIFOs, sockets and
    devices. Links are listed and not followed.
    """

    path: str | None = None
    """The folder; by default all workspace folders."""
    workspace_folder: str | None = None
    """As in `forge/readFile`."""
    glob: str | None = None
    """Only entries whose path below the folder matches, as in `forge/findFiles`."""
    depth: Depth | None = None
    """How many levels of folders to list. The default is 1; with a `glob` that has a `/`, as many as it matches."""
    limit: Annotated[int, Between(1, 10_000)] = 1000
    """The most entries in one answer."""
    cursor: str | None = None
    """`next_cursor` of an earlier answer, with otherwise the same parameters."""
    work_done_token: ProgressToken | None = None
    """LSP's own: report progress under this token if the listing takes long."""


@define(kw_only=True)
class ListEntry:
    """A file, a folder or a link."""

    path: str
    """Relative to its workspace folder, with U+FFFD for bytes that are not UTF-8."""
    workspace_folder: str
    """The name of that folder."""
    kind: Literal["file", "folder", "link"]
    """What it is."""
    byte_length: int | None
    """The size of a file. Null if it is gone by now."""
    entry_count: int | None
    """How many entries a folder has. Null if they cannot be read."""
    target: str | None
    """Where a link leads, as it is written; relative to the workspace folder if it is written as an absolute
    path. Null if policy denies that, or if it lies outside the workspace folders."""


@define(kw_only=True)
class ListResult:
    """The entries of a folder."""

    entries: list[ListEntry]
    """Ordered by their paths, where that of a folder ends in `/`."""
    next_cursor: str | None
    """Continues after these; null at the end. An answer takes at most 10 seconds, so it may hold fewer entries than
    asked for and still continue."""
