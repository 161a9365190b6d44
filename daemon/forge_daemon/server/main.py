"""`forge-read serve`: from the descriptors to the exit code."""

import asyncio
import gc
import logging
import sys
from argparse import Namespace
from typing import NoReturn

from forge_daemon.rpc.log import start_log
from forge_daemon.rpc.stdio import Descriptors, claim_descriptors
from forge_protocol import PROTOCOL_VERSION

SWITCH_SECONDS = 0.0005


def serve(options: Namespace) -> NoReturn:
    """Serve one client until it leaves."""
    descriptors = claim_descriptors()
    # A scan must not keep other requests waiting for the interpreter lock.
    sys.setswitchinterval(SWITCH_SECONDS)
    start_log(options.log_file, options.log_level, f"protocol {PROTOCOL_VERSION}")
    # It logs whole messages, file contents included.
    logging.getLogger("pygls").setLevel(logging.CRITICAL)
    asyncio.run(_serve(descriptors))


async def _serve(descriptors: Descriptors) -> NoReturn:
    # Imports create no garbage. Stdout is already claimed, so an import that prints cannot write to the client.
    gc.disable()
    from .lazy_types import import_types

    import_types()
    from forge_daemon.rpc.framing import FrameParser
    from forge_daemon.rpc.serving import Serving

    from .client_log import ClientLog
    from .server import ForgeServer

    server = ForgeServer()
    session = server.session
    serving = Serving(server.dispatcher, server.workers)
    server.on_exit = serving.finish
    logging.getLogger("forge_daemon").addHandler(ClientLog(asyncio.get_running_loop(), session.client))
    # Imported objects live forever: examining them for garbage again and again would only take time.
    gc.freeze()
    gc.enable()
    gc.set_threshold(10_000)
    await serving.run(
        descriptors,
        FrameParser(),
        code_at_end_of_input=lambda: server.exit_code,
        process_id=lambda: session.process_id,
    )
