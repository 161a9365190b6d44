"""One client: its folders, settings, open documents and capabilities."""

import logging
from collections.abc import Sequence
from concurrent.futures import Future
from typing import Any

from lsprotocol import types

from forge_daemon.rpc.workers import Work, Workers
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

    def __init__(self, client: Client, workers: Workers) -> None:
        self.client = client
        self.reader = Reader([], SettingsStore())
        self.follows = Follows(client)
        self.process_id: int | None = None
        self._workers = workers
        self._diagnostics = SettingsDiagnostics(client, self.reader.settings)
        self.fetching: Future[Any] | None = None
        """The request for the client's settings."""
        self.fetch_again = False
        self.ready = False
        """The handshake is over. Before that, LSP lets a server send hardly anything."""

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
        """Read changed settings files on a worker."""

        def refresh(_: Work) -> None:
            try:
                self.reader.refresh_settings()
            except ReadError as error:
                logger.warning("the settings of a folder cannot be read: %s", error.reason)
            self.show_problems()

        self._workers.submit(Work(refresh))

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
