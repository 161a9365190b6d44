"""What is different on Windows, in one place.

Nothing here has been run on Windows. The rules for names are plain text and are tested everywhere;
`open_and_name` needs the system itself. It is weaker than what the other systems have: Windows opens by
path only, so the file is opened first and its final path is judged afterwards, before a byte is read.
"""

import os
import re
import sys

ACTIVE = os.name == "nt"

_ANCHOR = r"(?P<drive>[A-Za-z]):/|//[^/]+/[^/]+(/|\Z)|/"
_DEVICES = r"(CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|COM[0-9¹²³]|LPT[0-9¹²³]) *(\..*)?"


def with_slashes(path: str) -> str:
    return path.replace("\\", "/")


def split_anchor(path: str) -> tuple[str, str]:
    """`c:/a/b` is `C:/` and `a/b`; `//server/share/a` is `//server/share/` and `a`."""
    anchor = re.match(_ANCHOR, path)
    if anchor is None:
        return "", path
    if anchor["drive"]:
        return f"{anchor['drive'].upper()}:/", path[anchor.end() :]
    return anchor[0] if anchor[0].endswith("/") else f"{anchor[0]}/", path[anchor.end() :]


def path_in_uri(host: str, path: str) -> str:
    """`/c:/a` is `c:/a`, and a host makes a network path."""
    if host:
        return f"//{host}{path}"
    return path[1:] if re.match(r"/[A-Za-z]:", path) else path


def fault_in_name(name: str) -> str | None:
    """Why Windows would open something else than a file of exactly this name."""
    if ":" in name:
        return "a name with `:` means a drive or an alternate stream on Windows"
    if name.endswith((".", " ")):
        return "Windows drops dots and spaces at the end of a name"
    if re.fullmatch(_DEVICES, name, re.IGNORECASE):
        return "the name of a device on Windows"
    return None


def open_and_name(path: str) -> tuple[int, str]:  # pragma: no cover - needs Windows
    """Open a file or directory for reading; the descriptor, and the final path of what was opened."""
    if sys.platform != "win32":
        raise NotImplementedError("only Windows opens files this way")
    import ctypes
    import msvcrt

    generic_read, share_all, open_existing, backup_semantics = 0x80000000, 0x7, 3, 0x02000000
    kernel = ctypes.WinDLL("kernel32", use_last_error=True)
    kernel.CreateFileW.restype = ctypes.c_void_p
    kernel.GetFinalPathNameByHandleW.argtypes = (
        ctypes.c_void_p,
        ctypes.c_wchar_p,
        ctypes.c_uint32,
        ctypes.c_uint32,
    )
    handle = kernel.CreateFileW(path, generic_read, share_all, None, open_existing, backup_semantics, None)
    if handle == ctypes.c_void_p(-1).value:
        raise ctypes.WinError(ctypes.get_last_error())
    descriptor = msvcrt.open_osfhandle(handle, os.O_RDONLY | os.O_BINARY | os.O_NOINHERIT)
    buffer = ctypes.create_unicode_buffer(32768)
    if not 0 < kernel.GetFinalPathNameByHandleW(handle, buffer, len(buffer), 0) < len(buffer):
        os.close(descriptor)
        raise ctypes.WinError(ctypes.get_last_error())
    final = with_slashes(buffer.value)
    network = final.removeprefix("//?/UNC/")
    return descriptor, f"//{network}" if network != final else final.removeprefix("//?/")
