"""The way of a read: the path asked for, policy, sandbox, policy again, kind, and then the engine.

Every surface goes this way, and there is no other. After the sandbox has handed over the descriptor,
nobody uses the path again.
"""

import os
from collections.abc import Callable, Sequence
from typing import Generic, Literal, NamedTuple, TypeVar

from forge_daemon.reading.lines.cache import CacheFigures, LineIndexCache
from forge_daemon.reading.sources.buffer import Buffer
from forge_daemon.reading.sources.disk import read_disk
from forge_daemon.reading.sources.source import FileChanged, NotAtOnce, Source, Stat
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .folder import Folder, Place, real_path, relative_to
from .location import folder_called, is_plain, is_stable, locate
from .open_documents import OpenDocuments
from .policy import Policy
from .sandbox import open_at_once, open_place, release, require_regular_file
from .settings import Settings, SettingsStore
from .storage import is_local
from .suggestions import close_names

T = TypeVar("T")

SourceWanted = Literal["auto", "disk", "buffer"]
_ATTEMPTS = 3
_REMEMBERED_PATHS = 4096
_MOST_SUGGESTIONS = 3


class Target(NamedTuple):
    """The file somebody asks for."""

    path: str
    workspace_folder: str | None = None
    source: SourceWanted = "auto"


class Found(NamedTuple, Generic[T]):
    """What was read, and where."""

    path: str
    workspace_folder: str
    answer: T


class Reader:
    """The open folders, what may be read of them, and what was read before. Any thread may ask."""

    def __init__(self, folders: Sequence[Folder], settings: SettingsStore) -> None:
        self.settings = settings
        self.documents = OpenDocuments()
        self._caches: dict[Folder, LineIndexCache] = {}
        self._policies: dict[tuple[tuple[str, ...], ...], Policy] = {}
        self._located: dict[str, list[Place]] = {}
        self._open_place = open_place
        self._touchable: frozenset[Folder] | None = None
        """The folders whose storage may be asked anything; None: all."""
        self._at_once: Reader | None = None
        self.set_folders(folders)
        self.refresh_settings()

    def set_folders(self, folders: Sequence[Folder]) -> None:
        """A folder's cache comes and goes with it, and learns its size by `refresh_settings`."""
        self._caches = {folder: self._caches.get(folder) or LineIndexCache(0) for folder in folders}
        self.folders = tuple(self._caches)
        self._located = {}
        self._at_once = None

    @property
    def at_once(self) -> "Reader":
        """The same reader, but one that raises `NotAtOnce` rather than wait for storage."""
        if self._at_once is None:
            local = frozenset(folder for folder in self.folders if is_local(folder.root))
            self._at_once = object.__new__(Reader)
            self._at_once.__dict__.update(self.__dict__, _open_place=open_at_once, _touchable=local)
        return self._at_once

    @property
    def touches_everything(self) -> bool:
        return self._touchable is None or self._touchable.issuperset(self.folders)

    def refresh_settings(self) -> None:
        """Settings changed: the caches learn their size. Everything else asks when it needs to know."""
        for folder, cache in self._caches.items():
            if self._touchable is None or folder in self._touchable:
                cache.resize(self.settings.for_folder(folder.root).cache_max_bytes)

    def settings_of(self, place: Place) -> Settings:
        return self._settings(place.folder)

    def find(self, target: Target) -> Place:
        """The one place a path means. One that is a file in several folders is ambiguous."""
        places = self._locate(target)
        if len(places) == 1:
            return places[0]
        errors: list[ReadError] = []
        files = [place for place in places if self._is_file(place, target.source, errors)]
        if len(files) > 1:
            raise invalid_argument(
                "exists in more than one workspace folder: " + ", ".join(place.folder.name for place in files),
                path=files[0].relative,
                hint="name one of them as workspace_folder, or give the absolute path",
            )
        if files:
            return files[0]
        for error in errors:
            if error.code != ErrorCode.NOT_FOUND:
                raise error
        raise self._with_close_names(errors[0], places)

    def read(self, place: Place, source: SourceWanted, use: Callable[[Source], T]) -> Found[T]:
        """Let `use` read the file. One that changes meanwhile is read again, a few times at most."""
        try:
            for _ in range(_ATTEMPTS):
                try:
                    return Found(place.relative, place.folder.name, self._read_once(place, source, use))
                except FileChanged:
                    continue
            raise ReadError(
                ErrorCode.CONTENT_MODIFIED,
                "keeps changing while it is read",
                retriable=True,
                etag=self._read_once(place, source, lambda source: source.etag),
            )
        except FileChanged:
            raise ReadError(
                ErrorCode.CONTENT_MODIFIED,
                "keeps changing while it is read",
                path=place.relative,
                retriable=True,
            ) from None
        except ReadError as error:
            raise error.at(place.relative) from None
        except OSError as error:
            raise _unreadable(error, place) from None

    def name_of(self, path: str) -> str | None:
        """How an error may call the path somebody asked for: nothing outside the workspace is ever named."""
        try:
            return self._places(path)[0].relative
        except ReadError as error:
            return error.path

    def forget(self, path: str) -> None:
        """Somebody says the file at this absolute path changed: let go of what was cached of it."""
        try:
            place = locate(path, self.folders)[0]
            status = os.stat(path, follow_symlinks=False)
        except (ReadError, OSError):
            return
        if (cache := self._caches.get(place.folder)) is not None:
            cache.forget(status.st_dev, status.st_ino)

    def clear_cache(self, workspace_folder: str | None) -> None:
        folders = self.folders
        if workspace_folder is not None:
            folders = (folder_called(workspace_folder, folders),)
        for folder in folders:
            self._caches[folder].clear()

    def cache_figures(self) -> list[tuple[str, CacheFigures]]:
        return [(folder.name, cache.figures()) for folder, cache in self._caches.items()]

    def _locate(self, target: Target) -> list[Place]:
        """Remembered for paths whose meaning only changes with the folders."""
        # Taken before the folders are: what was found among closed ones is not remembered for the others.
        located = self._located
        places = located.get(target.path) if target.workspace_folder is None else None
        if places is None:
            places = self._places(target.path, target.workspace_folder)
            if target.workspace_folder is None and is_stable(target.path, places):
                if len(located) >= _REMEMBERED_PATHS:
                    located.clear()
                located[target.path] = places
        return places

    def _places(self, path: str, workspace_folder: str | None = None) -> list[Place]:
        if not is_plain(path) and not self.touches_everything:
            raise NotAtOnce
        return locate(path, self.folders, workspace_folder)

    def _check_policy(self, place: Place, asked: Place) -> None:
        """A place in several folders, one inside the other, must be allowed by each."""
        self._policy(place.folder).check(place.relative, asked=asked.relative)
        if len(self.folders) > 1:
            path = _absolute(place)
            for folder in self.folders:
                relative = relative_to(folder.root, path)
                if relative is not None and folder != place.folder:
                    self._policy(folder).check(relative, asked=asked.relative)

    def _settings(self, folder: Folder) -> Settings:
        """Asked before anything else of a folder is."""
        if self._touchable is not None and folder not in self._touchable:
            raise NotAtOnce
        return self.settings.for_folder(folder.root)

    def _policy(self, folder: Folder) -> Policy:
        settings = self._settings(folder)
        patterns = (settings.deny, settings.allow, settings.workspace_deny)
        if (policy := self._policies.get(patterns)) is None:
            policy = self._policies[patterns] = Policy(*patterns)
        return policy

    def _open(self, place: Place) -> "_OpenFile":
        """Everything that must be right before a byte is read, in the contract's order."""
        self._check_policy(place, asked=place)
        fd, leads_to = self._open_place(place, self.folders)
        try:
            if leads_to is not None:
                self._check_policy(leads_to, asked=place)
            return _OpenFile(fd, leads_to or place, require_regular_file(fd, place))
        except BaseException as error:
            release(fd)
            if isinstance(error, OSError):
                raise _unreadable(error, place) from None
            raise

    def _read_once(self, place: Place, source: SourceWanted, use: Callable[[Source], T]) -> T:
        try:
            file = self._open(place)
        except ReadError as error:
            if error.code != ErrorCode.NOT_FOUND:
                raise
            if source != "disk" and (unsaved := self._unsaved(place)) is not None:
                return use(unsaved.source(None))
            raise self._with_close_names(error, [place]) from None
        try:
            if source != "disk" and (buffer := self._document(place, file.place)) is not None:
                return use(buffer.source(file.look.status.st_mtime_ns // 1_000_000))
            if source == "buffer":
                raise ReadError(
                    ErrorCode.NOT_FOUND, "is not open in the editor", hint='ask for source "auto" or "disk"'
                )
            return read_disk(file.fd, file.look, self._caches.get(place.folder), use)
        finally:
            release(file.fd)

    def _document(self, place: Place, leads_to: Place) -> Buffer | None:
        if not self.documents:
            return None
        return self.documents.at(_absolute(place)) or self.documents.leading_to(
            _real(leads_to), may_wait=self._touchable is None
        )

    def _unsaved(self, place: Place) -> Buffer | None:
        """The document of a file that is not there yet."""
        return None if place.must_be_directory else self.documents.at(_absolute(place))

    def _with_close_names(self, error: ReadError, places: Sequence[Place]) -> ReadError:
        names = [name for place in places for name in close_names(place, self.folders, self._policy(place.folder))]
        if names:
            error.hint = f"did you mean {', '.join(names[:_MOST_SUGGESTIONS])}?"
        return error

    def _is_file(self, place: Place, source: SourceWanted, errors: list[ReadError]) -> bool:
        try:
            release(self._open(place).fd)
        except ReadError as error:
            errors.append(error.at(place.relative))
            return error.code == ErrorCode.NOT_FOUND and source != "disk" and self._unsaved(place) is not None
        return True


class _OpenFile(NamedTuple):
    fd: int
    place: Place
    """Where the file really is."""
    look: Stat


def _unreadable(error: OSError, place: Place) -> ReadError:
    reason = f"cannot be read: {os.strerror(error.errno or 0)}"
    if isinstance(error, PermissionError):
        return ReadError(ErrorCode.PERMISSION_DENIED, reason, path=place.relative)
    return ReadError(ErrorCode.INTERNAL, reason, path=place.relative, retriable=True)


def _absolute(place: Place) -> str:
    return f"{place.folder.root.rstrip('/')}/{place.relative}"


def _real(place: Place) -> str:
    return f"{real_path(place.folder.root).rstrip('/')}/{place.relative}"
