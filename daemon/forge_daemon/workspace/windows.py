"""The rules of Windows for names, links and listings. All of it is text and bytes, and is tested on every system.

`windows_entries.py` has what needs the system itself.
"""

import errno
import os
import re
import struct
from collections.abc import Iterator
from typing import NamedTuple

ACTIVE = os.name == "nt"
DIRECTORY, REPARSE_POINT = 0x10, 0x400
"""Attributes of files."""

REFUSALS = {
    123: errno.EILSEQ,
    161: errno.EILSEQ,
    206: errno.ENAMETOOLONG,
    681: errno.ELOOP,
    1920: errno.ENXIO,
    1921: errno.ELOOP,
}
"""Errors of Windows that Python knows only as EINVAL: names that no file can have, links in a circle, sockets."""

_SHARING_VIOLATION, _LOCK_VIOLATION = 32, 33
_SYMBOLIC_LINK, _JUNCTION = 0xA000000C, 0xA0000003
_SYMBOLIC_LINK_NAMES, _JUNCTION_NAMES = 20, 16
"""Where the names in the data of a reparse point start."""

_ANCHOR = r"(?P<drive>[A-Za-z]):/|//[^/]+/[^/]+(/|\Z)|/"
_DEVICES = r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|COM[0-9¹²³]|LPT[0-9¹²³]) *(\..*)?"


def with_slashes(path: str) -> str:
    return path.replace("\\", "/")


def split_anchor(path: str) -> tuple[str, str]:
    """`c:/a/b` is `C:/` and `a/b`; `//server/share/a` is `//server/share/` and `a`."""
    anchor = re.match(_ANCHOR, path)
    if anchor is None:
        return "", path
    if anchor["drive"]:
        return f"{anchor['drive'].upper()}:/", path[anchor.end() :]
    return anchor[0] if anchor[0].endswith("/") else f"{anchor[0]}/", path[anchor.end() :]


def path_in_uri(host: str, path: str) -> str:
    """`/c:/a` is `c:/a`, and a host makes a network path."""
    if host:
        return f"//{host}{path}"
    return path[1:] if re.match(r"/[A-Za-z]:", path) else path


def fault_in_name(name: str) -> str | None:
    """Why Windows would open something else than a file of exactly this name."""
    if ":" in name:
        return "a name with `:` means a drive or an alternate stream on Windows"
    if name.endswith((".", " ")):
        return "Windows drops dots and spaces at the end of a name"
    if re.fullmatch(_DEVICES, name, re.IGNORECASE):
        return "the name of a device on Windows"
    return None


def is_held(error: OSError) -> bool:
    """Whether another process has the file, or the part of it that was to be read, to itself."""
    return getattr(error, "winerror", None) in (_SHARING_VIOLATION, _LOCK_VIOLATION)


def extended_path(path: str) -> str:
    """An absolute, normal path as Windows takes it at any length: the usual form ends at 260 characters."""
    backslashed = path.replace("/", "\\")
    if backslashed.startswith("\\\\"):
        return f"\\\\?\\UNC\\{backslashed[2:]}"
    return f"\\\\?\\{backslashed}" if re.match(r"[A-Za-z]:\\", backslashed) else path


def without_extension(path: str) -> str:
    """The usual form of an extended path, with slashes."""
    path = with_slashes(path)
    if path.startswith("//?/UNC/"):
        return f"//{path[8:]}"
    return path[4:] if re.match(r"//\?/[A-Za-z]:/", path) else path


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


def path_between(directory: str, reached: str) -> str:
    """The way from a directory to a file, both named from the root of one volume, with backslashes."""
    here, there = ([name for name in path.split("\\") if name] for path in (directory, reached))
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    return "/".join([".."] * (len(here) - common) + there[common:]) or "."


class Entry(NamedTuple):
    """One name in a directory."""

    name: str
    is_directory: bool
    is_file: bool


def listed_entries(listing: bytes) -> Iterator[Entry]:
    """The entries in a buffer of FILE_FULL_DIR_INFO. Links are neither directories nor files."""
    offset = 0
    while True:
        (following,) = struct.unpack_from("<I", listing, offset)
        attributes, length, tag = struct.unpack_from("<III", listing, offset + 56)
        name = listing[offset + 68 : offset + 68 + length].decode("utf-16-le", "surrogatepass")
        is_link = bool(attributes & REPARSE_POINT) and is_name_surrogate(tag)
        is_directory = bool(attributes & DIRECTORY)
        if name not in (".", ".."):
            yield Entry(name, is_directory and not is_link, not is_directory and not is_link)
        if not following:
            return
        offset += following


def is_name_surrogate(tag: int) -> bool:
    """Whether a reparse point stands for another name, as links do. Others only mark how a file is stored."""
    return bool(tag & 0x20000000)
