"""A program that overwrites a file with one `write`, which stops half way until told to continue. Run as a script.

Usage: stalled_writer.py FILE OLD NEW. Every OLD in the file becomes NEW. It says "stalled" when half is written, and
continues after a line on stdin. The second half of what it writes lies in memory that userfaultfd holds back.
"""

import ctypes
import fcntl
import mmap
import os
import platform
import struct
import sys
import threading
from typing import Any

_USERFAULTFD = {"x86_64": 323, "aarch64": 282}
_API, _REGISTER, _COPY = 0xC018AA3F, 0xC020AA00, 0xC028AA03
_MISSING_PAGES = 1


def overwrite(path: str, data: bytes) -> None:
    libc: Any = ctypes.CDLL(None, use_errno=True)
    number = _USERFAULTFD.get(platform.machine())
    faults = libc.syscall(number, os.O_CLOEXEC) if number else -1
    if faults < 0:
        sys.exit(f"no userfaultfd: {os.strerror(ctypes.get_errno())}")
    fcntl.ioctl(faults, _API, struct.pack("=QQQ", 0xAA, 0, 0))
    half = len(data) // 2 // mmap.PAGESIZE * mmap.PAGESIZE
    size = -(-len(data) // mmap.PAGESIZE) * mmap.PAGESIZE
    memory = mmap.mmap(-1, size, flags=mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS)
    memory[:half] = data[:half]
    address = ctypes.addressof(ctypes.c_char.from_buffer(memory))
    fcntl.ioctl(faults, _REGISTER, struct.pack("=QQQQ", address + half, size - half, _MISSING_PAGES, 0))
    rest = ctypes.create_string_buffer(data[half:], size - half)

    def provide() -> None:
        os.read(faults, 32)
        print("stalled", flush=True)
        sys.stdin.readline()
        fcntl.ioctl(faults, _COPY, struct.pack("=QQQQq", address + half, ctypes.addressof(rest), size - half, 0, 0))

    threading.Thread(target=provide, daemon=True).start()
    file = os.open(path, os.O_WRONLY)
    libc.write.argtypes = (ctypes.c_int, ctypes.c_void_p, ctypes.c_size_t)
    libc.write.restype = ctypes.c_ssize_t
    if libc.write(file, address, len(data)) != len(data):
        sys.exit("not everything was written")


if __name__ == "__main__":
    _, path, old, new = sys.argv
    with open(path, "rb") as file:
        content = file.read()
    overwrite(path, content.replace(old.encode(), new.encode()))
