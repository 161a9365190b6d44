"""Folders with files for these tests."""

import os
import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from forge_daemon.workspace.folder import Folder, Place, folder_from_path
from forge_daemon.workspace.policy import Policy
from forge_daemon.workspace.sandbox import open_place, require_regular_file
from forge_protocol.errors import ErrorCode, ReadError

NOBODY = 65534


def folder(path: Path) -> Folder:
    path.mkdir(parents=True, exist_ok=True)
    return folder_from_path(str(path))


def write(path: Path, text: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(text)
    return path


def link(path: Path, target: Path | str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.symlink_to(target)
    return path


def read(place: Place, *folders: Folder) -> tuple[str, Place | None]:
    """What is in the file at a place, and where links led."""
    fd, leads_to = open_place(place, folders or (place.folder,))
    with open(fd) as file:
        return file.read(), leads_to


def refusal(place: Place, *folders: Folder) -> ReadError:
    try:
        fd, _ = open_place(place, folders or (place.folder,))
    except ReadError as error:
        return error
    try:
        require_regular_file(os.fstat(fd), place)
    except ReadError as error:
        return error
    finally:
        os.close(fd)
    raise AssertionError(f"{place.relative} was opened")


def code(place: Place, *folders: Folder) -> ErrorCode:
    return refusal(place, *folders).code


def open_descriptors() -> int:
    if os.name == "nt":
        return sum(map(_is_open, range(1024)))
    return len(os.listdir("/proc/self/fd" if os.path.isdir("/proc/self/fd") else "/dev/fd"))


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def all_descriptors_left(path: Path) -> list[int]:
    held: list[int] = []
    while True:
        try:
            held.append(os.open(path, os.O_RDONLY))
        except OSError:
            return held


def denying_pattern(policy: Policy, relative: str) -> str | None:
    """The pattern that a denial names; None where policy lets the path through."""
    try:
        policy.check(relative, asked=relative)
    except ReadError as error:
        assert error.code is ErrorCode.POLICY_DENIED
        named = re.search(r"is denied by the pattern '(.*?)'(?: \(.+\))?$", error.reason)
        assert named is not None, error.reason
        return named[1]
    return None


@contextmanager
def public_directory() -> Iterator[Path]:
    """A directory that other users can reach, unlike `tmp_path`."""
    with tempfile.TemporaryDirectory() as directory:
        os.chmod(directory, 0o755)
        yield Path(directory)


@contextmanager
def without_privileges() -> Iterator[None]:
    """Root drops its privileges, because permissions do not bind it."""
    if os.geteuid() != 0:
        yield
        return
    os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(0)
