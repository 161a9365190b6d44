"""`forge-read mcp`: from the descriptors to the exit code."""

import asyncio
import gc
import os
from argparse import Namespace
from collections.abc import Sequence
from functools import partial
from typing import NoReturn

from forge_daemon.daemon_threads import with_timeout
from forge_daemon.rpc.log import start_log
from forge_daemon.rpc.stdio import Descriptors, claim_descriptors
from forge_daemon.workspace.folder import PATIENCE_SECONDS
from forge_protocol.errors import invalid_argument


def serve(options: Namespace) -> NoReturn:
    """Serve one client until its input ends."""
    if faults := _faults(options.paths):
        raise invalid_argument(faults[0])
    descriptors = claim_descriptors()
    start_log(options.log_file, options.log_level, "MCP")
    asyncio.run(_serve(descriptors, options.paths, options.toolset, options.max_chars))


def _faults(folders: Sequence[str]) -> list[str]:
    """Why paths cannot be served, as far as their storage answers in time."""
    faults = (with_timeout(partial(_fault, folder), PATIENCE_SECONDS, folder) for folder in folders)
    return list(filter(None, faults))


def _fault(folder: str) -> str | None:
    if os.path.isdir(folder):
        return None
    return f"{folder}: {'not a directory' if os.path.lexists(folder) else 'no such directory'}"


async def _serve(descriptors: Descriptors, folders: Sequence[str], toolset: str, max_chars: int | None) -> NoReturn:
    # Nothing that is imported is garbage.
    gc.disable()
    from forge_daemon.rpc.framing import LineFraming
    from forge_daemon.rpc.serving import Serving
    from forge_daemon.rpc.workers import Workers

    from .folders import Folders
    from .server import McpServer

    workers = Workers()
    server = McpServer(Folders(folders, max_chars), toolset, workers)
    gc.freeze()
    gc.enable()
    await Serving(server.dispatcher, workers).run(descriptors, LineFraming(), code_at_end_of_input=lambda: 0)
