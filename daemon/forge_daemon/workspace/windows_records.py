"""What Windows answers in bytes: where links lead, and the entries of directories. Tested on every system."""

import struct
from collections.abc import Iterator
from typing import NamedTuple

from .windows import with_slashes, without_extension

DIRECTORY, REPARSE_POINT = 0x10, 0x400
"""Attributes of files."""

_SYMBOLIC_LINK, _JUNCTION = 0xA000000C, 0xA0000003
_SYMBOLIC_LINK_NAMES, _JUNCTION_NAMES = 20, 16
"""Where the names in the data of a reparse point start."""


def link_target(reparse_data: bytes) -> str | None:
    """Where a symbolic link or a junction leads, by the data of its reparse point. None: another kind of link."""
    tag = int.from_bytes(reparse_data[:4], "little")
    if tag not in (_SYMBOLIC_LINK, _JUNCTION):
        return None
    start, length = struct.unpack_from("<HH", reparse_data, 8)
    names = _SYMBOLIC_LINK_NAMES if tag == _SYMBOLIC_LINK else _JUNCTION_NAMES
    target = reparse_data[names + start : names + start + length].decode("utf-16-le", "surrogatepass")
    if target.startswith("\\??\\"):
        # A volume without a letter stays as it is: no folder is opened by such a name.
        return without_extension(f"\\\\?\\{target[4:]}")
    return with_slashes(target)


class Entry(NamedTuple):
    """One name in a directory."""

    name: str
    is_directory: bool
    is_file: bool
    is_link: bool = False
    byte_length: int | None = None
    """None: not known from the directory alone."""


def listed_entries(listing: bytes) -> Iterator[Entry]:
    """The entries in a buffer of FILE_FULL_DIR_INFO. Links are neither directories nor files."""
    offset = 0
    while True:
        (following,) = struct.unpack_from("<I", listing, offset)
        (byte_length,) = struct.unpack_from("<Q", listing, offset + 40)
        attributes, length, tag = struct.unpack_from("<III", listing, offset + 56)
        name = listing[offset + 68 : offset + 68 + length].decode("utf-16-le", "surrogatepass")
        is_link = bool(attributes & REPARSE_POINT) and is_name_surrogate(tag)
        is_directory = bool(attributes & DIRECTORY)
        if name not in (".", ".."):
            yield Entry(name, is_directory and not is_link, not is_directory and not is_link, is_link, byte_length)
        if not following:
            return
        offset += following


def is_name_surrogate(tag: int) -> bool:
    """Whether a reparse point stands for another name, as links do. Others only mark how a file is stored."""
    return bool(tag & 0x20000000)
