"""What is open in the editor: text that may differ from the disk's, found by path."""

from threading import Lock

from forge_daemon.reading.buffer import Buffer

from .folder import real_path


class OpenDocuments:
    """Written by the daemon's loop, read by any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_path: dict[str, Buffer] = {}
        self._real_paths: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._by_path)

    def put(self, path: str, buffer: Buffer) -> None:
        with self._lock:
            self._by_path[path] = buffer

    def remove(self, path: str) -> None:
        with self._lock:
            self._by_path.pop(path, None)
            self._real_paths.pop(path, None)

    def at(self, path: str) -> Buffer | None:
        """The document opened under exactly this absolute path."""
        return self._by_path.get(path)

    def leading_to(self, file: str) -> Buffer | None:
        """The document whose path leads to this file, by whatever links.

        Where a document leads is looked up once, on the reading thread: never while the editor waits. Only
        where that would decide the answer it is looked up again, since links can be changed.
        """
        with self._lock:
            unresolved = [path for path in self._by_path if path not in self._real_paths]
        self._resolve(unresolved)
        with self._lock:
            matching = [path for path, real in self._real_paths.items() if real == file]
        self._resolve(matching)
        with self._lock:
            for path in matching:
                if self._real_paths.get(path) == file:
                    return self._by_path[path]
        return None

    def _resolve(self, paths: list[str]) -> None:
        resolved = [(path, real_path(path)) for path in paths]
        with self._lock:
            self._real_paths.update((path, real) for path, real in resolved if path in self._by_path)
