"""What Linux's openat2 says of a path, asked without the code that is tested."""

import ctypes
import os
import sys

_OPENAT2, _NO_MAGICLINKS, _BENEATH = 437, 0x02, 0x08


def opens_beneath(root: str, relative: str) -> bool:
    """Whether the kernel opens a path and never leaves `root` on the way; False also where it forbids the call."""
    how = b"".join(field.to_bytes(8, sys.byteorder) for field in (os.O_NONBLOCK, 0, _BENEATH | _NO_MAGICLINKS))
    directory = os.open(root, os.O_PATH)
    try:
        descriptor = ctypes.CDLL(None).syscall(_OPENAT2, directory, os.fsencode(relative), how, len(how))
        if descriptor >= 0:
            os.close(descriptor)
        return bool(descriptor >= 0)
    finally:
        os.close(directory)
