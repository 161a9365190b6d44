"""Whether a folder's storage answers by itself, or may keep us waiting for another machine or program."""

import os
import sys

_ON_DISKS = ("bcachefs", "btrfs", "ext2", "ext3", "ext4", "f2fs", "jfs", "overlay", "reiserfs", "xfs", "zfs")
_OF_THE_SYSTEM = ("devtmpfs", "ramfs", "rootfs", "squashfs", "tmpfs")
_LOCAL = frozenset((*_ON_DISKS, *_OF_THE_SYSTEM))
_MOUNTS = "/proc/self/mountinfo"
_LINK_LIMIT = 40


def is_local(path: str) -> bool:
    """True only where the file system is known to be local: a network, a user's program, the unknown may block.

    Told without touching what may block: asking dead storage for its name would hang like reading from it.
    """
    if sys.platform != "linux":
        return False
    try:
        with open(_MOUNTS, encoding="utf-8", errors="surrogateescape") as mounts:
            return _all_the_way_local(path, _types_by_point(mounts.read()))
    except OSError:
        return False


def _all_the_way_local(path: str, types: dict[str, str]) -> bool:
    reached, names, links = "/", path.split("/")[::-1], 0
    while names:
        name = names.pop()
        if name == "..":
            reached = os.path.dirname(reached)
        elif name not in ("", "."):
            reached = os.path.join(reached, name)
        if _type_at(reached, types) not in _LOCAL:
            return False
        try:
            target = os.readlink(reached)
        except OSError:  # no link, or not there
            continue
        links += 1
        if links > _LINK_LIMIT:
            return False
        names += target.split("/")[::-1]
        reached = "/" if target.startswith("/") else os.path.dirname(reached)
    return True


def _types_by_point(mounts: str) -> dict[str, str]:
    """The type of the file system on every mount point; of several on one spot, the last."""
    types = {}
    for line in mounts.splitlines():
        fields, _, described = line.partition(" - ")
        types[_unescaped(fields.split(" ")[4])] = described.split(" ")[0]
    return types


def _type_at(path: str, types: dict[str, str]) -> str | None:
    """Of the nearest mount point above a path."""
    while path not in types and path != "/":
        path = os.path.dirname(path)
    return types.get(path)


def _unescaped(point: str) -> str:
    for code, character in (("\\040", " "), ("\\011", "\t"), ("\\012", "\n"), ("\\134", "\\")):
        point = point.replace(code, character)
    return point
