"""What is open in the editor: text that may differ from the disk's, found by path."""

import os
from threading import Lock, Thread

from forge_daemon.reading.sources.buffer import Buffer

from .folder import normal_path, real_path

_PATIENCE_SECONDS = 1.0
"""Longer than storage takes that answers at all. One document on dead storage must not stop every read."""


class OpenDocuments:
    """Written by the daemon's loop, read by any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_path: dict[str, Buffer] = {}
        self._real_paths: dict[str, str] = {}
        self._looked_up: set[str] = set()

    def __len__(self) -> int:
        return len(self._by_path)

    def put(self, path: str, buffer: Buffer) -> None:
        with self._lock:
            self._by_path[path] = buffer

    def remove(self, path: str) -> None:
        with self._lock:
            self._by_path.pop(path, None)
            self._real_paths.pop(path, None)
            self._looked_up.discard(path)

    def at(self, path: str) -> Buffer | None:
        """The document opened under exactly this absolute path."""
        return self._by_path.get(path)

    def knows(self, file: str) -> bool:
        """Whether `leading_to` would answer without asking storage anything."""
        with self._lock:
            return self._looked_up.issuperset(self._by_path) and file not in self._real_paths.values()

    def leading_to(self, file: str) -> Buffer | None:
        """The document whose path leads to this file, by whatever links.

        Where a document leads is looked up once, on the reading thread: never while the editor waits. Only
        where that would decide the answer it is looked up again, since links can be changed.
        """
        with self._lock:
            unknown = [path for path in self._by_path if path not in self._looked_up]
        self._look_up(unknown)
        with self._lock:
            matching = [path for path, real in self._real_paths.items() if real == file]
        self._look_up(matching)
        with self._lock:
            for path in matching:
                if self._real_paths.get(path) == file:
                    return self._by_path[path]
        return None

    def _look_up(self, paths: list[str]) -> None:
        if not paths:
            return
        with self._lock:
            self._looked_up.update(path for path in paths if path in self._by_path)
        looking = Thread(target=self._resolve, args=(paths,), name="document", daemon=True)
        looking.start()
        looking.join(_PATIENCE_SECONDS)

    def _resolve(self, paths: list[str]) -> None:
        for path in paths:
            real = _where_it_leads(path)
            with self._lock:
                if real is None:
                    self._real_paths.pop(path, None)
                    self._looked_up.discard(path)
                elif path in self._by_path:
                    self._real_paths[path] = real


def _where_it_leads(path: str) -> str | None:
    """None where the storage does not tell at the moment: that must not be remembered."""
    try:
        return normal_path(os.path.realpath(path, strict=True))
    except (FileNotFoundError, NotADirectoryError):
        return real_path(path)
    except OSError:
        return None
