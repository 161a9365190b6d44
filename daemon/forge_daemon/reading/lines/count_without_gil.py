"""Counts newlines without holding Python's global lock (the GIL), so that requests are answered during a long scan.

stringzilla's Python functions hold it while they work. Its library exports the C functions too, and ctypes gives
up the lock for as long as a call takes.
"""

import ctypes
from collections.abc import Callable

from forge_daemon.light_typing import TYPE_CHECKING

from .newlines import ONE_FOR_NEWLINE

if TYPE_CHECKING:
    from .newlines import Counter

_MAJOR_VERSION = 5
"""Of the C functions: another version's may take other arguments."""
_PIECE = 128 * 1024
"""Looked up in one call: more would leave the processor's cache, less would take the lock more often."""


def counter_without_gil(path: str, add_up: Callable[[memoryview], int]) -> "Counter | None":
    """A counter for one thread; None where the library at `path` does not export what it takes."""
    try:
        library = ctypes.CDLL(path)
        if library.sz_version_major() != _MAJOR_VERSION:
            return None
        look_up = library.sz_lookup
    except (OSError, AttributeError):
        return None
    look_up.argtypes = (ctypes.c_void_p, ctypes.c_size_t, ctypes.c_void_p, ctypes.c_char_p)
    look_up.restype = None
    ones = (ctypes.c_char * _PIECE)()
    view = memoryview(ones).cast("B")

    def count_by_stride(block: bytes, stride: int) -> list[int]:
        counts: list[int] = []
        address = ctypes.cast(ctypes.c_char_p(block), ctypes.c_void_p).value or 0
        piece = _PIECE // stride * stride
        for start in range(0, len(block), piece):
            length = min(piece, len(block) - start)
            look_up(ones, length, address + start, ONE_FOR_NEWLINE)
            counts += [add_up(view[at : min(at + stride, length)]) for at in range(0, length, stride)]
        return counts

    return count_by_stride
