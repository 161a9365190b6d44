"""One file, opened for one request. After this no path is used again."""

import os
from collections.abc import Callable
from typing import NamedTuple, TypeVar

from forge_daemon.reading.files.disk import DiskFile
from forge_daemon.reading.files.file_bytes import FileBytes, FileChanged
from forge_daemon.reading.files.same_file import Identity
from forge_protocol.errors import ErrorCode, ReadError

from . import windows
from .folder import Place
from .policies import Rules
from .sandbox import HELD

T = TypeVar("T")

MAX_ATTEMPTS = 3


def unreadable(error: OSError, path: str) -> ReadError:
    if windows.is_held(error):
        return ReadError(ErrorCode.PERMISSION_DENIED, HELD, path=path, retriable=True)
    reason = f"cannot be read: {os.strerror(error.errno or 0)}"
    if isinstance(error, PermissionError):
        return ReadError(ErrorCode.PERMISSION_DENIED, reason, path=path)
    return ReadError(ErrorCode.INTERNAL, reason, path=path, retriable=True)


class Member(NamedTuple):
    """A file of a rotated set, for an answer."""

    path: str
    byte_length: int
    start_line: int | None
    """None where it is not known yet."""
    denied: bool
    reason: str | None
    """Why it is left out, or the rest of it."""


class OpenFile:
    """A file on disk, or an open document, with the names that an answer and its errors use.

    Nothing is read but through `read`, which checks the contents first. Close it, or use it as a context manager.
    """

    def __init__(self, place: Place, target: Place, rules: Rules, content: DiskFile | FileBytes | None) -> None:
        """`place` as asked for; `target`: where links led from there."""
        self.place = place
        self.path = place.relative
        self.workspace_folder = place.folder.name
        self.settings = rules.settings
        self._policy = rules.policy
        self._names = {target.relative, place.relative}
        self.members: list[Member] | None = None
        """Of a rotated set, once it was read."""
        self.disk = content if isinstance(content, DiskFile) else None
        self._document = content if isinstance(content, FileBytes) else None

    @property
    def identity(self) -> Identity | None:
        """What distinguishes the file on disk from others, and from itself after a change."""
        return self.disk.identity if self.disk else None

    def read(self, use: Callable[[FileBytes], T]) -> T:
        """Let `use` read the file. If the file changes meanwhile it is read again, a few times at most.

        Raises `POLICY_DENIED` if the file holds a private key.
        """
        try:
            for _ in range(MAX_ATTEMPTS):
                try:
                    with self.place.folder.in_use:
                        return self._read_once(use)
                except FileChanged:
                    continue
            etag = self._etag_now()
            raise ReadError(ErrorCode.CONTENT_MODIFIED, "keeps changing while it is read", retriable=True, etag=etag)
        except ReadError as error:
            raise error.at(self.path) from None
        except OSError as error:
            raise unreadable(error, self.path) from None

    def close(self) -> None:
        if self.disk is not None:
            self.disk.close()

    def __enter__(self) -> "OpenFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read_once(self, use: Callable[[FileBytes], T]) -> T:
        try:
            answer = use(self.checked_snapshot())
            if self.disk is not None:
                self.disk.require_unchanged()
        except FileChanged:
            if self.disk is not None:
                self.disk.forget()
            raise
        check_still_open(self.place)
        return answer

    def checked_snapshot(self) -> FileBytes:
        """The file as it is now. Raises `POLICY_DENIED` if it holds a private key."""
        snapshot = self._document if self.disk is None else self.disk.snapshot()
        assert snapshot is not None, "a set is read through its files"
        read_at, size = snapshot.read_at, snapshot.size
        for name in self._names:
            self._policy.check_contents(name, lambda length: read_at(0, min(length, size)), asked=self.path)
        return snapshot

    def _etag_now(self) -> str | None:
        try:
            return self.disk.snapshot().etag if self.disk else None
        except FileChanged:
            return None


def check_still_open(place: Place) -> None:
    if not place.folder.is_open:
        raise ReadError(ErrorCode.SANDBOX_VIOLATION, "the workspace folder was closed while the file was being read")
