"""Files, through a descriptor that the sandbox handed out. No path is used here."""

import os
import sys
from collections.abc import Callable
from threading import Lock
from typing import TypeVar

from forge_daemon.reading.lines.cache import Entry, LineIndexCache
from forge_daemon.reading.lines.line_index import LineIndex

from .source import FileChanged, Identity, ReadAt, Source, Stat, etag_of

T = TypeVar("T")

HELD_BYTES = 1024 * 1024
"""A file up to this size is read whole, every time: what is answered is what is there."""


def read_disk(fd: int, look: Stat, cache: LineIndexCache | None, use: Callable[[Source], T]) -> T:
    """Let `use` read the file behind a descriptor; `FileChanged` if it is no longer what was seen when it is done."""
    identity = Identity.of(look.status)
    if identity.size <= HELD_BYTES:
        return use(_held(fd, identity, cache))
    try:
        answer = use(_streamed(fd, identity, cache, look.not_before_ns))
        _require_unchanged(fd, identity)
    except FileChanged:
        if cache:
            # Its newlines may have been counted partly before and partly after the change.
            cache.forget(identity.device, identity.inode)
        raise
    return answer


def _held(fd: int, identity: Identity, cache: LineIndexCache | None) -> Source:
    data = _pread(fd, 0, identity.size)
    _require_unchanged(fd, identity)
    entry = cache.find(identity, data) if cache else None
    if entry is None:
        etag = etag_of(_identity_bytes(identity), data)
        entry = Entry(identity, etag, LineIndex(identity.size), data)
        if cache:
            cache.put(entry)
    return _source(entry, lambda offset, length: data[offset : offset + length])


def _streamed(fd: int, identity: Identity, cache: LineIndexCache | None, not_before_ns: int) -> Source:
    entry = cache.find(identity) if cache else None
    if entry is None:
        etag = etag_of(_identity_bytes(identity))
        entry = Entry(identity, etag, LineIndex(identity.size), None)
        if cache and identity.stable(not_before_ns):
            cache.put(entry)

    def read_at(offset: int, length: int) -> bytes:
        return _pread(fd, offset, max(0, min(length, identity.size - offset)))

    return _source(entry, read_at)


def _source(entry: Entry, read_at: ReadAt) -> Source:
    return Source(
        kind="disk",
        size=entry.identity.size,
        read_at=read_at,
        etag=entry.etag,
        line_index=entry.line_index,
        mtime_ms=entry.identity.mtime_ns // 1_000_000,
    )


def _pread(fd: int, offset: int, length: int) -> bytes:
    """Exactly so many bytes: a file that ends earlier than it said has changed."""
    data = _read_some(fd, length, offset)
    while len(data) < length:
        more = _read_some(fd, length - len(data), offset + len(data))
        if not more:
            raise FileChanged
        data += more
    return data


if sys.platform == "win32":  # pragma: no cover - not run on the machines we test on
    _seeking = Lock()

    def _read_some(fd: int, length: int, offset: int) -> bytes:
        """Windows reads from where the descriptor stands, and a scan uses one from two threads."""
        with _seeking:
            os.lseek(fd, offset, os.SEEK_SET)
            return os.read(fd, length)

else:

    def _read_some(fd: int, length: int, offset: int) -> bytes:
        return os.pread(fd, length, offset)


def _require_unchanged(fd: int, identity: Identity) -> None:
    if Identity.of(os.fstat(fd)) != identity:
        raise FileChanged


def _identity_bytes(identity: Identity) -> bytes:
    # Device and inode numbers may take 64 bits unsigned, times may be negative, Windows inodes take 128.
    return repr(tuple(identity)).encode()
