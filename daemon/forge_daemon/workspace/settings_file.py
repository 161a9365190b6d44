"""Reads a small file of settings, if it is a plain file that can be trusted to end."""

import errno
import os
import stat
import sys
import time
from typing import NamedTuple

from .folder import normal_path

MAX_FILE_BYTES = 256 * 1024
SAVING_NS = 2_000_000_000
"""A file that was changed less than this ago may be being saved."""


class Unreadable(NamedTuple):
    """A file that could not be read, and why."""

    reason: str
    is_there: bool = True
    """False: not even that could be found out."""


_LINK = Unreadable("a symbolic link, which is not followed")
_OTHER_KIND = Unreadable("not a regular file")

Contents = bytes | Unreadable | None
"""None: there is no such file."""


def read_settings(path: str, *, follow_links: bool) -> Contents:
    """What the file holds now. May block."""
    status = None
    try:
        status = os.stat(path, follow_symlinks=follow_links)
        if not stat.S_ISREG(status.st_mode):
            return _LINK if stat.S_ISLNK(status.st_mode) else _OTHER_KIND
        return _read_regular(path, follow_links=follow_links)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        if error.errno == errno.ELOOP and not follow_links:
            return _LINK
        return Unreadable(f"cannot be read: {error.strerror}", is_there=status is not None)


def is_being_saved(path: str) -> bool:
    """Whether the file, or its directory if there is none, changed so recently that it may be incomplete."""
    for place in (path, os.path.dirname(path)):
        try:
            status = os.stat(place)
        except OSError:
            continue
        # Times of a file can be set, but on POSIX not the time of its change.
        changed = status.st_mtime_ns if sys.platform == "win32" else status.st_ctime_ns
        return changed > time.time_ns() - SAVING_NS
    return False


def _read_regular(path: str, *, follow_links: bool) -> Contents:
    """What was a regular file a moment ago may be a FIFO or a link by now."""
    if sys.platform == "win32":
        from .windows_entries import open_path

        # It shares everything: an editor may replace the file meanwhile.
        descriptor = open_path(normal_path(path), follow_links=follow_links)
    else:
        flags = os.O_RDONLY | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
        descriptor = os.open(path, flags if follow_links else flags | os.O_NOFOLLOW)
    with open(descriptor, "rb") as file:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return _OTHER_KIND
        contents = file.read(MAX_FILE_BYTES + 1)
    return contents if len(contents) <= MAX_FILE_BYTES else Unreadable("larger than 256 KiB")
