"""The cache keeps to its budget, forgets what was used least, and never speaks for a file that changed."""

import gc
import mmap
import os
import tracemalloc
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from forge_daemon.reading.files import disk
from forge_daemon.reading.files.cache import CacheFigures, FileCache, KnownFile
from forge_daemon.reading.files.file_bytes import FileBytes, Knowledge
from forge_daemon.reading.files.same_file import RACY_NS, Identity
from forge_daemon.reading.window.read import read_window
from forge_daemon.reading.window.selection import Lines
from forge_daemon.reading.window.window import WindowRequest
from tests.reading.passing_time import let_time_pass
from tests.reading.sources import no_progress, opened, read_disk


def entry(inode: int, size: int = 1000, mtime_ns: int = 0) -> KnownFile:
    return KnownFile(Identity(1, inode, size, mtime_ns, 0), f"etag {inode}", Knowledge(), b"", held=b"x" * size)


class TestBudget:
    def test_what_was_used_least_recently_goes_first(self) -> None:
        first, second, third = entry(1), entry(2), entry(3)
        cache = FileCache(2 * first.memory)
        cache.put(first)
        cache.put(second)
        cache.put(first)
        cache.put(third)
        assert cache.get(second.identity) is None
        assert cache.get(first.identity) is first
        assert cache.get(third.identity) is third

    def test_the_cache_never_takes_more_than_its_limit(self) -> None:
        cache = FileCache(10_000)
        for number in range(100):
            cache.put(entry(number, size=number * 37))
            assert cache.figures().bytes <= 10_000

    def test_an_entry_larger_than_everything_is_not_taken_and_displaces_nothing(self) -> None:
        small = entry(1)
        cache = FileCache(small.memory)
        cache.put(small)
        cache.put(entry(2, size=5000))
        assert cache.figures() == CacheFigures(entries=1, bytes=small.memory, hits=0, misses=0, evictions=0)
        assert cache.get(small.identity) is small

    def test_an_entry_that_became_too_large_leaves_no_old_one_behind(self) -> None:
        small = entry(1)
        cache = FileCache(small.memory)
        cache.put(small)
        cache.put(entry(1, size=5000))
        assert cache.figures().entries == cache.figures().bytes == 0

    def test_a_new_state_takes_the_place_of_the_old_one(self) -> None:
        cache = FileCache(1 << 20)
        cache.put(entry(1, size=10))
        changed = entry(1, size=20)
        cache.put(changed)
        assert cache.figures() == CacheFigures(entries=1, bytes=changed.memory, hits=0, misses=0, evictions=0)

    def test_figures_show_hits_misses_and_evictions(self) -> None:
        first, second = entry(1), entry(2)
        cache = FileCache(first.memory)
        cache.put(first)
        cache.count(hit=False)
        cache.count(hit=True)
        cache.count(hit=True)
        cache.put(second)
        assert cache.figures() == CacheFigures(1, second.memory, hits=2, misses=1, evictions=1)

    def test_a_smaller_budget_is_kept_at_once(self) -> None:
        first, second = entry(1), entry(2)
        cache = FileCache(1 << 20)
        cache.put(first)
        cache.put(second)
        cache.resize(first.memory)
        assert cache.get(first.identity) is None
        assert cache.get(second.identity) is second
        cache.resize(0)
        assert cache.figures()[:2] == (0, 0)
        cache.put(first)
        assert cache.figures().entries == 0

    def test_the_cache_can_be_emptied_whole_and_file_by_file(self) -> None:
        cache = FileCache(1 << 20)
        for number in (1, 2, 3):
            cache.put(entry(number))
        cache.forget(entry(2).identity)
        cache.forget(entry(99).identity)
        assert cache.get(entry(2).identity) is None
        assert cache.figures().entries == 2
        cache.clear()
        assert cache.figures()[:2] == (0, 0)

    def test_threads_leave_it_in_order(self) -> None:
        cache = FileCache(20 * entry(0).memory)

        def work(seed: int) -> None:
            for number in range(400):
                known = entry((number * seed) % 50, size=500 + number % 500)
                cache.put(known)
                found = cache.get(known.identity)
                assert found is None or found.identity[:2] == known.identity[:2]
                if number % 50 == seed:
                    cache.forget(known.identity)
                if number % 100 == seed:
                    cache.resize((10 + seed) * 1000)

        with ThreadPoolExecutor(8) as threads:
            list(threads.map(work, range(1, 9)))
        cache.resize(0)
        assert cache.figures()[:2] == (0, 0)


class TestRacyFiles:
    def test_a_file_changed_within_the_coarsest_clock_s_tick_is_racy(self) -> None:
        now = 10 * RACY_NS
        for ctime, is_racy in ((now - RACY_NS - 1, False), (now - RACY_NS, True), (now + RACY_NS, True)):
            assert Identity(1, 1, 1, 0, ctime).is_racy(now) is is_racy

    def test_a_modification_time_in_the_future_does_not_make_a_file_racy(self) -> None:
        now = 10 * RACY_NS
        assert not Identity(1, 1, 1, 2 * now, 0).is_racy(now)

    def test_the_lines_of_a_large_file_are_trusted_only_once_it_is_not_racy(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(disk, "HELD_BYTES", 4)
        path = tmp_path / "file"
        path.write_bytes(b"one\ntwo\n")
        cache = FileCache(1 << 20)
        for _ in range(3):
            assert line_of(path, 2, cache) == "two\n"
        assert cache.figures().hits == 0
        let_time_pass(monkeypatch)
        assert line_of(path, 2, cache) == "two\n"
        assert line_of(path, 2, cache) == "two\n"
        assert (cache.figures().entries, cache.figures().hits) == (1, 1)

    def test_a_small_file_is_kept_at_once_since_its_bytes_are_compared(self, tmp_path: Path) -> None:
        path = tmp_path / "file"
        path.write_bytes(b"one\ntwo\n")
        cache = FileCache(1 << 20)
        line_of(path, 1, cache)
        line_of(path, 1, cache)
        assert cache.figures()[2:4] == (1, 1)


def line_of(path: Path, number: int, cache: FileCache | None) -> str:
    fd = opened(path)
    try:
        request = WindowRequest(selection=Lines(number, number))
        return read_disk(fd, cache, lambda source: read_window(source, request, no_progress)).content
    finally:
        os.close(fd)


def in_place(path: Path, data: bytes) -> None:
    with path.open("r+b") as file:
        file.write(data)


def by_rename(path: Path, data: bytes) -> None:
    other = path.with_suffix(".new")
    other.write_bytes(data)
    other.replace(path)


def by_another_file(path: Path, data: bytes) -> None:
    path.unlink()
    path.write_bytes(data)


def with_its_times_put_back(path: Path, data: bytes) -> None:
    status = path.stat()
    in_place(path, data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def through_a_mapping(path: Path, data: bytes) -> None:
    with path.open("r+b") as file, mmap.mmap(file.fileno(), 0) as mapping:
        mapping[:] = data


REWRITES = [in_place, by_rename, by_another_file, with_its_times_put_back]


@pytest.fixture(params=["tmp_path", "/dev/shm"])
def directory(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Path]:
    if request.param == "tmp_path":
        yield tmp_path
        return
    if not os.access(request.param, os.W_OK):
        pytest.skip("this system has no such file system")
    with TemporaryDirectory(dir=request.param) as memory:
        yield Path(memory)


def states() -> Iterator[tuple[bytes, str]]:
    """Many states of one size, and the second line of each: the newlines move too, not only the text."""
    for number in range(300):
        text = b"%04d\n" % number
        yield (text + b"ab\nc\n", "ab\n") if number % 2 else (b"a\n" + text + b"bc\n", text.decode())


@pytest.mark.parametrize("rewrite", [*REWRITES, through_a_mapping])
def test_a_small_file_rewritten_at_once_with_the_same_size_is_never_stale(
    directory: Path, rewrite: Callable[[Path, bytes], None]
) -> None:
    path = directory / "file"
    path.write_bytes(next(states())[0])
    cache = FileCache(1 << 20)
    for data, line in states():
        rewrite(path, data)
        assert [line_of(path, 2, cache) for _ in range(2)] == [line, line]
    assert cache.figures().hits >= 300, "and the second look was answered from the cache"


@pytest.mark.parametrize("rewrite", REWRITES)
def test_a_large_file_rewritten_at_once_with_the_same_size_is_never_stale(
    directory: Path, rewrite: Callable[[Path, bytes], None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(disk, "HELD_BYTES", 4)
    path = directory / "file"
    path.write_bytes(next(states())[0])
    cache = FileCache(1 << 20)
    for data, line in states():
        rewrite(path, data)
        assert [line_of(path, 2, cache) for _ in range(2)] == [line, line]
    assert cache.figures().hits == 0


@pytest.mark.slow
def test_the_cache_takes_no_more_memory_than_it_says(tmp_path: Path) -> None:
    """Of very small files, so that what Python takes for an entry is the most."""
    number, cache = 200, FileCache(1 << 30)
    for index in range(number):
        (tmp_path / f"{index}").write_bytes(b"line\n" * 300)

    def read_much(file: FileBytes) -> None:
        for line in range(260, 270):
            read_window(file, WindowRequest(Lines(line, None), max_lines=2), no_progress)

    def read_all() -> None:
        for index in range(number):
            fd = opened(tmp_path / f"{index}")
            read_disk(fd, cache, read_much)
            os.close(fd)

    def taken() -> int:
        cache.clear()
        before = tracemalloc.get_traced_memory()[0]
        read_all()
        gc.collect()
        return tracemalloc.get_traced_memory()[0] - before

    tracemalloc.start()
    try:
        # What threads of other tests take meanwhile is counted as well: the least of several times is ours.
        least = min(taken() for _ in range(3))
    finally:
        tracemalloc.stop()
    assert cache.figures().entries == number
    assert least <= cache.figures().bytes
