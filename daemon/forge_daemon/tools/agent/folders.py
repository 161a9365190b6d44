"""Folders and globs, as models name them, and names as models are shown them."""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from forge_daemon.requests.tree_search import Position
from forge_daemon.workspace.folder import Place, relative_to
from forge_daemon.workspace.location import in_named_folder, locate
from forge_daemon.workspace.open_tree import tree_roots
from forge_daemon.workspace.reader import Reader, Target
from forge_daemon.workspace.tree import TreeRoot
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .forms import as_meant, from_shown, open_for_model

_WILDCARD = re.compile(r"[*?{]")


class Folders(NamedTuple):
    """What a path means."""

    roots: list[TreeRoot]
    glob: str | None = None
    """Which entries below the roots."""


def folders_at(reader: Reader, path: str | None) -> Folders | None:
    """What a path means that is a folder or a glob, also with other separators; None if it is neither."""
    if path is None:
        return Folders(tree_roots(reader, None))
    for each in dict.fromkeys((path, as_meant(path) or ".")):
        try:
            return Folders(tree_roots(reader, each))
        except ReadError as error:
            if error.code not in (ErrorCode.NOT_FOUND, ErrorCode.SANDBOX_VIOLATION):
                raise
            wildcard = _WILDCARD.search(each) if error.code == ErrorCode.NOT_FOUND else None
        if wildcard is not None and _is_missing(reader, each):
            return _glob(reader, each, wildcard.start())
    return None


def only_folders_at(reader: Reader, path: str | None) -> Folders:
    """What a path means that must be a folder or a glob. The error says what there is instead."""
    folders = folders_at(reader, path)
    if folders is not None:
        return folders
    open_for_model(reader, Target(path or "")).close()
    raise invalid_argument("is a file, not a folder", path=reader.name_of(path or ""), hint="read it")


def _is_missing(reader: Reader, path: str) -> bool:
    try:
        reader.open(Target(path, source="disk")).close()
    except ReadError as error:
        return error.code == ErrorCode.NOT_FOUND
    return False


def _glob(reader: Reader, path: str, wildcard: int) -> Folders:
    """Its folder is the part before the first name with a wildcard."""
    above, slash, _ = path[:wildcard].rpartition("/")
    if not slash:
        return Folders(tree_roots(reader, None), path if "/" not in path else f"/{path}")
    return Folders(only_folders_at(reader, above or "/").roots, path[len(above) :])


def position_after(reader: Reader, roots: Sequence[TreeRoot], path: str | None) -> Position:
    """Where an answer continues after an entry, by its name in an answer, or by its path below the first root."""
    if path is None:
        return Position()
    path = from_shown(path)
    try:
        places = [*in_named_folder(path, reader.folders), *locate(path, reader.folders)]
    except ReadError:
        places = []
    for place in places:
        for number, root in enumerate(roots):
            below = _below(root, place)
            if below:
                return Position(number, below.removesuffix("/") + "/" * path.endswith("/"))
    return Position(0, path)


def _below(root: TreeRoot, place: Place) -> str | None:
    if place.folder != root.place.folder:
        return None
    return relative_to(f"/{root.place.relative}", f"/{place.relative}")


def shown(name: str) -> str:
    """A name for a line of its own: as JSON has it, if it holds control characters."""
    return name if name.isprintable() else json.dumps(name, ensure_ascii=False)


def max_chars_of(reader: Reader, roots: Sequence[TreeRoot], asked: int | None) -> int:
    """The most characters in an answer: what the folders' settings allow, or what the call asks for if that is less."""
    allowed = [reader.policies.of(root.place.folder).settings.agent_max_chars for root in roots]
    return min(allowed if asked is None else [*allowed, asked])
