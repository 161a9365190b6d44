"""The names that an open directory lists, on every system."""

import os
import sys
from collections.abc import Iterator

from .windows_records import Entry

__all__ = ["Entry", "byte_length", "entries"]


def entries(directory: int) -> Iterator[Entry]:
    """In the order of the disk. What is neither a directory, a file nor a link is a FIFO, a socket or a device."""
    if sys.platform == "win32":
        from . import windows_entries

        yield from windows_entries.entries(directory)
        return
    with os.scandir(directory) as listed:
        for entry in listed:
            is_directory = entry.is_dir(follow_symlinks=False)
            is_file = not is_directory and entry.is_file(follow_symlinks=False)
            yield Entry(entry.name, is_directory, is_file, not (is_directory or is_file) and entry.is_symlink())


def byte_length(entry: Entry, directory: int) -> int | None:
    """The size of a file; None if it is gone."""
    if entry.byte_length is not None:
        return entry.byte_length
    try:
        return os.stat(entry.name, dir_fd=directory, follow_symlinks=False).st_size
    except OSError:
        return None
