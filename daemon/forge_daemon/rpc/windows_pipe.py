"""Whether the other end of a pipe on Windows is still open. Nothing else reveals that without reading or writing."""

import ctypes
import msvcrt
import sys

assert sys.platform == "win32"

_PIPE_LOCAL_INFORMATION = 24
_DISCONNECTED, _CLOSING = 1, 4


class _IoStatusBlock(ctypes.Structure):
    _fields_ = (("status", ctypes.c_void_p), ("information", ctypes.c_void_p))


class _PipeLocalInformation(ctypes.Structure):
    _fields_ = (
        ("pipe_type", ctypes.c_uint32),
        ("configuration", ctypes.c_uint32),
        ("maximum_instances", ctypes.c_uint32),
        ("current_instances", ctypes.c_uint32),
        ("inbound_quota", ctypes.c_uint32),
        ("bytes_to_read", ctypes.c_uint32),
        ("outbound_quota", ctypes.c_uint32),
        ("write_quota", ctypes.c_uint32),
        ("state", ctypes.c_uint32),
        ("end", ctypes.c_uint32),
    )


_ntdll = ctypes.WinDLL("ntdll")
_ntdll.NtQueryInformationFile.restype = ctypes.c_uint32
_ntdll.NtQueryInformationFile.argtypes = (
    ctypes.c_void_p,
    ctypes.POINTER(_IoStatusBlock),
    ctypes.POINTER(_PipeLocalInformation),
    ctypes.c_uint32,
    ctypes.c_int,
)


def has_other_end(descriptor: int) -> bool:
    """False if the other end of a pipe was closed. Anything but a pipe counts as open."""
    status, found = _IoStatusBlock(), _PipeLocalInformation()
    result = _ntdll.NtQueryInformationFile(
        msvcrt.get_osfhandle(descriptor),
        ctypes.byref(status),
        ctypes.byref(found),
        ctypes.sizeof(found),
        _PIPE_LOCAL_INFORMATION,
    )
    return result != 0 or found.state not in (_DISCONNECTED, _CLOSING)
