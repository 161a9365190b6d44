"""Linux's openat2: the kernel itself opens a path beneath a directory, and fails at any link in it.

Python has no binding for it. `ctypes` is loaded at the first call, since a process that opens one file gains
nothing by it.
"""

import os
import sys
from collections.abc import Callable
from functools import cache

_OPENAT2 = 437  # the same on every architecture since the tables were unified
_CURRENT_DIRECTORY = -100
_AS_NAMED = sys.getfilesystemencoding(), sys.getfilesystemencodeerrors()
"""What `os.fsencode` uses, which takes longer than the encoding itself."""
_NO_MOUNT_POINTS, _NO_MAGICLINKS, _NO_SYMLINKS, _BENEATH = 0x01, 0x02, 0x04, 0x08


def open_beneath(directory: int, path: str, flags: int, *, same_storage: bool = False) -> int:
    """Open `path`, which holds no NUL, beneath an open directory. A link anywhere in it is ELOOP.

    With `same_storage` a mount point in it is EXDEV.
    """
    return _openat2()(directory, path.encode(*_AS_NAMED), _open_how(flags, same_storage))


def open_absolute(path: str, flags: int) -> int:
    """Open an absolute path. A link anywhere in it is ELOOP."""
    return _openat2()(_CURRENT_DIRECTORY, path.encode(*_AS_NAMED), _open_how(flags, beneath=False))


@cache
def _open_how(flags: int, same_storage: bool = False, *, beneath: bool = True) -> bytes:
    resolve = _NO_MAGICLINKS | _NO_SYMLINKS | (_BENEATH if beneath else 0)
    fields = (flags, 0, resolve | _NO_MOUNT_POINTS if same_storage else resolve)
    return b"".join(field.to_bytes(8, sys.byteorder) for field in fields)


@cache
def _openat2() -> Callable[[int, bytes, bytes], int]:
    import ctypes

    system_call = ctypes.CDLL(None, use_errno=True).syscall
    system_call.restype = ctypes.c_long
    system_call.argtypes = (
        ctypes.c_long,
        ctypes.c_int,
        ctypes.c_char_p,
        ctypes.c_char_p,
        ctypes.c_size_t,
    )

    def call(directory: int, path: bytes, how: bytes) -> int:
        descriptor: int = system_call(_OPENAT2, directory, path, how, len(how))
        if descriptor < 0:
            number = ctypes.get_errno()
            raise OSError(number, os.strerror(number))
        return descriptor

    return call
