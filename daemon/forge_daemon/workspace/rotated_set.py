"""A log and its rotated files, opened for one request.

Each of them passes policy and sandbox. One that may not be read is left out, and named in the answer. Only the newest
is opened at once; the older ones are opened when their text is asked for, a few at a time.
"""

import os
import stat
import sys
import time
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from forge_daemon.reading.files.disk import DiskFile
from forge_daemon.reading.files.file_bytes import FileBytes, FileChanged
from forge_daemon.reading.files.rotated import set_of
from forge_daemon.reading.files.same_file import Identity
from forge_protocol.errors import ErrorCode, ReadError

from .entries import entries
from .folder import Place
from .open_file import Member, OpenFile, check_still_open
from .reader import Reader, Target
from .rotated_names import members_of
from .sandbox import open_place
from .walk import release

T = TypeVar("T")

MAX_MEMBERS = 1000
"""Of more files, the newest."""
MAX_OPEN = 4
"""Older files at a time."""
_REFUSALS = frozenset(
    {ErrorCode.POLICY_DENIED, ErrorCode.SANDBOX_VIOLATION, ErrorCode.PERMISSION_DENIED, ErrorCode.NOT_FILE}
)


class _Entry(NamedTuple):
    """A file of the set, as its directory shows it."""

    place: Place
    identity: Identity
    refusal: ReadError | None = None


class _MemberFile:
    """`file_bytes.Member`."""

    def __init__(self, entry: _Entry, open_file: "Callable[[_MemberFile], FileBytes | None]") -> None:
        self.place, self.listed, refusal = entry
        self.size = self.listed.size
        self.key = self.listed.key
        self.identity = repr(tuple(self.listed)).encode()
        self.is_racy = self.listed.is_racy(time.time_ns())
        self.start_line: int | None = None
        self.refusal: ReadError | None = None
        self.reason: str | None = None
        if refusal is not None:
            self.refuse(refusal)
        self._open_file = open_file

    def open(self) -> FileBytes | None:
        return None if self.refusal else self._open_file(self)

    def refuse(self, error: ReadError) -> None:
        self.refusal, self.reason = error, error.reason

    def shown(self) -> Member:
        return Member(self.place.relative, self.size, self.start_line, self.refusal is not None, self.reason)


class RotatedSet(OpenFile):
    """The files that are there when it is read. `NOT_FOUND` if there are none."""

    def __init__(self, reader: Reader, asked: Place) -> None:
        self._reader = reader
        self._asked = asked
        self._opened: dict[_MemberFile, tuple[OpenFile, DiskFile, FileBytes]] = {}
        self._newest: _MemberFile | None = None
        rules = reader.policies.check(asked)
        with asked.folder.in_use:
            log, self._entries = self._list()
        super().__init__(log, log, rules, None)

    @classmethod
    def of(cls, reader: Reader, target: Target) -> "RotatedSet":
        try:
            return cls(reader, reader.resolve(target))
        except ReadError as error:
            raise error.at(reader.name_of(target.path)) from None

    def _read_once(self, use: Callable[[FileBytes], T]) -> T:
        try:
            return self._read_set(use)
        except FileChanged:
            for _, disk, _ in self._opened.values():
                disk.forget()
            _, self._entries = self._list()
            raise
        finally:
            self.close()

    def close(self) -> None:
        for file, _, _ in self._opened.values():
            file.close()
        self._opened.clear()
        self._newest = None  # which refers to this set

    def _read_set(self, use: Callable[[FileBytes], T]) -> T:
        members = [_MemberFile(entry, self._open) for entry in self._entries]
        policy = self._reader.policies.for_tree(self.place.folder)
        for member in members:
            if (denial := policy.denial(member.place.relative)) is not None:
                member.refuse(denial.error(member.place.relative, member.place.relative))
        answer = use(self._set_of(members))
        for _, disk, _ in self._opened.values():
            disk.require_unchanged()
        check_still_open(self.place)
        _, now = self._list()
        if _names(now) != _names(self._entries):
            raise FileChanged
        self._entries = now
        self.members = [member.shown() for member in members]
        return answer

    def _set_of(self, members: list[_MemberFile]) -> FileBytes:
        readable = [member for member in members if member.refusal is None]
        while readable:
            self._newest = readable[-1]
            if readable[-1].open() is not None:
                return set_of(readable)
            readable.pop()
        refusals = [member.refusal for member in members if member.refusal is not None]
        raise refusals[-1] if refusals else FileChanged

    def _open(self, member: _MemberFile) -> FileBytes | None:
        if member in self._opened:
            return self._opened[member][2]
        try:
            file = self._reader.open_place(member.place, "disk")
            assert file.disk is not None
            try:
                snapshot = file.checked_snapshot()
                identity, listed = file.disk.identity, member.listed
                if identity != listed and not (member is self._newest and identity.is_same_file(listed)):
                    raise FileChanged
            except BaseException:
                file.close()
                raise
        except ReadError as error:
            if error.code == ErrorCode.NOT_FOUND:
                raise FileChanged from None  # it was renamed
            if error.retriable or error.code not in _REFUSALS:
                raise
            member.refuse(error)
            return None
        member.size = snapshot.size
        self._make_room()
        self._opened[member] = file, file.disk, snapshot
        return snapshot

    def _make_room(self) -> None:
        older = [member for member in self._opened if member is not self._newest]
        for member in older[: max(0, len(older) - MAX_OPEN + 1)]:
            file, disk, _ = self._opened.pop(member)
            with file:
                disk.require_unchanged()

    def _list(self) -> tuple[Place, list[_Entry]]:
        """The log's place, and the files of the set, the oldest first."""
        directory, _, name = self._asked.relative.rpartition("/")
        opened = open_place(Place(self._asked.folder, directory, must_be_directory=True), self._reader.folders)
        try:
            listed = _names_in(opened.fd, name)
            log, names = members_of(name, listed)
            beneath = f"{directory}/" if directory else ""
            found: dict[tuple[int, int], _Entry] = {}
            for number, each in enumerate(names[-MAX_MEMBERS:]):
                place = Place(self._asked.folder, f"{beneath}{each}")
                try:
                    entry = self._entry_of(each, opened.fd, place)
                except ReadError as error:
                    entry = _Entry(place, Identity(-1, number, 0, 0, 0), error) if error.code in _REFUSALS else None
                # A file with two names, as during a rotation, or a link to another of them, counts once.
                if entry is not None:
                    found.setdefault((entry.identity.device, entry.identity.inode), entry)
        finally:
            release(opened.fd)
        if not found or (name != log and name not in listed) or self._asked.must_be_directory:
            with self._reader.open_place(self._asked, "disk") as file:  # which reports why it cannot be read
                assert file.identity is not None
                return self._asked, [_Entry(self._asked, file.identity)]
        return Place(self._asked.folder, f"{beneath}{log}"), list(found.values())

    def _entry_of(self, name: str, directory: int, place: Place) -> _Entry | None:
        """None if it is no file. A link is opened, and so is every file on Windows: its directory does not show all."""
        if sys.platform != "win32":
            try:
                status = os.stat(name, dir_fd=directory, follow_symlinks=False)
            except OSError:
                return None
            if stat.S_ISREG(status.st_mode):
                changed = status.st_mtime_ns, status.st_ctime_ns
                return _Entry(place, Identity(status.st_dev, status.st_ino, status.st_size, *changed))
            if not stat.S_ISLNK(status.st_mode):
                return None
        with self._reader.open_place(place, "disk") as file:
            return None if file.identity is None else _Entry(place, file.identity)


def _names_in(directory: int, asked: str) -> list[str]:
    try:
        return [entry.name for entry in entries(directory) if not entry.is_directory]
    except PermissionError:
        return [asked]  # a directory may be passed, but not listed


def _names(entries: list[_Entry]) -> list[tuple[Place, tuple[int, int]]]:
    return [(entry.place, entry.identity[:2]) for entry in entries]
