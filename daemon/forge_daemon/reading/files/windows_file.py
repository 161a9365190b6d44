"""What Python does not offer for an open file on Windows: the time of its last change."""

import ctypes
import msvcrt
import sys

assert sys.platform == "win32"

_BASIC_INFO = 0
_FROM_1601_TO_1970 = 116_444_736_000_000_000
"""In units of 100 ns."""

_kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)


class _BasicInfo(ctypes.Structure):
    _fields_ = (
        ("creation_time", ctypes.c_int64),
        ("last_access_time", ctypes.c_int64),
        ("last_write_time", ctypes.c_int64),
        ("change_time", ctypes.c_int64),
        ("attributes", ctypes.c_uint32),
    )


_kernel32.GetFileInformationByHandleEx.argtypes = (ctypes.c_void_p, ctypes.c_int, ctypes.c_void_p, ctypes.c_uint32)


def change_time_ns(fd: int) -> int:
    """When the file's contents or attributes were last changed. Unlike the time of the last write, it cannot be set
    back by a program that rewrites a file; Python's `st_ctime` is the time of creation."""
    info = _BasicInfo()
    if not _kernel32.GetFileInformationByHandleEx(
        msvcrt.get_osfhandle(fd), _BASIC_INFO, ctypes.byref(info), ctypes.sizeof(info)
    ):
        raise ctypes.WinError(ctypes.get_last_error())
    change_time: int = info.change_time
    return (change_time - _FROM_1601_TO_1970) * 100
