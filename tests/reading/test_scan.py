"""A scan counts the same whoever counts, stops when nobody asks on, and leaves nobody reading behind."""

import threading
from collections.abc import Callable
from random import Random

import pytest

from forge_daemon.reading import scan
from forge_daemon.reading.newlines import count_by_stride, fast_counter
from forge_daemon.reading.scan import BLOCK, count_strides

STRIDE = 32 * 1024


def random_lines(size: int, seed: int) -> bytes:
    random = Random(seed)
    return bytes(random.choices(b"\n\r\0x\x8a\xff", k=4096)) * (size // 4096) + b"\n" * (size % 4096)


def counted(data: bytes, start: int = 0) -> list[int]:
    batches = count_strides(lambda offset, length: data[offset : offset + length], start, len(data), STRIDE)
    return [count for batch in batches for count in batch]


@pytest.fixture(params=["together", "alone"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """With numpy and a second thread however short the scan, or without either."""
    name: str = request.param
    monkeypatch.setattr(scan, "LONG", 0 if name == "together" else 1 << 60)
    return name


@pytest.mark.parametrize("size", [0, 1, STRIDE, STRIDE + 1, BLOCK, 7 * BLOCK, 7 * BLOCK + 5, 21 * BLOCK - 1])
def test_every_stride_is_counted_exactly(way: str, size: int) -> None:
    data = random_lines(size, seed=size)
    assert counted(data) == count_by_stride(data, STRIDE)


def test_a_scan_may_start_on_any_stride(way: str) -> None:
    data = random_lines(9 * BLOCK + 77, seed=3)
    assert counted(data, 5 * STRIDE) == count_by_stride(data, STRIDE)[5:]


def test_numpy_is_what_counts_long_scans_here() -> None:
    assert fast_counter() is not None


@pytest.mark.parametrize("fill", [b"\n", b"x", b"\n" * 127 + b"x"])
def test_no_counter_overflows_in_a_block_full_of_newlines(fill: bytes) -> None:
    count = fast_counter()
    assert count is not None
    block = (fill * BLOCK)[:BLOCK]
    assert count(block, STRIDE) == count_by_stride(block, STRIDE)


def test_nobody_reads_on_once_the_scan_is_given_up(way: str) -> None:
    reads = Reads(random_lines(8 * BLOCK, seed=1))
    batches = count_strides(reads.read_at, 0, 8 * BLOCK, STRIDE)
    next(batches)
    next(batches)
    batches.close()
    assert reads.under_way == 0


def test_nobody_reads_on_once_a_read_has_failed(way: str) -> None:
    reads = Reads(random_lines(8 * BLOCK, seed=1), fails_at=BLOCK)
    with pytest.raises(OSError, match="broken"):
        for _ in count_strides(reads.read_at, 0, 8 * BLOCK, STRIDE):
            pass
    assert reads.under_way == 0


class Reads:
    """Counts the reads that have begun and not ended."""

    def __init__(self, data: bytes, fails_at: int | None = None) -> None:
        self.under_way = 0
        self._lock = threading.Lock()
        self._data, self._fails_at = data, fails_at
        self.read_at: Callable[[int, int], bytes] = self._read_at

    def _read_at(self, offset: int, length: int) -> bytes:
        with self._lock:
            self.under_way += 1
        try:
            if offset == self._fails_at:
                raise OSError("broken")
            return self._data[offset : offset + length]
        finally:
            with self._lock:
                self.under_way -= 1
