"""Folders and globs, as models name them, and names as models are shown them."""

import json
import re
from collections.abc import Sequence
from typing import NamedTuple

from forge_daemon.requests.list_folder import folder_roots
from forge_daemon.requests.tree_search import Position
from forge_daemon.workspace.folder import Place, relative_to
from forge_daemon.workspace.location import in_named_folder, locate
from forge_daemon.workspace.reader import Reader, Target
from forge_daemon.workspace.tree import TreeRoot
from forge_protocol.errors import ErrorCode, ReadError

from .forms import with_usual_separators

_WILDCARD = re.compile(r"[*?{]")


class Folders(NamedTuple):
    """What a path means."""

    roots: list[TreeRoot]
    glob: str | None = None
    """Which entries below the roots."""


def folder_meant(reader: Reader, path: str) -> str | None:
    """A path that means a folder or a glob, also if it has other separators; None if it means neither."""
    paths = dict.fromkeys((path, with_usual_separators(path) or "."))
    return next((each for each in paths if _means_folder(reader, each)), None)


def _means_folder(reader: Reader, path: str) -> bool:
    """A path that is a file, does not exist or leads out means none."""
    try:
        reader.tree_roots(path)
    except ReadError as error:
        if error.code == ErrorCode.SANDBOX_VIOLATION:
            return False
        if error.code != ErrorCode.NOT_FOUND:
            return True  # and says why nothing in it can be read
        if not _WILDCARD.search(path):
            return False
        try:
            reader.open(Target(path, source="disk")).close()
        except ReadError as refusal:
            return refusal.code == ErrorCode.NOT_FOUND
        return False
    return True


def folders_at(reader: Reader, path: str | None) -> Folders:
    """The folder of a glob is its part before the first name with a wildcard."""
    try:
        return Folders(folder_roots(reader, path))
    except ReadError as error:
        if error.code != ErrorCode.NOT_FOUND or path is None or not (wildcard := _WILDCARD.search(path)):
            raise
    above, slash, _ = path[: wildcard.start()].rpartition("/")
    if not slash:
        return Folders(reader.tree_roots(None), path if "/" not in path else f"/{path}")
    return Folders(folder_roots(reader, above or "/"), path[len(above) :])


def position_after(reader: Reader, roots: Sequence[TreeRoot], path: str | None) -> Position:
    """Where an answer continues after an entry, by its name in an answer, or by its path below the first root."""
    if path is None:
        return Position()
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
    allowed = [reader.rules_of(root).settings.agent_max_chars for root in roots]
    return min(allowed if asked is None else [*allowed, asked])
