"""Names close to one that was not found, for the hint of a `NOT_FOUND`."""

import os
from collections.abc import Sequence
from itertools import islice

from forge_protocol.errors import ReadError

from .folder import Folder, Place
from .policy import Policy
from .sandbox import open_place, release

_MOST_NAMES = 3
_MOST_ENTRIES = 2000
_LONGEST_NAME = 80
_SHORTLIST = 30
"""A thorough comparison of every name in a large directory could take a second."""


def close_names(place: Place, folders: Sequence[Folder], policy: Policy) -> list[str]:
    """Up to three files beside `place` with names like its own, relative to its folder, closest first.

    Only regular files that `policy` lets through are named; links are left out. Nothing is ever raised: where
    the directory cannot be listed there is nothing to suggest.
    """
    parent, _, wanted = place.relative.rpartition("/")
    directory = Place(place.folder, parent, must_be_directory=True)
    try:
        opened = open_place(directory, folders)
    except ReadError:
        return []
    try:
        names = _by_closeness(wanted, _regular_files(opened.fd))
    except OSError:
        return []
    finally:
        release(opened.fd)
    listed = opened.leads_to or directory
    if listed.folder != place.folder:
        return []  # another folder's policy rules there
    allowed = (
        _beneath(parent, name)
        for name in names
        if policy.denying_pattern(_beneath(parent, name)) is None
        and policy.denying_pattern(_beneath(listed.relative, name)) is None
    )
    return list(islice(allowed, _MOST_NAMES))


def _regular_files(directory: int) -> list[str]:
    if os.scandir not in os.supports_fd:
        return []
    with os.scandir(directory) as entries:
        return [
            entry.name
            for entry in islice(entries, _MOST_ENTRIES)
            if entry.name.isprintable() and len(entry.name) <= _LONGEST_NAME and entry.is_file(follow_symlinks=False)
        ]


def _by_closeness(wanted: str, names: list[str]) -> list[str]:
    from difflib import SequenceMatcher, get_close_matches
    from heapq import nlargest

    if len(wanted) > _LONGEST_NAME:
        return []
    spelled = {name.casefold(): name for name in names}
    matcher = SequenceMatcher(b=wanted.casefold())

    def likeness(name: str) -> float:
        matcher.set_seq1(name)
        return matcher.quick_ratio()

    shortlist = nlargest(_SHORTLIST, spelled, key=likeness)
    return [spelled[name] for name in get_close_matches(wanted.casefold(), shortlist, n=_SHORTLIST)]


def _beneath(directory: str, name: str) -> str:
    return f"{directory}/{name}" if directory else name
