"""What is read is what was written last, however soon, however often, and however little the file's times tell."""

import mmap
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forge_daemon.reading.files.disk import HELD_BYTES
from forge_daemon.reading.files.same_file import RACY_NS
from forge_daemon.requests.read_file import read_file
from forge_daemon.workspace.reader import Reader
from forge_protocol.read_file import ReadFileParams
from tests.hostile import storages
from tests.hostile.conftest import Figure
from tests.hostile.scale import scaled
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder

PAIRS = scaled(500, 100_000)
LARGE_PAIRS = scaled(50, 2_000)
SMALL, LARGE = 64, HELD_BYTES + 4096

Rewrite = Callable[[Path, int, bytes], None]
"""Put some bytes at a place of the file, whose size stays the same."""


def in_place(path: Path, offset: int, data: bytes) -> None:
    with path.open("r+b", buffering=0) as file:
        file.seek(offset)
        file.write(data)


def with_its_time_restored(path: Path, offset: int, data: bytes) -> None:
    status = path.stat()
    in_place(path, offset, data)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def by_renaming_another_over_it(path: Path, offset: int, data: bytes) -> None:
    other = path.with_name("other")
    other.write_bytes(_changed(path, offset, data))
    other.rename(path)


def by_removing_and_creating_it(path: Path, offset: int, data: bytes) -> None:
    status = path.stat()
    content = _changed(path, offset, data)
    path.unlink()
    path.write_bytes(content)
    os.utime(path, ns=(status.st_atime_ns, status.st_mtime_ns))


def _changed(path: Path, offset: int, data: bytes) -> bytes:
    content = bytearray(path.read_bytes())
    content[offset : offset + len(data)] = data
    return bytes(content)


MODES = [in_place, with_its_time_restored, by_renaming_another_over_it, by_removing_and_creating_it]


@pytest.fixture(params=storages.ALL)
def root(request: pytest.FixtureRequest) -> Iterator[Path]:
    with storages.ALL[request.param]() as path:
        yield path


def last_line_and_count(reader: Reader, name: str) -> tuple[str, int | None]:
    """Both come from the line index, which is what is cached."""
    window = read_file(reader, ReadFileParams(path=name, tail=1), lambda done, total: None)
    return window.content, window.meta.line_count


def check_pairs(root: Path, rewrite: Rewrite, size: int, pairs: int) -> None:
    """A newline moves through the last bytes of the file, and a number after it changes."""
    reader = reader_of(folder(root))
    path = root / "file"
    path.write_bytes(b"x" * (size - 20) + b"\n" + b"x" * 19)
    for number in range(pairs):
        place = number % 8
        line = b"%010d" % number
        rewrite(path, size - 20, b"x" * place + b"\n" + line + b"x" * (9 - place))
        expected = (line.decode() + "x" * (9 - place), 2)
        assert last_line_and_count(reader, "file") == expected, f"stale after {number} rewrites"


@pytest.mark.parametrize("rewrite", MODES, ids=lambda mode: mode.__name__)
def test_no_rewrite_of_a_small_file_goes_unseen(root: Path, rewrite: Rewrite, figure: Figure) -> None:
    check_pairs(root, rewrite, SMALL, PAIRS)
    figure("stale reads", f"0 of {PAIRS:,}")


def test_no_store_through_a_shared_mapping_goes_unseen(root: Path, figure: Figure) -> None:
    """A store into a page that is dirty already changes none of the file's times."""
    mappings: list[mmap.mmap] = []

    def store(path: Path, offset: int, data: bytes) -> None:
        if not mappings:
            with path.open("r+b") as file:
                mappings.append(mmap.mmap(file.fileno(), 0))
        mappings[0][offset : offset + len(data)] = data

    try:
        check_pairs(root, store, SMALL, PAIRS)
    finally:
        for mapping in mappings:
            mapping.close()
    figure("stale reads", f"0 of {PAIRS:,}")


@pytest.mark.parametrize("rewrite", MODES, ids=lambda mode: mode.__name__)
def test_no_rewrite_of_a_large_file_goes_unseen(root: Path, rewrite: Rewrite, figure: Figure) -> None:
    check_pairs(root, rewrite, LARGE, LARGE_PAIRS)
    figure("stale reads", f"0 of {LARGE_PAIRS:,} of a large file")


@pytest.mark.parametrize("root", ["temporary", "ext2"], indirect=True)
def test_no_rewrite_of_a_large_file_that_had_settled_goes_unseen(root: Path) -> None:
    """Only what has held still for a while is cached at all, and only then can the cache be wrong."""
    reader = reader_of(folder(root))
    paths = {root / f"{number}": rewrite for number, rewrite in enumerate(MODES * 3)}
    for path in paths:
        path.write_bytes(b"x" * (LARGE - 20) + b"\n" + b"x" * 19)
    time.sleep(RACY_NS / 1e9 + 0.3)
    for path in paths:
        assert last_line_and_count(reader, path.name) == ("x" * 19, 2)
    ((_, cached),) = reader.cache_figures()
    assert cached.entries == len(paths)
    for path, rewrite in paths.items():
        for place in range(8):
            rewrite(path, LARGE - 20, b"y" * place + b"\n\n" + b"y" * (18 - place))
            assert last_line_and_count(reader, path.name) == ("y" * (18 - place), 3)
