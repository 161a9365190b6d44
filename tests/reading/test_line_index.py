"""The sparse index finds every line, reads no more than it must, and may be grown by many at once."""

import lzma
from concurrent.futures import ThreadPoolExecutor
from itertools import pairwise
from random import Random

import pytest

from forge_daemon.reading.files.file_bytes import FileBytes, FileChanged, Progress
from forge_daemon.reading.lines import newlines
from forge_daemon.reading.lines.index import MAX_BATCH, MIN_BATCH, LineIndex, StrideCounts
from forge_daemon.reading.lines.newlines import STRIDE, after_newline, count_by_stride, first_newlines
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import open_text
from tests.reading.sources import in_memory, no_progress


def index_of(file: FileBytes, progress: Progress = no_progress) -> LineIndex:
    text = open_text(file, TextForm(), progress)
    assert text is not None
    return LineIndex(text)


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
    MIN_BATCH,
    MIN_BATCH + 1,
    MIN_BATCH + STRIDE + 5,
]


def test_a_text_that_has_to_be_made_is_made_no_further_than_needed() -> None:
    lines = b"0123456\n" * 400_000
    text = open_text(in_memory(lzma.compress(lines, preset=0)), TextForm(decompress=True), no_progress)
    assert text is not None
    index = LineIndex(text)
    for line in (100_000, 200_000, 300_000):
        assert index.start_of(line) == 8 * (line - 1)
        assert text.source.reach() <= 8 * line + 2 * MIN_BATCH


@pytest.mark.parametrize("size", SIZES)
@pytest.mark.parametrize("is_counted", [False, True])
def test_every_line_is_found_where_it_starts(size: int, is_counted: bool) -> None:
    data = lines_of_random_length(size, seed=size)
    starts = starts_of(data)
    index = index_of(in_memory(data))
    if is_counted:
        assert index.line_at(len(data)) == 1 + data.count(b"\n")
    for line in sorted({1, 2, 3, len(starts) // 2, len(starts) - 1, len(starts)} - {0}):
        assert index.start_of(line) == (starts[line - 1] if line <= len(starts) else None)
    assert index.start_of(len(starts) + 1) is None
    assert index.line_at(len(data)) == 1 + data.count(b"\n")


@pytest.mark.parametrize("data", [b"\n" * (2 * STRIDE), b"x" * (STRIDE - 1) + b"\n" + b"y" * STRIDE, b"\n", b"x"])
def test_newlines_on_the_edges_of_a_stride_count_once(data: bytes) -> None:
    index = index_of(in_memory(data))
    for line, start in enumerate(starts_of(data)[:5], 1):
        assert index.start_of(line) == start
    assert index.line_at(len(data)) == 1 + data.count(b"\n")


def test_an_empty_file_has_a_first_line_and_no_second() -> None:
    index = index_of(in_memory(b""))
    assert (index.count(), index.start_of(1), index.start_of(2)) == (0, 0, None)


@pytest.mark.parametrize("is_counted", [False, True])
def test_reach_is_judged_on_the_file_however_much_is_indexed(is_counted: bool) -> None:
    index = index_of(in_memory(b"abc\n" * (STRIDE // 2)))
    if is_counted:
        index.line_at(2 * STRIDE)
    assert [index.start_of(3, reach) for reach in (7, 8, 10 * STRIDE)] == [None, 8, 8]


def test_the_line_at_an_offset_is_the_one_that_contains_it() -> None:
    data = lines_of_random_length(3 * MIN_BATCH, seed=5)
    index = index_of(in_memory(data))
    for offset in (0, 1, STRIDE, MIN_BATCH - 1, MIN_BATCH, len(data) - 1, len(data)):
        assert index.line_at(offset) == data.count(b"\n", 0, offset) + 1
        assert index.start_of_line_at(offset) == data.rfind(b"\n", 0, offset) + 1
        assert index.end_of_line_at(offset) == (data.find(b"\n", offset) + 1 or len(data))


def test_the_ends_of_a_line_longer_than_a_block_are_found() -> None:
    data = b"a\n" + b"x" * (10 * STRIDE) + b"\nb"
    index = index_of(in_memory(data))
    assert index.start_of_line_at(5 * STRIDE) == 2
    assert index.end_of_line_at(5 * STRIDE) == len(data) - 1


def recording(data: bytes) -> tuple[FileBytes, list[tuple[int, int]]]:
    """A file, and what is read of it."""
    read: list[tuple[int, int]] = []

    def read_at(offset: int, length: int) -> bytes:
        read.append((offset, length))
        return data[offset : offset + length]

    return in_memory(data)._replace(read_at=read_at), read


def test_no_more_is_read_than_the_line_needs_and_nothing_is_counted_twice() -> None:
    data = b"abc\n" * MIN_BATCH
    file, read = recording(data)
    index = index_of(file)
    read.clear()
    index.start_of(100)
    assert sum(length for _, length in read) == MIN_BATCH + STRIDE
    read.clear()
    index.start_of(200)
    assert read == [(0, STRIDE)]
    read.clear()
    index.line_at(len(data))
    assert sum(length for _, length in read) == len(data) - MIN_BATCH


def test_a_scan_that_is_stopped_keeps_what_it_counted() -> None:
    file = in_memory(b"abc\n" * (4 * MIN_BATCH))

    class Stopped(Exception):
        pass

    seen: list[int] = []

    def stop_at_the_third(done: int, total: int) -> None:
        assert total == file.size
        seen.append(done)
        if len(seen) == 3:
            raise Stopped

    with pytest.raises(Stopped):
        index_of(file, stop_at_the_third).line_at(file.size)
    assert seen == sorted(set(seen))
    stopped_at = seen[-1]
    seen.clear()
    assert index_of(file, lambda done, _total: seen.append(done)).count() == 4 * MIN_BATCH
    assert seen[0] == stopped_at, "and the next one continues there"


def test_a_long_scan_can_be_stopped_often() -> None:
    data = lines_of_random_length(12 * MIN_BATCH + 7, seed=11)
    seen: list[int] = []
    assert index_of(in_memory(data), lambda done, _total: seen.append(done)).line_at(len(data)) == 1 + data.count(b"\n")
    assert all(later - earlier <= MAX_BATCH for earlier, later in pairwise([*seen, len(data)]))


def test_a_scan_on_several_threads_counts_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(newlines, "MIN_PART", 2 * STRIDE)
    monkeypatch.setattr(newlines, "MAX_THREADS", 3)
    data = lines_of_random_length(20 * MIN_BATCH + 7, seed=3)
    assert index_of(in_memory(data)).line_at(len(data)) == 1 + data.count(b"\n")


def test_a_long_scan_that_fails_anywhere_fails() -> None:
    data = b"\n" * (12 * MIN_BATCH + 1)
    for broken in (100_000, 5 * MIN_BATCH, len(data) - 1):

        def read_at(offset: int, length: int, broken: int = broken) -> bytes:
            if offset <= broken < offset + length:
                raise FileChanged
            return data[offset : offset + length]

        with pytest.raises(FileChanged):
            index_of(in_memory(data)._replace(read_at=read_at)).line_at(len(data))


def test_newlines_that_are_gone_mean_that_the_file_changed() -> None:
    data = b"abc\n" * MIN_BATCH
    file = in_memory(data)
    index_of(file).line_at(file.size)
    changed = file._replace(read_at=lambda _offset, length: b"x" * length)
    with pytest.raises(FileChanged):
        index_of(changed).start_of(5000)


def test_many_threads_may_grow_one_index_and_count_nothing_twice() -> None:
    data = lines_of_random_length(24 * MIN_BATCH + 123, seed=7)
    starts = starts_of(data)
    file, read = recording(data)
    random = Random(1)
    wanted = [random.randrange(2, len(starts)) for _ in range(100)]
    with ThreadPoolExecutor(8) as threads:
        assert set(threads.map(lambda _: index_of(file).line_at(len(data)), range(8))) == {len(starts)}
        counted = sum(length for _, length in read)
        assert list(threads.map(lambda line: index_of(file).start_of(line), wanted)) == [
            starts[line - 1] for line in wanted
        ]
    assert counted < len(data) + 20 * 2 * STRIDE + 8 * 70_000


def test_the_index_of_a_large_file_takes_little_memory() -> None:
    counts = StrideCounts()
    counts.extend(lambda _start: [1] * 1000)
    assert counts.memory == 8 * 1001


def test_newlines_are_counted_and_found_within_a_block() -> None:
    assert count_by_stride(b"") == []
    assert count_by_stride(b"\n" * STRIDE + b"\na") == [STRIDE, 1]
    block = lines_of_random_length(100_000, seed=3)
    starts = starts_of(block)
    for number in (0, 1, 2, len(starts) // 2, len(starts) - 1):
        assert first_newlines(block, number) == (number, starts[number])
        assert after_newline(block, number) == starts[number]
    assert first_newlines(block, len(starts)) == (len(starts) - 1, starts[-1])
