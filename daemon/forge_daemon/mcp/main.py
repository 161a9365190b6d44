"""`forge-read mcp`: from the descriptors to the exit code."""

import asyncio
import gc
import logging
import os
from collections.abc import Sequence

from forge_daemon.rpc.stdio import Descriptors, claim_descriptors
from forge_protocol.errors import invalid_argument

SETTLE_SECONDS = 1.0
"""For calls that are still running when the input ends."""


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
    from forge_daemon.rpc.serving import Serving

    from .folders import Folders
    from .server import McpServer

    offload = Offload()
    server = McpServer(Folders(folders), toolset, offload)
    gc.freeze()
    gc.enable()
    return await Serving(server.dispatcher, offload).run(
        descriptors, LineFraming(), code_at_end_of_input=lambda: 0, settle_seconds=SETTLE_SECONDS
    )
