"""The daemon's log, sent to the editor's output panel. It never holds file contents or parameters."""

import asyncio
import logging

from lsprotocol import types

from forge_daemon.rpc.log import EqualLimit

from .client import Client

_LEVELS = (
    (logging.ERROR, types.MessageType.Error),
    (logging.WARNING, types.MessageType.Warning),
    (logging.INFO, types.MessageType.Info),
)


class ClientLog(logging.Handler):
    """Any thread may log; only the loop's thread writes to the client."""

    def __init__(self, loop: asyncio.AbstractEventLoop, client: Client) -> None:
        super().__init__(logging.INFO)
        self.addFilter(EqualLimit())
        self._loop = loop
        self._client = client

    def emit(self, record: logging.LogRecord) -> None:
        level = next(kind for threshold, kind in _LEVELS if record.levelno >= threshold)
        self._loop.call_soon_threadsafe(self._client.log, level, record.getMessage())
