"""The names in directories for a path, on file systems that accept other spellings of them.

Some file systems ignore case, the width of letters, invisible characters or dots at the end of a name, have short
names (`NETRC~1`), or treat what follows a colon as a part of the file. They open a file by a name that no pattern was
written for. Patterns ignore case, composition and invisible characters. For everything else the directory is listed,
and policy applies to the name in it.
"""

import os
from unicodedata import normalize

from .walk import ENTER, release

_INVISIBLE = "\u00ad"


class NameUnknown(Exception):
    """The directory opens a name that it does not list."""


def are_ordinary(relative: str) -> bool:
    """Whether every file system takes all names of a path literally, except for case."""
    return (
        relative.isascii()
        and "~" not in relative
        and ":" not in relative
        and not relative.endswith((".", " "))
        and "./" not in relative
        and " /" not in relative
    )


def true_names(directory: int, relative: str) -> str:
    """The path of what is at `relative` in an open directory, by the names that the directories list.

    Links are not followed. Raises `NameUnknown` if a directory lists no name for it, and `OSError`.
    """
    found: list[str] = []
    for name in relative.split("/"):
        found.append(name if are_ordinary(name) else _true_name(directory, "/".join(found), name))
    return "/".join(found)


def _true_name(root: int, parent: str, name: str) -> str:
    directory = os.open(parent or ".", ENTER, dir_fd=root)
    try:
        status = _status(name, directory)
        if status is None or not any(
            os.path.samestat(status, other)
            for spelling in _other_spellings(name)
            if (other := _status(spelling, directory)) is not None
        ):
            return name  # the directory takes names literally
        listed = _names_of(status.st_ino, directory)
        if name in listed:
            return name
        if not listed:
            raise NameUnknown
        return listed[0]
    finally:
        release(directory)


def _names_of(inode: int, directory: int) -> list[str]:
    # A directory that may be passed need not be readable.
    readable = os.open(".", _LIST, dir_fd=directory)
    try:
        with os.scandir(readable) as entries:
            return [entry.name for entry in entries if entry.inode() == inode]
    finally:
        release(readable)


def _other_spellings(name: str) -> set[str]:
    """One other spelling for each way in which a file system may ignore differences."""
    spellings = {name.swapcase(), name + _INVISIBLE, f"{name}."}
    if not name.isascii():
        spellings.add(normalize("NFKC", name))  # wide letters
    return spellings - {name}


def _status(name: str, directory: int) -> os.stat_result | None:
    try:
        return os.stat(name, dir_fd=directory, follow_symlinks=False)
    except (OSError, ValueError):
        return None


_LIST = os.O_RDONLY | getattr(os, "O_DIRECTORY", 0) | getattr(os, "O_CLOEXEC", 0)
