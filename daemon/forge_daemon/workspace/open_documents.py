"""The documents that are open in the editor, whose text may differ from the disk, by path."""

import errno
import os
from _thread import allocate_lock as Lock
from collections.abc import Sequence

from forge_daemon.light_typing import TYPE_CHECKING

from .folder import normal_path, real_path

if TYPE_CHECKING:
    from forge_daemon.reading.sources.buffer import Buffer
    from forge_daemon.reading.sources.source import Source

_PATIENCE_SECONDS = 1.0
"""Longer than storage that works takes to answer. One document on dead storage must not stop every read."""
_LARGEST_DECODED = 64 * 1024 * 1024
"""To compare more, in another encoding than UTF-8, would take long, and editors hardly open it."""


class OpenDocuments:
    """Updated by the daemon's loop, read by any thread."""

    def __init__(self) -> None:
        self._lock = Lock()
        self._by_path: dict[str, Buffer] = {}
        self._unknown: set[str] = set()
        """Documents whose real paths have not been resolved yet."""
        self._leading_to: dict[str, set[str]] = {}
        """The documents that lead to each file."""
        self._files: dict[str, str] = {}

    def __len__(self) -> int:
        return len(self._by_path)

    def put(self, path: str, buffer: "Buffer") -> None:
        with self._lock:
            if path not in self._by_path:
                self._unknown.add(path)
            self._by_path[path] = buffer

    def remove(self, path: str) -> None:
        with self._lock:
            self._by_path.pop(path, None)
            self._unknown.discard(path)
            self._forget_file(path)

    def at(self, path: str) -> "Buffer | None":
        """The document opened under exactly this absolute path."""
        return self._by_path.get(path)

    def knows(self, file: str) -> bool:
        """Whether `leading_to` would answer without accessing storage."""
        with self._lock:
            return not self._unknown and file not in self._leading_to

    def leading_to(self, file: str) -> "Buffer | None":
        """The document whose path leads to this file, through any links.

        A document's path is resolved once, by the reading thread, so that the editor never waits. It is resolved
        again only if that decides the answer, since links can change.
        """
        with self._lock:
            unknown = list(self._unknown)
        self._look_up(unknown)
        with self._lock:
            matching = list(self._leading_to.get(file, ()))
        self._look_up(matching)
        with self._lock:
            for path in matching:
                if self._files.get(path) == file:
                    return self._by_path[path]
        return None

    def _look_up(self, paths: list[str]) -> None:
        if not paths:
            return
        with self._lock:
            self._unknown.difference_update(paths)
        from threading import Thread

        looking = Thread(target=self._resolve, args=(paths,), name="document", daemon=True)
        looking.start()
        looking.join(_PATIENCE_SECONDS)

    def _resolve(self, paths: list[str]) -> None:
        for path in paths:
            file = _where_it_leads(path)
            with self._lock:
                self._forget_file(path)
                if path not in self._by_path:
                    continue
                if file is None:
                    self._unknown.add(path)
                else:
                    self._files[path] = file
                    self._leading_to.setdefault(file, set()).add(path)

    def _forget_file(self, path: str) -> None:
        file = self._files.pop(path, None)
        if file is not None:
            self._leading_to[file].discard(path)
            if not self._leading_to[file]:
                del self._leading_to[file]


def _where_it_leads(path: str) -> str | None:
    """None if the storage does not answer at the moment, which must not be remembered."""
    try:
        return normal_path(os.path.realpath(path, strict=True))
    except OSError as error:
        return real_path(path) if error.errno in _LASTING else None


_LASTING = frozenset({errno.EINVAL, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR})


def is_saved(document: "Buffer", disk: "Source", encodings: Sequence[str]) -> bool:
    """Whether a document's text is what is on disk, in whatever encoding. May block."""
    if document.is_saved_as(disk):
        return True
    if disk.size > _LARGEST_DECODED:
        return False
    from forge_daemon.reading.encodings.encoding import UTF_8
    from forge_daemon.reading.encodings.names import encoding_called
    from forge_daemon.reading.sources.source import no_progress
    from forge_daemon.reading.text import TextForm, find_end, open_text

    text = open_text(disk, TextForm(candidates=tuple(map(encoding_called, encodings))), no_progress)
    if text is None or text.file_encoding is UTF_8:
        return False
    find_end(text, no_progress)
    return text.encoding.decode(text.read_at(text.bom, text.size))[0] == document.text
