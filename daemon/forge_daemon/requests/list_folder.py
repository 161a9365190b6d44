"""`forge/list`."""

from collections.abc import Sequence
from typing import NamedTuple

from attrs import evolve

from forge_daemon.reading.files.file_bytes import Progress
from forge_daemon.workspace.entries import byte_length
from forge_daemon.workspace.open_tree import link_target, tree_roots
from forge_daemon.workspace.reader import Reader, Target
from forge_daemon.workspace.sandbox import open_listed
from forge_daemon.workspace.tree import (
    MAX_DEPTH,
    Kind,
    Scope,
    TreeEntry,
    TreeRoot,
    TreeWalk,
    glob_of,
    kind_of,
    shown_name,
)
from forge_daemon.workspace.walk import release
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument
from forge_protocol.list_folder import ListEntry, ListParams, ListResult

from .request import open_target
from .tree_search import Position, TreeVisit, decode_position, encode_position

_UNITS = "kMGTPE"


class Listed(NamedTuple):
    """An entry of a listing."""

    root: TreeRoot
    path: str
    """Below the root. That of a folder ends in `/`."""
    kind: Kind
    byte_length: int | None = None
    entry_count: int | None = None
    target: str | None = None


class Listing(NamedTuple):
    entries: list[Listed]
    next: Position | None


def list_folder(reader: Reader, params: ListParams, progress: Progress) -> ListResult:
    scope = listing_scope(params.glob, params.depth)
    roots = folder_roots(reader, params.path, params.workspace_folder)
    same = evolve(params, cursor=None, work_done_token=None, limit=1)
    request = repr((same, [root.place.folder.uri for root in roots]))
    start = decode_position(params.cursor, request)
    listing = list_entries(reader, roots, scope, start, params.limit, progress)
    return ListResult(
        entries=[_entry(listed) for listed in listing.entries],
        next_cursor=None if listing.next is None else encode_position(listing.next, request),
    )


def folder_roots(reader: Reader, path: str | None, workspace_folder: str | None = None) -> list[TreeRoot]:
    """The directories that a path means. If there is none the error says what there is instead."""
    try:
        return tree_roots(reader, path, workspace_folder)
    except ReadError as error:
        if error.code != ErrorCode.NOT_FOUND or path is None:
            raise
        open_target(reader, Target(path, workspace_folder)).close()
        raise invalid_argument("is a file, not a folder", path=reader.name_of(path), hint="read it") from None


def listing_scope(glob: str | None, depth: int | None) -> Scope:
    if depth is None:
        depth = 1 if glob is None or "/" not in glob else MAX_DEPTH
    return Scope(glob=None if glob is None else glob_of(glob), max_depth=depth)


def list_entries(
    reader: Reader, roots: Sequence[TreeRoot], scope: Scope, start: Position, limit: int, progress: Progress
) -> Listing:
    """The entries below the roots from a position on."""
    found: list[Listed] = []
    visit = TreeVisit(reader, roots, scope, start)
    last = start
    for number, walk in visit.walks(lambda: progress(0, 0)):
        for entry in walk.entries(reader.folders):
            if len(found) == limit:
                return Listing(found, last)
            progress(0, 0)
            found.append(_listed(reader, walk, entry))
            last = Position(number, entry.relative)
    return Listing(found, visit.next)


def size_text(size: int) -> str:
    """In thousands, rounded down: 999, 1.2k, 12k, 3.4M."""
    if size < 1000:
        return str(size)
    unit = (len(str(size)) - 1) // 3
    tenths = size * 10 // 1000**unit
    return f"{tenths // 10}{f'.{tenths % 10}' if tenths < 100 else ''}{_UNITS[unit - 1]}"


def _listed(reader: Reader, walk: TreeWalk, found: TreeEntry) -> Listed:
    listed = Listed(walk.root, found.relative, kind_of(found.entry))
    if listed.kind == "file":
        return listed._replace(byte_length=byte_length(found.entry, found.directory))
    try:
        opened = open_listed(found.entry.name, found.directory)
    except OSError:
        return listed
    if isinstance(opened, str):
        place = walk.root.places_of(found.relative)[1]
        return listed._replace(target=link_target(reader, place, shown_name(opened)))
    try:
        return listed._replace(entry_count=walk.count(opened, found.relative).total())
    except OSError:
        return listed
    finally:
        release(opened)


def _entry(listed: Listed) -> ListEntry:
    place, _ = listed.root.places_of(listed.path.removesuffix("/"))
    return ListEntry(
        path=place.relative,
        workspace_folder=place.folder.name,
        kind=listed.kind,
        byte_length=listed.byte_length,
        entry_count=listed.entry_count,
        target=listed.target,
    )
