"""The rule for "still the same file": everything that is remembered about a file rests on it.

A file is identified by what `fstat` shows: device, inode, size, and the times of its last changes. Three cases:

- **Unchanged.** The same identity, and the last change was more than `RACY_NS` before we looked. Two writes within one
  tick of a file system's clock leave the same times, so a younger identity proves nothing: such a file is *racy* (git
  calls it racily clean). `ctime` decides, as programs can set `mtime` to anything.
- **Only grew.** The same device and inode, a larger size, and the first and last bytes of the old content are where
  they were. That is how logs are written: what was learned about the old content stays valid, and is extended. A file
  that was seen to grow is trusted like this between two writes too.
- **Changed.** Anything else. What was learned is dropped, cursors end, and a read that was under way starts again.

Small files do not need the rule: they are read whole every time, and compared byte for byte.
"""

import os
import sys
from typing import NamedTuple

from .digest import digest
from .file_bytes import ReadAt

if sys.platform == "win32":
    from . import windows_file

RACY_NS = 2_100_000_000
"""The coarsest clock in use (FAT) ticks every two seconds."""
RACY_SUFFIX = "~"
"""The last character of a racy file's `etag`, so that it never equals a later one."""
FINGERPRINT_BYTES = 4096
"""How much of the start and of the end of the old content must be unchanged in a file that grew."""
_DIGEST_BYTES = 16


class Identity(NamedTuple):
    device: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, fd: int, status: os.stat_result | None = None) -> "Identity":
        status = status or os.fstat(fd)
        changed_ns = status.st_ctime_ns
        if sys.platform == "win32":
            changed_ns = windows_file.change_time_ns(fd)
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, changed_ns)

    def is_racy(self, now_ns: int) -> bool:
        """Whether the file may change again without a change of its identity."""
        return self.ctime_ns >= now_ns - RACY_NS

    def is_same_file(self, other: "Identity") -> bool:
        """Whether both are of one file, whatever it contains."""
        return self[:2] == other[:2]

    @property
    def key(self) -> bytes:
        return b"%d %d" % self[:2]


def fingerprint(read_at: ReadAt, size: int) -> bytes:
    """A digest of the first and last bytes of the first `size` bytes."""
    length = min(size, FINGERPRINT_BYTES)
    return digest(read_at(0, length), read_at(size - length, length), size=_DIGEST_BYTES)


def fingerprint_of(data: bytes) -> bytes:
    return digest(data[:FINGERPRINT_BYTES], data[-FINGERPRINT_BYTES:], size=_DIGEST_BYTES)


def etag_of(*parts: bytes) -> str:
    return digest(*parts, size=_DIGEST_BYTES).hex()
