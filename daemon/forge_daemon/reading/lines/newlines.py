"""Counting and finding newlines in a block of bytes.

Long scans are counted by stringzilla where it is installed: several times faster than Python's own count. It is
loaded when the first long scan begins, not before.
"""

import os
import sys
import time
from collections import deque
from collections.abc import Callable
from functools import cache
from io import BytesIO
from itertools import islice

NEWLINE = b"\n"
Counter = Callable[[bytes, int], list[int]]

_SEARCH_ONE_BY_ONE = 2048
_ONE_FOR_NEWLINE = bytes(byte == NEWLINE[0] for byte in range(256))


def count_by_stride(block: bytes, stride: int) -> list[int]:
    """How many newlines each `stride` bytes of the block hold; the last stride may be short."""
    return [block.count(NEWLINE, start, start + stride) for start in range(0, len(block), stride)]


@cache
def fast_counter() -> Counter | None:
    """Does the same as `count_by_stride`; None without stringzilla."""
    try:
        from stringzilla import __capabilities__, bytesum, count, translate
    except ImportError:
        return None

    def count_one_by_one(block: bytes, start: int, end: int) -> int:
        return int(count(block, NEWLINE, start, end))

    def look_up_and_add(block: bytes, start: int, end: int) -> int:
        return int(bytesum(translate(block, _ONE_FOR_NEWLINE, start=start, end=end)))

    # To look up all 64 bytes of a register at once and add them up takes a third of the time that it takes to go from
    # one newline to the next, but only where the processor has an instruction for it.
    count_part = look_up_and_add if "icelake" in __capabilities__ else count_one_by_one

    def count_by_stride(block: bytes, stride: int) -> list[int]:
        counts = []
        for start in range(0, len(block), stride):
            counts.append(count_part(block, start, start + stride))
            _give_way()
        return counts

    return count_by_stride


def _give_way() -> None:
    """Release the interpreter's lock, which stringzilla holds while it counts: requests are answered meanwhile."""
    if sys.platform == "win32":
        time.sleep(0)
    else:
        os.sched_yield()  # cheaper by far


def first_newlines(block: bytes, most: int | None) -> tuple[int, int]:
    """How many newlines a block holds, but for those after the first `most`, and the offset after the last of them."""
    if most is not None:
        # Reading lines and discarding them is faster than counting newlines and then looking for the last one.
        lines = BytesIO(block)
        deque(islice(lines, most), maxlen=0)
        end = lines.tell()
        if end < len(block):
            return most, end
    return block.count(NEWLINE), block.rfind(NEWLINE) + 1


def after_newline(block: bytes, number: int) -> int:
    """The offset just after the block's `number`-th newline, which must be there."""
    start, end = 0, len(block)
    while end - start > _SEARCH_ONE_BY_ONE:
        middle = (start + end) // 2
        in_first_half = block.count(NEWLINE, start, middle)
        if in_first_half >= number:
            end = middle
        else:
            number -= in_first_half
            start = middle
    for _ in range(number):
        start = block.index(NEWLINE, start) + 1
    return start
