"""`forge-read mcp`: from the descriptors to the exit code."""

import asyncio
import gc
import os
import threading
import time
from collections.abc import Sequence
from typing import NoReturn

from forge_daemon.rpc.log import start_log
from forge_daemon.rpc.stdio import Descriptors, claim_descriptors
from forge_daemon.workspace.folder import PATIENCE_SECONDS
from forge_protocol.errors import invalid_argument

SETTLE_SECONDS = 1.0
"""For calls that are still running when the input ends."""


def serve(folders: Sequence[str], toolset: str, log_file: str | None, log_level: str) -> NoReturn:
    """Serve one client until its input ends."""
    if faults := _faults(folders):
        raise invalid_argument(faults[0])
    descriptors = claim_descriptors()
    start_log(log_file, log_level, "MCP")
    asyncio.run(_serve(descriptors, folders, toolset))


def _faults(folders: Sequence[str]) -> list[str]:
    """Why paths cannot be served, as far as their storage answers in time."""
    faults: list[str] = []

    def look(folder: str) -> None:
        if not os.path.isdir(folder):
            faults.append(f"{folder}: {'not a directory' if os.path.lexists(folder) else 'no such directory'}")

    looks = [threading.Thread(target=look, args=(folder,), daemon=True) for folder in folders]
    for thread in looks:
        thread.start()
    deadline = time.monotonic() + PATIENCE_SECONDS
    for thread in looks:
        thread.join(max(0.0, deadline - time.monotonic()))
    return faults


async def _serve(descriptors: Descriptors, folders: Sequence[str], toolset: str) -> NoReturn:
    # Nothing that is imported is garbage.
    gc.disable()
    from forge_daemon.rpc.framing import LineFraming
    from forge_daemon.rpc.offload import Offload
    from forge_daemon.rpc.serving import Serving

    from .folders import Folders
    from .server import McpServer

    offload = Offload()
    server = McpServer(Folders(folders), toolset, offload)
    gc.freeze()
    gc.enable()
    await Serving(server.dispatcher, offload).run(
        descriptors, LineFraming(), code_at_end_of_input=lambda: 0, settle_seconds=SETTLE_SECONDS
    )
