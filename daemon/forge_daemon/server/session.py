"""One client: its folders, settings, open documents and capabilities."""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from contextlib import suppress
from typing import TypeVar

from lsprotocol import types

from forge_daemon.reading.sources.source import Progress
from forge_daemon.requests.request import Begins, Pending
from forge_daemon.rpc.offload import NoReport, Offload
from forge_daemon.workspace.folder import Folder, folder_from_uri
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import SettingsStore
from forge_protocol.errors import ReadError

from .client import Client, ProgressToken
from .follows import Follows
from .problems import ProblemBoard
from .progress import ProgressReport

logger = logging.getLogger(__name__)

RECOUNT_SECONDS = 30.0

P = TypeVar("P")
T = TypeVar("T")


class Session:
    """What the handlers work with."""

    def __init__(self, client: Client) -> None:
        self.client = client
        self.reader = Reader([], SettingsStore())
        self.offload = Offload()
        self.follows = Follows(client, self.offload)
        self.process_id: int | None = None
        self._problems = ProblemBoard(client, self.reader.settings)
        self._refreshing: asyncio.Future[None] | None = None
        """Held because the loop itself does not keep what it runs."""
        self._recount: asyncio.TimerHandle | asyncio.Future[None] | None = None
        self.ready = False
        """The handshake is over. Before that, LSP lets a server send hardly anything."""

    def answer(self, request: Begins[P, T], params: P, *, title: str, token: ProgressToken | None) -> T | Awaitable[T]:
        """Answer inline if that cannot block the loop, else off the loop."""
        try:
            begun = request.begin(self.reader, params)
            return self.run(begun.run, title=title, token=token) if isinstance(begun, Pending) else begun
        finally:
            self._read_something()

    async def run(self, work: Callable[[Progress], T], *, title: str, token: ProgressToken | None) -> T:
        """Run work that may block or take long. It can be cancelled, and shows progress if it does take long."""
        report = ProgressReport(self.client, token, title)
        try:
            return await self.offload.run(lambda running: work(running.progress), report)
        finally:
            self._read_something()

    def set_folders(self, folders: Sequence[Folder]) -> None:
        by_root = {folder.root: folder for folder in reversed(folders)}
        for folder in self.reader.folders:
            if folder.root not in by_root:
                self.reader.settings.forget(folder.root)
        self.reader.set_folders([folder for folder in folders if by_root[folder.root] is folder])
        logger.info("workspace folders open: %d", len(by_root))
        self.settings_may_have_changed()

    def set_client_settings(self, value: object) -> None:
        self.reader.settings.set_client(value)
        self.settings_may_have_changed()

    def settings_may_have_changed(self) -> None:
        everything = self.reader.refresh_known_settings()
        self.show_problems()
        if not everything:
            self._refreshing = asyncio.ensure_future(self.refresh_settings())

    def _read_something(self) -> None:
        self.show_problems()
        if self._recount is None and self.reader.has_grown_files:
            self._recount = asyncio.get_running_loop().call_later(RECOUNT_SECONDS, self._recount_when_idle)

    def _recount_when_idle(self) -> None:
        """Lines of files that only seemed to grow may be miscounted, so they are counted again from time to time."""
        if self.offload.is_idle:
            self._recount = asyncio.ensure_future(self._recount_grown_files())
        else:
            self._recount = asyncio.get_running_loop().call_later(RECOUNT_SECONDS, self._recount_when_idle)

    async def _recount_grown_files(self) -> None:
        with suppress(ReadError):
            await self.offload.run(lambda work: self.reader.recount_grown_files(work.progress), NoReport())
        self._recount = None

    async def refresh_settings(self) -> None:
        """Off the loop: the files may be on storage that does not answer."""
        try:
            await self.run(lambda _: self.reader.refresh_settings(), title="Reading settings", token=None)
        except ReadError as error:
            logger.warning("the settings of a folder cannot be read: %s", error.reason)

    def show_problems(self) -> None:
        """Show faulty settings to the user, each fault once."""
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
