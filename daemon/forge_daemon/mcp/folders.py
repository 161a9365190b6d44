"""Which folders are served: those of the command line, else the client's roots, else the working directory."""

import logging
import os
import threading
from collections.abc import Sequence
from typing import Any

from forge_daemon.workspace.folder import Folder, folder_from_path, folder_from_uri
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import Problem, SettingsStore, sentence
from forge_protocol import built_in
from forge_protocol.errors import ErrorCode, ReadError

logger = logging.getLogger(__name__)

INSTRUCTIONS = (
    "Use these tools for files that are too long to read whole, logs (also while they grow, or compressed), very long "
    "lines, and encodings other than UTF-8. Any line of any file is one call away: find says where, read takes line "
    "numbers. They only read: nothing is written or run, and secrets are denied."
)


class Folders:
    """Provides the reader for a call. Usable from any thread; may block."""

    def __init__(self, paths: Sequence[str], max_chars: int | None = None) -> None:
        """`max_chars`: the most characters in one answer, if not as the settings say."""
        self.max_chars = max_chars or built_in.AGENT_MAX_CHARS
        settings = SettingsStore()
        if max_chars is not None:
            settings.set_options({"tools": {"agent": {"max_chars": max_chars}}})
        self.given = list(dict.fromkeys(folder_from_path(os.path.abspath(path)) for path in paths))
        self._lock = threading.Lock()
        self._reader = _opened(self.given, settings)
        self._reported: list[Problem] = []

    @property
    def instructions(self) -> str:
        """What a model should know before its first call."""
        if not self.given:
            return INSTRUCTIONS
        names = ", ".join(folder.name for folder in self.given)
        if len(self.given) == 1:
            return f"{INSTRUCTIONS} Paths are relative to the folder {names}."
        return f"{INSTRUCTIONS} Folders: {names}; paths begin with the folder's name."

    def reader(self, roots: Sequence[Any] | None) -> Reader:
        """`roots` as the client listed them; None if it does not list any."""
        folders = self.given or _folders_of(roots or ()) or _working_directory()
        with self._lock:
            settings, before = self._reader.settings, self._reader.folders
            if list(before) != folders:
                for root in {folder.root for folder in before} - {folder.root for folder in folders}:
                    settings.forget(root)
                # A new one, because calls that are still running use the old one.
                self._reader = _opened(folders, settings)
            return self._reader

    def report_problems(self) -> None:
        """Log each fault of the settings files once."""
        problems = self._reader.settings.problems()
        for problem in problems:
            if problem not in self._reported:
                # Without the path of your settings: a log holds none.
                logger.warning("%s", sentence(problem._replace(file=os.path.basename(problem.file or ""))))
        self._reported = problems


def _opened(folders: Sequence[Folder], settings: SettingsStore) -> Reader:
    reader = Reader((), settings)
    reader.set_folders(folders)
    if folders:
        logger.info("folders open: %d", len(folders))
    # Storage that does not answer blocks this thread alone.
    threading.Thread(target=reader.refresh_settings, name="settings", daemon=True).start()
    return reader


def _folders_of(roots: Sequence[Any]) -> list[Folder]:
    folders: dict[str, Folder] = {}
    for root in roots:
        try:
            name = root.get("name")
            folder = folder_from_uri(root["uri"], name if isinstance(name, str) else None)
        except (ReadError, AttributeError, KeyError, TypeError) as fault:
            logger.warning("a root of the client cannot be served: %s", fault)
        else:
            folders.setdefault(folder.root, folder)
    return list(folders.values())


def _working_directory() -> list[Folder]:
    """Not the root directory: programs without a project are often started there by chance."""
    try:
        folder: Folder | None = folder_from_path(os.getcwd())
    except OSError:  # it was removed
        folder = None
    if folder is None or folder.root.endswith("/"):
        raise ReadError(
            ErrorCode.SANDBOX_VIOLATION,
            "no folder is open",
            hint="name the folder in the client's configuration: forge-read mcp FOLDER",
        )
    return [folder]
