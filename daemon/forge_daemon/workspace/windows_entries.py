"""Opening files on Windows: each name relative to the handle of its directory, and never through a link.

Handles allow all sharing, so that other programs can write, rename and delete what is read here.
"""

import ctypes
import errno
import msvcrt
import os
import stat
import sys
from collections.abc import Iterator

from . import windows, windows_records
from .folder import Folder

assert sys.platform == "win32"

_READ, _TRAVERSE, _ATTRIBUTES, _SYNCHRONIZE = 0x1, 0x20, 0x80, 0x100000
_GENERIC_READ = 0x80000000
_SHARE_ALL = 0x7
_OPEN = 1
_SYNCHRONOUS, _BACKUP_INTENT, _OPEN_LINK_ITSELF = 0x20, 0x4000, 0x200000
_OPEN_EXISTING, _FLAG_BACKUP_SEMANTICS = 3, 0x02000000
_IGNORE_CASE = 0x40
_GET_REPARSE_POINT, _LARGEST_REPARSE_DATA = 0x900A8, 16 * 1024
_ATTRIBUTE_TAG_INFO, _DIRECTORY_INFO, _DIRECTORY_INFO_FROM_START = 9, 14, 15
_NAME_INFORMATION, _NORMALIZED_NAME_INFORMATION = 9, 48
_LARGEST_NAME, _LISTING_BYTES = 0x10010, 64 * 1024
_NO_MORE_FILES = 18
_DELETE_PENDING, _FILE_NOT_FOUND = 0xC0000056, 2
"""A deleted file keeps its name, which cannot be opened, until its last handle is closed."""
_CANNOT_ACCESS = 1920


class _UnicodeString(ctypes.Structure):
    _fields_ = (
        ("length", ctypes.c_uint16),
        ("maximum_length", ctypes.c_uint16),
        ("buffer", ctypes.c_wchar_p),
    )


class _ObjectAttributes(ctypes.Structure):
    _fields_ = (
        ("length", ctypes.c_uint32),
        ("root_directory", ctypes.c_void_p),
        ("object_name", ctypes.POINTER(_UnicodeString)),
        ("attributes", ctypes.c_uint32),
        ("security_descriptor", ctypes.c_void_p),
        ("security_quality_of_service", ctypes.c_void_p),
    )


class _IoStatusBlock(ctypes.Structure):
    _fields_ = (("status", ctypes.c_void_p), ("information", ctypes.c_void_p))


_HANDLE, _POINTER, _DWORD = ctypes.c_void_p, ctypes.c_void_p, ctypes.c_uint32

_ntdll = ctypes.WinDLL("ntdll")
_ntdll.NtCreateFile.restype = _DWORD
_ntdll.NtCreateFile.argtypes = (_POINTER, _DWORD, *[_POINTER] * 3, *[_DWORD] * 4, _POINTER, _DWORD)
_ntdll.NtQueryInformationFile.restype = _DWORD
_ntdll.NtQueryInformationFile.argtypes = (_HANDLE, _POINTER, _POINTER, _DWORD, ctypes.c_int)
_ntdll.RtlNtStatusToDosError.argtypes = (_DWORD,)
_kernel32 = ctypes.WinDLL("kernel32", use_last_error=True)
_kernel32.CreateFileW.restype = _HANDLE
_kernel32.CreateFileW.argtypes = (ctypes.c_wchar_p, _DWORD, _DWORD, _POINTER, _DWORD, _DWORD, _HANDLE)
_kernel32.ReOpenFile.restype = _HANDLE
_kernel32.ReOpenFile.argtypes = (_HANDLE, _DWORD, _DWORD, _DWORD)
_kernel32.DeviceIoControl.argtypes = (_HANDLE, _DWORD, _POINTER, _DWORD, _POINTER, _DWORD, _POINTER, _POINTER)
_kernel32.GetFileInformationByHandleEx.argtypes = (_HANDLE, ctypes.c_int, _POINTER, _DWORD)
_INVALID_HANDLE = ctypes.c_void_p(-1).value


def enter_root(folder: Folder) -> int:
    """Open a folder's directory. The system follows links itself: ELOOP if they lead elsewhere than at first."""
    root = open_file(folder.real_root)
    try:
        status = os.fstat(root)
        if not stat.S_ISDIR(status.st_mode):
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        volume = status.st_dev, name_on_volume(root)
        folder.resolved_volume = folder.resolved_volume or volume
        if volume != folder.resolved_volume:
            raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    except OSError:
        os.close(root)
        raise
    return root


def open_file(path: str) -> int:
    """Open a file or directory by an absolute path, through links."""
    return _descriptor(
        _kernel32.CreateFileW(
            windows.extended_path(path), _GENERIC_READ, _SHARE_ALL, None, _OPEN_EXISTING, _FLAG_BACKUP_SEMANTICS, None
        )
    )


open_directory = open_file


def open_entry(name: str, directory: int, *, is_last: bool) -> tuple[int, str] | str:
    """Open a name in an open directory: a descriptor and the name that the directory has for it, or a link's target.

    Where the system went elsewhere by itself, the way there is returned like that of a link.
    """
    descriptor = _opened(name, directory, (_READ if is_last else _TRAVERSE) | _ATTRIBUTES | _SYNCHRONIZE)
    try:
        attributes, tag = _attributes(descriptor)
        if attributes & windows_records.REPARSE_POINT:
            if windows_records.is_name_surrogate(tag):
                target = windows_records.link_target(_reparse_data(descriptor))
                if target is None:
                    raise ctypes.WinError(_CANNOT_ACCESS)
                os.close(descriptor)
                return target
            marked, descriptor = descriptor, _reopened(descriptor)
            os.close(marked)
        if not is_last and not attributes & windows_records.DIRECTORY:
            raise NotADirectoryError(errno.ENOTDIR, os.strerror(errno.ENOTDIR))
        above, reached = name_on_volume(directory), name_on_volume(descriptor)
        if os.fstat(directory).st_dev != os.fstat(descriptor).st_dev:
            os.close(descriptor)
            return "//?/another volume/"
        parent, _, true_name = reached.rpartition("\\")
        if parent != above.rstrip("\\"):
            os.close(descriptor)
            return windows.path_between(above, reached)
        return descriptor, true_name
    except OSError:
        os.close(descriptor)
        raise


def open_unlinked(name: str, directory: int) -> int:
    opened = open_entry(name, directory, is_last=True)
    if isinstance(opened, str):
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return opened[0]


def open_itself(directory: int) -> int:
    """Open a directory again, so that its names can be listed."""
    return _opened("", directory, _READ | _ATTRIBUTES | _SYNCHRONIZE)


def name_on_volume(descriptor: int) -> str:
    """What an open file is called now, from the root of its volume: `\\dir\\file`."""
    buffer = ctypes.create_string_buffer(_LARGEST_NAME)
    status = _IoStatusBlock()
    handle = msvcrt.get_osfhandle(descriptor)
    # Not every file system can say it without short names.
    for kind in (_NORMALIZED_NAME_INFORMATION, _NAME_INFORMATION):
        result = _ntdll.NtQueryInformationFile(handle, ctypes.byref(status), buffer, _LARGEST_NAME, kind)
        if result == 0:
            length = int.from_bytes(buffer.raw[:4], "little")
            return buffer.raw[4 : 4 + length].decode("utf-16-le", "surrogatepass")
    raise _error(result)


def entries(directory: int) -> Iterator[windows_records.Entry]:
    """What an open directory lists."""
    buffer = ctypes.create_string_buffer(_LISTING_BYTES)
    handle = msvcrt.get_osfhandle(directory)
    kind = _DIRECTORY_INFO_FROM_START
    while _kernel32.GetFileInformationByHandleEx(handle, kind, buffer, _LISTING_BYTES):
        yield from windows_records.listed_entries(buffer.raw)
        kind = _DIRECTORY_INFO
    if ctypes.get_last_error() != _NO_MORE_FILES:
        raise ctypes.WinError(ctypes.get_last_error())


def _opened(name: str, directory: int, access: int) -> int:
    length = len(name.encode("utf-16-le", "surrogatepass"))
    text = _UnicodeString(length, length, name)
    attributes = _ObjectAttributes(
        ctypes.sizeof(_ObjectAttributes),
        msvcrt.get_osfhandle(directory),
        ctypes.pointer(text),
        _IGNORE_CASE,
        None,
        None,
    )
    handle, status = ctypes.c_void_p(), _IoStatusBlock()
    result = _ntdll.NtCreateFile(
        ctypes.byref(handle),
        access,
        ctypes.byref(attributes),
        ctypes.byref(status),
        None,
        0,
        _SHARE_ALL,
        _OPEN,
        _SYNCHRONOUS | _BACKUP_INTENT | _OPEN_LINK_ITSELF,
        None,
        0,
    )
    if result != 0:
        raise _error(result)
    return _descriptor(handle.value)


def _reopened(descriptor: int) -> int:
    """A file whose reparse point says how it is stored, such as one that is fetched when it is read."""
    handle = _kernel32.ReOpenFile(msvcrt.get_osfhandle(descriptor), _GENERIC_READ, _SHARE_ALL, _FLAG_BACKUP_SEMANTICS)
    return _descriptor(handle)


def _descriptor(handle: int | None) -> int:
    if handle is None or handle == _INVALID_HANDLE:
        raise ctypes.WinError(ctypes.get_last_error())
    return msvcrt.open_osfhandle(handle, os.O_RDONLY | os.O_BINARY | os.O_NOINHERIT)


def _attributes(descriptor: int) -> tuple[int, int]:
    """Of a file, and its reparse tag."""
    info = (ctypes.c_uint32 * 2)()
    if not _kernel32.GetFileInformationByHandleEx(
        msvcrt.get_osfhandle(descriptor), _ATTRIBUTE_TAG_INFO, info, ctypes.sizeof(info)
    ):
        raise ctypes.WinError(ctypes.get_last_error())
    return info[0], info[1]


def _reparse_data(descriptor: int) -> bytes:
    buffer = ctypes.create_string_buffer(_LARGEST_REPARSE_DATA)
    done = ctypes.c_uint32()
    if not _kernel32.DeviceIoControl(
        msvcrt.get_osfhandle(descriptor),
        _GET_REPARSE_POINT,
        None,
        0,
        buffer,
        _LARGEST_REPARSE_DATA,
        ctypes.byref(done),
        None,
    ):
        raise ctypes.WinError(ctypes.get_last_error())
    return buffer.raw[: done.value]


def _error(status: int) -> OSError:
    if status == _DELETE_PENDING:
        return ctypes.WinError(_FILE_NOT_FOUND)
    return ctypes.WinError(_ntdll.RtlNtStatusToDosError(status))
