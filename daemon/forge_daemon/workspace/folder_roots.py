"""The open folders by their roots: which of them contain a place, however many there are."""

from collections.abc import Sequence

from .folder import Folder, NotKnown, Place


class FolderRoots:
    """The resolved roots of the open folders. If a folder's storage does not answer, the root as opened is used."""

    def __init__(self, folders: Sequence[Folder]) -> None:
        self._folders = folders
        self._look()

    def others_covering(self, place: Place, *, may_wait: bool = True) -> Sequence[tuple[Folder, str]]:
        """The folders that a place lies in beside its own, and its path in each.

        Waits a moment for the roots of folders that were just opened; unless `may_wait`, raises `NotKnown` instead.
        """
        if len(self._folders) == 1:
            return ()
        covering: list[tuple[Folder, str]] = []
        if self._unsettled:
            self._ask(may_wait)
        names = f"{_known_root(place.folder)}/{place.relative}".split("/")
        by_root, depths = self._roots
        for depth in depths:
            if depth <= len(names):
                for folder in by_root.get(_comparable("/".join(names[:depth])), ()):
                    if folder != place.folder:
                        covering.append((folder, "/".join(names[depth:])))
        return covering

    def _ask(self, may_wait: bool) -> None:
        for folder in self._unsettled:
            if may_wait:
                _ = folder.root_in_time
            elif folder.is_settling:
                raise NotKnown
        if any(folder.settled_root is not None for folder in self._unsettled):
            self._look()

    def _look(self) -> None:
        unsettled = [folder for folder in self._folders if folder.settled_root is None]
        by_root: dict[str, list[Folder]] = {}
        for folder in self._folders:
            by_root.setdefault(_comparable(_known_root(folder)), []).append(folder)
        self._roots = by_root, sorted({root.count("/") + 1 for root in by_root})
        """The folders, and how many names deep roots are."""
        self._unsettled = unsettled
        """Last: other threads take the roots for complete when none is left."""


def _known_root(folder: Folder) -> str:
    return (folder.settled_root or folder.root).rstrip("/")


def _comparable(root: str) -> str:
    """Names are folded, as on file systems that ignore case. On others, a folder too many may judge, which is safe."""
    return root.casefold()
