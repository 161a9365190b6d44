"""The open folders by their roots: which of them contain a place, however many there are."""

from collections.abc import Sequence
from typing import NamedTuple

from .folder import Folder, Place


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


def _root(folder: Folder) -> str:
    return folder.root_or_timeout.rstrip("/")


def _comparable(root: str) -> str:
    """Case is ignored, as on some file systems. On others, a folder too many may deny something, which is safe."""
    return root.casefold()
