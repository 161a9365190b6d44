"""Files on disk, read through a descriptor from the sandbox. No path is used here."""

import errno
import os
import sys
from collections import deque
from collections.abc import Callable, Iterable

from forge_daemon.reading.lines.cache import Entry, LineIndexCache
from forge_daemon.reading.lines.line_index import LineIndex

from .source import (
    SMALL_BYTES,
    YOUNG,
    FileChanged,
    Findings,
    Identity,
    Progress,
    ReadAt,
    Source,
    Stat,
    ends_digest,
    etag_of,
    stat_of,
)

HELD_BYTES = SMALL_BYTES
"""A file up to this size is read whole, every time: what is answered is what is there."""
_STEP = 64 * 1024
_MOST_MADE_UP = 16 * 1024 * 1024
"""What a kernel makes up is read whole too, as it can change from one moment to the next."""
_READS_CHECKED = 32
_LONGEST_CHECKED = SMALL_BYTES + 4096
"""A longer read is that of a scan, which is counted again."""
_CHECKS_OF_A_COARSE_CLOCK = 3
"""Where a clock ticks once a second a file may even be written back and forth meanwhile."""
_MOST_LOOKS = 16
_LONGEST_WRITE_NS = 600_000_000_000
"""How long a write may take that was not waited for."""


class DiskFile:
    """An open file, read as it was when it was last looked at."""

    grew = False
    """What is known of its lines was known before it grew, and rests on the rule for growth."""
    _ends: bytes | None = None
    """Of a large file, as it was looked at: the digest of its first and last bytes."""
    _entry: Entry | None = None
    _was_looked_up = False
    _has_waited = False
    """No write is known to be under way that began before the file was looked at."""
    _counted = 0
    """How many bytes of the line index need not be counted again."""
    _reads: Iterable[tuple[int, int, int]] = ()
    """Of a young file, what was read last: offset, length and a hash."""

    def __init__(self, fd: int, cache: LineIndexCache | None) -> None:
        self.stat = stat_of(fd)
        self._fd = fd
        self._cache = cache
        self.identity = Identity.of(fd, self.stat.status)

    def source(self) -> Source:
        """The file as it was when it was last looked at; `FileChanged` if it has changed since."""
        return self._held() if self.identity.size <= HELD_BYTES else self._streamed()

    def is_unchanged(self) -> bool:
        return Identity.of(self._fd) == self.identity

    def look_again(self) -> bool:
        """Look while no write is under way. Returns whether the file has to be read again."""
        before, has_waited = self.identity, self._has_waited
        self.stat = self._between_writes()
        self.identity = Identity.of(self._fd, self.stat.status)
        self._has_waited = True
        return before != self.identity or not has_waited

    def require_unchanged(self, source: Source, progress: Progress, *, wait: bool = True) -> None:
        """`FileChanged` unless the file is as it was looked at, or has only grown."""
        index = source.line_index
        if self._cache and self._entry is not None and index.marks.learned_memory:
            self._cache.count_again(self._entry)
        if self._ends is None:
            return  # held: all of it was read at one moment
        if not source.stable:
            for _ in range(_CHECKS_OF_A_COARSE_CLOCK if self.identity.has_whole_seconds else 1):
                self._require_same(index, progress)
            self._counted = index.marks.covered
        status = self._between_writes().status if wait else os.fstat(self._fd)
        now = Identity.of(self._fd, status)
        if now != self.identity and not (
            now.size > self.identity.size and self._ends == ends_digest(self._pread, source.size)
        ):
            raise FileChanged
        if status.st_atime_ns != self.stat.status.st_atime_ns and source.stable:
            self._require_clock(now, status.st_atime_ns)

    def _require_clock(self, now: Identity, accessed_ns: int) -> None:
        """The time of our own reading is the file system's: `FileChanged` where by that the file is not old."""
        if self._cache and now.ctime_ns == self.identity.ctime_ns:  # so no program has set it
            self._cache.clocks.note_access(now.device, accessed_ns, self.stat.not_before_ns)
            if not now.stable(self._cache.clocks.earliest_now(now.device, self.stat.not_before_ns)):
                self._cache.forget(now.device, now.inode)
                raise FileChanged

    def _require_same(self, index: LineIndex, progress: Progress) -> None:
        """A second write within one tick of the clock changes no time, so what was read is checked again."""
        if not index.recount(self._pread, progress, self._counted):
            raise FileChanged
        if any(hash(self._pread(offset, length)) != seen for offset, length, seen in self._reads):
            raise FileChanged

    def _between_writes(self) -> Stat:
        """The file's state at a moment when no write is under way, as far as that can be known.

        A write sets the file's times when it begins, and its size when it ends.
        """
        stat = stat_of(self._fd)
        identity = Identity.of(self._fd, stat.status)
        if sys.platform != "linux" or (identity.size <= HELD_BYTES and identity.stable(stat.not_before_ns)):
            return stat
        for _ in range(_MOST_LOOKS):
            self._wait_for_write()
            before, stat = stat, stat_of(self._fd)
            if Identity.of(self._fd, before.status) == Identity.of(self._fd, stat.status):
                return before
        return stat

    def _wait_for_write(self) -> None:
        """Asking for a hole waits until a write has ended, on the file systems that most logs are on."""
        if sys.platform == "linux":
            try:
                os.lseek(self._fd, 0, os.SEEK_HOLE)
            except OSError:
                return  # not every file system can, and one that was emptied has no holes

    def forget(self) -> None:
        """The file changed: what was counted may be partly of the old state, partly of the new."""
        if self._cache and self._ends is not None:
            self._cache.forget(self.identity.device, self.identity.inode)
        self.look_again()

    def close(self) -> None:
        if self._fd >= 0:
            fd, self._fd = self._fd, -1
            try:
                os.close(fd)
            except OSError:
                return  # nothing was written, so nothing is lost

    def _held(self) -> Source:
        identity, self._ends = self.identity, None
        data = self._all()
        now = Identity.of(self._fd)
        if now != identity and not (now.size >= identity.size and self._pread(0, identity.size) == data):
            raise FileChanged
        known = self._look_up(lambda known: known.identity == identity and known.held == data)
        if known is not None and known.source is not None:
            self._entry = known
            return known.source

        def read_at(offset: int, length: int) -> bytes:
            return data[offset : offset + length]

        entry = Entry(
            identity,
            etag_of(_identity_bytes(identity), data),
            LineIndex(len(data)),
            held=data,
            ends_digest=ends_digest(read_at, len(data)),
            looked_ns=self.stat.not_before_ns,
        )
        source = self._source(entry, read_at, Findings())
        self._entry = entry._replace(source=source)
        self._remember(self._entry)
        return source

    def _all(self) -> bytes:
        """What is in a small file. The size of one that a kernel makes up (procfs, sysfs) says nothing."""
        try:
            data = self._pread(0, self.identity.size)
        except FileChanged:
            if not self.is_unchanged():
                raise
            return self._until_end()
        return data or self._until_end()

    def _until_end(self) -> bytes:
        data = bytearray()
        while more := _read_some(self._fd, _STEP, len(data)):
            data += more
            if len(data) > _MOST_MADE_UP:
                raise OSError(errno.EFBIG, os.strerror(errno.EFBIG))
        return bytes(data)

    def _streamed(self) -> Source:
        size = self.identity.size

        def read_at(offset: int, length: int) -> bytes:
            # Mostly one call is enough, and a filtered window makes hundreds.
            length = min(length, size - offset)
            data = _read_some(self._fd, length, offset) if length > 0 else b""
            return data if len(data) == length else self._pread(offset, length)

        reads: deque[tuple[int, int, int]] = deque(maxlen=_READS_CHECKED)

        def checked_read_at(offset: int, length: int) -> bytes:
            data = read_at(offset, length)
            if len(data) <= _LONGEST_CHECKED:
                reads.append((offset, len(data), hash(data)))
            return data

        entry = self._streamed_entry(read_at)
        self._reads = reads
        self._ends = entry.ends_digest
        self.grew = entry.growing
        self._counted = entry.line_index.marks.covered
        return self._source(entry, checked_read_at if entry.etag.endswith(YOUNG) else read_at)

    def _streamed_entry(self, read_at: ReadAt) -> Entry:
        """What is known of the file's lines: of this state of it, or of one from which it only grew."""
        identity = self.identity
        known = self._look_up(lambda known: _holds(known, identity, read_at))
        stable = self._is_stable(known)
        if known is not None and known.identity == identity and known.etag.endswith(YOUNG) != stable:
            return known
        entry = Entry(
            identity,
            etag_of(_identity_bytes(identity)) + ("" if stable else YOUNG),
            LineIndex(identity.size, known.line_index.marks if known else None),
            ends_digest=ends_digest(read_at, identity.size),
            looked_ns=self.stat.not_before_ns,
            growing=known is not None,
        )
        self._remember(entry)
        return entry

    def _look_up(self, holds: Callable[[Entry], bool]) -> Entry | None:
        """However often a file is looked at for one read, it is one hit or one miss."""
        if self._cache is None:
            return None
        known = self._cache.look_up(self.identity, holds, counts=not self._was_looked_up)
        self._was_looked_up = True
        return known

    def _is_stable(self, known: Entry | None) -> bool:
        """Whether a later change is certain to show. A write that was not waited for may have begun long ago."""
        identity, now = self.identity, self.stat.not_before_ns
        if self._cache:
            now = self._cache.clocks.earliest_now(identity.device, now)
        was_stable = known is not None and known.identity == identity and not known.etag.endswith(YOUNG)
        return identity.stable(now if self._has_waited or was_stable else now - _LONGEST_WRITE_NS)

    def _remember(self, entry: Entry) -> None:
        if self._cache:
            self._cache.put(entry)

    def _source(self, entry: Entry, read_at: ReadAt, findings: Findings | None = None) -> Source:
        self._entry, identity = entry, entry.identity
        return Source(
            kind="disk",
            size=identity.size if entry.held is None else len(entry.held),
            read_at=read_at,
            etag=entry.etag,
            line_index=entry.line_index,
            mtime_ms=identity.mtime_ns // 1_000_000,
            key=b"%d %d" % identity[:2],
            ends_digest=entry.ends_digest,
            findings=findings,
        )

    def _pread(self, offset: int, length: int) -> bytes:
        """Read exactly this many bytes. A file that ends earlier has changed."""
        if length <= 0:
            return b""
        data = _read_some(self._fd, length, offset)
        while len(data) < length:
            more = _read_some(self._fd, length - len(data), offset + len(data))
            if not more:
                raise FileChanged
            data += more
        return data


def _holds(known: Entry, identity: Identity, read_at: ReadAt) -> bool:
    """Whether what is known of a large file's lines is still valid."""
    if known.held is not None:
        return False
    if known.identity == identity and not known.etag.endswith(YOUNG):
        return True
    size = known.identity.size
    # A log is written all the time, so one that was seen to grow is trusted between two lines too.
    may_have_grown = identity.size > size or (known.identity == identity and known.growing)
    return may_have_grown and known.ends_digest == ends_digest(read_at, size)


def _read_some(fd: int, length: int, offset: int) -> bytes:
    if sys.platform == "win32":
        from . import windows_file

        return windows_file.read_at(fd, length, offset)
    return os.pread(fd, length, offset)


def _identity_bytes(identity: Identity) -> bytes:
    # Device and inode numbers may take 64 bits unsigned, times may be negative, Windows inodes take 128.
    return repr(tuple(identity)).encode()
