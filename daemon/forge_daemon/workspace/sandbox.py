"""The one way to a workspace file: `open_place`. It hands over a descriptor, and nobody uses a path again.

It cannot be made to follow a link out of the open folders, not even by a rename at the wrong moment, and it
never waits for a FIFO or a device. On Linux the kernel opens paths that hold no link (`openat2`); links,
other systems and older kernels take the walk. A hard link cannot be told from the file it shares and is read.

A folder's root is opened by its path each time, so a root that is replaced is never stale.
"""

import errno
import os
import stat
import sys
from collections.abc import Callable, Sequence
from typing import NamedTuple

from forge_protocol.errors import ErrorCode, ReadError

from . import openat2, windows
from .folder import Folder, Place, innermost
from .walk import ENTER, READ, open_by_walking

open_directly: Callable[[int, str, int], int] | None = openat2.open_beneath if sys.platform == "linux" else None
"""How a path without links is opened in one call: (directory, path, flags). None: every path is walked."""


class Opened(NamedTuple):
    fd: int
    leads_to: Place | None
    """Where links on the way led; None where the path asked for is the file itself."""


def open_place(place: Place, folders: Sequence[Folder]) -> Opened:
    """Open what is at a place for reading, of whatever kind it is. The caller closes the descriptor."""
    try:
        if windows.ACTIVE:
            return _open_on_windows(place, folders)
        descriptor = _open_without_links(place)
        if descriptor is not None:
            return Opened(descriptor, None)
        return Opened(*open_by_walking(place, folders, _open_root))
    except _FolderGone:
        raise ReadError(ErrorCode.NOT_FOUND, "the workspace folder itself is gone", path=place.relative) from None
    except OSError as error:
        raise _refusal(error, place) from None


def open_local(place: Place) -> Opened | None:
    """Like `open_place`, where nothing can keep the caller waiting: no link, no mount point, no error to explain.

    None otherwise. The folder itself must be on local storage.
    """
    if open_directly is None:
        return None
    try:
        root = _open_root(place.folder)
        try:
            return Opened(openat2.open_beneath(root, place.spelling, READ, same_storage=True), None)
        finally:
            os.close(root)
    except (_FolderGone, OSError):
        return None


def require_regular_file(status: os.stat_result, place: Place) -> None:
    """`NOT_FILE` where an open file is something else."""
    if not stat.S_ISREG(status.st_mode):
        kind = _KINDS.get(stat.S_IFMT(status.st_mode), "not a regular file")
        raise ReadError(ErrorCode.NOT_FILE, f"is {kind}", path=place.relative)
    if place.must_be_directory:
        raise ReadError(ErrorCode.NOT_FOUND, _NOT_A_DIRECTORY, path=place.relative)


def release(fd: int) -> None:
    """Close a file that was opened here. Nothing was written to it, so a close that fails has lost nothing."""
    try:
        os.close(fd)
    except OSError:
        return


class _FolderGone(Exception):
    pass


def _open_root(folder: Folder) -> int:
    try:
        return os.open(folder.root, ENTER)
    except (FileNotFoundError, NotADirectoryError):
        raise _FolderGone from None


def _open_without_links(place: Place) -> int | None:
    """None where that is not possible: a link, a kernel without the call, or a filter that forbids it."""
    if open_directly is None:
        return None
    root = _open_root(place.folder)
    try:
        return open_directly(root, place.spelling, READ)
    except (FileNotFoundError, NotADirectoryError):
        raise
    except OSError:
        # The walk has the last word: it can tell a refusal of the file from a refusal of the call.
        return None
    finally:
        os.close(root)


def _open_on_windows(place: Place, folders: Sequence[Folder]) -> Opened:
    descriptor, final = windows.open_and_name(f"{place.folder.root.rstrip('/')}/{place.relative}")
    reached = innermost(final, folders)
    if reached is None:
        os.close(descriptor)
        raise ReadError(
            ErrorCode.SANDBOX_VIOLATION,
            "the path leads out of every open workspace folder",
            path=place.relative,
        )
    # Also where only a short name (`LONGNA~1`) was asked for: policy must see the long one.
    return Opened(descriptor, None if reached == place._replace(must_be_directory=False) else reached)


def _refusal(error: OSError, place: Place) -> ReadError:
    number = error.errno or 0
    code, reason = _REFUSALS.get(number, (ErrorCode.INTERNAL, os.strerror(number)))
    return ReadError(code, reason, path=place.relative, retriable=number in _PASSING)


_NOT_A_DIRECTORY = "does not exist: what stands before a `/` is not a directory"
_KINDS = {
    stat.S_IFDIR: "a directory",
    stat.S_IFIFO: "a FIFO",
    stat.S_IFSOCK: "a socket",
    stat.S_IFCHR: "a character device",
    stat.S_IFBLK: "a block device",
}
_REFUSALS = {
    errno.ENOENT: (ErrorCode.NOT_FOUND, "does not exist"),
    errno.ENOTDIR: (ErrorCode.NOT_FOUND, _NOT_A_DIRECTORY),
    errno.ELOOP: (ErrorCode.NOT_FOUND, "does not exist: its links are too many, or lead in a circle"),
    errno.ENAMETOOLONG: (ErrorCode.NOT_FOUND, "does not exist: a name in it is longer than a file's can be"),
    errno.EILSEQ: (ErrorCode.NOT_FOUND, "does not exist: no file here can have that name"),
    errno.EACCES: (ErrorCode.PERMISSION_DENIED, "the operating system does not allow reading it"),
    errno.EPERM: (ErrorCode.PERMISSION_DENIED, "the operating system does not allow reading it"),
    errno.ENXIO: (ErrorCode.NOT_FILE, "is a socket, or a device that is not there"),
    errno.ENODEV: (ErrorCode.NOT_FILE, "is a device that is not there"),
    errno.EOPNOTSUPP: (ErrorCode.NOT_FILE, "is a socket"),
    errno.EMFILE: (ErrorCode.INTERNAL, "too many files are open in this process; try again"),
    errno.ENFILE: (ErrorCode.INTERNAL, "too many files are open on this machine; try again"),
    errno.ENOMEM: (ErrorCode.INTERNAL, "the system is out of memory; try again"),
    errno.EAGAIN: (ErrorCode.INTERNAL, "another process holds the file at the moment; try again"),
}
_PASSING = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN})
