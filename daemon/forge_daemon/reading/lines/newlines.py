"""Finding newlines in a block of bytes."""

from collections import deque
from io import BytesIO
from itertools import islice

_SEARCH_ONE_BY_ONE = 2048


def first_newlines(block: bytes, limit: int) -> tuple[int, int]:
    """How many newlines a block has, `limit` at most, and the offset after the last one counted."""
    # Reading lines and discarding them is faster than counting newlines and then looking for the last one.
    lines = BytesIO(block)
    deque(islice(lines, limit), maxlen=0)
    end = lines.tell()
    if end < len(block):
        return limit, end
    return block.count(b"\n"), block.rfind(b"\n") + 1


def after_newline(block: bytes, number: int) -> int:
    """The offset just after the block's `number`-th newline, which must exist."""
    start, end = 0, len(block)
    while end - start > _SEARCH_ONE_BY_ONE:
        middle = (start + end) // 2
        in_first_half = block.count(b"\n", start, middle)
        if in_first_half >= number:
            end = middle
        else:
            number -= in_first_half
            start = middle
    for _ in range(number):
        start = block.index(b"\n", start) + 1
    return start
