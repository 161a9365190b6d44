"""The policies of the open folders. A place must be allowed by each folder that contains it."""

from collections.abc import Sequence

from forge_daemon.light_typing import NamedTuple
from forge_protocol.errors import ReadError

from .folder import Folder, NotKnown, Place
from .folder_roots import FolderRoots
from .policy import Policy
from .settings import Settings, SettingsStore
from .storage import IsLocal


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

    def check(self, place: Place, asked: Place | None = None, local_now: IsLocal | None = None) -> Rules:
        """A place in several folders, one inside the other, must be allowed by each. `asked` is named in the error.

        Returns the rules of its own folder. With `local_now`, raises `NotKnown` instead of blocking.
        """
        asked = asked or place
        own = self.of(place.folder, local_now)
        own.policy.check(place.relative, asked=asked.relative)
        for folder, relative in self._roots.others_covering(place, may_wait=local_now is None):
            self.of(folder, local_now).policy.check(relative, asked=asked.relative)
        return own

    def allows(self, place: Place) -> bool:
        try:
            self.check(place)
        except ReadError:
            return False
        return True

    def of(self, folder: Folder, local_now: IsLocal | None = None) -> Rules:
        settings: Settings | None
        if local_now is None:
            leads_to = folder.root_in_time
            settings = self._settings.for_folder(folder.root, leads_to)
        else:
            leads_to = folder.known_root
            settings = self._settings.known_for(folder.root, leads_to, local_now)
            if settings is None:
                raise NotKnown
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
