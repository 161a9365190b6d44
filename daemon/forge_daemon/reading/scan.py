"""Counting through a large file: in growing batches, by as many threads as help."""

import os
from collections.abc import Iterator
from functools import cache
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
    batch = BLOCK
    while start < end:
        batch_end = min(start + batch, end)
        if counter is None:
            yield _count(read_at, start, batch_end, stride, count_by_stride)
        else:
            yield _count_together(read_at, start, batch_end, stride, counter)
        start, batch = batch_end, min(batch * 2, LARGEST_BATCH)


def _count(read_at: "ReadAt", start: int, end: int, stride: int, counter: Counter) -> list[int]:
    counts: list[int] = []
    for offset in range(start, end, BLOCK):
        counts += counter(read_at(offset, min(BLOCK, end - offset)), stride)
    return counts


def _count_together(read_at: "ReadAt", start: int, end: int, stride: int, counter: Counter) -> list[int]:
    """Another thread takes a half: reading and counting both let it run."""
    middle = start + (end - start) // 2 // BLOCK * BLOCK
    if middle == start:
        return _count(read_at, start, end, stride, counter)
    second = _helpers().submit(_count, read_at, middle, end, stride, counter)
    try:
        first = _count(read_at, start, middle, stride, counter)
    finally:
        # Whatever happened here: nobody may go on reading once the file is given back.
        rest = second.result()
    return first + rest


@cache
def _helpers() -> "ThreadPoolExecutor":
    from concurrent.futures import ThreadPoolExecutor

    return ThreadPoolExecutor(os.cpu_count() or 1, thread_name_prefix="count")
