"""The daemon ends when its editor ends, even if another process keeps its stdin open."""

import asyncio
import os
import select
import stat
import sys
from collections.abc import Callable
from time import monotonic

from .stdio import Descriptors, Output

CHECK_SECONDS = 2.0
UNREAD_SECONDS = 5.0
"""A client that has closed our input and takes no answer for so long is gone."""


async def watch_client(
    process_id: Callable[[], int | None], descriptors: Descriptors, output: Output, gone: Callable[[], None]
) -> None:
    """Check regularly that the client's process, as named in `initialize`, exists and that our output has a reader."""
    _watch_reader_of(descriptors, gone)
    parent = os.getppid()
    while True:
        await asyncio.sleep(CHECK_SECONDS)
        client = process_id()
        # A killed parent may remain as a zombie with the same number, but it is no longer our parent.
        orphaned = client in (None, parent) and os.getppid() != parent
        is_unread = not output.is_idle and monotonic() - output.last_progress > UNREAD_SECONDS
        if (
            orphaned
            or (client is not None and not _is_alive(client))
            or (sys.platform == "win32" and not _has_other_end(descriptors.writer))
            or (is_unread and not _has_other_end(descriptors.reader))
        ):
            gone()
            return


def _watch_reader_of(descriptors: Descriptors, gone: Callable[[], None]) -> None:
    """The loop reports at once that the client has closed its end of our output, except on Windows."""
    if sys.platform == "win32" or os.path.sameopenfile(*descriptors):
        return
    mode = os.fstat(descriptors.writer).st_mode
    if stat.S_ISFIFO(mode) or stat.S_ISSOCK(mode):
        loop = asyncio.get_running_loop()

        def closed() -> None:
            loop.remove_reader(descriptors.writer)
            gone()

        loop.add_reader(descriptors.writer, closed)


def _has_other_end(descriptor: int) -> bool:
    """False if the client has closed its end, as far as that can be seen without reading or writing."""
    if sys.platform == "win32":
        from .windows_pipe import has_other_end

        return has_other_end(descriptor)
    poll = select.poll()
    poll.register(descriptor, getattr(select, "POLLRDHUP", 0))
    return not poll.poll(0)


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
