"""The rules of Windows for names. All of it is text, and is tested on every system.

`windows_records.py` has what it answers in bytes, `windows_entries.py` what needs the system itself.
"""

import errno
import os
import re

ACTIVE = os.name == "nt"

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

_ANCHOR = r"(?P<drive>[A-Za-z]):/|//[^/]+/[^/]+(/|\Z)|/"
_DEVICES = r"(?i:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|COM[0-9¹²³]|LPT[0-9¹²³]) *(\..*)?\Z"


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
    """Why Windows would not open a file of exactly this name; None if it would."""
    if ":" in name:
        return "a name with `:` means a drive or an alternate stream on Windows"
    if name.endswith((".", " ")):
        return "Windows drops dots and spaces at the end of a name"
    if re.match(_DEVICES, name):
        return "the name of a device on Windows"
    return None


def is_held(error: OSError) -> bool:
    """Whether another process has locked the file, or the part of it that was to be read."""
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


def path_between(directory: str, reached: str) -> str:
    """The way from a directory to a file, both named from the root of one volume, with backslashes."""
    here, there = ([name for name in path.split("\\") if name] for path in (directory, reached))
    common = 0
    while common < min(len(here), len(there)) and here[common] == there[common]:
        common += 1
    return "/".join([".."] * (len(here) - common) + there[common:]) or "."
