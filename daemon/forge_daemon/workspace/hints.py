"""How answers and errors name files: so that the name means that file, and names that may have been meant instead.

For a path that leads to no file, those are similar ones beside it, and the same one elsewhere.
"""

import os
import time
from collections.abc import Callable, Iterable, Iterator
from difflib import SequenceMatcher, get_close_matches
from functools import partial
from typing import TypeVar

from forge_daemon.daemon_threads import with_timeout
from forge_daemon.reading.files.file_bytes import FileChanged
from forge_protocol.errors import ErrorCode, ReadError

from .folder import PATIENCE_SECONDS, Place
from .location import in_named_folder, locate
from .open_tree import tree_root, walk_tree
from .reader import AmbiguousPath, Reader, Target
from .sandbox import open_place
from .tree import Scope, beneath
from .walk import release

T = TypeVar("T")

LOOK_SECONDS = 0.3
"""For the suggestions of one answer."""
MAX_SUGGESTED = 3
MAX_NAME_CHARACTERS = 80
_MAX_CANDIDATES = 10
"""Of an ambiguous path: to name one takes a look into every folder."""
_MIN_LIKENESS = 0.6
_MAX_COMPARED_CHARACTERS = 200
"""The end of a path: the time that a comparison takes grows with the square of the characters, or faster."""


def hint_for(error: ReadError, reader: Reader, target: Target) -> str | None:
    """What to ask for instead of a target that could not be opened. May block."""
    if isinstance(error, AmbiguousPath):
        names = ", ".join(full_name(reader, place) for place in error.files[:_MAX_CANDIDATES])
        return f"say which: {names}{', …' * (len(error.files) > _MAX_CANDIDATES)}"
    if error.code == ErrorCode.NOT_FOUND and error.hint is None:
        return _suggestion(reader, target)
    return error.hint


def _suggestion(reader: Reader, target: Target) -> str | None:
    found: dict[Place, float] = {}
    deadline = time.monotonic() + LOOK_SECONDS
    for place in _places_of(reader, target):
        found |= _unasked(place, partial(_close_names, reader, place, deadline)) or {}
    likeliest = sorted(found, key=lambda place: found[place], reverse=True)[:MAX_SUGGESTED]
    named = [place for place in likeliest if _unasked(place, partial(_may_be_named, reader, place))]
    return f"did you mean {', '.join(full_name(reader, place) for place in named)}?" if named else None


def _places_of(reader: Reader, target: Target) -> list[Place]:
    """Where the file was looked for; of a path that means one place, also that path in the other folders."""
    places = locate(target.path, reader.folders, target.workspace_folder)
    if len(places) > 1:
        places = in_named_folder(target.path, reader.folders) or places
    if len(places) == 1:
        place = places[0]
        places += [place._replace(folder=folder) for folder in reader.folders if folder != place.folder]
    return places


def _close_names(reader: Reader, place: Place, deadline: float) -> dict[Place, float]:
    """Files that may have been meant instead, and how likely each is."""
    folder = place.folder
    parent, _, wanted = place.relative.rpartition("/")
    if not 0 < len(wanted) <= MAX_NAME_CHARACTERS:
        return {}
    beside = _names_below(reader, Place(folder, parent), Scope(max_depth=1), deadline)
    similar = similar_names(wanted, beside).items()
    found = {Place(folder, beneath(parent, name)): likeness for name, likeness in similar}
    for path in _names_below(reader, Place(folder, ""), Scope(as_git=True), deadline):
        if path.rpartition("/")[2].casefold() == wanted.casefold():
            found[Place(folder, path)] = 1 + nearness(place.relative, path)
    return found


def _names_below(reader: Reader, directory: Place, scope: Scope, deadline: float) -> Iterator[str]:
    """The paths of the files in a directory that may be named. Links are left out, so nothing outside is named."""
    try:
        root = tree_root(reader, directory)
        if root.target.folder == directory.folder:
            for found in walk_tree(reader, root, scope, deadline).entries(reader.folders):
                if found.entry.is_file and found.relative.isprintable():
                    yield found.relative
    except ReadError:
        return


def _may_be_named(reader: Reader, place: Place) -> bool:
    """Whether a hint may name a file: only if it could be read."""
    try:
        with reader.open_place(place, "disk") as file:
            file.read(lambda _: None)
    except (ReadError, FileChanged):
        return False
    return True


def similar_names(wanted: str, names: Iterable[str]) -> dict[str, float]:
    """The names most like the one that is wanted, and how alike they are: up to 1.

    They are compared without their extensions: the same kind of file is no sign of a typing mistake.
    """
    by_stem: dict[str, list[str]] = {}
    for name in names:
        if len(name) <= MAX_NAME_CHARACTERS:
            by_stem.setdefault(_stem(name), []).append(name)
    close = get_close_matches(_stem(wanted), by_stem, MAX_SUGGESTED, _MIN_LIKENESS)
    return {name: _likeness(_stem(wanted), stem) for stem in close for name in by_stem[stem]}


def nearness(wanted: str, elsewhere: str) -> float:
    """How alike two paths are: up to 1."""
    return _likeness(wanted[-_MAX_COMPARED_CHARACTERS:], elsewhere[-_MAX_COMPARED_CHARACTERS:])


def _stem(name: str) -> str:
    return os.path.splitext(name.casefold())[0]


def _likeness(one: str, other: str) -> float:
    return SequenceMatcher(None, one, other).ratio()


def full_name(reader: Reader, place: Place) -> str:
    """The path in its folder, with the folder's name if there are several; the absolute path where that is ambiguous.

    May block.
    """
    if len(reader.folders) == 1:
        return place.relative or "."
    name, absolute = f"{place.folder.name}/{place.relative}".rstrip("/"), place.absolute
    try:
        as_given, named = locate(name, reader.folders), in_named_folder(name, reader.folders)
    except ReadError:  # clients call folders as they like
        return absolute
    is_meant = any(each.absolute == absolute for each in (*as_given, *named))
    is_ambiguous = any(
        each.absolute != absolute and _exists(reader, each, if_unknown=each in named) for each in (*as_given, *named)
    )
    return name if is_meant and not is_ambiguous else absolute


def _exists(reader: Reader, place: Place, *, if_unknown: bool) -> bool:
    """Whether a path that was not asked for leads to anything that may be read."""

    def look() -> bool:
        try:
            release(open_place(place, reader.folders).fd)
        except ReadError:
            return False
        return reader.policies.allows(place)  # last: seldom is anything there, and judging takes longer

    found = _unasked(place, look)
    return if_unknown if found is None else found


def _unasked(place: Place, look: Callable[[], T]) -> T | None:
    """A look at storage that nobody asked for; None if it does not answer."""
    return with_timeout(look, PATIENCE_SECONDS, place.folder.root)
