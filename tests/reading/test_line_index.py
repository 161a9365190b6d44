"""The sparse index finds every line, reads no more than it must, and may be grown by many at once."""

import sys
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random
from types import ModuleType

import pytest

from forge_daemon.reading.lines.line_index import STRIDE, LineIndex
from forge_daemon.reading.lines.newlines import after_newline, count_by_stride, fast_counter
from forge_daemon.reading.lines.scan import FIRST_BATCH, LARGEST_BATCH, LONG
from forge_daemon.reading.sources.source import FileChanged, ReadAt
from reading.sources import no_progress


def reading(data: bytes) -> ReadAt:
    return lambda offset, length: data[offset : offset + length]


def starts_of(data: bytes) -> list[int]:
    """Where every line starts, and the one that would start after a last newline."""
    return [0] + [offset + 1 for offset, byte in enumerate(data) if byte == 0x0A]


def lines_of_random_length(size: int, seed: int) -> bytes:
    random = Random(seed)
    lines = bytearray()
    while len(lines) < size:
        lines += b"x" * random.choice((0, 1, 5, 80, 3000)) + b"\n"
    return bytes(lines[:size])


SIZES = [
    1,
    STRIDE - 1,
    STRIDE,
    STRIDE + 1,
    3 * STRIDE,
    3 * STRIDE + 17,
    FIRST_BATCH,
    FIRST_BATCH + 1,
    FIRST_BATCH + STRIDE + 5,
]


@pytest.mark.parametrize("size", SIZES)
def test_every_line_is_found_where_it_starts(size: int) -> None:
    data = lines_of_random_length(size, seed=size)
    starts = starts_of(data)
    wanted = sorted({1, 2, 3, len(starts) // 2, len(starts) - 1, len(starts)} - {0})
    for line in wanted:
        for index in (LineIndex(size), grown(LineIndex(size), data)):
            assert index.line_start(line, reading(data), no_progress) == (
                starts[line - 1] if line <= len(starts) else None
            )
    index = LineIndex(size)
    assert index.line_start(len(starts) + 1, reading(data), no_progress) is None
    assert index.count(reading(data), no_progress) == data.count(b"\n")


def grown(index: LineIndex, data: bytes) -> LineIndex:
    index.count(reading(data), no_progress)
    return index


@pytest.mark.parametrize("data", [b"\n" * (2 * STRIDE), b"x" * (STRIDE - 1) + b"\n" + b"y" * STRIDE, b"\n", b"x"])
def test_newlines_on_the_edges_of_a_stride_count_once(data: bytes) -> None:
    index = LineIndex(len(data))
    for line, start in enumerate(starts_of(data)[:5], 1):
        assert index.line_start(line, reading(data), no_progress) == start
    assert index.count(reading(data), no_progress) == data.count(b"\n")


def test_nothing_is_in_an_empty_file() -> None:
    index = LineIndex(0)
    assert index.count(reading(b""), no_progress) == 0
    assert index.line_start(1, reading(b""), no_progress) == 0
    assert index.line_start(2, reading(b""), no_progress) is None


@pytest.mark.parametrize("warm", [False, True])
def test_reach_is_judged_on_the_file_however_much_is_indexed(warm: bool) -> None:
    data = b"abc\n" * (STRIDE // 2)
    index = LineIndex(len(data))
    if warm:
        index.count(reading(data), no_progress)
    assert index.line_start(3, reading(data), no_progress, 7) is None
    assert index.line_start(3, reading(data), no_progress, 8) == 8
    assert index.line_start(3, reading(data), no_progress, len(data) + 100) == 8


def test_newlines_before_an_offset_are_told_as_far_as_the_index_reaches() -> None:
    data = b"abc\n" * FIRST_BATCH
    index = LineIndex(len(data))
    assert index.newlines_before(9, reading(data)) == 2
    assert index.newlines_before(FIRST_BATCH, reading(data)) is None
    index.line_start(10, reading(data), no_progress)
    assert index.newlines_before(FIRST_BATCH - 1, reading(data)) == FIRST_BATCH // 4 - 1
    assert index.newlines_before(FIRST_BATCH, reading(data)) == FIRST_BATCH // 4
    assert index.newlines_before(len(data), reading(data)) is None
    index.count(reading(data), no_progress)
    assert index.newlines_before(len(data), reading(data)) == FIRST_BATCH


def assert_read_once(read: list[tuple[int, int]], start: int, end: int) -> None:
    for offset, length in sorted(read):
        assert offset == start
        start += length
    assert start == end


def test_no_more_is_read_than_the_line_needs_and_nothing_is_counted_twice() -> None:
    data = b"abc\n" * FIRST_BATCH
    read: list[tuple[int, int]] = []

    def read_at(offset: int, length: int) -> bytes:
        read.append((offset, length))
        return data[offset : offset + length]

    index = LineIndex(len(data))
    index.line_start(100, read_at, no_progress)
    assert read == [(0, FIRST_BATCH), (0, STRIDE)]
    read.clear()
    index.line_start(200, read_at, no_progress)
    assert read == [(0, STRIDE)]
    read.clear()
    index.count(read_at, no_progress)
    assert_read_once(read, FIRST_BATCH, len(data))


def test_a_scan_that_is_stopped_keeps_what_it_counted() -> None:
    data = b"abc\n" * (4 * FIRST_BATCH)
    index = LineIndex(len(data))

    class Stopped(Exception):
        pass

    seen: list[int] = []

    def stop_at_the_third(done: int, total: int) -> None:
        assert total == len(data)
        seen.append(done)
        if len(seen) == 3:
            raise Stopped

    with pytest.raises(Stopped):
        index.count(reading(data), stop_at_the_third)
    assert seen[0] == 0
    assert seen == sorted(set(seen))
    stopped_at = seen[-1]
    assert index.newlines_before(stopped_at, reading(data)) == stopped_at // 4
    seen.clear()
    assert index.count(reading(data), lambda done, _total: seen.append(done)) == 4 * FIRST_BATCH
    assert seen[0] == stopped_at, "and the next one continues there"


def test_a_long_scan_can_be_stopped_often_and_counts_the_same() -> None:
    data = lines_of_random_length(LONG + 12 * FIRST_BATCH + 7, seed=11)
    seen: list[int] = []
    index = LineIndex(len(data))
    assert index.count(reading(data), lambda done, _total: seen.append(done)) == data.count(b"\n")
    assert all(later - earlier <= LARGEST_BATCH for earlier, later in pairwise([*seen, len(data)]))
    for offset in (STRIDE, FIRST_BATCH, 10 * FIRST_BATCH + 3, LONG, len(data)):
        assert index.newlines_before(offset, reading(data)) == data.count(b"\n", 0, offset)


def test_a_long_scan_that_fails_anywhere_fails() -> None:
    data = b"\n" * (LONG + 12 * FIRST_BATCH + 1)
    for broken in (0, 5 * FIRST_BATCH, LONG // 2, len(data) - 1):

        def read_at(offset: int, length: int, broken: int = broken) -> bytes:
            if offset <= broken < offset + length:
                raise FileChanged
            return data[offset : offset + length]

        with pytest.raises(FileChanged):
            LineIndex(len(data)).count(read_at, no_progress)


@pytest.mark.parametrize("size", [0, 1, STRIDE - 1, STRIDE, STRIDE + 1, FIRST_BATCH, FIRST_BATCH + 5 * STRIDE + 9])
@pytest.mark.parametrize("data", [b"\n", b"x", b"x\n", b"\x0a\x0b\xff\x8a"])
def test_the_fast_counter_counts_the_same(size: int, data: bytes) -> None:
    counter = fast_counter()
    if counter is None:
        pytest.skip("stringzilla is not installed")
    block = (data * (size // len(data) + 1))[:size]
    assert counter(block, STRIDE) == count_by_stride(block, STRIDE)


def test_newlines_that_are_gone_mean_that_the_file_changed() -> None:
    data = b"abc\n" * FIRST_BATCH
    index = grown(LineIndex(len(data)), data)
    with pytest.raises(FileChanged):
        index.line_start(5000, reading(b"x" * len(data)), no_progress)


def test_many_threads_may_grow_one_index() -> None:
    data = lines_of_random_length(24 * FIRST_BATCH + 123, seed=7)
    starts = starts_of(data)
    index = LineIndex(len(data))
    random = Random(1)
    wanted = [random.randrange(2, len(starts)) for _ in range(200)]
    with ThreadPoolExecutor(8) as threads:
        found = list(threads.map(lambda line: index.line_start(line, reading(data), no_progress), wanted))
    assert found == [starts[line - 1] for line in wanted]
    assert index.count(reading(data), no_progress) == data.count(b"\n")


@pytest.mark.parametrize("module", [None, ModuleType("stringzilla")], ids=["missing", "failing-in-another-thread"])
def test_without_stringzilla_everything_is_counted_all_the_same(
    module: ModuleType | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "stringzilla", module)
    assert fast_counter() is None
    assert LineIndex(LONG).count(lambda _offset, length: b"\n" * length, no_progress) == LONG


def test_the_memory_it_is_charged_covers_what_it_comes_to() -> None:
    for size in SIZES:
        index = grown(LineIndex(size), b"\n" * size)
        assert len(index.marks.before) * index.marks.before.itemsize <= index.most_memory
    assert LineIndex(10 * 2**30).most_memory < 3 * 2**20


def test_newlines_are_counted_and_found_within_a_block() -> None:
    assert count_by_stride(b"", 4) == []
    assert count_by_stride(b"\n\n\n\n\na", 4) == [4, 1]
    block = lines_of_random_length(100_000, seed=3)
    starts = starts_of(block)
    for number in (0, 1, 2, len(starts) // 2, len(starts) - 1):
        assert after_newline(block, number) == starts[number]
    with pytest.raises(ValueError, match="not found"):
        after_newline(block, len(starts))


def test_nothing_is_counted_twice_however_many_count() -> None:
    data = lines_of_random_length(40 * FIRST_BATCH, seed=11)
    index = LineIndex(len(data))
    read: list[tuple[int, int]] = []

    def read_at(offset: int, length: int) -> bytes:
        read.append((offset, length))
        return data[offset : offset + length]

    with ThreadPoolExecutor(8) as threads:
        counts = list(threads.map(lambda _: index.count(read_at, no_progress), range(8)))
    assert counts == [data.count(b"\n")] * 8
    assert_read_once(read, 0, len(data))
