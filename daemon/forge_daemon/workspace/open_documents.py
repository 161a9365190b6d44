"""The documents that are open in the editor, whose text may differ from the disk, by path."""

import errno
import os
import threading
from collections.abc import Sequence
from functools import partial

from forge_daemon.daemon_threads import with_timeout
from forge_daemon.reading.files.document import Document
from forge_daemon.reading.files.file_bytes import FileBytes, no_progress
from forge_daemon.reading.texts.encodings.encoding import UTF_8
from forge_daemon.reading.texts.encodings.names import encoding_called
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import open_text

from .folder import PATIENCE_SECONDS, normal_path, real_path

_MAX_CONVERTED_BYTES = 64 * 1024 * 1024
"""To compare more, in another encoding than UTF-8, would take long, and editors hardly open it."""
_BLOCK = 1024 * 1024
_PERMANENT = frozenset({errno.EINVAL, errno.ELOOP, errno.ENAMETOOLONG, errno.ENOENT, errno.ENOTDIR})


class OpenDocuments:
    """Updated by the daemon's loop, which never touches storage; read by any thread."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._by_path: dict[str, Document] = {}
        self._targets: dict[str, str] = {}
        """The file that each path leads to, once that is known."""

    def __len__(self) -> int:
        return len(self._by_path)

    def put(self, path: str, buffer: Document) -> None:
        with self._lock:
            self._by_path[path] = buffer

    def remove(self, path: str) -> None:
        with self._lock:
            self._by_path.pop(path, None)
            self._targets.pop(path, None)

    def at(self, path: str) -> Document | None:
        """The document opened under exactly this absolute path."""
        return self._by_path.get(path)

    def document_for_target(self, file: str) -> Document | None:
        """The document whose path leads to this file, through any links.

        A path is resolved when it is first needed, and again if that decides the answer, since links can change.
        """
        with self._lock:
            unresolved = [path for path in self._by_path if path not in self._targets]
        self._resolve(unresolved)
        with self._lock:
            candidates = [path for path, target in self._targets.items() if target == file]
        self._resolve(candidates)
        with self._lock:
            return next((self._by_path[path] for path in candidates if self._targets.get(path) == file), None)

    def _resolve(self, paths: list[str]) -> None:
        for path in paths:
            with_timeout(partial(self._look_up, path), PATIENCE_SECONDS, os.path.dirname(path))

    def _look_up(self, path: str) -> None:
        target = _target_of(path)
        with self._lock:
            self._targets.pop(path, None)
            if target is not None and path in self._by_path:
                self._targets[path] = target


def _target_of(path: str) -> str | None:
    """None if the storage cannot tell at the moment."""
    try:
        return normal_path(os.path.realpath(path, strict=True))
    except OSError as error:
        return real_path(path) if error.errno in _PERMANENT else None


def is_saved(document: Document, disk: FileBytes, encodings: Sequence[str]) -> bool:
    """Whether a document's text is what is on disk, in whatever encoding. May block."""
    candidates = tuple(map(encoding_called, encodings))
    forms = (TextForm(UTF_8), TextForm(candidates=candidates))
    return any(_has_text(disk, form, document.snapshot(None)) for form in forms)


def _has_text(disk: FileBytes, form: TextForm, document: FileBytes) -> bool:
    text = open_text(disk, form, no_progress)
    if text is None or (not text.is_plain and disk.size > _MAX_CONVERTED_BYTES):
        return False
    start = len(UTF_8.bom) if document.read_at(0, len(UTF_8.bom)) == UTF_8.bom else 0
    return text.length() == document.size - start and all(
        text.read_at(offset, _BLOCK) == document.read_at(start + offset, _BLOCK)
        for offset in range(0, document.size - start, _BLOCK)
    )
