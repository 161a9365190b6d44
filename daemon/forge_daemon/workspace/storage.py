"""Whether a folder's storage answers by itself, or may keep us waiting for another machine or program."""

import os
import sys

_LOCAL = frozenset(
    ("bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "overlay", "ramfs", "reiserfs", "tmpfs", "xfs", "zfs")
)
_MOUNTS = "/proc/self/mountinfo"


def is_local(path: str) -> bool:
    """True only where the file system is known to be local: a network, a user's program, the unknown may block."""
    if sys.platform != "linux":
        return False
    try:
        real = os.path.realpath(path)
        with open(_MOUNTS, encoding="utf-8", errors="surrogateescape") as mounts:
            return _type_at(real, mounts.read()) in _LOCAL
    except OSError:
        return False


def _type_at(path: str, mounts: str) -> str | None:
    """The type of the file system mounted nearest above a path; of several on one spot, the last."""
    nearest, found = -1, None
    for line in mounts.splitlines():
        fields, _, described = line.partition(" - ")
        point = _unescaped(fields.split(" ")[4])
        beneath = point == "/" or path == point or path.startswith(f"{point}/")
        if beneath and len(point) >= nearest:
            nearest, found = len(point), described.split(" ")[0]
    return found


def _unescaped(point: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(code, character)
    return point
