"""`forge-read mcp`: from the descriptors to the exit code."""

import asyncio
import gc
import logging
import os
import signal
import sys
from collections.abc import Callable, Sequence

from forge_daemon.rpc.stdio import Descriptors, Stdio, claim_descriptors
from forge_protocol.errors import invalid_argument

CLIENT_GONE = 1
FINISH_SECONDS = 1.0
"""For calls that are still running when the input ends."""
FLUSH_SECONDS = 0.3
_BY_SIGNAL = 128


def serve(folders: Sequence[str], toolset: str, log_file: str | None, log_level: str) -> int:
    """Serve one client until its end of input."""
    for folder in folders:
        if not os.path.isdir(folder):
            raise invalid_argument(f"{folder}: not a directory")
    descriptors = claim_descriptors()
    logging.basicConfig(
        filename=log_file, level=log_level.upper(), format="%(asctime)s %(levelname)s %(name)s: %(message)s"
    )
    return asyncio.run(_serve(descriptors, folders, toolset))


async def _serve(descriptors: Descriptors, folders: Sequence[str], toolset: str) -> int:
    # Nothing that is imported is garbage.
    gc.disable()
    from forge_daemon.rpc.framing import LineFraming
    from forge_daemon.rpc.offload import Offload
    from forge_daemon.rpc.watchdog import watch_parent

    from .folders import Folders
    from .server import McpServer

    loop = asyncio.get_running_loop()
    ended: asyncio.Future[int] = loop.create_future()

    def finish(code: int) -> None:
        if not ended.done():
            ended.set_result(code)

    offload = Offload()
    server = McpServer(Folders(folders), toolset, offload)
    stdio = Stdio(
        descriptors,
        LineFraming(),
        server.receive,
        lambda _: finish(0),
        offload.hold,
        offload.go_on,
        lambda: True,
    )
    server.send = stdio.send
    _on_signals(loop, finish)
    watching = asyncio.ensure_future(watch_parent(lambda: None, lambda: finish(CLIENT_GONE)))
    gc.freeze()
    gc.enable()
    await stdio.open()
    code = await ended
    watching.cancel()
    await server.finish(FINISH_SECONDS if code == 0 else 0)
    offload.cancel_all()
    await stdio.flush(FLUSH_SECONDS)
    return code


def _on_signals(loop: asyncio.AbstractEventLoop, finish: Callable[[int], None]) -> None:
    for number in (signal.SIGTERM, signal.SIGINT):
        if sys.platform == "win32":
            signal.signal(number, lambda number, _: loop.call_soon_threadsafe(finish, _BY_SIGNAL + number))
        else:
            loop.add_signal_handler(number, finish, _BY_SIGNAL + number)
