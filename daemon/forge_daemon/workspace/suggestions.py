"""Names that may have been meant by a path that leads to no file: similar ones beside it, the same one elsewhere."""

import os
from collections.abc import Iterable
from difflib import SequenceMatcher, get_close_matches

MAX_SUGGESTED = 3
MAX_NAME_CHARACTERS = 80
_MIN_LIKENESS = 0.6
_MAX_COMPARED_CHARACTERS = 200
"""The end of a path: the time that a comparison takes grows with the square of the characters, or faster."""


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
