"""A scan counts the same, with stringzilla or without."""

import sys
from random import Random

import pytest

from forge_daemon.reading.lines import count_without_gil, scan
from forge_daemon.reading.lines.newlines import count_by_stride, fast_counter
from forge_daemon.reading.lines.scan import BLOCK, Scan

STRIDE = 32 * 1024


def random_lines(size: int, seed: int) -> bytes:
    random = Random(seed)
    return bytes(random.choices(b"\n\r\0x\x8a\xff", k=4096)) * (size // 4096) + b"\n" * (size % 4096)


def counted(data: bytes, start: int = 0) -> list[int]:
    counts: list[int] = []
    scan = Scan(lambda offset, length: data[offset : offset + length], start, len(data), STRIDE)
    while (covered := start + len(counts) * STRIDE) < len(data):
        counts += scan.count_from(covered)
    return counts


@pytest.fixture(params=["without the GIL", "by sums", "by counts", "without stringzilla"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """However long or short the scan, and whatever the processor can do."""
    name: str = request.param
    if name == "without stringzilla":
        monkeypatch.setattr(scan, "LONG", 1 << 60)
    else:
        monkeypatch.setattr(scan, "LONG", 0)
        capabilities = ("serial",) if name == "by counts" else ("serial", "icelake")
        monkeypatch.setattr(pytest.importorskip("stringzilla"), "__capabilities__", capabilities)
        if name == "by sums":
            monkeypatch.setattr(count_without_gil, "_MAJOR_VERSION", 0)
    return name


@pytest.mark.parametrize("size", [0, 1, STRIDE, STRIDE + 1, BLOCK, 7 * BLOCK, 7 * BLOCK + 5, 21 * BLOCK - 1])
def test_every_stride_is_counted_exactly(way: str, size: int) -> None:
    data = random_lines(size, seed=size)
    assert counted(data) == count_by_stride(data, STRIDE)


def test_a_scan_may_start_on_any_stride(way: str) -> None:
    data = random_lines(9 * BLOCK + 77, seed=3)
    assert counted(data, 5 * STRIDE) == count_by_stride(data, STRIDE)[5:]


def test_stringzilla_is_what_counts_long_scans_here() -> None:
    assert fast_counter() is not None


@pytest.mark.skipif(sys.platform != "linux", reason="elsewhere the library may not export its C functions")
def test_it_can_count_without_the_gil_here() -> None:
    stringzilla = pytest.importorskip("stringzilla")
    assert count_without_gil.counter_without_gil(stringzilla.__file__, stringzilla.bytesum) is not None
