"""The policies of the open folders. A place must be allowed by each folder that contains it."""

from collections.abc import Callable, Sequence

from forge_daemon.light_typing import NamedTuple
from forge_protocol.errors import ReadError

from .folder import Folder, NotKnown, Place
from .folder_roots import FolderRoots
from .policy import Policy
from .settings import Settings, SettingsStore
from .storage import IsLocal

SettingsOf = Callable[[Folder], Settings]


class Rules(NamedTuple):
    """What applies in a folder."""

    settings: Settings
    policy: Policy


class FolderPolicies:
    """Each folder's policy, rebuilt when its settings change. Usable from any thread."""

    def __init__(self, settings: SettingsStore) -> None:
        self._settings = settings
        self._roots = FolderRoots(())
        self._known: dict[Folder, Rules] = {}

    def set_folders(self, folders: Sequence[Folder]) -> None:
        self._roots = FolderRoots(folders)
        self._known = {folder: self._known[folder] for folder in folders if folder in self._known}

    def known_settings(self, local_now: IsLocal) -> SettingsOf:
        """How to get settings without blocking: `NotKnown` is raised instead."""

        def settings_of(folder: Folder) -> Settings:
            settings = self._settings.known_for(folder.root, folder.known_root, local_now)
            if settings is None:
                raise NotKnown
            return settings

        return settings_of

    def check(self, place: Place, asked: Place | None = None, settings_of: SettingsOf | None = None) -> Rules:
        """A place in several folders, one inside the other, must be allowed by each. `asked` is named in the error.

        Returns the rules of its own folder.
        """
        asked = asked or place
        own = self.of(place.folder, settings_of)
        own.policy.check(place.relative, asked=asked.relative)
        for folder, relative in self._roots.others_covering(place, may_wait=settings_of is None):
            self.of(folder, settings_of).policy.check(relative, asked=asked.relative)
        return own

    def allows(self, place: Place) -> bool:
        try:
            self.check(place)
        except ReadError:
            return False
        return True

    def of(self, folder: Folder, settings_of: SettingsOf | None = None) -> Rules:
        if settings_of is None:
            roots = folder.root, folder.root_in_time
            settings = self._settings.for_folder(*roots)
        else:
            roots, settings = (folder.root, folder.known_root), settings_of(folder)
        known = self._known.get(folder)
        # A folder that was closed and opened again may lead elsewhere.
        if known is None or known.settings is not settings or known.policy.roots != roots:
            policy = Policy(
                settings.deny,
                settings.allow,
                settings.workspace_deny,
                roots=roots,
                closed_by=settings.closed_by,
            )
            known = self._known[folder] = Rules(settings, policy)
        return known
