"""`forge-read serve`: from the descriptors to the exit code."""

import asyncio
import gc
import logging
import os
import signal
import sys
from collections.abc import Callable
from typing import TYPE_CHECKING

from forge_daemon.rpc.stdio import Descriptors, Stdio, claim_descriptors

if TYPE_CHECKING:
    from forge_daemon.rpc.framing import FrameError

FRAME_ERROR = 2
CLIENT_GONE = 1
FLUSH_SECONDS = 0.3
SWITCH_SECONDS = 0.0005
_BY_SIGNAL = 128


def serve(log_file: str | None, log_level: str) -> int:
    """Serve one client until it goes."""
    descriptors = claim_descriptors()
    # A scan must not keep the loop waiting for its turn.
    sys.setswitchinterval(SWITCH_SECONDS)
    _configure_logging(log_file, log_level)
    return asyncio.run(_serve(descriptors))


async def _serve(descriptors: Descriptors) -> int:
    # Nothing that is imported is garbage. And the stream is ours already: what an import may print cannot get into it.
    gc.disable()
    from .lazy_types import import_types

    import_types()
    from forge_daemon.rpc.watchdog import watch_parent

    from .client_log import ClientLog
    from .rpc import PARSE_ERROR
    from .server import ForgeServer

    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()

    def finish(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    def end_of_stream(error: "FrameError | None") -> None:
        if error is None:
            finish(protocol.exit_code)
        else:
            protocol.answer_error(None, PARSE_ERROR, f"the stream cannot be read any further: {error}")
            finish(FRAME_ERROR)

    server = ForgeServer()
    protocol = server.protocol
    offload = server.session.offload
    stdio = Stdio(
        descriptors, protocol.receive, end_of_stream, offload.hold, offload.go_on, lambda: protocol.has_unanswered
    )
    protocol.send, protocol.on_exit = stdio.send, finish
    _on_signals(loop, finish)
    logging.getLogger("forge_daemon").addHandler(ClientLog(loop, server.session.client))
    watching = asyncio.ensure_future(watch_parent(lambda: server.session.process_id, lambda: finish(CLIENT_GONE)))
    # What was imported stays for good: looking through it for garbage again and again would only cost time.
    gc.freeze()
    gc.enable()
    gc.set_threshold(10_000)
    await stdio.open()
    code = await ended
    watching.cancel()
    offload.cancel_all()
    await stdio.flush(FLUSH_SECONDS)
    return code


def _on_signals(loop: asyncio.AbstractEventLoop, finish: Callable[[int], None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        if sys.platform == "win32":
            signal.signal(number, lambda number, _: loop.call_soon_threadsafe(finish, _BY_SIGNAL + number))
        else:
            loop.add_signal_handler(number, finish, _BY_SIGNAL + number)


def _configure_logging(log_file: str | None, log_level: str) -> None:
    logging.basicConfig(
        filename=log_file,
        level=log_level.upper(),
        format="%(asctime)s %(levelname)s %(name)s: %(message)s",
    )
    # It logs whole messages, file contents included.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)


def leave(code: int) -> None:
    """End the process without waiting for threads that may be stuck on dead storage."""
    logging.shutdown()
    sys.stderr.flush()
    os._exit(code)
