"""Files on disk, read through a descriptor from the sandbox. No path is used here."""

import errno
import os
import stat
import sys
import threading
import time

from .cache import FileCache, KnownFile
from .file_bytes import SMALL_BYTES, FileBytes, FileChanged, Knowledge, ReadAt
from .same_file import RACY_SUFFIX, Identity, etag_of, fingerprint, fingerprint_of

HELD_BYTES = SMALL_BYTES
"""A file up to this size is read whole, every time: what is answered is what is there."""
_PSEUDO_FILE_STEP = 64 * 1024
MAX_PSEUDO_FILE_BYTES = 16 * 1024 * 1024


def read_small(fd: int) -> bytes | None:
    """All of a small file as it is at this moment; None if it is larger, grows, or is a pseudo-file."""
    status = os.fstat(fd)
    if not stat.S_ISREG(status.st_mode) or status.st_size > HELD_BYTES:
        return None
    data = os.read(fd, status.st_size + 1)
    return data if len(data) == status.st_size else None


class DiskFile:
    """An open file."""

    def __init__(self, fd: int, cache: FileCache | None) -> None:
        self._fd = fd
        self._position = threading.Lock()
        """Held while the descriptor's position is used, where there is no `pread`."""
        self._cache = cache
        self.status = os.fstat(fd)
        self.identity = Identity.of(fd, self.status)
        self._known: KnownFile | None = None
        self._was_counted = False

    def snapshot(self) -> FileBytes:
        """The file as it is now. `FileChanged` if it changes meanwhile."""
        _wait_for_write(self._fd)
        now_ns = time.time_ns()
        # A write that began after the file was last looked at shows here. If it had begun before, its times were there
        # then, and its size is only now that it has ended.
        if not self._is_unchanged():
            now_ns = time.time_ns()
            self.status = os.fstat(self._fd)
            self.identity = Identity.of(self._fd, self.status)
            _wait_for_write(self._fd)
        return self._held() if self.identity.size <= HELD_BYTES else self._streamed(now_ns)

    def _is_unchanged(self) -> bool:
        return Identity.of(self._fd) == self.identity

    def require_unchanged(self) -> None:
        """`FileChanged` unless the file is as it was in the last snapshot, or has only grown."""
        known = self._known
        if known is None:
            return
        if known.held is None:
            _wait_for_write(self._fd)
            now = Identity.of(self._fd)
            if now != self.identity and not self._only_grew(known, now):
                self.forget()
                raise FileChanged
        if self._cache is not None:
            self._cache.put(known)

    def close(self) -> None:
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            try:
                os.close(fd)
            except OSError:  # nothing was written, so nothing is lost
                return

    def _held(self) -> FileBytes:
        """A small file, all of it read at one moment."""
        identity = self.identity
        data = self._read_whole()
        now = Identity.of(self._fd)
        if now != identity and not (now.size >= identity.size and self._read(0, identity.size) == data):
            raise FileChanged
        known = self._look_up()
        is_known = known is not None and known.identity == identity and known.held == data
        if known is None or not is_known:
            grew = known is not None and known.held is not None and data.startswith(known.held)
            knowledge = known.knowledge if known is not None and grew else Knowledge()
            etag = etag_of(_identity_bytes(identity), data)
            known = KnownFile(identity, etag, knowledge, fingerprint_of(data), held=data)
        self._remember(known, hit=is_known)
        return self._file_bytes(known, len(data), lambda offset, length: data[offset : offset + length])

    def _read_whole(self) -> bytes:
        """A pseudo-file (procfs, sysfs) shows a size that means nothing, and is read to its end."""
        try:
            data = self._read(0, self.identity.size)
        except FileChanged:
            if not self._is_unchanged():
                raise
            data = b""
        if data:
            return data
        whole = bytearray()
        while more := self._read_some(_PSEUDO_FILE_STEP, len(whole)):
            whole += more
            if len(whole) > MAX_PSEUDO_FILE_BYTES:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return bytes(whole)

    def _streamed(self, now_ns: int) -> FileBytes:
        identity, is_racy = self.identity, self.identity.is_racy(now_ns)
        etag = etag_of(_identity_bytes(identity)) + RACY_SUFFIX * is_racy
        known = self._look_up()
        if known is not None and known.identity == identity and known.etag == etag and not is_racy:
            self._remember(known, hit=True)
        else:
            grew = known is not None and known.held is None and self._only_grew(known, identity)
            knowledge = known.knowledge if known is not None and grew else Knowledge()
            new = fingerprint(self._read, identity.size)
            self._remember(KnownFile(identity, etag, knowledge, new, is_growing=grew), hit=grew)
        assert self._known is not None
        size = identity.size

        def read_at(offset: int, length: int) -> bytes:
            return self._read(offset, min(length, size - offset))

        return self._file_bytes(self._known, size, read_at, is_racy=is_racy)

    def _only_grew(self, known: KnownFile, now: Identity) -> bool:
        was = known.identity
        may_have_grown = was.is_same_file(now) and (now.size > was.size or (now == was and known.is_growing))
        return may_have_grown and fingerprint(self._read, was.size) == known.fingerprint

    def _look_up(self) -> KnownFile | None:
        return self._known or (self._cache.get(self.identity) if self._cache is not None else None)

    def _remember(self, known: KnownFile, *, hit: bool) -> None:
        self._known = known
        if self._cache is not None:
            if not hit:
                self._cache.put(known)
            if not self._was_counted:  # a file that is read again because it changed is still one read
                self._cache.count(hit=hit)
                self._was_counted = True

    def forget(self) -> None:
        """What was learned may be partly of an old state, partly of a new one."""
        self._known = None
        if self._cache is not None:
            self._cache.forget(self.identity)

    def _file_bytes(self, known: KnownFile, size: int, read_at: ReadAt, *, is_racy: bool = False) -> FileBytes:
        return FileBytes(
            kind="disk",
            size=size,
            read_at=read_at,
            etag=known.etag,
            mtime_ms=self.identity.mtime_ns // 1_000_000,
            knowledge=known.knowledge,
            is_racy=is_racy,
            key=self.identity.key,
            fingerprint=known.fingerprint,
        )

    def _read(self, offset: int, length: int) -> bytes:
        """Exactly this many bytes. A file that ends earlier has changed."""
        if length <= 0:
            return b""
        data = self._read_some(length, offset)
        while len(data) < length:
            more = self._read_some(length - len(data), offset + len(data))
            if not more:
                raise FileChanged
            data += more
        return data

    def _read_some(self, length: int, offset: int) -> bytes:
        if sys.platform != "win32":
            return os.pread(self._fd, length, offset)
        with self._position:
            os.lseek(self._fd, offset, os.SEEK_SET)
            return os.read(self._fd, length)


def _wait_for_write(fd: int) -> None:
    """On most Linux file systems asking for a hole waits for a `write` that is under way.

    Such a write has set the file's times already, and sets its size when it ends.
    """
    if sys.platform == "linux":
        try:
            os.lseek(fd, 0, os.SEEK_HOLE)
        except OSError:  # an empty file has none
            return


def _identity_bytes(identity: Identity) -> bytes:
    # Device and inode numbers may take 64 bits unsigned, times may be negative, Windows inodes take 128.
    return repr(tuple(identity)).encode()
