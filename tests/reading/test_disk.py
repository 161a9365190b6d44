"""An answer shows a file as it was at one moment, or is an error."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forge_daemon.reading.files import disk
from forge_daemon.reading.files.cache import FileCache
from forge_daemon.reading.files.file_bytes import SMALL_BYTES, FileBytes, FileChanged, Progress
from forge_daemon.reading.files.same_file import RACY_SUFFIX, Identity
from forge_daemon.reading.lines.index import MIN_BATCH
from forge_daemon.reading.window import read
from forge_daemon.reading.window.read import read_window
from forge_daemon.reading.window.selection import Lines
from forge_daemon.reading.window.window import Window, WindowRequest
from tests.reading.passing_time import let_time_pass
from tests.reading.sources import no_progress, opened, read_disk

LARGE = b"0123456\n" * (12 * MIN_BATCH // 8)


def count_lines(file: FileBytes, progress: Progress) -> int:
    return read.count_lines(file, WindowRequest(), progress).lines


class File:
    """An open file that a test can change under its reader."""

    def __init__(self, path: Path, data: bytes) -> None:
        self.path = path
        path.write_bytes(data)
        self.fd = opened(path)

    def overwrite(self, offset: int, data: bytes) -> None:
        with self.path.open("r+b") as file:
            file.seek(offset)
            file.write(data)

    def window(self, cache: FileCache | None = None, **request: object) -> Window:
        wanted = WindowRequest(**request)  # type: ignore[arg-type]
        return read_disk(self.fd, cache, lambda source: read_window(source, wanted, no_progress))


@pytest.fixture
def small(tmp_path: Path) -> Iterator[File]:
    file = File(tmp_path / "small", b"one\ntwo\n")
    yield file
    os.close(file.fd)


@pytest.fixture
def large(tmp_path: Path) -> Iterator[File]:
    file = File(tmp_path / "large", LARGE)
    yield file
    os.close(file.fd)


def test_what_is_known_of_the_file_comes_with_its_bytes(small: File) -> None:
    os.utime(small.path, ns=(0, 1_234_567_890))
    source = read_disk(small.fd, None, lambda source: source)
    assert (source.kind, source.size, source.mtime_ms, source.document_version) == ("disk", 8, 1234, None)
    assert source.read_at(0, 100) == b"one\ntwo\n"
    assert source.read_at(4, 3) == b"two"
    assert source.read_at(8, 3) == b""


def test_a_file_from_before_1970_has_a_negative_time(small: File) -> None:
    os.utime(small.path, ns=(0, -1_500_000_000))
    assert read_disk(small.fd, None, lambda source: source.mtime_ms) == -1500


@pytest.mark.parametrize("size", [SMALL_BYTES, SMALL_BYTES + 1])
def test_small_and_large_files_are_read_alike(tmp_path: Path, size: int) -> None:
    file = File(tmp_path / "file", b"0123456\n" * (size // 8) + b"x" * (size % 8))
    window = file.window(selection=Lines(size // 8, None))
    os.close(file.fd)
    assert window.content == "0123456\n" + "x" * (size % 8)
    assert window.facts.byte_length == size


def test_nothing_beyond_the_size_first_seen_is_read(large: File) -> None:
    def read_the_end(source: FileBytes) -> tuple[bytes, bytes, bytes]:
        return (
            source.read_at(source.size - 2, 100),
            source.read_at(source.size, 100),
            source.read_at(source.size + 5, 100),
        )

    assert read_disk(large.fd, None, read_the_end) == (b"6\n", b"", b"")


@pytest.mark.parametrize("most", [1, 3, 1000])
def test_reads_that_come_back_short_are_completed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, most: int) -> None:
    file = File(tmp_path / "file", b"one\ntwo\nthree\n" * 100)
    read = disk.DiskFile._read_some
    monkeypatch.setattr(disk.DiskFile, "_read_some", lambda file, length, offset: read(file, min(length, most), offset))
    for held in (SMALL_BYTES, 4):
        monkeypatch.setattr(disk, "HELD_BYTES", held)
        assert file.window().content == "one\ntwo\nthree\n" * 100
    os.close(file.fd)


def test_what_is_kept_of_a_text_depends_on_how_far_lines_are_counted(small: File) -> None:
    cache = FileCache(1 << 20)
    counts = [small.window(cache, count_lines_up_to=up_to).facts.line_count for up_to in (8, 7, 7, 8)]
    assert counts == [2, None, None, 2]


@pytest.mark.parametrize("is_racy", [False, True])
def test_one_read_is_one_hit_or_one_miss_however_often_the_file_is_read_again(
    large: File, monkeypatch: pytest.MonkeyPatch, is_racy: bool
) -> None:
    monkeypatch.setattr(Identity, "is_racy", lambda *_: is_racy)
    cache = FileCache(1 << 20)
    seen = []
    for _ in range(2):
        file = disk.DiskFile(large.fd, cache)
        for _ in range(3):
            file.snapshot()
        figures = cache.figures()
        seen.append((figures.hits, figures.misses))
    assert seen == [(0, 1), (0, 2) if is_racy else (1, 1)]


Change = Callable[[File], None]


def grow(file: File) -> None:
    with file.path.open("ab") as end:
        end.write(b"more\n")


def shrink(file: File) -> None:
    os.truncate(file.path, file.path.stat().st_size // 2)


def empty(file: File) -> None:
    os.truncate(file.path, 0)


def rewrite(file: File) -> None:
    file.overwrite(0, b"ONE\n")


CHANGES = [grow, shrink, empty, rewrite]


class TestSmallFiles:
    """They are read whole before they are used."""

    @pytest.mark.parametrize("change", CHANGES)
    def test_a_change_while_they_are_worked_with_does_not_matter(self, small: File, change: Change) -> None:
        def use(source: FileBytes) -> str:
            change(small)
            return read_window(source, WindowRequest(), no_progress).content

        assert read_disk(small.fd, FileCache(1 << 20), use) == "one\ntwo\n"

    @pytest.mark.parametrize("change", [shrink, empty])
    def test_a_change_while_they_are_read_is_seen(
        self, small: File, change: Change, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        cache = FileCache(1 << 20)
        before_each_read(monkeypatch, lambda: change(small))
        with pytest.raises(FileChanged):
            small.window(cache)
        assert cache.figures().entries == 0
        monkeypatch.undo()
        assert small.window(cache).content == small.path.read_text()

    @pytest.mark.parametrize("change", [grow, rewrite])
    def test_a_small_file_that_is_read_twice_alike_is_answered(
        self, small: File, change: Change, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        before_each_read(monkeypatch, lambda: change(small))
        content = small.window().content
        assert content == small.path.read_text()[: len(content)]
        assert len(content) == 8


class TestLargeFiles:
    """They are read piece by piece while they are used."""

    @pytest.mark.parametrize("change", CHANGES[1:])
    def test_a_change_before_the_work_is_seen(self, large: File, change: Change) -> None:
        def use(source: FileBytes) -> str:
            change(large)
            return read_window(source, WindowRequest(), no_progress).content

        with pytest.raises(FileChanged):
            read_disk(large.fd, None, use)

    @pytest.mark.parametrize("change", CHANGES[1:])
    def test_a_change_after_the_work_is_seen(self, large: File, change: Change) -> None:
        def use(source: FileBytes) -> None:
            read_window(source, WindowRequest(), no_progress)
            change(large)

        with pytest.raises(FileChanged):
            read_disk(large.fd, None, use)

    @pytest.mark.skipif(sys.platform != "linux", reason="only there a read waits for a write")
    def test_a_write_that_begins_after_the_last_one_was_waited_for_is_seen(
        self, large: File, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        lseek = os.lseek

        def wait_then_begin_a_write(fd: int, position: int, how: int) -> int:
            found = lseek(fd, position, how)
            large.overwrite(0, b"half of a long write\n")
            return found

        monkeypatch.setattr(os, "lseek", wait_then_begin_a_write)
        with pytest.raises(FileChanged):
            read_disk(large.fd, None, lambda source: monkeypatch.undo())

    @pytest.mark.parametrize("change", CHANGES[1:])
    @pytest.mark.parametrize("cached", [False, True])
    def test_a_change_in_the_middle_of_a_scan_is_seen_and_leaves_nothing_behind(
        self, large: File, change: Change, cached: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        let_time_pass(monkeypatch)
        cache = FileCache(1 << 20) if cached else None

        changed: list[int] = []

        def change_in_the_middle(done: int, _total: int) -> None:
            if done and not changed:
                changed.append(done)
                change(large)

        with pytest.raises(FileChanged):
            read_disk(large.fd, cache, lambda source: count_lines(source, change_in_the_middle))
        assert cache is None or cache.figures().entries == 0
        counted = read_disk(large.fd, cache, lambda source: count_lines(source, no_progress))
        assert counted == large.path.read_bytes().count(b"\n")

    @pytest.mark.parametrize("stable", [False, True])
    def test_growth_in_the_middle_of_a_scan_changes_nothing_of_what_was_there(
        self, large: File, stable: bool, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        if stable:
            let_time_pass(monkeypatch)
        cache = FileCache(1 << 20)
        counted = read_disk(large.fd, cache, lambda source: count_lines(source, lambda _done, _total: grow(large)))
        assert counted == len(LARGE) // 8
        assert large.path.stat().st_size > len(LARGE)
        read: list[int] = []
        before_each_read(monkeypatch, lambda: read.append(1))
        expected = large.path.read_bytes().count(b"\n")
        assert read_disk(large.fd, cache, lambda source: count_lines(source, no_progress)) == expected
        assert len(read) < 12, "and the old part is not counted again"

    def test_newlines_that_vanish_between_counting_and_reading_are_a_change(
        self, large: File, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        let_time_pass(monkeypatch)
        cache = FileCache(1 << 20)

        def use(source: FileBytes) -> Window:
            count_lines(source, no_progress)
            large.overwrite(0, b"x" * (len(LARGE) - 1))
            return read_window(source, WindowRequest(selection=Lines(5000, 5001)), no_progress)

        with pytest.raises(FileChanged):
            read_disk(large.fd, cache, use)
        window = large.window(cache, selection=Lines(1, None), max_bytes=5)
        assert (window.content, window.facts.line_count) == ("xxxxx", 1)

    def test_a_change_that_no_time_tells_of_heals_once_it_is_noticed(
        self, large: File, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        let_time_pass(monkeypatch)
        cache = FileCache(1 << 20)
        assert large.window(cache).facts.line_count == len(LARGE) // 8
        status = os.fstat(large.fd)
        large.overwrite(0, b"x" * (len(LARGE) - 1))
        monkeypatch.setattr(os, "fstat", lambda _fd: status)
        with pytest.raises(FileChanged):
            large.window(cache, selection=Lines(5000, None))
        assert large.window(cache, selection=Lines(5000, None)).content == ""

    def test_a_file_that_is_removed_meanwhile_has_changed(self, large: File) -> None:
        def use(source: FileBytes) -> int:
            large.path.unlink()
            return count_lines(source, no_progress)

        with pytest.raises(FileChanged):
            read_disk(large.fd, None, use)
        assert large.window().facts.line_count == len(LARGE) // 8


def test_the_same_file_has_the_same_etag_and_a_changed_one_another(small: File, large: File) -> None:
    for file in (small, large):
        seen = {file.window(cache).facts.etag.rstrip(RACY_SUFFIX) for cache in (None, None, FileCache(1 << 20))}
        assert len(seen) == 1
        for change in (rewrite, grow, shrink):
            change(file)
            seen.add(file.window().facts.etag.rstrip(RACY_SUFFIX))
        assert len(seen) == 4


def test_an_etag_tells_nothing_about_the_file(small: File) -> None:
    etag = small.window().facts.etag
    status = os.fstat(small.fd)
    assert len(etag) == 32
    assert not any(str(part) in etag for part in (status.st_ino, status.st_mtime_ns))


def before_each_read(monkeypatch: pytest.MonkeyPatch, act: Callable[[], None]) -> None:
    """The moment between looking at a file and reading it, made as long as a test needs it."""
    read = disk.DiskFile._read_some

    def act_and_read(file: disk.DiskFile, length: int, offset: int) -> bytes:
        act()
        return read(file, length, offset)

    monkeypatch.setattr(disk.DiskFile, "_read_some", act_and_read)


# Pseudo-files --------------------------------------------------------------------


def pseudo_file(name: str) -> Iterator[int]:
    if not os.path.isfile(name):
        pytest.skip(f"no {name} here")
    fd = os.open(name, os.O_RDONLY)
    yield fd
    os.close(fd)


@pytest.fixture(params=["/proc/sys/kernel/ostype", "/proc/version"])
def of_size_zero(request: pytest.FixtureRequest) -> Iterator[int]:
    yield from pseudo_file(request.param)


@pytest.fixture
def shorter_than_it_says() -> Iterator[int]:
    yield from pseudo_file("/sys/kernel/mm/transparent_hugepage/enabled")


@pytest.mark.parametrize("cached", [False, True])
def test_a_file_whose_size_says_zero_is_read_to_its_end(of_size_zero: int, cached: bool) -> None:
    cache = FileCache(1 << 20) if cached else None
    for _ in range(2):
        window = read_disk(of_size_zero, cache, lambda source: read_window(source, WindowRequest(), no_progress))
        assert window.content.startswith("Linux")
        assert (window.facts.line_count, window.facts.byte_length) == (1, len(window.content))


def test_a_file_that_ends_before_its_size_is_read_to_its_end(shorter_than_it_says: int) -> None:
    source = read_disk(shorter_than_it_says, None, lambda source: source)
    assert os.fstat(shorter_than_it_says).st_size > source.size > 0
    assert source.read_at(0, source.size).endswith(b"\n")


def test_what_never_ends_is_refused(monkeypatch: pytest.MonkeyPatch, of_size_zero: int) -> None:
    monkeypatch.setattr(disk, "MAX_PSEUDO_FILE_BYTES", 3)
    with pytest.raises(OSError, match="too large"):
        read_disk(of_size_zero, None, lambda source: source)
