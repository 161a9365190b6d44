"""Counting and finding newlines in a block of bytes.

Long scans use stringzilla if it is installed, which is several times faster than Python's own count. It is
loaded when the first long scan begins.
"""

from collections import deque
from collections.abc import Callable
from io import BytesIO
from itertools import islice

NEWLINE = b"\n"
Counter = Callable[[bytes, int], list[int]]

_SEARCH_ONE_BY_ONE = 2048
ONE_FOR_NEWLINE = bytes(byte == NEWLINE[0] for byte in range(256))


def count_by_stride(block: bytes, stride: int) -> list[int]:
    """How many newlines each `stride` bytes of the block hold; the last stride may be short."""
    return [block.count(NEWLINE, start, start + stride) for start in range(0, len(block), stride)]


def fast_counter() -> Counter | None:
    """Does the same as `count_by_stride`, for one thread; None without stringzilla."""
    try:
        # By name: while an import fails in one thread, another may be handed a module that has nothing in it.
        from stringzilla import __capabilities__, __file__, bytesum, count, translate
    except ImportError:
        return None

    def count_one_by_one(block: bytes, stride: int) -> list[int]:
        return [count(block, NEWLINE, start, start + stride) for start in range(0, len(block), stride)]

    def look_up_and_add(block: bytes, stride: int) -> list[int]:
        starts = range(0, len(block), stride)
        return [bytesum(translate(block, ONE_FOR_NEWLINE, start=start, end=start + stride)) for start in starts]

    # To look up all 64 bytes of a register at once and add them up takes a third of the time that it takes to go from
    # one newline to the next, but only where the processor has an instruction for it.
    if "icelake" not in __capabilities__:
        return count_one_by_one
    from .count_without_gil import counter_without_gil

    return counter_without_gil(__file__, bytesum) or look_up_and_add


def first_newlines(block: bytes, most: int | None) -> tuple[int, int]:
    """How many newlines a block has, `most` at most, and the offset after the last one counted."""
    if most is not None:
        # Reading lines and discarding them is faster than counting newlines and then looking for the last one.
        lines = BytesIO(block)
        deque(islice(lines, most), maxlen=0)
        end = lines.tell()
        if end < len(block):
            return most, end
    return block.count(NEWLINE), block.rfind(NEWLINE) + 1


def after_newline(block: bytes, number: int) -> int:
    """The offset just after the block's `number`-th newline, which must exist."""
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
