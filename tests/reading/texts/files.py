"""Files in memory, and what ought to be read from them."""

import bz2
import gzip
import lzma
import sys
from collections.abc import Callable

from forge_daemon.reading.files.file_bytes import FileBytes, Knowledge, Progress, no_progress
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import open_text
from forge_daemon.reading.texts.text import Text

if sys.version_info >= (3, 14):
    from compression import zstd
else:
    from backports import zstd

PACK: dict[str, Callable[[bytes], bytes]] = {
    "gzip": lambda data: gzip.compress(data, 6, mtime=0),
    "zstd": zstd.compress,
    "xz": lambda data: lzma.compress(data, preset=1),
    "bzip2": bz2.compress,
}
UNPACKED = TextForm(decompress=True)


def file_of(data: bytes, knowledge: Knowledge | None = None) -> FileBytes:
    return FileBytes(
        kind="disk",
        size=len(data),
        read_at=lambda offset, length: data[offset : offset + length],
        etag="",
        mtime_ms=0,
        knowledge=knowledge or Knowledge(),
        key=b"memory",
    )


def text_of(
    data: bytes, form: TextForm = UNPACKED, knowledge: Knowledge | None = None, progress: Progress = no_progress
) -> Text:
    text = open_text(file_of(data, knowledge), form, progress)
    assert text is not None, "it is text"
    return text


def whole(text: Text, block: int = 100_000) -> bytes:
    """All of it, read from the start to the end."""
    blocks: list[bytes] = []
    offset = 0
    while data := text.read_at(offset, block):
        blocks.append(data)
        offset += len(data)
    return b"".join(blocks)
