"""From a path to an open file: which folder, policy, sandbox, existence, policy of the target, kind.

This is the only way, for every surface.
"""

import sys
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Literal, NamedTuple, TypeVar

from forge_daemon.daemon_threads import with_timeout
from forge_daemon.reading.files.cache import CacheFigures, FileCache
from forge_daemon.reading.files.disk import DiskFile, read_small
from forge_daemon.reading.files.document import Document
from forge_daemon.reading.files.file_bytes import FileBytes, FileChanged
from forge_protocol.errors import ErrorCode, ReadError, forget_frames, invalid_argument

from .answered_calls import AnsweredCalls
from .folder import PATIENCE_SECONDS, Folder, Place, innermost, normal_path, split_anchor
from .location import folder_called, in_named_folder, is_inside_another, lexical_name, locate, require_folder
from .open_documents import OpenDocuments, is_saved
from .open_file import OpenFile, check_still_open, unreadable
from .policies import FolderPolicies, Rules
from .rotated_set import RotatedSet
from .sandbox import Opened, open_listed, open_place, place_of_missing, require_regular_file, resolve_root
from .settings import Settings, SettingsStore
from .suggestions import MAX_NAME_CHARACTERS, MAX_SUGGESTED, nearness, similar_names
from .tree import Kind, Scope, TreeEntry, TreeRoot, TreeWalk, beneath
from .walk import release

T = TypeVar("T")

SourceWanted = Literal["auto", "disk", "buffer", "unsaved"]
LOOK_SECONDS = 0.3
"""For the suggestions of one answer."""
_NOT_THERE = (ErrorCode.POLICY_DENIED, ErrorCode.SANDBOX_VIOLATION)
_MAX_CANDIDATES = 10
"""Of an ambiguous path: to name one takes a look into every folder."""


class Target(NamedTuple):
    """The file that is asked for."""

    path: str
    workspace_folder: str | None = None
    source: SourceWanted = "auto"
    rotated: bool = False
    """The log that the file belongs to, with its rotated files."""


class Reader:
    """The open folders, what may be read in them, and what was read before. Usable from any thread."""

    def __init__(self, folders: Sequence[Folder], settings: SettingsStore) -> None:
        self.settings = settings
        self.documents = OpenDocuments()
        self.answered = AnsweredCalls()
        self._policies = FolderPolicies(settings)
        self._caches: dict[Folder, FileCache] = {}
        self.set_folders(folders)
        self.refresh_settings()

    def set_folders(self, folders: Sequence[Folder]) -> None:
        """Open these folders, without touching their storage. Each has its own cache."""
        before = self._caches
        self._caches = {folder: before.get(folder) or FileCache(0) for folder in folders}
        self.folders = tuple(self._caches)
        self._policies.set_folders(self.folders)
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
        """Open a file, with all checks that come before reading, in the order of the protocol. May block."""
        try:
            place = self._resolve(target)
            return self._open_set(place) if target.rotated else self._open_file(place, target.source)
        except ReadError as error:
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
            _absolute(each) != absolute and self._exists(each, if_unknown=each in named) for each in (*as_given, *named)
        )
        return name if is_meant and not is_ambiguous else absolute

    def tree_roots(self, path: str | None, workspace_folder: str | None = None) -> list[TreeRoot]:
        """The directories that a path means; without a path, the open folders. May block.

        Raises the error of the first place if there is none: `NOT_FOUND` for a file, as nothing is below it.
        """
        if path is None:
            folders = self.folders if workspace_folder is None else (folder_called(workspace_folder, self.folders),)
            require_folder(folders)
            places = [Place(folder, "") for folder in folders if not is_inside_another(folder, folders)]
        else:
            target = Target(path, workspace_folder)
            named = in_named_folder(path, self.folders) if workspace_folder is None else []
            places = list({_absolute(place): place for place in (*self._locate(target), *named)}.values())
        roots: list[TreeRoot] = []
        errors: list[ReadError] = []
        for place in places:
            try:
                roots.append(self._tree_root(place._replace(must_be_directory=True)))
            except ReadError as error:
                errors.append(error.at(place.relative))
        if roots:
            return roots
        raise next((error for error in errors if error.code != ErrorCode.NOT_FOUND), errors[0])

    def walk(self, root: TreeRoot, scope: Scope, deadline: float, proceed: Callable[[], None]) -> TreeWalk:
        folders = dict.fromkeys((root.place.folder, root.target.folder))
        policies = [self._policies.for_tree(folder) for folder in folders]
        if len(policies) == 1 and root.place.relative != root.target.relative:
            policies *= 2
        return TreeWalk(root, scope, policies, deadline, proceed)

    def count_entries(self, root: TreeRoot) -> Counter[Kind]:
        """How many entries a listing of the root shows, by kind. May block."""
        directory = open_place(root.place._replace(must_be_directory=True), self.folders).fd
        try:
            return self.walk(root, Scope(), 0, lambda: None).count(directory)
        except OSError as error:
            raise unreadable(error, root.place.relative) from None
        finally:
            release(directory)

    def open_tree_entry(self, root: TreeRoot, found: TreeEntry, rules: Rules, source: SourceWanted) -> OpenFile:
        """Open a file that a walk came to, with the checks that come before reading; its name was checked already.

        `rules` are those of the root's folder. A link in its place now is not followed.
        """
        place, target = root.places_of(found.relative)
        try:
            opened = open_listed(found.entry.name, found.directory)
            if isinstance(opened, str):
                raise ReadError(ErrorCode.NOT_FILE, "is a link")
            disk = _disk_file(opened, None)
        except OSError as error:
            raise unreadable(error, place.relative) from None
        try:
            leads_to = target if target != place else None
            return self._checked(place, Opened(opened, leads_to), disk, source, rules)
        except BaseException:
            disk.close()
            raise

    def read_tree_entry(self, root: TreeRoot, found: TreeEntry, rules: Rules, use: Callable[[FileBytes], T]) -> T:
        """Let `use` read a file that a walk came to, with the same checks. A small file is read once, and not kept."""
        if not self.documents or self._document(*root.places_of(found.relative)) is None:
            try:
                opened = open_listed(found.entry.name, found.directory)
                data = _closed_after(read_small, opened) if isinstance(opened, int) else None
            except OSError as error:
                raise unreadable(error, found.relative) from None
            if data is not None:
                for above in {root.place.relative, root.target.relative}:
                    name = beneath(above, found.relative)
                    rules.policy.check_contents(name, lambda length: data[:length], asked=name)
                check_still_open(root.place)
                return use(FileBytes.held(data))
        with self.open_tree_entry(root, found, rules, "auto") as file:
            return file.read(use)

    def link_target(self, place: Place, written: str) -> str | None:
        """Where a link at a place leads, for an answer: nothing outside the folders is named, and nothing denied."""
        is_absolute = bool(split_anchor(written)[0])
        above = place.relative.rpartition("/")[0]
        path = normal_path(written if is_absolute else f"{place.folder.root}/{above}/{written}")
        target = innermost(path, self.folders)
        if target is None or not (self._policies.allows(target) and self._policies.allows(_as_directory(target))):
            return None
        return target.relative or "." if is_absolute else written

    def rules_of(self, root: TreeRoot) -> Rules:
        return self._policies.of(root.place.folder)

    def clear_cache(self, workspace_folder: str | None) -> None:
        folders = self.folders
        if workspace_folder is not None:
            folders = (folder_called(workspace_folder, folders),)
        for folder in folders:
            self._caches[folder].clear()

    def cache_figures(self) -> list[tuple[str, CacheFigures]]:
        return [(folder.name, cache.figures()) for folder, cache in self._caches.items()]

    # Which place a path means

    def _locate(self, target: Target) -> list[Place]:
        return locate(target.path, self.folders, target.workspace_folder)

    def _resolve(self, target: Target) -> Place:
        """The one place a path means. A path that is a file in several folders is ambiguous."""
        places = self._locate(target)
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
            raise self._with_close_names(errors[0], places)
        error = next((error for error in named_errors if error.code not in _NOT_THERE), refusal)
        raise self._with_close_names(error, named) if error.code == ErrorCode.NOT_FOUND else error

    def _only_file(self, places: Sequence[Place], source: SourceWanted, errors: list[ReadError]) -> Place | None:
        """The one place with a file; several are `INVALID_ARGUMENT`. `errors` receives why the others have none."""
        files = [place for place in places if self._is_file(place, source, errors)]
        if len(files) > 1:
            candidates = ", ".join(map(self.full_name, files[:_MAX_CANDIDATES]))
            raise invalid_argument(
                "exists in more than one workspace folder: " + ", ".join(place.folder.name for place in files),
                path=files[0].relative,
                hint=f"say which: {candidates}{', …' * (len(files) > _MAX_CANDIDATES)}",
            )
        return files[0] if files else None

    def _is_file(self, place: Place, source: SourceWanted, errors: list[ReadError]) -> bool:
        try:
            self._open_existing(place, "disk").close()
        except ReadError as error:
            forget_frames(error)
            errors.append(error.at(place.relative))
            return error.code == ErrorCode.NOT_FOUND and source != "disk" and self._unsaved(place) is not None
        return True

    # Opening

    def _tree_root(self, place: Place) -> TreeRoot:
        self._check_directory(place, asked=place)
        opened = open_place(place, self.folders)
        release(opened.fd)
        target = opened.leads_to or place
        self._check_directory(target, asked=place)
        return TreeRoot(place._replace(must_be_directory=False), target._replace(must_be_directory=False))

    def _check_directory(self, place: Place, asked: Place) -> None:
        """Raise `POLICY_DENIED` if nothing below a directory may be read."""
        policy = self._policies.for_tree(place.folder)
        if policy.denies_all_below(place.relative):
            denial = policy.denial(f"{place.relative}/" if place.relative else "")
            if denial is not None:
                raise denial.error(place.relative, asked.relative)

    def _open_file(self, place: Place, source: SourceWanted) -> OpenFile:
        try:
            return self._open_existing(place, source)
        except ReadError as error:
            if error.code != ErrorCode.NOT_FOUND:
                raise
            if source != "disk" and (unsaved := self._unsaved(place)) is not None:
                target = place_of_missing(place, self.folders)
                self._policies.check(target, asked=place)
                return OpenFile(place, target, self._policies.check(place), unsaved.snapshot(None))
            elsewhere = [place._replace(folder=folder) for folder in self.folders if folder != place.folder]
            raise self._with_close_names(error, [place, *elsewhere]) from None

    def _open_set(self, place: Place) -> OpenFile:
        try:
            with place.folder.in_use:
                return RotatedSet(place, self.folders, self._policies, partial(self._open_in_use, source="disk"))
        except ReadError as error:
            raise self._with_close_names(error, [place]) if error.code == ErrorCode.NOT_FOUND else error from None

    def _open_existing(self, place: Place, source: SourceWanted) -> OpenFile:
        with place.folder.in_use:
            return self._open_in_use(place, source)

    def _open_in_use(self, place: Place, source: SourceWanted) -> OpenFile:
        rules = self._policies.check(place)
        opened = open_place(place, self.folders)
        cache = self._caches.get(place.folder)
        if cache is not None:
            cache.resize(rules.settings.cache_max_bytes)
        try:
            disk = _disk_file(opened.fd, cache)
        except OSError as error:
            raise unreadable(error, place.relative) from None
        try:
            return self._checked(place, opened, disk, source, rules)
        except BaseException as error:
            disk.close()
            if isinstance(error, OSError):
                raise unreadable(error, place.relative) from None
            raise

    def _checked(self, place: Place, opened: Opened, disk: DiskFile, source: SourceWanted, rules: Rules) -> OpenFile:
        """Check what the sandbox opened: the policy of the target, its kind, whether it is open in the editor."""
        target = opened.leads_to or place
        if opened.leads_to is not None:
            self._policies.check(target, asked=place)
        require_regular_file(disk.status, place)
        buffer = None if source == "disk" else self._document(place, target)
        if buffer is not None and not (source == "unsaved" and _is_saved(buffer, disk, rules.settings)):
            mtime_ms = disk.status.st_mtime_ns // 1_000_000
            disk.close()
            return OpenFile(place, target, rules, buffer.snapshot(mtime_ms))
        if source == "buffer":
            raise ReadError(ErrorCode.NOT_FOUND, "is not open in the editor", hint='ask for source "auto" or "disk"')
        return OpenFile(place, target, rules, disk)

    def _document(self, place: Place, target: Place) -> Document | None:
        if not self.documents:
            return None
        return self.documents.at(_absolute(place)) or self.documents.document_for_target(_real(target))

    def _unsaved(self, place: Place) -> Document | None:
        """The document of a file that does not exist yet."""
        if not self.documents or place.must_be_directory:
            return None
        if (document := self.documents.at(_absolute(place))) is not None:
            return document
        try:
            return self.documents.document_for_target(_real(place_of_missing(place, self.folders)))
        except ReadError:
            return None

    # Hints

    def _exists(self, place: Place, *, if_unknown: bool) -> bool:
        """Whether a path that was not asked for leads to anything that may be read."""

        def look() -> bool:
            try:
                release(open_place(place, self.folders).fd)
            except ReadError:
                return False
            return self._policies.allows(place)  # last: seldom is anything there, and judging takes longer

        found = _unasked(place, look)
        return if_unknown if found is None else found

    def _may_be_named(self, place: Place) -> bool:
        """Whether a hint may name a file: only if it could be read."""
        try:
            with self._open_existing(place, "disk") as file:
                file.read(lambda _: None)
        except (ReadError, FileChanged):
            return False
        return True

    def _with_close_names(self, error: ReadError, places: Sequence[Place]) -> ReadError:
        found: dict[Place, float] = {}
        deadline = time.monotonic() + LOOK_SECONDS
        for place in places:
            found |= _unasked(place, partial(self._close_names, place, deadline)) or {}
        likeliest = sorted(found, key=lambda place: found[place], reverse=True)[:MAX_SUGGESTED]
        named = [place for place in likeliest if _unasked(place, partial(self._may_be_named, place))]
        if named:
            error.hint = f"did you mean {', '.join(map(self.full_name, named))}?"
        return error

    def _close_names(self, place: Place, deadline: float) -> dict[Place, float]:
        """Files that may have been meant instead, and how likely each is."""
        folder = place.folder
        parent, _, wanted = place.relative.rpartition("/")
        if not 0 < len(wanted) <= MAX_NAME_CHARACTERS:
            return {}
        beside = self._names_below(Place(folder, parent), Scope(max_depth=1), deadline)
        similar = similar_names(wanted, beside).items()
        found = {Place(folder, beneath(parent, name)): likeness for name, likeness in similar}
        for path in self._names_below(Place(folder, ""), Scope(as_git=True), deadline):
            if path.rpartition("/")[2].casefold() == wanted.casefold():
                found[Place(folder, path)] = 1 + nearness(place.relative, path)
        return found

    def _names_below(self, directory: Place, scope: Scope, deadline: float) -> Iterator[str]:
        """The paths of the files in a directory that may be named. Links are left out, so nothing outside is named."""
        try:
            root = self._tree_root(directory._replace(must_be_directory=True))
            if root.target.folder == directory.folder:
                for found in self.walk(root, scope, deadline, lambda: None).entries(self.folders):
                    if found.entry.is_file and found.relative.isprintable():
                        yield found.relative
        except ReadError:
            return


def _as_directory(place: Place) -> Place:
    return place._replace(relative=f"{place.relative}/" if place.relative else "")


def _disk_file(fd: int, cache: FileCache | None) -> DiskFile:
    try:
        return DiskFile(fd, cache)
    except OSError:
        release(fd)
        raise


def _closed_after(read: Callable[[int], T], fd: int) -> T:
    try:
        return read(fd)
    finally:
        release(fd)


def _unasked(place: Place, look: Callable[[], T]) -> T | None:
    """A look at storage that nobody asked for; None if it does not answer."""
    return with_timeout(look, PATIENCE_SECONDS, place.folder.root)


def _is_saved(buffer: Document, disk: DiskFile, settings: Settings) -> bool:
    try:
        return is_saved(buffer, disk.snapshot(), settings.encodings or ())
    except FileChanged:
        return False


def _absolute(place: Place) -> str:
    return f"{place.folder.root.rstrip('/')}/{place.relative}".rstrip("/") or "/"


def _real(place: Place) -> str:
    return f"{place.folder.real_root.rstrip('/')}/{place.relative}"
