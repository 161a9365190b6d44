"""Newlines in a block of bytes: where they are, and how many there are by stride, on several threads in a long text."""

from collections.abc import Callable
from itertools import chain

from forge_daemon.reading.files.file_bytes import ReadAt

from .threads import MAX_THREADS, map_on_threads

try:
    from stringzilla import count as _count
except ImportError:
    _count = bytes.count

count_newlines: Callable[..., int] = _count
"""As `bytes.count`."""
NEWLINE = b"\n"
STRIDE = 32 * 1024
BLOCK = 256 * 1024
"""Read and counted at once: it stays in the CPU's cache, and the GIL is released between two."""
MIN_PART = 4 * 1024 * 1024
"""Less is not worth a thread."""
_SEARCH_ONE_BY_ONE = 2048


def count_lines(block: bytes) -> int:
    """The last one may lack its newline."""
    return count_newlines(block, NEWLINE) + (len(block) > 0 and not block.endswith(NEWLINE))


def count_by_stride(block: bytes) -> list[int]:
    """How many newlines each stride of a block holds; the last stride may be short."""
    return [count_newlines(block, NEWLINE, start, start + STRIDE) for start in range(0, len(block), STRIDE)]


def count_strides(read_at: ReadAt, start: int, end: int) -> list[int]:
    """How many newlines each stride of a part of a text holds."""
    counts: list[int] = []
    for offset in range(start, end, BLOCK):
        counts += count_by_stride(read_at(offset, min(BLOCK, end - offset)))
    return counts


def count_strides_in_parallel(read_at: ReadAt, start: int, end: int) -> list[int]:
    """What `count_strides` gives, counted on several threads, all of which use `read_at`."""
    part = max(MIN_PART, -(-(end - start) // MAX_THREADS // STRIDE) * STRIDE)
    starts = range(start, end, part)
    if len(starts) < 2:
        return count_strides(read_at, start, end)
    counts = map_on_threads(lambda each: count_strides(read_at, each, min(each + part, end)), starts)
    return list(chain.from_iterable(counts))


def first_newlines(block: bytes, limit: int) -> tuple[int, int]:
    """How many newlines a block has, `limit` at most, and the offset after the last one counted."""
    newlines = count_newlines(block, NEWLINE)
    return (newlines, block.rfind(b"\n") + 1) if newlines <= limit else (limit, after_newline(block, limit))


def after_newline(block: bytes, number: int) -> int:
    """The offset just after the block's `number`-th newline, which must exist."""
    start, end = 0, len(block)
    while end - start > _SEARCH_ONE_BY_ONE:
        middle = (start + end) // 2
        in_first_half = count_newlines(block, NEWLINE, start, middle)
        if in_first_half >= number:
            end = middle
        else:
            number -= in_first_half
            start = middle
    for _ in range(number):
        start = block.index(b"\n", start) + 1
    return start
