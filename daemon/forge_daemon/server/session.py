"""One client: its folders, settings, open documents and capabilities."""

import logging
import threading
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from lsprotocol import types

from forge_daemon.workspace.folder import Folder, folder_from_uri
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import SettingsStore
from forge_protocol.errors import ReadError

from .client import Client
from .follows import Follows
from .problems import SettingsDiagnostics

logger = logging.getLogger(__name__)


class Session:
    """What the handlers work with."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.reader = Reader([], SettingsStore())
        self.follows = Follows(client)
        self.process_id: int | None = None
        self._settings_changed = threading.Event()
        self._diagnostics = SettingsDiagnostics(client, self.reader.settings)
        self.fetching: Future[Any] | None = None
        """The request for the client's settings."""
        self.fetch_again = False
        self.ready = False
        """The handshake is over. Before that, LSP lets a server send hardly anything."""
        threading.Thread(target=self._keep_settings, name="session", daemon=True).start()

    def set_folders(self, folders: Sequence[Folder]) -> None:
        by_root = {folder.root: folder for folder in reversed(folders)}
        for folder in self.reader.folders:
            if folder.root not in by_root:
                self.reader.settings.forget(folder.root)
        self.reader.set_folders([folder for folder in folders if by_root[folder.root] is folder])
        logger.info("workspace folders open: %d", len(by_root))
        self.refresh_settings()

    def set_client_settings(self, value: object) -> None:
        self.reader.settings.set_client(value)
        self.refresh_settings()

    def refresh_settings(self) -> None:
        """Have changed settings files read, on a thread of its own."""
        self._settings_changed.set()

    def _keep_settings(self) -> None:
        while self._settings_changed.wait():
            self._settings_changed.clear()
            try:
                self.reader.refresh_settings()
            except ReadError as error:
                logger.warning("the settings of a folder cannot be read: %s", error.reason)
            except Exception as error:  # of ours; the next change may be read
                logger.error("reading the settings failed: %s", type(error).__name__)
            self.show_problems()

    def show_problems(self) -> None:
        """Show faulty settings to the user, each fault once. Called on a worker."""
        if self.ready:
            self._diagnostics.update()


def open_folders(folders: Sequence[types.WorkspaceFolder]) -> list[Folder]:
    """The folders that can be read; those on other systems (`untitled:`, `vscode-remote:`) are left out."""
    opened = []
    for folder in folders:
        try:
            opened.append(folder_from_uri(folder.uri, folder.name))
        except ReadError as error:
            logger.warning("the workspace folder %r cannot be served: %s", folder.name, error.reason)
    return opened
