"""A log and its rotated files as one file.

Only the newest of them is opened for that. The older ones do not change: device, inode, size and times stand for their
bytes, and their texts are opened when they are asked for (`texts.concatenated`).
"""

from collections.abc import Sequence

from .digest import digest
from .file_bytes import FileBytes, FileChanged, Knowledge, Member
from .same_file import RACY_SUFFIX, etag_of

_DIGEST_BYTES = 16


def set_of(members: Sequence[Member]) -> FileBytes:
    """The files of a set, the oldest first. What is learned of it is kept with the newest file."""
    *older, last = members
    opened = last.open()
    if opened is None:
        raise FileChanged  # it could be read a moment ago
    newest = opened._replace(members=tuple(members))
    if not older:
        return newest
    identity = digest(*(member.identity for member in older), size=_DIGEST_BYTES)
    has_racy = any(member.is_racy for member in older)
    is_racy = newest.is_racy or has_racy
    start = sum(member.size for member in older)

    def read_at(offset: int, length: int) -> bytes:
        """Zeros for the older files, which are identified without being read."""
        zeros = max(0, min(length, start - offset))
        return bytes(zeros) + newest.read_at(max(0, offset - start), length - zeros)

    return newest._replace(
        size=start + newest.size,
        read_at=read_at,
        etag=etag_of(identity, newest.etag.removesuffix(RACY_SUFFIX).encode()) + RACY_SUFFIX * is_racy,
        knowledge=Knowledge() if has_racy else newest.knowledge.get(("rotated", identity), Knowledge),
        is_racy=is_racy,
        key=identity + newest.key,
        fingerprint=b"",
    )


def newest_of(file: FileBytes, number: int) -> FileBytes:
    """The newest files of a set, whose lines are counted from the end: nothing older has to be read."""
    number = min(number, len(file.members))
    part = set_of(file.members[-number:])
    return part._replace(etag=file.etag, is_racy=file.is_racy, newest=number)
