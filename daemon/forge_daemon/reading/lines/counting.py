"""Counts newlines by stride, on several threads where the text is long."""

import os
from concurrent.futures import ThreadPoolExecutor
from itertools import chain

from forge_daemon.reading.files.file_bytes import ReadAt

from .stride_counts import STRIDE

try:
    from stringzilla import count as _count
except ImportError:

    def _count(block: bytes, newline: bytes, start: int, end: int) -> int:
        return block.count(newline, start, end)


NEWLINE = b"\n"
BLOCK = 256 * 1024
"""Read and counted at once: it stays in the CPU's cache, and the GIL is released between two."""
MIN_PART = 4 * 1024 * 1024
"""Less is not worth a thread."""
MAX_THREADS = min(4, os.cpu_count() or 1)


def count_by_stride(block: bytes) -> list[int]:
    """How many newlines each stride of a block holds; the last stride may be short."""
    return [_count(block, NEWLINE, start, start + STRIDE) for start in range(0, len(block), STRIDE)]


def count_strides(read_at: ReadAt, start: int, end: int) -> list[int]:
    """The same for a part of a text."""
    counts: list[int] = []
    for offset in range(start, end, BLOCK):
        counts += count_by_stride(read_at(offset, min(BLOCK, end - offset)))
    return counts


def count_strides_in_parallel(read_at: ReadAt, start: int, end: int) -> list[int]:
    """The same on several threads, all of which use `read_at`."""
    part = max(MIN_PART, -(-(end - start) // MAX_THREADS // STRIDE) * STRIDE)
    starts = range(start, end, part)
    if len(starts) < 2:
        return count_strides(read_at, start, end)
    with ThreadPoolExecutor(len(starts)) as threads:
        counts = threads.map(lambda each: count_strides(read_at, each, min(each + part, end)), starts)
        return list(chain.from_iterable(counts))
