"""Counting and finding newlines in a block of bytes."""

NEWLINE = b"\n"


def count_by_stride(block: bytes, stride: int) -> list[int]:
    """How many newlines each `stride` bytes of the block hold; the last stride may be short."""
    return [block.count(NEWLINE, start, start + stride) for start in range(0, len(block), stride)]


def after_newline(block: bytes, number: int) -> int:
    """The offset just behind the block's `number`-th newline, which must be there."""
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


_SEARCH_ONE_BY_ONE = 2048
