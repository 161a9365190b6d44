"""Counting through a large file: in growing batches, by as many threads as help."""

from collections.abc import Iterator
from typing import TYPE_CHECKING

from .newlines import Counter, count_by_stride, fast_counter

if TYPE_CHECKING:
    from concurrent.futures import ThreadPoolExecutor

    from .source import ReadAt

BLOCK = 256 * 1024
"""Read at once: small enough to stay in the processor's cache until it is counted."""
LARGEST_BATCH = 16 * 1024 * 1024
"""How far a scan goes before anybody can stop it."""
LONG = 32 * 1024 * 1024
"""From here on it pays to load numpy."""


def count_strides(read_at: "ReadAt", start: int, end: int, stride: int) -> Iterator[list[int]]:
    """The newlines of each stride from `start`, batch by batch. Stop asking, and it stops."""
    counter = fast_counter() if end - start >= LONG else None
    if counter is None:
        for begin, until in _batches(start, end):
            yield _count(read_at, begin, until, stride, count_by_stride)
        return
    from concurrent.futures import ThreadPoolExecutor

    # A thread of its own for each scan: one that is stuck on dead storage keeps no other from being counted.
    with ThreadPoolExecutor(1, thread_name_prefix="count") as helper:
        for begin, until in _batches(start, end):
            yield _count_together(helper, read_at, begin, until, stride, counter)


def _batches(start: int, end: int) -> Iterator[tuple[int, int]]:
    size = BLOCK
    while start < end:
        yield start, min(start + size, end)
        start, size = start + size, min(size * 2, LARGEST_BATCH)


def _count(read_at: "ReadAt", start: int, end: int, stride: int, counter: Counter) -> list[int]:
    counts: list[int] = []
    for offset in range(start, end, BLOCK):
        counts += counter(read_at(offset, min(BLOCK, end - offset)), stride)
    return counts


def _count_together(
    helper: "ThreadPoolExecutor", read_at: "ReadAt", start: int, end: int, stride: int, counter: Counter
) -> list[int]:
    """Another thread takes a half: reading and counting both let it run."""
    middle = start + (end - start) // 2 // BLOCK * BLOCK
    if middle == start:
        return _count(read_at, start, end, stride, counter)
    second = helper.submit(_count, read_at, middle, end, stride, counter)
    try:
        first = _count(read_at, start, middle, stride, counter)
    finally:
        # Whatever happened here: nobody may go on reading once the file is given back.
        rest = second.result()
    return first + rest
