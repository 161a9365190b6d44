"""One client on stdin and stdout, from the first byte to the exit code."""

import asyncio
import logging
import os
import signal
import sys
from collections.abc import Callable
from typing import NoReturn

from .dispatcher import PARSE_ERROR, Dispatcher, RpcError
from .framing import FrameError, Framing
from .offload import Offload
from .stdio import Descriptors, Stdio
from .watchdog import watch_client

logger = logging.getLogger(__name__)

FRAME_ERROR = 2
CLIENT_GONE = 1
FLUSH_SECONDS = 0.3
_BY_SIGNAL = 128


class Serving:
    """Connects a dispatcher with the stream, until the client leaves, a signal arrives or `finish` is called."""

    def __init__(self, dispatcher: Dispatcher, offload: Offload) -> None:
        self._dispatcher = dispatcher
        self._offload = offload
        self._ended: asyncio.Future[int] = asyncio.get_running_loop().create_future()

    def finish(self, code: int, why: str = "the client said so") -> None:
        if not self._ended.done():
            logger.info("ends with exit code %d: %s", code, why)
            self._ended.set_result(code)

    def _client_is_gone(self) -> None:
        self.finish(CLIENT_GONE, "the client is gone")

    async def run(
        self,
        descriptors: Descriptors,
        framing: Framing,
        *,
        code_at_end_of_input: Callable[[], int],
        process_id: Callable[[], int | None] = lambda: None,
        settle_seconds: float = 0.0,
    ) -> NoReturn:
        """End the process with its exit code.

        `process_id` returns the client's process, once it is known. Requests that are running when the client
        leaves in good order (exit code 0) have `settle_seconds` to be answered.
        """

        def end_of_stream(error: FrameError | None) -> None:
            if error is None:
                self.finish(code_at_end_of_input(), "the client left")
            else:
                told = RpcError(PARSE_ERROR, f"the stream cannot be read any further: {error}")
                self._dispatcher.answer_error(None, told)
                self.finish(FRAME_ERROR, str(error))

        stdio = Stdio(
            descriptors,
            framing,
            on_body=self._dispatcher.receive,
            on_end=end_of_stream,
            on_pause=self._offload.pause,
            on_resume=self._offload.resume,
            is_busy=lambda: self._dispatcher.has_unanswered,
        )
        self._dispatcher.send = stdio.send
        _on_signals(self.finish)
        watching = asyncio.ensure_future(watch_client(process_id, descriptors.writer, self._client_is_gone))
        await stdio.open()
        code = await self._ended
        watching.cancel()
        if code == 0:
            await self._dispatcher.settle(settle_seconds)
        self._offload.cancel_all()
        await stdio.flush(FLUSH_SECONDS)
        # From inside the loop: ending the loop would first cancel and answer every running request, perhaps thousands.
        _leave(code)


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
    """End the process without waiting for threads that may be stuck on dead storage."""
    logging.shutdown()
    sys.stderr.flush()
    if sys.platform == "win32":
        import ctypes

        # An orderly exit waits for locks that such a thread may hold.
        kernel32 = ctypes.WinDLL("kernel32")
        kernel32.TerminateProcess(ctypes.c_void_p(-1), code)
    os._exit(code)
