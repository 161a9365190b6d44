"""The one way to a workspace file: `open_place`. It hands over a descriptor, and no path is used again.

It cannot be made to follow a link out of the open folders, not even by a rename at the wrong moment, and it
never waits for a FIFO or a device (see `walk`). A hard link cannot be distinguished from its file, and is read.

A folder's root is resolved when the folder is opened. From then on it is opened by that path, without links: a root
that is created again is read, and one that is replaced by a link is not.
"""

import errno
import os
import stat
import sys
from collections.abc import Sequence
from typing import NamedTuple

from forge_protocol.errors import ErrorCode, ReadError

from . import windows
from .folder import Folder, Place
from .true_names import NameUnknown, are_ordinary, true_names
from .walk import NotOpened, Steps, open_by_walking, place_by_walking, release

if sys.platform == "win32":
    from .windows_entries import enter_root, open_directory, open_entry, open_file, open_itself
    from .windows_entries import open_unlinked as open_unlinked
else:
    from .walk import enter_root, open_directory, open_entry, open_file, open_itself
    from .walk import open_unlinked as open_unlinked


class Opened(NamedTuple):
    fd: int
    leads_to: Place | None
    """Where links on the way led; None where the path asked for is the file itself."""


def open_place(place: Place, folders: Sequence[Folder]) -> Opened:
    """Open what is at a place for reading, whatever kind it is. The caller closes the descriptor.

    For anything but a file or directory, the descriptor only names it and cannot be read.
    """
    try:
        return _by_true_name(place, Opened(*open_by_walking(place, folders, _STEPS)))
    except (_FolderGone, NotOpened, OSError) as error:
        raise _refusal(error, place) from None


def open_listed(name: str, directory: int) -> int | str:
    """Open a name that an open directory lists: a descriptor, or the target of a link, which is not followed.

    Raises `OSError` like the kernel, also for what cannot be opened without side effects.
    """
    try:
        found = _STEPS.open_entry(name, directory, is_last=True)
    except NotOpened as error:
        number = errno.EACCES if stat.S_ISREG(error.status.st_mode) else errno.ENXIO
        raise OSError(number, os.strerror(number)) from None
    return found if isinstance(found, str) else found[0]


def open_settings(path: str, *, follow_links: bool) -> int | str:
    """Open a file of settings by its absolute path: a descriptor; without `follow_links` the target of a link."""
    if follow_links:
        return open_file(path)
    directory = open_directory(os.path.dirname(path))
    try:
        return open_listed(os.path.basename(path), directory)
    finally:
        release(directory)


def place_of_missing(place: Place, folders: Sequence[Folder]) -> Place:
    """Where a file that does not exist yet would be, with its links resolved."""
    try:
        return place_by_walking(place, folders, _STEPS)
    except (_FolderGone, NotOpened, OSError) as error:
        raise _refusal(error, place) from None


def resolve_root(folder: Folder) -> None:
    """Resolve a folder's root, unless that was done before: a link put in its place later has no effect."""
    try:
        release(_STEPS.open_root(folder))
    except (_FolderGone, OSError):
        return  # a read from it reports the error


def require_regular_file(status: os.stat_result, place: Place) -> None:
    """Raise `NOT_FILE` unless the open file is a regular file."""
    if not stat.S_ISREG(status.st_mode):
        raise _not_a_file(status, place)
    if place.must_be_directory:
        raise ReadError(ErrorCode.NOT_FOUND, _NOT_A_DIRECTORY, path=place.relative)


class _FolderGone(Exception):
    pass


class _FolderReplaced(_FolderGone):
    pass


def _open_root(folder: Folder) -> int:
    """The folder's directory as it is now. One that was created again is read; a link in its place is not followed."""
    try:
        return enter_root(folder)
    except (FileNotFoundError, NotADirectoryError):
        raise _FolderGone from None
    except OSError as error:
        if error.errno == errno.ELOOP:
            raise _FolderReplaced from None
        raise


_STEPS = Steps(_open_root, open_entry, open_itself)


def _by_true_name(place: Place, opened: Opened) -> Opened:
    """Policy applies to the names that the directories list, not to those that were asked for."""
    reached = opened.leads_to or place
    if windows.ACTIVE or are_ordinary(reached.relative):  # on Windows the walk returns them
        return opened
    try:
        root = _open_root(reached.folder)
        try:
            names = true_names(root, reached.relative)
            if names != reached.relative and not _is_at(names, root, opened.fd):
                raise NameUnknown  # it was renamed meanwhile
        finally:
            release(root)
    except BaseException as error:
        release(opened.fd)
        if isinstance(error, NameUnknown):
            raise ReadError(
                ErrorCode.POLICY_DENIED,
                "its directory opens this name but does not list it, so the real name of the file is not known",
                path=place.relative,
                hint="use the name that the directory lists",
            ) from None
        raise
    return opened if names == reached.relative else Opened(opened.fd, reached._replace(relative=names))


def _is_at(relative: str, root: int, fd: int) -> bool:
    return os.path.samestat(os.stat(relative, dir_fd=root, follow_symlinks=False), os.fstat(fd))


class UnreadableFile(ReadError):
    """A regular file that the operating system does not allow to be read."""

    def __init__(self, byte_length: int, path: str) -> None:
        super().__init__(ErrorCode.PERMISSION_DENIED, _NOT_ALLOWED, path=path)
        self.byte_length = byte_length


def _not_a_file(status: os.stat_result, place: Place) -> ReadError:
    kind = _KINDS.get(stat.S_IFMT(status.st_mode), "not a regular file")
    return ReadError(ErrorCode.NOT_FILE, f"is {kind}", path=place.relative)


def _refusal(error: _FolderGone | NotOpened | OSError, place: Place) -> ReadError:
    """An error of the operating system as a `ReadError`."""
    if isinstance(error, _FolderReplaced):
        return ReadError(
            ErrorCode.SANDBOX_VIOLATION,
            "the workspace folder was replaced by a link",
            path=place.relative,
            hint="if that was intended, close the folder and open it again",
        )
    if isinstance(error, _FolderGone):
        return ReadError(ErrorCode.NOT_FOUND, "the workspace folder no longer exists", path=place.relative)
    if isinstance(error, NotOpened):
        is_file = stat.S_ISREG(error.status.st_mode)
        return UnreadableFile(error.status.st_size, place.relative) if is_file else _not_a_file(error.status, place)
    if windows.is_held(error):
        return ReadError(ErrorCode.PERMISSION_DENIED, HELD, path=place.relative, retriable=True)
    number = windows.REFUSALS.get(getattr(error, "winerror", None) or 0, error.errno or 0)
    code, reason = _REFUSALS.get(number, (ErrorCode.INTERNAL, os.strerror(number)))
    return ReadError(code, reason, path=place.relative, retriable=number in _PASSING)


HELD = "another process holds the file at the moment; try again"
_NOT_ALLOWED = "the operating system does not allow reading it"
_NOT_A_DIRECTORY = "does not exist: a name with a `/` after it, maybe the last one, is not a directory"
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
    errno.ELOOP: (ErrorCode.NOT_FOUND, "does not exist: it has too many links, or links in a circle"),
    errno.ENAMETOOLONG: (ErrorCode.NOT_FOUND, "does not exist: a name in the path is too long"),
    errno.EILSEQ: (ErrorCode.NOT_FOUND, "does not exist: no file here can have that name"),
    errno.EACCES: (ErrorCode.PERMISSION_DENIED, _NOT_ALLOWED),
    errno.EPERM: (ErrorCode.PERMISSION_DENIED, _NOT_ALLOWED),
    errno.ENXIO: (ErrorCode.NOT_FILE, "is a socket, or a device that is not there"),
    errno.ENODEV: (ErrorCode.NOT_FILE, "is a device that is not there"),
    errno.EOPNOTSUPP: (ErrorCode.NOT_FILE, "is a socket"),
    errno.EMFILE: (ErrorCode.INTERNAL, "too many files are open in this process; try again"),
    errno.ENFILE: (ErrorCode.INTERNAL, "too many files are open on this machine; try again"),
    errno.ENOMEM: (ErrorCode.INTERNAL, "the system is out of memory; try again"),
    errno.EAGAIN: (ErrorCode.INTERNAL, HELD),
}
_PASSING = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM, errno.EAGAIN, errno.EIO, errno.ESTALE})
