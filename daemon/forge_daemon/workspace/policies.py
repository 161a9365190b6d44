"""The policies of the open folders. A place must be allowed by each folder that contains it."""

from collections.abc import Callable, Sequence
from functools import cache
from typing import NamedTuple

from forge_protocol.errors import ReadError

from .folder import Folder, Place
from .policy import Denial, Policy
from .settings import Settings, SettingsStore


class Rules(NamedTuple):
    """What applies in a folder."""

    settings: Settings
    policy: Policy


class _Roots(NamedTuple):
    by_root: dict[str, list[Folder]]
    max_depth: int
    """In names. What is deeper in a path, which may have thousands of names, need not be looked up."""


class FolderRoots:
    """The resolved roots of the open folders. If a folder's storage does not answer, the root as opened is used."""

    def __init__(self, folders: Sequence[Folder]) -> None:
        self._folders = folders
        self._resolved: _Roots | None = None
        """Set once all roots are resolved."""

    def enclosing_folders(self, place: Place) -> list[tuple[Folder, str]]:
        """The folders that a place lies in beside its own, and its path in each.

        Waits a moment for the roots of folders that were just opened.
        """
        if len(self._folders) == 1:
            return []
        by_root, max_depth = self._resolved or self._resolve()
        names = f"{_root(place.folder)}/{place.relative}".split("/")
        return [
            (folder, "/".join(names[depth:]))
            for depth in range(1, min(len(names), max_depth) + 1)
            for folder in by_root.get(_comparable("/".join(names[:depth])), ())
            if folder != place.folder
        ]

    def _resolve(self) -> _Roots:
        by_root: dict[str, list[Folder]] = {}
        for folder in self._folders:
            by_root.setdefault(_comparable(_root(folder)), []).append(folder)
        roots = _Roots(by_root, max((root.count("/") + 1 for root in by_root), default=0))
        if all(folder.resolved_root is not None for folder in self._folders):
            self._resolved = roots
        return roots


class FolderPolicies:
    """Each folder's policy, rebuilt when its settings change. Usable from any thread."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings
        self._roots = FolderRoots(())
        self._known: dict[Folder, Rules] = {}

    def set_folders(self, folders: Sequence[Folder]) -> None:
        self._roots = FolderRoots(folders)
        self._known = {folder: self._known[folder] for folder in folders if folder in self._known}

    def check(self, place: Place, asked: Place | None = None) -> Rules:
        """A place in several folders, one inside the other, must be allowed by each. `asked` is named in the error.

        Returns the rules of its own folder.
        """
        asked = asked or place
        own = self.of(place.folder)
        own.policy.check(place.relative, asked=asked.relative)
        for folder, relative in self._roots.enclosing_folders(place):
            self.of(folder).policy.check(relative, asked=asked.relative)
        return own

    def allows(self, place: Place) -> bool:
        try:
            self.check(place)
        except ReadError:
            return False
        return True

    def for_tree(self, folder: Folder) -> "TreePolicy":
        """The policy for many files of a folder, as it is now."""
        return TreePolicy(folder, self._roots, lambda each: self.of(each).policy)

    def of(self, folder: Folder) -> Rules:
        leads_to = folder.root_or_timeout
        settings = self._settings.for_folder(folder.root, leads_to)
        known = self._known.get(folder)
        # A folder that was closed and opened again may lead elsewhere.
        if known is None or known.settings is not settings or known.policy.roots != (folder.root, leads_to):
            policy = Policy(
                settings.deny,
                settings.allow,
                settings.workspace_deny,
                roots=(folder.root, leads_to),
                closed_by=settings.closed_by,
            )
            known = self._known[folder] = Rules(settings, policy)
        return known


class TreePolicy:
    """Which files of a folder may be read, for the time of one walk: settings are not read again.

    Paths are relative to the folder.
    """

    def __init__(self, folder: Folder, roots: FolderRoots, policy_of: Callable[[Folder], Policy]) -> None:
        self._folder = folder
        self._roots = roots
        self._policy_of = cache(policy_of)

    def denial(self, relative: str) -> Denial | None:
        """Why a file may not be read; None if its name does not forbid it. A path that ends in `/` is a directory."""
        directory, _, name = relative.rpartition("/")
        for policy, within in self._covering(directory):
            denial = policy.denial(f"{within}/{name}" if within else name)
            if denial is not None:
                return denial
        return None

    def denials_in(self, directory: str) -> Callable[[str], Denial | None]:
        """`denial` for the names of files in a directory, at a small cost for each."""
        judges = [policy.denials_in(within) for policy, within in self._covering(directory)]
        if len(judges) == 1:
            return judges[0]
        return lambda name: next(filter(None, (judge(name) for judge in judges)), None)

    def denies_all_below(self, directory: str) -> bool:
        """Whether a walk need not enter a directory. False if something in it might be allowed."""
        return any(policy.denies_all_below(within) for policy, within in self._covering(directory))

    def _covering(self, directory: str) -> list[tuple[Policy, str]]:
        """The policies that apply in a directory, and its path in the folder of each."""
        others = self._roots.enclosing_folders(Place(self._folder, directory))
        return [
            (self._policy_of(folder), within.rstrip("/")) for folder, within in ((self._folder, directory), *others)
        ]


def _root(folder: Folder) -> str:
    return folder.root_or_timeout.rstrip("/")


def _comparable(root: str) -> str:
    """Case is ignored, as on some file systems. On others, a folder too many may deny something, which is safe."""
    return root.casefold()
