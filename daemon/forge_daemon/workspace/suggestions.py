"""Suggestions for a path that leads to no file: similar names, the same name elsewhere, the contents of a folder.

Only names that policy allows are suggested, by their real paths. Links are left out, so nothing outside the folders is
ever named. Every search is bounded, raises nothing, and returns nothing if there is nothing to suggest. Searching may
block.
"""

import os
import sys
import time
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from itertools import islice

from forge_daemon.light_typing import NamedTuple
from forge_protocol.errors import ReadError

from .folder import Folder, Place
from .sandbox import open_place
from .walk import release
from .windows_records import Entry

Allowed = Callable[[Place], bool]
"""Whether policy lets a place be read."""

_MOST_NAMES = 3
_MOST_ENTRIES = 2000
"""Of one directory."""
_LONGEST_NAME = 80
_SHORTLIST = 30
"""A thorough comparison of every name in a large directory could take a second."""
_LEAST_LIKENESS = 0.6
_LONGEST_COMPARED = 200
"""The end of a path, in characters: the time that a comparison takes grows with their square, or faster."""
_MOST_VISITED = 20_000
"""Entries of all directories together, in the look for a name elsewhere."""
_LOOK_SECONDS = 0.3
"""For all of one answer: whatever the folders hold, a hint takes no longer."""
_NOT_LOOKED_INTO = frozenset({"node_modules", "__pycache__"})
"""And hidden directories: what is in them is seldom meant."""


class Listing(NamedTuple):
    """What can be read in a directory."""

    names: list[str]
    """Sorted, hidden ones last; those of directories end in `/`."""
    omitted: int
    """How many more there are, as far as was looked."""
    was_cut_short: bool = False
    """There was no time to look at everything."""


def end_of_look() -> float:
    """The deadline of a search that begins now."""
    return time.monotonic() + _LOOK_SECONDS


def close_names(places: Sequence[Place], folders: Sequence[Folder], allowed: Allowed) -> list[Place]:
    """Up to three files that may have been meant instead, the likeliest first."""
    found: dict[Place, tuple[float, float]] = {}
    deadline = end_of_look()
    for place in places:
        parent, _, wanted = place.relative.rpartition("/")
        if not 0 < len(wanted) <= _LONGEST_NAME or _is_over(deadline):
            continue
        for name in _alike(wanted, _children(place.folder, parent, folders, allowed, deadline, files_only=True)):
            beside = Place(place.folder, _beneath(parent, name))
            found[beside] = (_likeness(wanted, name), 1.0)
        for elsewhere in _called(wanted, place.folder, folders, deadline):
            if _is_over(deadline):  # one directory may have thousands of files of that name, in other letters
                break
            if elsewhere not in found and allowed(elsewhere):
                found[elsewhere] = (1.0, _nearness(place.relative, elsewhere.relative))
    return sorted(found, key=lambda place: found[place], reverse=True)[:_MOST_NAMES]


def readable_names(
    directory: Place, folders: Sequence[Folder], allowed: Allowed, readable: Allowed, most: int, deadline: float
) -> Listing | None:
    """The first names in a directory; None if there is no directory.

    `readable` opens a file to examine its contents, so it is called only for names that would be listed. After the
    deadline no further name is.
    """
    try:
        release(open_place(directory._replace(must_be_directory=True), folders).fd)
    except ReadError:
        return None
    children = _children(directory.folder, directory.relative, folders, allowed, deadline, files_only=False)
    names = sorted(children, key=lambda name: (name.startswith("."), name))

    def may_be_told(name: str) -> bool:
        if _is_over(deadline):
            return False
        return name.endswith("/") or readable(Place(directory.folder, _beneath(directory.relative, name)))

    told = list(islice(filter(may_be_told, names), most))
    if _is_over(deadline):
        return Listing(told, len(names) - len(told), was_cut_short=True)
    return Listing(told, max(0, len(names) - most))


def _children(
    folder: Folder,
    directory: str,
    folders: Sequence[Folder],
    allowed: Allowed,
    deadline: float,
    *,
    files_only: bool,
) -> Iterator[str]:
    """The names in a directory that may be listed."""
    place = Place(folder, directory, must_be_directory=True)
    try:
        opened = open_place(place, folders)
    except ReadError:
        return
    try:
        listed = opened.leads_to or place
        if files_only and listed.folder != folder:
            return  # similar names in it are suggested when it is asked for
        for entry in _entries(opened.fd):
            if _is_over(deadline):
                return
            is_directory = entry.is_directory
            if (files_only or not is_directory) and not entry.is_file:
                continue
            # With its slash: `.ssh/` denies what is in a directory, and `.env` only files.
            name = f"{entry.name}/" if is_directory else entry.name
            spellings = {
                Place(folder, _beneath(directory, name)),
                Place(listed.folder, _beneath(listed.relative, name)),
            }
            if all(map(allowed, spellings)):
                yield name
    except OSError:
        return
    finally:
        release(opened.fd)


def _entries(directory: int) -> Iterator[Entry]:
    """Links are neither directories nor files."""
    for entry in islice(_all_entries(directory), _MOST_ENTRIES):
        if entry.name.isprintable() and len(entry.name) <= _LONGEST_NAME:
            yield entry


def _all_entries(directory: int) -> Iterator[Entry]:
    if sys.platform == "win32":
        from . import windows_entries

        yield from windows_entries.entries(directory)
        return
    with os.scandir(directory) as entries:
        for entry in entries:
            yield Entry(entry.name, entry.is_dir(follow_symlinks=False), entry.is_file(follow_symlinks=False))


def _called(wanted: str, folder: Folder, folders: Sequence[Folder], deadline: float) -> Iterator[Place]:
    """Files of a name anywhere in a folder, those near its root first."""
    wanted = wanted.casefold()
    visited = 0
    pending = deque([""])
    while pending and visited < _MOST_VISITED and not _is_over(deadline):
        directory = pending.popleft()
        try:
            opened = open_place(Place(folder, directory, must_be_directory=True), folders)
        except ReadError:
            continue
        try:
            for entry in _entries(opened.fd) if opened.leads_to is None else ():
                visited += 1
                if entry.is_directory:
                    if not entry.name.startswith(".") and entry.name not in _NOT_LOOKED_INTO:
                        pending.append(_beneath(directory, entry.name))
                elif entry.name.casefold() == wanted and entry.is_file:
                    yield Place(folder, _beneath(directory, entry.name))
        except OSError:
            continue
        finally:
            release(opened.fd)


def _is_over(deadline: float) -> bool:
    return time.monotonic() >= deadline


def _alike(wanted: str, names: Iterator[str]) -> list[str]:
    from difflib import SequenceMatcher
    from heapq import nlargest

    matcher = SequenceMatcher(b=_stem(wanted))

    def roughly(name: str) -> float:
        matcher.set_seq1(_stem(name))
        return matcher.quick_ratio()

    return [name for name in nlargest(_SHORTLIST, names, key=roughly) if _likeness(wanted, name) >= _LEAST_LIKENESS]


def _likeness(wanted: str, name: str) -> float:
    """The similarity of two names without their extensions: the same kind of file is no sign of a typing mistake."""
    return _ratio(_stem(wanted), _stem(name))


def _nearness(wanted: str, elsewhere: str) -> float:
    return _ratio(wanted[-_LONGEST_COMPARED:], elsewhere[-_LONGEST_COMPARED:])


def _stem(name: str) -> str:
    return os.path.splitext(name.casefold())[0]


def _ratio(one: str, other: str) -> float:
    from difflib import SequenceMatcher

    return SequenceMatcher(None, one, other).ratio()


def _beneath(directory: str, name: str) -> str:
    return f"{directory}/{name}" if directory else name
