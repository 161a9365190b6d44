"""Where a window's bytes come from, and how to know whether they are still the same."""

import binascii
import os
import sys
import time
from collections.abc import Callable

from forge_daemon.light_typing import TYPE_CHECKING, Literal, NamedTuple, TypeVar
from forge_daemon.reading.digest import digest
from forge_daemon.reading.encodings.encoding import UTF_8, Encoding

if TYPE_CHECKING:
    from forge_daemon.reading.lines.line_index import LineIndex
    from forge_daemon.reading.windows.window import Facts

    from .derived import DerivedText
    from .gzip_text import GzipText

K = TypeVar("K")
V = TypeVar("V")

ReadAt = Callable[[int, int], bytes]
"""`(offset, length)` to exactly that many bytes, or fewer only where the source ends."""

Progress = Callable[[int, int], None]
"""Called now and then in long work with `(bytes done, bytes in all)`; raises to stop it."""

SMALL_BYTES = 1024 * 1024
"""A file up to this size is scanned as fast as a window is read."""

YOUNG = "~"
"""The last character of the `etag` of a large file that was written a moment ago."""

END_BYTES = 4096
"""How much of a file's start and end must be unchanged for a larger file to count as the same one, grown."""


def no_progress(_done: int, _total: int) -> None:
    """For work whose progress is not shown and which is not cancelled."""


class FileChanged(Exception):
    """The file changed while it was read, and not only by growing."""


class Stat(NamedTuple):
    """What the file system says of an open file."""

    status: os.stat_result
    not_before_ns: int
    """By our clock: it was said then, or later."""


def stat_of(fd: int) -> Stat:
    now = time.time_ns()
    return Stat(os.fstat(fd), now)


class Identity(NamedTuple):
    """What changes when a file does, as far as the file system shows it."""

    device: int
    inode: int
    size: int
    mtime_ns: int
    ctime_ns: int

    @classmethod
    def of(cls, fd: int, status: os.stat_result | None = None) -> "Identity":
        """The identity of an open file. `status`: the result of its `fstat`, if the caller has it."""
        status = status or os.fstat(fd)
        return cls(status.st_dev, status.st_ino, status.st_size, status.st_mtime_ns, change_time_ns(fd, status))

    @property
    def has_whole_seconds(self) -> bool:
        """Whether the file system's clock ticks once a second, or more rarely."""
        return self.ctime_ns % 1_000_000_000 == 0

    def stable(self, now_ns: int) -> bool:
        """Whether any later change is certain to be noticed.

        Two writes within one tick of the file system's clock leave the same times, so a file that was
        written just before we looked may change again unseen. The coarsest clock in use ticks every two
        seconds.
        """
        return max(self.mtime_ns, self.ctime_ns) < now_ns - CLOCK_TICK_NS


CLOCK_TICK_NS = 2_100_000_000


def change_time_ns(fd: int, status: os.stat_result) -> int:
    """When an open file was last changed in any way: the one time that programs cannot set."""
    if sys.platform == "win32":
        from . import windows_file

        return windows_file.change_time_ns(fd)
    return status.st_ctime_ns


class Findings:
    """What was found out about bytes that do not change, or about a text in them.

    Every entry of the cache may have one, so it is small: the cache counts the most that it can take.
    """

    __slots__ = ("cleared_names", "facts", "pages", "texts", "witnesses")

    def __init__(self) -> None:
        self.texts: dict[object, Source] = {}
        """Texts that are the bytes themselves, as nearly every text is: by how they were to be understood."""
        self.cleared_names: dict[str, None] = {}
        """Paths of the file under which policy found nothing to deny in its contents."""
        self.facts: tuple[int, Facts] | None = None
        """What describes all of a text, and up to which size lines were counted for it."""
        self.pages: dict[tuple[int, int, int], int] = {}
        """How many bytes a page of whole lines takes, by its offset, its lines and the most bytes it may take."""
        self.witnesses: dict[int, str] = {}
        """What a cursor at an offset says of the file."""


def note(found: dict[K, V], key: K, value: V, most: int = 4) -> V:
    """Remember one more finding. If there are too many, all are dropped: what is needed will be found again."""
    if len(found) >= most:
        found.clear()
    found[key] = value
    return value


class Source(NamedTuple):
    """The bytes of one file or document, at one moment: a file that grows is read as far as it then reached."""

    kind: Literal["disk", "buffer"]
    size: int
    read_at: ReadAt
    etag: str
    line_index: "LineIndex"
    mtime_ms: int | None
    document_version: int | None = None
    changed_ms: int | None = None
    """When an open document was last changed."""
    key: bytes = b""
    """Names the file whatever it contains; empty where a larger text is never the same one, grown."""
    ends_digest: bytes = b""
    """Of the first and the last bytes, to tell later whether the file only grew."""
    encoding: Encoding = UTF_8
    """In which its bytes are to be decoded: one in which a byte 0x0A is a newline and nothing else."""
    bom: int = 0
    """How many of its first bytes are a byte order mark."""
    strip_ansi: bool = False
    """Whether its text is shown without terminal escape sequences."""
    file: "Source | None" = None
    """Where its bytes are made from those of a file: that file."""
    file_encoding: Encoding = UTF_8
    """The encoding of that file's text."""
    has_bom: bool = False
    is_text: bool = False
    """It was opened as text: everything about it is settled."""
    derived: "DerivedText | None" = None
    """How the bytes are made."""
    unpacked: "GzipText | None" = None
    """What was compressed."""
    findings: "Findings | None" = None
    """Where its bytes are in memory and stay what they are: what was found out about them."""

    @property
    def origin(self) -> "Source":
        """The file itself, whatever text is derived from it."""
        return self.file or self

    @property
    def text_kind(self) -> bytes:
        """Distinguishes the texts that the same bytes can be read as."""
        if self.file_encoding is UTF_8 and self.unpacked is None:
            return b""
        name = "" if self.file_encoding is UTF_8 else self.file_encoding.name
        return f"{'' if self.unpacked is None else 'gzip '}{name}".encode()

    @property
    def failure(self) -> str | None:
        """Why the text ends early, once its end was seen."""
        return self.derived.failure if self.derived else None

    @property
    def may_be_binary(self) -> bool:
        return self.kind == "disk"

    def has_more_at(self, offset: int) -> bool:
        """Whether there is anything at or after an offset."""
        return offset < self.size and (self.derived is None or len(self.read_at(offset, 1)) > 0)

    @property
    def is_small(self) -> bool:
        return self.size <= SMALL_BYTES

    @property
    def stable(self) -> bool:
        """False: the file was written a moment ago, and may change again without a change of its `etag`."""
        return not self.etag.endswith(YOUNG)


def ends_digest(read_at: ReadAt, size: int) -> bytes:
    """A digest of the first and last bytes of the first `size` bytes."""
    length = min(size, END_BYTES)
    return digest(read_at(0, length), read_at(size - length, length), size=ETAG_BYTES)


def etag_of(*parts: bytes) -> str:
    encoded = binascii.b2a_base64(digest(*parts, size=ETAG_BYTES), newline=False).decode()
    return encoded.rstrip("=").replace("+", "-").replace("/", "_")


ETAG_BYTES = 16
