"""One client: its folders, settings, open documents and abilities."""

import logging
from collections.abc import Callable, Sequence
from typing import TypeVar

from lsprotocol import types

from forge_daemon.reading.source import Watch
from forge_daemon.workspace.folder import Folder, folder_from_uri
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import SettingsStore
from forge_protocol.errors import ReadError

from .client import Client, ProgressToken
from .offload import Offload
from .problems import ProblemBoard
from .progress import ProgressReport

logger = logging.getLogger(__name__)

T = TypeVar("T")


class Session:
    """What the handlers work with."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.reader = Reader([], SettingsStore())
        self.offload = Offload()
        self.process_id: int | None = None
        self._problems = ProblemBoard(client, self.reader.settings)
        self.ready = False
        """The handshake is over: before that a server may say next to nothing."""

    async def run(self, job: Callable[[Watch], T], *, title: str, token: ProgressToken | None) -> T:
        """Blocking work for a request: off the loop, stoppable, and shown if it takes long."""
        report = ProgressReport(self.client, token, title)
        try:
            return await self.offload.run(lambda work: job(work.watch), report)
        finally:
            self.show_problems()

    def set_folders(self, folders: Sequence[Folder]) -> None:
        for folder in self.reader.folders:
            if folder not in folders:
                self.reader.settings.forget(folder.root)
        self.reader.set_folders(folders)
        self.show_problems()

    def set_client_settings(self, value: object) -> None:
        self.reader.settings.set_client(value)
        self.settings_may_have_changed()

    def settings_may_have_changed(self) -> None:
        self.reader.refresh_settings()
        self.show_problems()

    def show_problems(self) -> None:
        """Tell the person about faulty settings, once for each fault."""
        if self.ready:
            self._problems.update()


def open_folders(folders: Sequence[types.WorkspaceFolder]) -> list[Folder]:
    """The folders that can be read; those on other systems (`untitled:`, `vscode-remote:`) are left out."""
    opened = []
    for folder in folders:
        try:
            opened.append(folder_from_uri(folder.uri, folder.name))
        except ReadError as error:
            logger.warning("the workspace folder %r cannot be served: %s", folder.name, error.reason)
    return opened
