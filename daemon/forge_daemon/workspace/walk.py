"""Opening a path name by name, with links resolved by hand.

Each name is opened relative to the directory before it and never through a link; a link is read, and its
target walked in turn. `..` starts again from the root without the last name, so a directory that is moved
while it is walked leads nowhere else. A target outside the folder it was met in is judged as text: either it
comes to the root of an open folder and the walk continues there, or it is refused, whatever is there.
"""

import errno
import os
import stat
import sys
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_
from typing import NamedTuple, Protocol

from forge_protocol.errors import ErrorCode, ReadError

from . import windows
from .folder import Folder, Place, comparable, innermost, normal_path, split_anchor


def _flags(*names: str) -> int:
    """The flags that this system has."""
    return reduce(or_, (getattr(os, name, 0) for name in names))


READ = _flags("O_RDONLY", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_LARGEFILE")
"""Never waits: not for a FIFO's writer, not for a device."""
_O_SEARCH = getattr(os, "O_SEARCH", 0x40100000 if sys.platform == "darwin" else 0)
ENTER = _flags("O_PATH", "O_DIRECTORY", "O_CLOEXEC") | (0 if hasattr(os, "O_PATH") else _O_SEARCH)
"""A directory that may be passed need not be readable."""

_NAME = _flags("O_PATH", "O_CLOEXEC") if hasattr(os, "O_PATH") else None
"""Opens nothing but a name for the file, of whatever kind it is."""
_NO_FOLLOW = _flags("O_NOFOLLOW")
_MAYBE_A_LINK = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})
_LINK_LIMIT = 40  # the kernel's own
_STEP_LIMIT = 4096
_ATTEMPTS_AT_ONE_NAME = 3


class OpenEntry(Protocol):
    def __call__(self, name: str, directory: int, *, is_last: bool) -> tuple[int, str] | str:
        """A descriptor, and the name that the directory has for it; or the target of a link."""
        ...


class Steps(NamedTuple):
    """How a system opens the names of a walk."""

    open_root: Callable[[Folder], int]
    open_entry: OpenEntry
    open_itself: Callable[[int], int]
    """An open directory once more, for reading."""


def open_by_walking(place: Place, folders: Sequence[Folder], steps: Steps) -> tuple[int, Place | None]:
    """A descriptor, and the place where it was found, if links led to another. Raises `OSError` like the kernel."""
    route = _Route(place, folders)
    while True:
        descriptor = _descend(steps.open_root(route.folder), route, steps)
        if descriptor is not None:
            return descriptor, route.leads_to()


def place_by_walking(place: Place, folders: Sequence[Folder], steps: Steps) -> Place:
    """Where links lead from a place that does not exist yet. Raises `OSError` like the kernel."""
    route = _Route(place, folders)
    while True:
        try:
            descriptor = _descend(steps.open_root(route.folder), route, steps)
        except FileNotFoundError:
            return route.aims_at()
        if descriptor is not None:
            release(descriptor)
            return route.leads_to() or place


def enter_root(folder: Folder) -> int:
    """Open a folder's directory by its resolved path: ELOOP if there is a link in it by now."""
    directory = os.open("/", ENTER)
    for name in _names(folder.real_root):
        above = directory
        try:
            directory = os.open(name, ENTER | _NO_FOLLOW, dir_fd=above)
        except NotADirectoryError:
            if stat.S_ISLNK(os.stat(name, dir_fd=above, follow_symlinks=False).st_mode):
                raise OSError(errno.ELOOP, os.strerror(errno.ELOOP)) from None
            raise
        finally:
            release(above)
    return directory


def release(fd: int) -> None:
    """Close a file that was opened here. Nothing was written to it, so a close that fails has lost nothing."""
    try:
        os.close(fd)
    except OSError:
        return


class NotOpened(Exception):
    """It may not be read; or opening it has side effects, and this system cannot name it without opening it."""

    def __init__(self, status: os.stat_result) -> None:
        super().__init__(status)
        self.status = status


def _is_readable(mode: int) -> bool:
    return stat.S_ISREG(mode) or stat.S_ISDIR(mode)


class _Route:
    """The position of a walk, and the names still to go."""

    def __init__(self, place: Place, folders: Sequence[Folder]) -> None:
        self.folder = place.folder
        self.passed: list[str] = []
        self.pending: list[str] = []
        """The next name is the last one."""
        self.missing = ""
        """The name that is being opened."""
        self._asked = place.relative
        self._folders = folders
        self._links = 0
        self._steps = 0
        self._expect(place.spelling)

    def step(self) -> None:
        """Links can ask for far more steps than there are directories: a walk must end."""
        self._steps += 1
        if self._steps > _STEP_LIMIT:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))

    def climb(self) -> None:
        """Take a `..`. The walk starts again."""
        self.step()
        if self.passed:
            self.pending += reversed(self.passed[:-1])
            self.passed = []
        else:
            self._enter_from(_names(self.folder.real_root)[:-1])

    def follow(self, target: str) -> bool:
        """Follow a link's target. Returns whether the walk continues in the same directory."""
        self._links += 1
        if self._links > _LINK_LIMIT:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        anchor, rest = split_anchor(target)
        if windows.ACTIVE and anchor == "/":
            target = f"{split_anchor(self.folder.real_root)[0]}{rest}"
        self._expect(target)
        if anchor:
            self._enter_from([])
            return False
        return True

    def leads_to(self) -> Place | None:
        if not self._links and "/".join(self.passed) == self._asked:
            return None
        reached = Place(self.folder, "/".join(self.passed))
        return innermost(normal_path(f"{self.folder.root}/{reached.relative}"), self._folders) or reached

    def aims_at(self) -> Place:
        """The place of the name that does not exist."""
        ahead = "/".join((*self.passed, self.missing, *reversed(self.pending)))
        return innermost(normal_path(f"{self.folder.root}/{ahead}"), self._folders) or Place(self.folder, ahead)

    def _expect(self, path: str) -> None:
        names = _names(path)
        if path.endswith(("/", "/.")):
            names.append(".")  # so that what is before it is opened as a directory
        self.pending += reversed(names)

    def _enter_from(self, outside: list[str]) -> None:
        entered = self._enter(outside, lambda folder: folder.root) or self._enter(
            outside, lambda folder: folder.root_or_timeout
        )
        if not entered:
            raise ReadError(
                ErrorCode.SANDBOX_VIOLATION,
                "a link leads out of every open workspace folder",
                path=self._asked,
            )

    def _enter(self, outside: list[str], root_of: Callable[[Folder], str]) -> bool:
        """Continue in the first folder whose root the pending names reach from a directory outside."""
        roots = {tuple(comparable(_names(root_of(folder)))): folder for folder in self._folders}
        position, pending = outside.copy(), self.pending.copy()
        known = len(position)
        while tuple(comparable(position)) not in roots and pending:
            name = pending.pop()
            if name == "..":
                if len(position) > known:
                    return False  # out there a name may be a link, and then this is not the way back
                del position[-1:]
                known = len(position)
            elif name != ".":
                position.append(name)
        folder = roots.get(tuple(comparable(position)))
        if folder is None:
            return False
        self.folder, self.passed, self.pending = folder, [], pending
        return True


def _descend(directory: int, route: _Route, steps: Steps) -> int | None:
    """Walk on from an open directory, which is closed; None where the walk must start again from a root."""
    try:
        while route.pending:
            name = route.pending.pop()
            if name == ".":
                continue
            if name == "..":
                route.climb()
                return None
            route.step()
            route.missing = name
            found = steps.open_entry(name, directory, is_last=not route.pending)
            if isinstance(found, str):
                if route.follow(found):
                    continue
                return None
            descriptor, name = found
            route.passed.append(name)
            if not route.pending:
                return descriptor
            left, directory = directory, descriptor
            release(left)
        return steps.open_itself(directory)
    finally:
        release(directory)


def open_entry(name: str, directory: int, *, is_last: bool) -> tuple[int, str] | str:
    """`OpenEntry` for all systems but Windows. What is neither a file nor a link has changed in between: try again."""
    for _ in range(_ATTEMPTS_AT_ONE_NAME):
        try:
            return _open_last(name, directory) if is_last else os.open(name, ENTER | _NO_FOLLOW, dir_fd=directory), name
        except OSError as error:
            if error.errno not in _MAYBE_A_LINK:
                raise
            refused = error
        try:
            return os.readlink(name, dir_fd=directory)
        except OSError as error:
            if error.errno != errno.EINVAL:
                raise
    raise refused


def open_unlinked(name: str, directory: int) -> int:
    """Open what a directory has just listed as a file or a directory. Raises `OSError` if it is a link by now."""
    return os.open(name, READ | _NO_FOLLOW, dir_fd=directory)


def open_file(path: str) -> int:
    return os.open(path, READ)


def open_directory(path: str) -> int:
    return os.open(path, ENTER)


def open_itself(directory: int) -> int:
    return os.open(".", READ, dir_fd=directory)


def _open_last(name: str, directory: int) -> int:
    """Open a file or directory for reading. Anything else is only named (`O_PATH`), since opening it has side effects.

    A process that waits to write to a FIFO would continue and fail, a tape would rewind.
    """
    if _NAME is None:
        status = os.stat(name, dir_fd=directory, follow_symlinks=False)
        if not _is_readable(status.st_mode) and not stat.S_ISLNK(status.st_mode):
            raise NotOpened(status)
        return os.open(name, READ | _NO_FOLLOW, dir_fd=directory)
    named = os.open(name, _NAME | _NO_FOLLOW, dir_fd=directory)
    try:
        status = os.fstat(named)
        if stat.S_ISLNK(status.st_mode):  # it, too, can be named
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        if not _is_readable(status.st_mode):
            return os.dup(named)
        try:
            return os.open(f"/proc/self/fd/{named}", READ)
        except FileNotFoundError:  # no /proc here
            return os.open(name, READ | _NO_FOLLOW, dir_fd=directory)
        except PermissionError:
            raise NotOpened(status) from None  # what it is comes before who may read it
    finally:
        release(named)


def _names(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in ("", ".")]
