"""One client: its folders, settings, open documents and capabilities."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TypeVar

from lsprotocol import types

from forge_daemon.reading.sources.source import NotAtOnce, Progress
from forge_daemon.rpc.offload import Offload
from forge_daemon.workspace.folder import Folder, folder_from_uri
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import SettingsStore
from forge_protocol.errors import ReadError

from .client import Client, ProgressToken
from .problems import ProblemBoard
from .progress import ProgressReport

logger = logging.getLogger(__name__)

T = TypeVar("T")


Job = Callable[[Reader, Progress], T]


class _Briefly:
    """Lets work go on for a few steps."""

    MOST_STEPS = 4

    def __init__(self) -> None:
        self._steps = 0

    def __call__(self, _done: int, _total: int) -> None:
        self._steps += 1
        if self._steps > self.MOST_STEPS:
            raise NotAtOnce


class Session:
    """What the handlers work with."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.reader = Reader([], SettingsStore())
        self.offload = Offload()
        self.process_id: int | None = None
        self._problems = ProblemBoard(client, self.reader.settings)
        self._refreshing: asyncio.Future[None] | None = None
        self.ready = False
        """The handshake is over: before that a server may say next to nothing."""

    def answer(self, job: Job[T], *, title: str, token: ProgressToken | None) -> T | Awaitable[T]:
        """What a request asks for: at once where nothing can make us wait, else off the loop."""
        try:
            return job(self.reader.at_once, _Briefly())
        except NotAtOnce:
            return self.run(job, title=title, token=token)
        finally:
            self.show_problems()

    async def run(self, job: Job[T], *, title: str, token: ProgressToken | None) -> T:
        """Work that may block or take long: stoppable, and shown if it does take long."""
        report = ProgressReport(self.client, token, title)
        try:
            return await self.offload.run(lambda work: job(self.reader, work.progress), report)
        finally:
            self.show_problems()

    def set_folders(self, folders: Sequence[Folder]) -> None:
        by_root = {folder.root: folder for folder in reversed(folders)}
        for folder in self.reader.folders:
            if folder.root not in by_root:
                self.reader.settings.forget(folder.root)
        self.reader.set_folders([folder for folder in folders if by_root[folder.root] is folder])
        self.settings_may_have_changed()

    def set_client_settings(self, value: object) -> None:
        self.reader.settings.set_client(value)
        self.settings_may_have_changed()

    def settings_may_have_changed(self) -> None:
        self.reader.at_once.refresh_settings()
        self.show_problems()
        if not self.reader.at_once.touches_everything:
            self._refreshing = asyncio.ensure_future(self._refresh_off_the_loop())

    async def _refresh_off_the_loop(self) -> None:
        try:
            await self.run(lambda reader, _: reader.refresh_settings(), title="Reading settings", token=None)
        except ReadError as error:
            logger.warning("the settings of a folder cannot be read: %s", error.reason)

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
