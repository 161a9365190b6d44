"""One file, opened for one request. After this no path is used again."""

import os
from collections.abc import Callable

from forge_daemon.light_typing import TYPE_CHECKING, TypeVar
from forge_daemon.reading.sources.source import FileChanged, Identity, Progress, Source
from forge_protocol.errors import ErrorCode, ReadError

from . import windows
from .sandbox import HELD

if TYPE_CHECKING:
    from forge_daemon.reading.sources.disk import DiskFile

    from .folder import Place
    from .settings import Settings

T = TypeVar("T")

_ATTEMPTS = 3


def unreadable(error: OSError, path: str) -> ReadError:
    if windows.is_held(error):
        return ReadError(ErrorCode.PERMISSION_DENIED, HELD, path=path, retriable=True)
    reason = f"cannot be read: {os.strerror(error.errno or 0)}"
    if isinstance(error, PermissionError):
        return ReadError(ErrorCode.PERMISSION_DENIED, reason, path=path)
    return ReadError(ErrorCode.INTERNAL, reason, path=path, retriable=True)


class OpenFile:
    """A file on disk, or an open document, with the names that an answer and its errors use.

    It may be handed from the thread that opened it to the one that reads it. Close it, or use it as a
    context manager.
    """

    def __init__(
        self,
        place: "Place",
        settings: "Settings",
        content: "DiskFile | Source",
        *,
        check_contents: Callable[[Source], None],
        check_still_open: Callable[[], None],
        note_growth: Callable[[], None],
    ) -> None:
        self.place = place
        """As asked for."""
        self.path = place.relative
        self.workspace_folder = place.folder.name
        self.settings = settings
        self.inline = False
        """It is read on the event loop, which must not wait: `read` then tries once, and raises `FileChanged`."""
        self._check_contents = check_contents
        self._check_still_open = check_still_open
        self._note_growth = note_growth
        self._disk: DiskFile | None = None
        self._source: Source | None = None
        if isinstance(content, Source):
            check_contents(content)
            self._source = content
        else:
            self._disk = content

    @property
    def source(self) -> Source:
        """The file's bytes, as it was last looked at."""
        if self._source is None:
            assert self._disk is not None
            try:
                source = self._guarded(self._disk.source())
                self._check_contents(source)
            except OSError as error:
                raise unreadable(error, self.path) from None
            self._source = source
        return self._source

    @property
    def identity(self) -> Identity | None:
        """What distinguishes the file on disk from others, and from itself after a change."""
        return self._disk.identity if self._disk else None

    def is_unchanged(self) -> bool:
        """Whether the file on disk is as it was last looked at."""
        return self._disk is not None and self._disk.is_unchanged()

    def read(self, use: Callable[[Source], T], progress: Progress) -> T:
        """Let `use` read the file. If the file changes meanwhile it is read again, a few times at most."""
        try:
            if self.inline or self._disk is None:
                return self._read_once(use, progress)
            for _ in range(_ATTEMPTS):
                try:
                    if self._disk.look_again():
                        self._source = None
                    return self._read_once(use, progress)
                except FileChanged:
                    continue
            raise ReadError(
                ErrorCode.CONTENT_MODIFIED, "keeps changing while it is read", retriable=True, etag=self._etag_now()
            )
        except ReadError as error:
            raise error.at(self.path) from None
        except OSError as error:
            raise unreadable(error, self.path) from None

    def recount(self, progress: Progress) -> None:
        """Count the lines again; what was known of them is forgotten where it was wrong."""
        source = self.source
        try:
            if self._disk is not None and not source.line_index.recount(source.read_at, progress):
                self._disk.forget()
        except FileChanged:
            return  # the next read notices it

    def _guarded(self, source: Source) -> Source:
        """A scan that is under way stops when its folder is closed. A small file is in memory already."""
        if source.is_small:
            return source
        # Not `self`: a file that refers to itself is freed, with all it holds, only when garbage is collected.
        check_still_open = self._check_still_open

        def read_at(offset: int, length: int) -> bytes:
            check_still_open()
            return source.read_at(offset, length)

        return source._replace(read_at=read_at)

    def close(self) -> None:
        if self._disk is not None:
            self._disk.close()

    def __enter__(self) -> "OpenFile":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def __del__(self) -> None:
        # Work that was cancelled before it began never gets to close its file.
        self.close()

    def _read_once(self, use: Callable[[Source], T], progress: Progress) -> T:
        try:
            source = self.source
            answer = use(source)
            if self._disk is not None:
                self._disk.require_unchanged(source, progress, wait=not self.inline)
                if self._disk.grew:
                    self._note_growth()
            self._check_still_open()
            return answer
        except FileChanged:
            self._source = None
            if self._disk is not None and not self.inline:  # what is seen inline may be a write under way
                self._disk.forget()
            raise

    def _etag_now(self) -> str | None:
        try:
            return self.source.etag
        except FileChanged:
            return None
