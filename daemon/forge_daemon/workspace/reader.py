"""From the path asked for to an open file: which folder, policy, sandbox, policy again, kind.

Every surface goes this way, and there is no other.
"""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from forge_daemon.reading.lines.cache import CacheFigures, LineIndexCache
from forge_daemon.reading.sources.buffer import Buffer
from forge_daemon.reading.sources.disk import DiskFile
from forge_daemon.reading.sources.source import Source
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

from .folder import Folder, Place, real_path, relative_to
from .location import depends_on_disk, folder_called, in_named_folder, lexical_name, locate
from .open_documents import OpenDocuments
from .open_file import OpenFile, unreadable
from .policy import Policy
from .sandbox import Opened, open_local, open_place, release, require_regular_file
from .settings import SettingsStore
from .storage import is_local
from .suggestions import Listing, close_names, readable_names

SourceWanted = Literal["auto", "disk", "buffer"]
MOST_LISTED = 40
"""Names of a folder."""
_REMEMBERED_PATHS = 4096


class Target(NamedTuple):
    """The file that is asked for."""

    path: str
    workspace_folder: str | None = None
    source: SourceWanted = "auto"


class Reader:
    """The open folders, what may be read of them, and what was read before. Any thread may ask."""

    def __init__(self, folders: Sequence[Folder], settings: SettingsStore) -> None:
        self.settings = settings
        self.documents = OpenDocuments()
        self._policies: dict[tuple[tuple[str, ...], ...], Policy] = {}
        self._caches: dict[Folder, LineIndexCache] = {}
        self.set_folders(folders)
        self.refresh_settings()

    def set_folders(self, folders: Sequence[Folder]) -> None:
        """A folder's cache comes and goes with it, and learns its size by `refresh_settings`."""
        self._caches = {folder: self._caches.get(folder) or LineIndexCache(0) for folder in folders}
        self.folders = tuple(self._caches)
        self._located: dict[str, list[Place]] = {}
        self._local: frozenset[Folder] | None = None

    @property
    def local_folders(self) -> frozenset[Folder]:
        """The folders whose storage cannot keep the caller waiting."""
        if self._local is None:
            self._local = frozenset(folder for folder in self.folders if is_local(folder.root))
        return self._local

    @property
    def all_local(self) -> bool:
        return self.local_folders.issuperset(self.folders)

    def refresh_settings(self, folders: Sequence[Folder] | None = None) -> None:
        """Settings changed: the caches learn their size. Everything else asks when it needs to know."""
        for folder in self.folders if folders is None else folders:
            if (cache := self._caches.get(folder)) is not None:
                cache.resize(self.settings.for_folder(folder.root).cache_max_bytes)

    def open(self, target: Target) -> OpenFile:
        """Everything that must be right before a byte is read, in the contract's order. May block."""
        try:
            return self._open_file(self._resolve(target), target.source)
        except ReadError as error:
            if error.code == ErrorCode.NOT_FILE and (folder := self.list_folder(target)) is not None:
                names = folder[1].names
                error.hint = f"it holds {', '.join(names)}{', …' * bool(folder[1].omitted)}" if names else None
            raise error.at(self.name_of(target.path)) from None

    def open_inline(self, target: Target) -> OpenFile | None:
        """Like `open`, where nothing can keep the caller waiting. None: `open` it where waiting does no harm."""
        if not self.all_local:
            return None
        try:
            places = self._locate(target)
            if len(places) != 1:
                return None
            place = places[0]
            self._check_policy(place, asked=place)
            opened = open_local(place)
            if opened is None:
                return None
            if self.documents and not self.documents.knows(_real(place)):
                release(opened.fd)
                return None
            return self._opened_file(place, opened, target.source)
        except ReadError as error:
            if error.code == ErrorCode.NOT_FILE:
                return None  # what a folder holds is told with the refusal
            raise error.at(self.name_of(target.path)) from None

    def name_of(self, path: str) -> str | None:
        """How an error may call the path asked for: nothing outside the workspace is ever named."""
        return lexical_name(path, self.folders)

    def shown_name(self, file: OpenFile) -> str:
        """How an answer for a model calls a file: with its folder's name where several folders are open."""
        return file.path if len(self.folders) == 1 else f"{file.workspace_folder}/{file.path}"

    def full_name(self, place: Place) -> str:
        """A path that means this place, whatever other folders are open."""
        names = [folder.name for folder in self.folders]
        if len(names) == 1 or names.count(place.folder.name) > 1:
            return place.relative or "."
        return f"{place.folder.name}/{place.relative}".rstrip("/")

    def list_folder(self, target: Target, most: int = MOST_LISTED) -> tuple[str, Listing] | None:
        """A directory's name and the first readable names in it; None where there is no directory. May block."""
        found = [
            (place, listing)
            for place in [*self._locate(target), *in_named_folder(target.path, self.folders)]
            if self._allows(place) and (listing := readable_names(place, self.folders, self._allows, most)) is not None
        ]
        if len(found) == 1:
            place, listing = found[0]
            return self.full_name(place), listing
        names = [f"{self.full_name(place)}/" for place, _ in found]
        return (target.path, Listing(names[:most], max(0, len(names) - most))) if names else None

    def clear_cache(self, workspace_folder: str | None) -> None:
        folders = self.folders
        if workspace_folder is not None:
            folders = (folder_called(workspace_folder, folders),)
        for folder in folders:
            self._caches[folder].clear()

    def cache_figures(self) -> list[tuple[str, CacheFigures]]:
        return [(folder.name, cache.figures()) for folder, cache in self._caches.items()]

    def _resolve(self, target: Target) -> Place:
        """The one place a path means. One that is a file in several folders is ambiguous."""
        places = self._locate(target)
        if len(places) == 1:
            return places[0]
        errors: list[ReadError] = []
        files = [place for place in places if self._is_file(place, target.source, errors)]
        if len(files) > 1:
            names = [self.full_name(place) for place in files]
            raise invalid_argument(
                "exists in more than one workspace folder: " + ", ".join(place.folder.name for place in files),
                path=files[0].relative,
                hint=f"say which: {', '.join(names)}" if len({*names}) == len(names) else "give the absolute path",
            )
        if files:
            return files[0]
        if all(error.code == ErrorCode.NOT_FOUND for error in errors):
            # Only now: a path that exists as given is taken as given.
            named = in_named_folder(target.path, self.folders)
            if len(named) == 1:
                return named[0]
            raise self._with_close_names(errors[0], places)
        raise next(error for error in errors if error.code != ErrorCode.NOT_FOUND)

    def _locate(self, target: Target) -> list[Place]:
        """Remembered for paths whose meaning only changes with the folders."""
        # Taken before the folders are: what was found among closed ones is not remembered for the others.
        located = self._located
        places = located.get(target.path) if target.workspace_folder is None else None
        if places is None:
            places = locate(target.path, self.folders, target.workspace_folder)
            if target.workspace_folder is None and not depends_on_disk(target.path, places):
                if len(located) >= _REMEMBERED_PATHS:
                    located.clear()
                located[target.path] = places
        return places

    def _check_policy(self, place: Place, asked: Place) -> None:
        """A place in several folders, one inside the other, must be allowed by each."""
        self._policy(place.folder).check(place.relative, asked=asked.relative)
        if len(self.folders) > 1:
            path = _absolute(place)
            for folder in self.folders:
                relative = relative_to(folder.root, path)
                if relative is not None and folder != place.folder:
                    self._policy(folder).check(relative, asked=asked.relative)

    def _policy(self, folder: Folder) -> Policy:
        settings = self.settings.for_folder(folder.root)
        patterns = (settings.deny, settings.allow, settings.workspace_deny)
        if (policy := self._policies.get(patterns)) is None:
            policy = self._policies[patterns] = Policy(*patterns)
        return policy

    def _open_file(self, place: Place, source: SourceWanted) -> OpenFile:
        try:
            self._check_policy(place, asked=place)
            return self._opened_file(place, open_place(place, self.folders), source)
        except ReadError as error:
            if error.code != ErrorCode.NOT_FOUND:
                raise
            if source != "disk" and (unsaved := self._unsaved(place)) is not None:
                return self._named(place, unsaved.source(None))
            raise self._with_close_names(error, [place]) from None

    def _opened_file(self, place: Place, opened: Opened, source: SourceWanted) -> OpenFile:
        """What the sandbox opened: the policy of where it leads, its kind, whether it is open in the editor."""
        try:
            disk = DiskFile(opened.fd, self._caches.get(place.folder))
        except OSError as error:
            release(opened.fd)
            raise unreadable(error, place.relative) from None
        file = self._named(place, disk)
        try:
            if opened.leads_to is not None:
                self._check_policy(opened.leads_to, asked=place)
            require_regular_file(disk.stat.status, place)
            if source != "disk" and (buffer := self._document(place, opened.leads_to or place)) is not None:
                file.close()
                return self._named(place, buffer.source(disk.stat.status.st_mtime_ns // 1_000_000))
            if source == "buffer":
                raise ReadError(
                    ErrorCode.NOT_FOUND, "is not open in the editor", hint='ask for source "auto" or "disk"'
                )
        except BaseException:
            file.close()
            raise
        return file

    def _named(self, place: Place, content: DiskFile | Source) -> OpenFile:
        return OpenFile(place.relative, place.folder.name, self.settings.for_folder(place.folder.root), content)

    def _document(self, place: Place, leads_to: Place) -> Buffer | None:
        if not self.documents:
            return None
        return self.documents.at(_absolute(place)) or self.documents.leading_to(_real(leads_to))

    def _unsaved(self, place: Place) -> Buffer | None:
        """The document of a file that is not there yet."""
        return None if place.must_be_directory else self.documents.at(_absolute(place))

    def _with_close_names(self, error: ReadError, places: Sequence[Place]) -> ReadError:
        if found := close_names(places, self.folders, self._allows):
            error.hint = f"did you mean {', '.join(map(self.full_name, found))}?"
        return error

    def _allows(self, place: Place) -> bool:
        try:
            self._check_policy(place, asked=place)
        except ReadError:
            return False
        return True

    def _is_file(self, place: Place, source: SourceWanted, errors: list[ReadError]) -> bool:
        try:
            self._check_policy(place, asked=place)
            self._opened_file(place, open_place(place, self.folders), "disk").close()
        except ReadError as error:
            errors.append(error.at(place.relative))
            return error.code == ErrorCode.NOT_FOUND and source != "disk" and self._unsaved(place) is not None
        return True


def _absolute(place: Place) -> str:
    return f"{place.folder.root.rstrip('/')}/{place.relative}"


def _real(place: Place) -> str:
    return f"{real_path(place.folder.root).rstrip('/')}/{place.relative}"
