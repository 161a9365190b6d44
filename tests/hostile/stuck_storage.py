"""Storage that does not answer: a file system of our own, served through /dev/fuse, as a script in its own process.

Every name that starts with `file` is a file of five bytes. A read of one that starts with `stuck` is never answered,
but given up when the reader is killed, as the kernel then asks. After SIGUSR1 nothing is answered any more.
"""

import ctypes
import errno
import os
import select
import signal
import stat
import struct
import sys
from contextlib import suppress

TEXT = b"text\n"
MOUNTED = "mounted"

_HEADER = struct.Struct("<IIQQIIII")
_ANSWER = struct.Struct("<IiQ")
_ATTRIBUTES = struct.Struct("<6Q10I")
_LOOKUP, _FORGET, _GETATTR, _OPEN, _READ, _STATFS, _RELEASE, _FLUSH = 1, 2, 3, 14, 15, 17, 18, 25
_INIT, _OPENDIR, _READDIR, _RELEASEDIR, _INTERRUPT, _BATCH_FORGET = 26, 27, 28, 29, 36, 42
_DIRECT_IO = 1
_LARGEST_REQUEST = 1 << 20
_ROOT = 1
_LAZILY = 2


class Storage:
    """Answers the kernel's requests, except some."""

    def __init__(self, device: int) -> None:
        self._device = device
        self._names = {_ROOT: b""}

    def serve(self) -> None:
        while True:
            # Never stop with a request that was taken: whoever waits for its answer could not even be killed.
            signal.pthread_sigmask(signal.SIG_UNBLOCK, {signal.SIGUSR1})
            select.select([self._device], [], [])
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGUSR1})
            request = os.read(self._device, _LARGEST_REQUEST)
            _, operation, unique, node, *_ = _HEADER.unpack_from(request)
            self._handle(operation, unique, node, request[_HEADER.size :])

    def _handle(self, operation: int, unique: int, node: int, body: bytes) -> None:
        if operation in (_FORGET, _BATCH_FORGET):
            return
        if operation == _INTERRUPT:
            self._answer(struct.unpack_from("<Q", body)[0], error=errno.EINTR)
        elif operation == _INIT:
            self._answer(unique, struct.pack("<4I2H2I2HI7I", 7, 31, 0, 0, 0, 0, 4096, 1, 0, 0, 0, *[0] * 7))
        elif operation == _LOOKUP:
            self._look_up(unique, body.rstrip(b"\0"))
        elif operation == _GETATTR:
            self._answer(unique, struct.pack("<QII", 0, 0, 0) + self._attributes(node))
        elif operation in (_OPEN, _OPENDIR):
            self._answer(unique, struct.pack("<QII", 0, _DIRECT_IO, 0))
        elif operation == _READ:
            self._read(unique, node, struct.unpack_from("<QQ", body)[1])
        elif operation == _STATFS:
            self._answer(unique, struct.pack("<5Q10I", *[1000] * 5, 4096, 255, 4096, *[0] * 7))
        elif operation == _FLUSH:
            # Nothing to flush, so the kernel asks no more. A process that waited for that could not even be killed.
            self._answer(unique, error=errno.ENOSYS)
        elif operation in (_RELEASE, _RELEASEDIR, _READDIR):
            self._answer(unique)
        else:
            self._answer(unique, error=errno.ENOSYS)

    def _look_up(self, unique: int, name: bytes) -> None:
        if not name.startswith((b"file", b"stuck")):
            self._answer(unique, error=errno.ENOENT)
            return
        node = next((node for node, known in self._names.items() if known == name), len(self._names) + 1)
        self._names[node] = name
        self._answer(unique, struct.pack("<QQQQII", node, 0, 0, 0, 0, 0) + self._attributes(node))

    def _read(self, unique: int, node: int, offset: int) -> None:
        if self._names[node].startswith(b"file"):
            self._answer(unique, TEXT[offset:])

    def _attributes(self, node: int) -> bytes:
        mode = stat.S_IFDIR | 0o755 if node == _ROOT else stat.S_IFREG | 0o644
        return _ATTRIBUTES.pack(node, self._size(node), 1, 0, 0, 0, 0, 0, 0, mode, 1, 0, 0, 0, 4096, 0)

    def _size(self, _node: int) -> int:
        return len(TEXT)

    def _answer(self, unique: int, body: bytes = b"", error: int = 0) -> None:
        with suppress(OSError):  # the kernel may know no such question any more
            os.write(self._device, _ANSWER.pack(_ANSWER.size + len(body), -error, unique) + body)


def main(folder: str, storage: type[Storage] = Storage) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    try:
        device = os.open("/dev/fuse", os.O_RDWR)
    except OSError as error:
        sys.exit(f"no /dev/fuse: {error.strerror}")
    options = f"fd={device},rootmode=40000,user_id={os.getuid()},group_id={os.getgid()}".encode()
    if libc.mount(b"stuck", os.fsencode(folder), b"fuse", 0, options):
        sys.exit(f"cannot be mounted: {os.strerror(ctypes.get_errno())}")
    signal.signal(signal.SIGUSR1, lambda *_: os.kill(os.getpid(), signal.SIGSTOP))
    print(MOUNTED, flush=True)
    try:
        storage(device).serve()
    except OSError:
        pass  # unmounted
    finally:
        libc.umount2(os.fsencode(folder), _LAZILY)


if __name__ == "__main__":
    main(sys.argv[1])
