"""One client on stdin and stdout, from the first byte to the exit code."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable
from time import monotonic
from typing import NoReturn

from . import log
from .dispatcher import PARSE_ERROR, Dispatcher, RpcError
from .framing import FrameError, Framing
from .stdio import Descriptors, Input, Output
from .watchdog import watch_client
from .workers import Workers

logger = logging.getLogger(__name__)

FRAME_ERROR = 2
CLIENT_GONE = 1
DRAIN_SECONDS = 1.0
"""For requests that are running when the client leaves in good order; then they are cancelled."""
ABRUPT_DRAIN_SECONDS = 0.15
"""For those of a client that only closes its end of our input."""
FLUSH_SECONDS = 0.3
_BY_SIGNAL = 128


class Serving:
    """Connects a dispatcher with the stream, until the client leaves, a signal arrives or `finish` is called."""

    def __init__(self, dispatcher: Dispatcher, workers: Workers) -> None:
        self._dispatcher = dispatcher
        self._workers = workers
        self._loop = asyncio.get_running_loop()
        self._ended: asyncio.Future[int] = self._loop.create_future()
        self._is_client_gone = False

    def finish(self, code: int, why: str = "the client said so") -> None:
        """Usable from any thread."""
        self._loop.call_soon_threadsafe(self._finish, code, why)

    def _finish(self, code: int, why: str) -> None:
        if not self._ended.done():
            logger.info("ends with exit code %d: %s", code, why)
            self._ended.set_result(code)

    def _client_is_gone(self) -> None:
        self._is_client_gone = True
        self.finish(CLIENT_GONE, "the client is gone")

    async def run(
        self,
        descriptors: Descriptors,
        framing: Framing,
        *,
        code_at_end_of_input: Callable[[], int],
        process_id: Callable[[], int | None] = lambda: None,
    ) -> NoReturn:
        """End the process with its exit code. `process_id` returns the client's process, once it is known."""

        def end_of_input(error: FrameError | None) -> None:
            if error is None:
                self.finish(code_at_end_of_input(), "the client left")
            else:
                fault = RpcError(PARSE_ERROR, f"the stream cannot be read any further: {error}")
                self._dispatcher.answer_error(None, fault)
                self.finish(FRAME_ERROR, str(error))

        output = Output(descriptors.writer, framing, self._client_is_gone)
        self._dispatcher.send = output.send
        _on_signals(self.finish)
        watching = asyncio.ensure_future(watch_client(process_id, descriptors, output, self._client_is_gone))
        stdin = Input(
            descriptors.reader,
            framing,
            output,
            self._dispatcher.receive,
            on_end=lambda error: self._loop.call_soon_threadsafe(end_of_input, error),
        )
        self._workers.serve(stdin.receive_next)
        code = await self._ended
        watching.cancel()
        if code < _BY_SIGNAL:
            await self._drain(output, DRAIN_SECONDS if code == 0 else ABRUPT_DRAIN_SECONDS)
        self._dispatcher.cancel_all()
        self._workers.cancel_all()
        await self._flush(output)
        _leave(code)

    async def _drain(self, output: Output, seconds: float) -> None:
        """Wait until all requests are answered: for `seconds`, and for as long as the client takes answers."""
        deadline = monotonic() + seconds
        while self._dispatcher.has_unanswered and not self._is_client_gone and monotonic() < deadline:
            if not output.is_idle:
                deadline = output.last_progress + seconds
            await asyncio.sleep(0.005)

    async def _flush(self, output: Output) -> None:
        deadline = monotonic() + FLUSH_SECONDS
        while not output.is_idle and not self._is_client_gone and monotonic() < deadline:
            await asyncio.sleep(0.005)


def _on_signals(finish: Callable[[int, str], None]) -> None:
    loop = asyncio.get_running_loop()

    def end(number: int) -> None:
        finish(_BY_SIGNAL + number, signal.Signals(number).name)

    for each in (signal.SIGTERM, signal.SIGINT):
        if sys.platform == "win32":
            signal.signal(each, lambda number, _: loop.call_soon_threadsafe(end, number))
        else:
            loop.add_signal_handler(each, end, each)


def _leave(code: int) -> NoReturn:
    """End the process without waiting for threads that may be stuck, be it on storage or on a log nobody reads."""
    log.flush()
    if sys.platform == "win32":
        import ctypes

        # An orderly exit waits for locks that such a thread may hold.
        kernel32 = ctypes.WinDLL("kernel32")
        kernel32.TerminateProcess(ctypes.c_void_p(-1), code)
    os._exit(code)
