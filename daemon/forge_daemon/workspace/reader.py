"""From a path to an open file: which folder, policy, sandbox, existence, policy of the target, kind.

This is the only way, for every surface. A walk through a folder opens its files by `open_tree`.
"""

import sys
from collections.abc import Sequence
from typing import Literal, NamedTuple

from forge_daemon.reading.files.cache import CacheFigures, FileCache
from forge_daemon.reading.files.disk import DiskFile
from forge_daemon.reading.files.document import Document
from forge_daemon.reading.files.file_bytes import FileChanged
from forge_protocol.errors import ErrorCode, ReadError, forget_frames

from .answered_calls import AnsweredCalls
from .folder import Folder, Place
from .location import folder_called, in_named_folder, lexical_name, locate
from .open_documents import OpenDocuments, is_saved
from .open_file import OpenFile, unreadable
from .policies import FolderPolicies
from .sandbox import open_place, place_of_missing, require_regular_file, resolve_root
from .settings import Settings, SettingsStore
from .walk import release

SourceWanted = Literal["auto", "disk", "buffer", "unsaved"]
_NOT_THERE = (ErrorCode.POLICY_DENIED, ErrorCode.SANDBOX_VIOLATION)


class Target(NamedTuple):
    """The file that is asked for."""

    path: str
    workspace_folder: str | None = None
    source: SourceWanted = "auto"
    rotated: bool = False
    """The log that the file belongs to, with its rotated files: for `open_target`."""


class AmbiguousPath(ReadError):
    """A path that is a file in several folders."""

    def __init__(self, files: Sequence[Place]) -> None:
        folders = ", ".join(place.folder.name for place in files)
        reason = f"exists in more than one workspace folder: {folders}"
        super().__init__(ErrorCode.INVALID_ARGUMENT, reason, path=files[0].relative)
        self.files = files


class Reader:
    """The open folders, what may be read in them, and what was read before. Usable from any thread."""

    def __init__(self, folders: Sequence[Folder], settings: SettingsStore) -> None:
        self.settings = settings
        self.documents = OpenDocuments()
        self.answered = AnsweredCalls()
        self.policies = FolderPolicies(settings)
        self._caches: dict[Folder, FileCache] = {}
        self.set_folders(folders)
        self.refresh_settings()

    def set_folders(self, folders: Sequence[Folder]) -> None:
        """Open these folders, without touching their storage. Each has its own cache."""
        before = self._caches
        self._caches = {folder: before.get(folder) or FileCache(0) for folder in folders}
        self.folders = tuple(self._caches)
        self.policies.set_folders(self.folders)
        for folder in before:
            folder.is_open = any(folder is each for each in self.folders)

    def refresh_settings(self) -> None:
        """Resolve the roots of the folders, and apply changed settings to the sizes of the caches. May block."""
        for folder in self.folders:
            _ = folder.root_or_timeout
        for folder in self.folders:
            if (cache := self._caches.get(folder)) is not None:
                cache.resize(self.settings.for_folder(folder.root, folder.root_or_timeout).cache_max_bytes)
            if sys.platform == "win32":
                resolve_root(folder)

    def open(self, target: Target) -> OpenFile:
        """Open one file, with all checks that come before reading, in the order of the protocol. May block."""
        try:
            return self._open_file(self.resolve(target), target.source)
        except ReadError as error:
            raise error.at(self.name_of(target.path)) from None

    def name_of(self, path: str) -> str | None:
        """The name of a path for errors. Nothing outside the workspace is ever named."""
        return lexical_name(path, self.folders)

    def clear_cache(self, workspace_folder: str | None) -> None:
        folders = self.folders
        if workspace_folder is not None:
            folders = (folder_called(workspace_folder, folders),)
        for folder in folders:
            self._caches[folder].clear()

    def cache_figures(self) -> list[tuple[str, CacheFigures]]:
        return [(folder.name, cache.figures()) for folder, cache in self._caches.items()]

    # Which place a path means

    def resolve(self, target: Target) -> Place:
        """The one place a path means. A path that is a file in several folders is ambiguous."""
        places = locate(target.path, self.folders, target.workspace_folder)
        if len(places) == 1:
            return places[0]
        errors: list[ReadError] = []
        if (file := self._only_file(places, target.source, errors)) is not None:
            return file
        refusal = next((error for error in errors if error.code != ErrorCode.NOT_FOUND), None)
        # One that is denied there, or leads out, does not exist there, so that no folder keeps the files of another
        # from being read.
        if refusal is not None and refusal.code not in _NOT_THERE:
            raise refusal
        # Only now: a path that exists as given is taken as given.
        named = in_named_folder(target.path, self.folders)
        if refusal is None and len(named) == 1:
            return named[0]
        named_errors: list[ReadError] = []
        if (file := self._only_file(named, target.source, named_errors)) is not None:
            return file
        if refusal is None:
            raise errors[0]
        raise next((error for error in named_errors if error.code not in _NOT_THERE), refusal)

    def _only_file(self, places: Sequence[Place], source: SourceWanted, errors: list[ReadError]) -> Place | None:
        """The one place with a file. `errors` receives why the others have none."""
        files = [place for place in places if self._is_file(place, source, errors)]
        if len(files) > 1:
            raise AmbiguousPath(files)
        return files[0] if files else None

    def _is_file(self, place: Place, source: SourceWanted, errors: list[ReadError]) -> bool:
        try:
            self.open_place(place, "disk").close()
        except ReadError as error:
            forget_frames(error)
            errors.append(error.at(place.relative))
            return error.code == ErrorCode.NOT_FOUND and source != "disk" and self._unsaved(place) is not None
        return True

    # Opening

    def _open_file(self, place: Place, source: SourceWanted) -> OpenFile:
        try:
            return self.open_place(place, source)
        except ReadError as error:
            if error.code != ErrorCode.NOT_FOUND or source == "disk" or (unsaved := self._unsaved(place)) is None:
                raise
        target = place_of_missing(place, self.folders)
        self.policies.check(target, asked=place)
        return OpenFile(place, target, self.policies.check(place), unsaved.snapshot(None))

    def open_place(self, place: Place, source: SourceWanted) -> OpenFile:
        """Open the file at a place, with all checks but those of its contents."""
        with place.folder.in_use:
            rules = self.policies.check(place)
            opened = open_place(place, self.folders)
            cache = self._caches.get(place.folder)
            if cache is not None:
                cache.resize(rules.settings.cache_max_bytes)
            target = opened.leads_to or place
            try:
                disk = DiskFile(opened.fd, cache)
                if opened.leads_to is not None:
                    self.policies.check(target, asked=place)
                require_regular_file(disk.status, place)
                buffer = None if source == "disk" else self.document_at(place, target)
                if buffer is None or (source == "unsaved" and _is_saved(buffer, disk, rules.settings)):
                    if source == "buffer":
                        hint = 'ask for source "auto" or "disk"'
                        raise ReadError(ErrorCode.NOT_FOUND, "is not open in the editor", hint=hint)
                    return OpenFile(place, target, rules, disk)
                document = buffer.snapshot(disk.status.st_mtime_ns // 1_000_000)
            except BaseException as error:
                release(opened.fd)
                if isinstance(error, OSError):
                    raise unreadable(error, place.relative) from None
                raise
            disk.close()
            return OpenFile(place, target, rules, document)

    def document_at(self, place: Place, target: Place) -> Document | None:
        """The open document of a file. `target`: where links led from its place."""
        if not self.documents:
            return None
        return self.documents.at(place.absolute) or self.documents.document_for_target(_real(target))

    def _unsaved(self, place: Place) -> Document | None:
        """The document of a file that does not exist yet."""
        if not self.documents or place.must_be_directory:
            return None
        if (document := self.documents.at(place.absolute)) is not None:
            return document
        try:
            return self.documents.document_for_target(_real(place_of_missing(place, self.folders)))
        except ReadError:
            return None


def _is_saved(buffer: Document, disk: DiskFile, settings: Settings) -> bool:
    try:
        return is_saved(buffer, disk.snapshot(), settings.encodings or ())
    except FileChanged:
        return False


def _real(place: Place) -> str:
    return f"{place.folder.real_root.rstrip('/')}/{place.relative}"
