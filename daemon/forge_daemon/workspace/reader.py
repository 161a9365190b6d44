"""From a path to an open file: which folder, policy, sandbox, policy again, kind.

This is the only way, for every surface.
"""

import sys
from collections.abc import Sequence
from functools import partial

from forge_daemon.light_typing import TYPE_CHECKING, Literal, NamedTuple
from forge_daemon.reading.lines.cache import CacheFigures, LineIndexCache
from forge_daemon.reading.sources.disk import DiskFile
from forge_daemon.reading.sources.source import FileChanged, Progress, Source, note
from forge_protocol.errors import ErrorCode, ReadError, forget_frames, invalid_argument

from .folder import Folder, NotKnown, Place, RootOf, known_root_of, root_in_time_of
from .location import depends_on_disk, folder_called, in_named_folder, lexical_name, locate
from .open_documents import OpenDocuments, is_saved
from .open_file import OpenFile, unreadable
from .policies import FolderPolicies, Rules
from .policy import Policy
from .remembered import Remembered
from .sandbox import Opened, open_local, open_place, place_of_missing, require_regular_file, settle_root
from .settings import Settings, SettingsStore
from .storage import IsLocal, is_local, local_now
from .walk import release

# `suggestions` is imported where it is needed: only refusals and folders need it.
if TYPE_CHECKING:
    from forge_daemon.reading.sources.buffer import Buffer

    from .suggestions import Listing

SourceWanted = Literal["auto", "disk", "buffer", "unsaved"]
MOST_LISTED = 40
"""Names of a folder."""
_MOST_CANDIDATES = 10
"""Of an ambiguous path: to name one takes a look into every folder."""
_REMEMBERED_BYTES = 2 * 1024 * 1024
_LONGEST_REMEMBERED = 512
_LONGEST_CLEARED = 128
_MOST_REMEMBERED_PLACES = 4
_LONGEST_INLINE = 1024
"""Judging a long path by many patterns takes time for which other requests should not wait."""


class Target(NamedTuple):
    """The file that is asked for."""

    path: str
    workspace_folder: str | None = None
    source: SourceWanted = "auto"


class Reader:
    """The open folders, what may be read in them, and what was read before. Usable from any thread."""

    def __init__(self, folders: Sequence[Folder], settings: SettingsStore) -> None:
        self.settings = settings
        self.documents = OpenDocuments()
        self._policies = FolderPolicies(settings)
        self._caches: dict[Folder, LineIndexCache] = {}
        self._grown: dict[Place, None] = {}
        """Files whose lines were counted on as they grew."""
        self.set_folders(folders)
        self.refresh_settings()

    def set_folders(self, folders: Sequence[Folder]) -> None:
        """Open these folders. Each has its own cache, whose size is set by `refresh_settings`."""
        self._caches = {folder: self._caches.get(folder) or LineIndexCache(0) for folder in folders}
        self.folders = tuple(self._caches)
        self._located = Remembered[list[Place]](_REMEMBERED_BYTES)
        self._policies.set_folders(self.folders)
        for folder in self.folders:
            if is_local(folder.root):
                _ = folder.real_root  # settled as early as that cannot block
            else:
                folder.start_settling()

    def refresh_settings(self) -> None:
        """Apply changed settings to the sizes of the caches. Others are read when they are needed. May block."""
        for folder in self.folders:
            self._resize_cache(folder, self.settings.for_folder(folder.root, folder.root_in_time))
        for folder in self.folders:
            _ = folder.real_root  # last: storage that is dead keeps us here
            if sys.platform == "win32":
                settle_root(folder)

    def refresh_known_settings(self) -> bool:
        """The same where that cannot block. Returns whether all were applied."""
        known = [(folder, self.settings.known_for(folder.root, folder.settled_root)) for folder in self.folders]
        for folder, settings in known:
            if settings is not None:
                self._resize_cache(folder, settings)
        return all(settings is not None and folder.settled_root is not None for folder, settings in known)

    def open(self, target: Target) -> OpenFile:
        """Open a file, with all checks that come before reading, in the order of the protocol. May block."""
        try:
            return self._open_file(self._resolve(target), target.source)
        except ReadError as error:
            if error.code == ErrorCode.NOT_FILE and (folder := self.list_folder(target)) is not None:
                names = folder[1].names
                error.hint = f"it holds {', '.join(names)}{', …' * bool(folder[1].omitted)}" if names else None
            raise error.at(self.name_of(target.path)) from None

    def open_inline(self, target: Target) -> OpenFile | None:
        """Like `open`, if that cannot block. None: use `open` where blocking does no harm."""
        if len(target.path) > _LONGEST_INLINE:
            return None
        try:
            places = self._locate(target, known_root_of)
            if len(places) != 1:
                return None
            place = places[0]
            is_local = local_now()
            if not is_local(place.folder.known_root):  # where it is opened, whatever a link to it leads to now
                return None
            rules = self._policies.check(place, local_now=is_local)
            opened = open_local(place)
            if opened is None:
                return None
            if self.documents and not self._knows_document(place, target.source):
                release(opened.fd)
                return None
            return self._opened_file(place, opened, target.source, rules, is_local)
        except NotKnown:
            return None
        except ReadError as error:
            if error.code == ErrorCode.NOT_FILE:
                return None  # the error lists what the folder contains, which may block
            raise error.at(self.name_of(target.path)) from None

    def name_of(self, path: str) -> str | None:
        """The name of a path for errors. Nothing outside the workspace is ever named."""
        return lexical_name(path, self.folders)

    def shown_name(self, file: OpenFile) -> str:
        """The name of a file in an answer for a model: with its folder's name if several folders are open."""
        return self.full_name(file.place)

    def full_name(self, place: Place) -> str:
        """A path that means this place, whatever other folders are open. May block."""
        if len(self.folders) == 1:
            return place.relative or "."
        name, absolute = f"{place.folder.name}/{place.relative}".rstrip("/"), _absolute(place)
        try:
            as_given, named = self._locate(Target(name)), in_named_folder(name, self.folders)
        except ReadError:  # clients call folders as they like
            return absolute
        is_meant = any(_absolute(each) == absolute for each in (*as_given, *named))
        is_ambiguous = any(
            _absolute(each) != absolute and self._is_there(each, if_unknown=each in named)
            for each in (*as_given, *named)
        )
        return name if is_meant and not is_ambiguous else absolute

    def _is_there(self, place: Place, *, if_unknown: bool) -> bool:
        """Whether a path that was not asked for leads to anything that may be read. Never blocks."""
        if not is_local(place.folder.root_in_time):
            return if_unknown
        try:
            opened = open_local(place)
        except ReadError:
            return False
        if opened is None:
            return False
        release(opened.fd)
        return self._policies.allows(place)  # last: seldom is anything there, and judging takes longer

    def list_folder(self, target: Target, most: int = MOST_LISTED) -> "tuple[str, Listing] | None":
        """A directory's name and the first readable names in it; None where there is no directory. May block."""
        from .suggestions import Listing, end_of_look

        deadline = end_of_look()
        places = [*self._locate(target), *in_named_folder(target.path, self.folders)]
        found = [
            (place, listing)
            for place in {_absolute(place): place for place in places}.values()
            if self._policies.allows(place) and (listing := self._readable_names(place, most, deadline)) is not None
        ]
        if len(found) == 1:
            place, listing = found[0]
            return self.full_name(place), listing
        names = [f"{self.full_name(place)}/" for place, _ in found[:most]]
        return (target.path, Listing(names, len(found) - len(names))) if names else None

    def _readable_names(self, directory: Place, most: int, deadline: float) -> "Listing | None":
        from .suggestions import readable_names

        return readable_names(directory, self.folders, self._policies.allows, self._may_be_named, most, deadline)

    @property
    def has_grown_files(self) -> bool:
        return bool(self._grown)

    def recount_grown_files(self, progress: Progress) -> None:
        """Recount the lines of files that grew, and forget those that were wrong. Takes long."""
        from contextlib import suppress

        for place in list(self._grown):
            with suppress(ReadError), self._open_file(place, "disk") as file:
                file.recount(progress)
            self._grown.pop(place, None)

    def clear_cache(self, workspace_folder: str | None) -> None:
        folders = self.folders
        if workspace_folder is not None:
            folders = (folder_called(workspace_folder, folders),)
        for folder in folders:
            self._caches[folder].clear()

    def cache_figures(self) -> list[tuple[str, CacheFigures]]:
        return [(folder.name, cache.figures()) for folder, cache in self._caches.items()]

    def _resolve(self, target: Target) -> Place:
        """The one place a path means. A path that is a file in several folders is ambiguous."""
        places = self._locate(target)
        if len(places) == 1:
            return places[0]
        errors: list[ReadError] = []
        if (file := self._only_file(places, target.source, errors)) is not None:
            return file
        refusal = next((error for error in errors if error.code != ErrorCode.NOT_FOUND), None)
        # Only now: a path that exists as given is taken as given. One that is denied there, or leads out, does not
        # exist there, so that no folder keeps the files of another from being read.
        if refusal is None or refusal.code in (ErrorCode.POLICY_DENIED, ErrorCode.SANDBOX_VIOLATION):
            named = in_named_folder(target.path, self.folders)
            if refusal is None and len(named) == 1:
                return named[0]
            named_errors: list[ReadError] = []
            if (file := self._only_file(named, target.source, named_errors)) is not None:
                return file
            for error in named_errors if refusal is not None else ():
                if error.code == ErrorCode.NOT_FOUND:
                    raise self._with_close_names(error, named)
                if error.code not in (ErrorCode.POLICY_DENIED, ErrorCode.SANDBOX_VIOLATION):
                    raise error
        raise self._with_close_names(errors[0], places) if refusal is None else refusal

    def _only_file(self, places: Sequence[Place], source: SourceWanted, errors: list[ReadError]) -> Place | None:
        """The one place with a file; several are `INVALID_ARGUMENT`. `errors` receives why the others have none."""
        files = [place for place in places if self._is_file(place, source, errors)]
        if len(files) > 1:
            candidates = ", ".join(map(self.full_name, files[:_MOST_CANDIDATES]))
            raise invalid_argument(
                "exists in more than one workspace folder: " + ", ".join(place.folder.name for place in files),
                path=files[0].relative,
                hint=f"say which: {candidates}{', …' * (len(files) > _MOST_CANDIDATES)}",
            )
        return files[0] if files else None

    def _locate(self, target: Target, root_of: RootOf = root_in_time_of) -> list[Place]:
        """Cached for paths whose meaning depends only on the open folders."""
        # Taken before the folders are: what was found among closed ones is not remembered for the others.
        located = self._located
        places = located.get(target.path) if target.workspace_folder is None else None
        if places is None:
            places = locate(target.path, self.folders, target.workspace_folder, root_of)
            if (
                target.workspace_folder is None
                and len(target.path) <= _LONGEST_REMEMBERED
                and len(places) <= _MOST_REMEMBERED_PLACES
                and not depends_on_disk(target.path, places)
            ):
                located.remember(target.path, places, copies=1 + len(places))
        return places

    def _may_be_named(self, place: Place) -> bool:
        """Whether a hint may name a file: only if it could be read."""
        try:
            rules = self._policies.check(place)
            with self._opened_file(place, open_place(place, self.folders), "disk", rules) as file:
                return file.source is not None
        except (ReadError, FileChanged):
            return False

    def _resize_cache(self, folder: Folder, settings: Settings) -> None:
        if (cache := self._caches.get(folder)) is not None:
            cache.resize(settings.cache_max_bytes)

    def _open_file(self, place: Place, source: SourceWanted) -> OpenFile:
        rules = self._policies.check(place)
        try:
            return self._opened_file(place, open_place(place, self.folders), source, rules)
        except ReadError as error:
            if error.code != ErrorCode.NOT_FOUND:
                raise
            if source != "disk" and (unsaved := self._unsaved(place)) is not None:
                leads_to = place_of_missing(place, self.folders)
                self._policies.check(leads_to, asked=place)
                return self._named(place, leads_to, unsaved.source(None), rules)
            # Not in folders whose storage may not answer: the caller did not name them.
            others = [folder for folder in self.folders if folder != place.folder and is_local(folder.root_in_time)]
            elsewhere = [place._replace(folder=folder) for folder in others]
            raise self._with_close_names(error, [place, *elsewhere]) from None

    def _opened_file(
        self,
        place: Place,
        opened: Opened,
        source: SourceWanted,
        rules: Rules,
        local_now: IsLocal | None = None,
    ) -> OpenFile:
        """Check what the sandbox opened: the policy of where it leads, its kind, whether it is open in the editor."""
        cache = self._caches.get(place.folder)
        if cache is not None:
            cache.resize(rules.settings.cache_max_bytes)
        try:
            disk = DiskFile(opened.fd, cache)
        except OSError as error:
            release(opened.fd)
            raise unreadable(error, place.relative) from None
        leads_to = opened.leads_to or place
        try:
            if opened.leads_to is not None:
                self._policies.check(leads_to, asked=place, local_now=local_now)
            require_regular_file(disk.stat.status, place)
            buffer = None if source == "disk" else self._document(place, leads_to)
            if buffer is not None and not (source == "unsaved" and _is_saved(buffer, disk, rules.settings)):
                text = buffer.source(disk.stat.status.st_mtime_ns // 1_000_000)
                disk.close()
                return self._named(place, leads_to, text, rules)
            if source == "buffer":
                raise ReadError(
                    ErrorCode.NOT_FOUND, "is not open in the editor", hint='ask for source "auto" or "disk"'
                )
            return self._named(place, leads_to, disk, rules)
        except BaseException as error:
            disk.close()
            if isinstance(error, OSError):
                raise unreadable(error, place.relative) from None
            raise

    def _check_contents(self, place: Place, leads_to: Place, policy: Policy, source: Source) -> None:
        cleared = source.findings.cleared_names if source.findings else {}
        for relative in {leads_to.relative, place.relative}:
            if relative not in cleared:
                holds_no_key = policy.check_contents(
                    relative, lambda length: source.read_at(0, min(length, source.size)), asked=place.relative
                )
                if holds_no_key and len(relative) <= _LONGEST_CLEARED:
                    note(cleared, relative, None, most=2)

    def _check_still_open(self, folder: Folder) -> None:
        if folder not in self._caches:
            raise ReadError(
                ErrorCode.SANDBOX_VIOLATION, "the workspace folder was closed while the file was being read"
            )

    def _named(self, place: Place, leads_to: Place, content: DiskFile | Source, rules: Rules) -> OpenFile:
        return OpenFile(
            place,
            rules.settings,
            content,
            check_contents=lambda source: self._check_contents(place, leads_to, rules.policy, source),
            check_still_open=partial(self._check_still_open, place.folder),
            note_growth=lambda: self._grown.setdefault(place),
        )

    def _document(self, place: Place, leads_to: Place) -> "Buffer | None":
        if not self.documents:
            return None
        return self.documents.at(_absolute(place)) or self.documents.leading_to(_real(leads_to))

    def _knows_document(self, place: Place, source: SourceWanted) -> bool:
        """Whether it is known without reading if an open document is to be read instead."""
        if self.documents.at(_absolute(place)) is not None:
            return source != "unsaved"
        return self.documents.knows(_real(place))

    def _unsaved(self, place: Place) -> "Buffer | None":
        """The document of a file that does not exist yet."""
        if not self.documents or place.must_be_directory:
            return None
        if (document := self.documents.at(_absolute(place))) is not None:
            return document
        try:
            return self.documents.leading_to(_real(place_of_missing(place, self.folders)))
        except ReadError:
            return None

    def _with_close_names(self, error: ReadError, places: Sequence[Place]) -> ReadError:
        from .suggestions import close_names

        found = close_names(places, self.folders, self._policies.allows)
        if named := [place for place in found if self._may_be_named(place)]:
            error.hint = f"did you mean {', '.join(map(self.full_name, named))}?"
        return error

    def _is_file(self, place: Place, source: SourceWanted, errors: list[ReadError]) -> bool:
        try:
            rules = self._policies.check(place)
            self._opened_file(place, open_place(place, self.folders), "disk", rules).close()
        except ReadError as error:
            forget_frames(error)
            errors.append(error.at(place.relative))
            return error.code == ErrorCode.NOT_FOUND and source != "disk" and self._unsaved(place) is not None
        return True


def _is_saved(buffer: "Buffer", disk: DiskFile, settings: Settings) -> bool:
    try:
        return is_saved(buffer, disk.source(), settings.encodings or ())
    except FileChanged:
        return False


def _absolute(place: Place) -> str:
    return f"{place.folder.root.rstrip('/')}/{place.relative}".rstrip("/") or "/"


def _real(place: Place) -> str:
    return f"{place.folder.real_root.rstrip('/')}/{place.relative}"
