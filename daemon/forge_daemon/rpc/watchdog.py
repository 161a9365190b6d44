"""The daemon ends when its editor ends, even if another process keeps its stdin open."""

import asyncio
import os
import sys
from collections.abc import Callable

LOOK_EVERY_SECONDS = 2.0


async def watch_client(process_id: Callable[[], int | None], output: int, gone: Callable[[], None]) -> None:
    """Check regularly that the client's process, as named in `initialize`, exists and that our output has a reader."""
    parent = os.getppid()
    while True:
        await asyncio.sleep(LOOK_EVERY_SECONDS)
        client = process_id()
        # A killed parent may remain as a zombie with the same number, but it is no longer our parent.
        orphaned = client in (None, parent) and os.getppid() != parent
        if orphaned or (client is not None and not _is_alive(client)) or not _is_read(output):
            gone()
            return


def _is_read(output: int) -> bool:
    """On other systems the loop is notified when the client closes its end."""
    if sys.platform == "win32":
        from .windows_pipe import has_reader

        return has_reader(output)
    return True


def _is_alive(process_id: int) -> bool:
    if sys.platform == "win32":
        return _is_alive_on_windows(process_id)
    try:
        os.kill(process_id, 0)
    except ProcessLookupError:
        return False
    except (PermissionError, OverflowError):
        return True
    return True


def _is_alive_on_windows(process_id: int) -> bool:
    """Signal 0 means Ctrl-C on Windows, so the process is checked by its handle."""
    if sys.platform != "win32":
        raise NotImplementedError
    import ctypes

    synchronize, still_running, access_denied = 0x00100000, 0x102, 5
    kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel32.OpenProcess.restype = ctypes.c_void_p
    kernel32.WaitForSingleObject.argtypes = (ctypes.c_void_p, ctypes.c_uint32)
    kernel32.CloseHandle.argtypes = (ctypes.c_void_p,)
    handle = kernel32.OpenProcess(synchronize, False, process_id)
    if not handle:
        return ctypes.get_last_error() == access_denied  # it exists, but may not be queried
    try:
        return bool(kernel32.WaitForSingleObject(handle, 0) == still_running)
    finally:
        kernel32.CloseHandle(handle)
