"""Opening a path name by name, with links resolved by hand.

Each name is opened relative to the directory before it and never through a link; a link is read, and its
target walked in turn. `..` starts again from the root without the last name, so a directory that is moved
while it is walked leads nowhere else. A target outside the folder it was met in is judged as text: either it
comes to the root of an open folder and the walk goes on there, or it is refused, whatever is there.
"""

import errno
import os
from collections.abc import Callable, Sequence
from functools import reduce
from operator import or_

from forge_protocol.errors import ErrorCode, ReadError

from .folder import Folder, Place, innermost, normal_path, real_path


def _flags(*names: str) -> int:
    """Those of the flags that this system has."""
    return reduce(or_, (getattr(os, name, 0) for name in names))


READ = _flags("O_RDONLY", "O_NONBLOCK", "O_NOCTTY", "O_CLOEXEC", "O_LARGEFILE")
"""Never waits: not for a FIFO's writer, not for a device."""
ENTER = _flags("O_PATH", "O_DIRECTORY", "O_CLOEXEC")

_NO_FOLLOW = _flags("O_NOFOLLOW")
_MAYBE_A_LINK = frozenset({errno.ELOOP, errno.ENOTDIR, errno.EMLINK})
_LINK_LIMIT = 40  # the kernel's own
_STEP_LIMIT = 4096
_ATTEMPTS_AT_ONE_NAME = 3


def open_by_walking(
    place: Place, folders: Sequence[Folder], open_root: Callable[[Folder], int]
) -> tuple[int, Place | None]:
    """A descriptor, and the place the links lead to if there were any. Raises `OSError` like the kernel."""
    route = _Route(place, folders)
    while True:
        descriptor = _descend(open_root(route.folder), route)
        if descriptor is not None:
            return descriptor, route.leads_to()


class _Route:
    """Where a walk is, and what is still before it."""

    def __init__(self, place: Place, folders: Sequence[Folder]) -> None:
        self.folder = place.folder
        self.passed: list[str] = []
        self.pending: list[str] = []
        """The next name is the last one."""
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
            self._enter_from(_names(real_path(self.folder.root))[:-1])

    def follow(self, target: str) -> bool:
        """Take a link's target; whether the walk goes on where it is."""
        self._links += 1
        if self._links > _LINK_LIMIT:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
        self._expect(target)
        if target.startswith("/"):
            self._enter_from([])
            return False
        return True

    def leads_to(self) -> Place | None:
        if not self._links:
            return None
        reached = Place(self.folder, "/".join(self.passed))
        return innermost(normal_path(f"{self.folder.root}/{reached.relative}"), self._folders) or reached

    def _expect(self, path: str) -> None:
        names = _names(path)
        if path.endswith(("/", "/.")):
            names.append(".")  # so that what is before it is opened as a directory
        self.pending += reversed(names)

    def _enter_from(self, outside: list[str]) -> None:
        entered = self._enter(outside, lambda folder: folder.root) or self._enter(
            outside, lambda folder: real_path(folder.root)
        )
        if not entered:
            raise ReadError(
                ErrorCode.SANDBOX_VIOLATION,
                "a link leads out of every open workspace folder",
                path=self._asked,
            )

    def _enter(self, outside: list[str], root_of: Callable[[Folder], str]) -> bool:
        """Go on in the first folder whose root the pending names come to from a directory outside."""
        roots = {tuple(_names(root_of(folder))): folder for folder in self._folders}
        position, pending = outside.copy(), self.pending.copy()
        known = len(position)
        while tuple(position) not in roots and pending:
            name = pending.pop()
            if name == "..":
                if len(position) > known:
                    return False  # out there a name may be a link, and then this is not the way back
                del position[-1:]
                known = len(position)
            elif name != ".":
                position.append(name)
        folder = roots.get(tuple(position))
        if folder is None:
            return False
        self.folder, self.passed, self.pending = folder, [], pending
        return True


def _descend(directory: int, route: _Route) -> int | None:
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
            found = _open_or_read_link(name, directory, ENTER if route.pending else READ)
            if isinstance(found, str):
                if route.follow(found):
                    continue
                return None
            route.passed.append(name)
            if not route.pending:
                return found
            left, directory = directory, found
            os.close(left)
        return os.open(".", READ, dir_fd=directory)
    finally:
        os.close(directory)


def _open_or_read_link(name: str, directory: int, flags: int) -> int | str:
    """A descriptor, or a link's target. What is neither has changed in between and is tried again."""
    for _ in range(_ATTEMPTS_AT_ONE_NAME):
        try:
            return os.open(name, flags | _NO_FOLLOW, dir_fd=directory)
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


def _names(path: str) -> list[str]:
    return [name for name in path.split("/") if name not in ("", ".")]
