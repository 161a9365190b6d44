"""The open folders by their roots: which of them a place lies in, however many there are."""

from collections.abc import Sequence

from .folder import Folder, Place


class FolderRoots:
    """Where each of the open folders leads, as far as that is known: asking now might block."""

    def __init__(self, folders: Sequence[Folder]) -> None:
        self._folders = folders
        self._look()

    def covering(self, place: Place) -> list[tuple[Folder, str]]:
        """The folders that a place lies in, its own first, and its path in each."""
        covering = [(place.folder, place.relative)]
        if len(self._folders) == 1:
            return covering
        if any(folder.settled_root is not None for folder in self._unsettled):
            self._look()
        names = f"{_known_root(place.folder)}/{place.relative}".split("/")
        by_root, depths = self._roots
        for depth in depths:
            if depth <= len(names):
                for folder in by_root.get("/".join(names[:depth]), ()):
                    if folder != place.folder:
                        covering.append((folder, "/".join(names[depth:])))
        return covering

    def _look(self) -> None:
        self._unsettled = [folder for folder in self._folders if folder.settled_root is None]
        by_root: dict[str, list[Folder]] = {}
        for folder in self._folders:
            by_root.setdefault(_known_root(folder), []).append(folder)
        self._roots = by_root, sorted({root.count("/") + 1 for root in by_root})
        """The folders, and how many names deep roots are."""


def _known_root(folder: Folder) -> str:
    return (folder.settled_root or folder.root).rstrip("/")
