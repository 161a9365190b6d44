"""A file that changes while it is read is read as it was or as it is, never as something in between."""

import gc
import itertools
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.reading.files.disk import HELD_BYTES
from forge_daemon.requests.count_lines import count_lines
from forge_daemon.requests.read_file import read_file
from forge_daemon.workspace.reader import Reader
from forge_protocol.count_lines import CountLinesParams
from forge_protocol.errors import ReadError
from forge_protocol.read_file import ReadFileParams
from tests.hostile.scale import scaled
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder, open_descriptors

Change = Callable[[Path], None]
SMALL, LARGE = 100, HELD_BYTES + 100_000


def text(letter: str, size: int) -> str:
    return (letter * 99 + "\n") * (size // 100)


def grow(path: Path) -> None:
    with path.open("a") as file:
        file.write("more\n")


def shrink(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def empty(path: Path) -> None:
    os.truncate(path, 0)


def rewrite(path: Path) -> None:
    with path.open("r+") as file:
        file.write(text("n", path.stat().st_size))


def replace(path: Path) -> None:
    other = path.with_name("other")
    other.write_text(text("n", path.stat().st_size))
    other.rename(path)


def remove(path: Path) -> None:
    path.unlink()


def turn_into_a_directory(path: Path) -> None:
    path.unlink()
    path.mkdir()


def turn_into_a_fifo(path: Path) -> None:
    path.unlink()
    os.mkfifo(path)


def turn_into_a_way_out(path: Path) -> None:
    secret = path.parent.parent / "secret"
    secret.write_text("SECRET")
    path.unlink()
    path.symlink_to(secret)


CHANGES = [grow, shrink, empty, rewrite, replace, remove, turn_into_a_directory, turn_into_a_fifo, turn_into_a_way_out]


@pytest.fixture
def file(tmp_path: Path) -> Path:
    (tmp_path / "ws").mkdir()
    return tmp_path / "ws/file"


@pytest.fixture
def reader(file: Path) -> Reader:
    return reader_of(folder(file.parent))


class Meddler:
    """Changes the file at the n-th call that reads or looks at it."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, path: Path) -> None:
        self._path = path
        self._calls = 0
        self._at = 0
        self._change: Change = grow
        for name in ("pread", "fstat"):
            monkeypatch.setattr(os, name, self._meddling(getattr(os, name)))

    def arm(self, at: int, change: Change) -> None:
        self._calls, self._at, self._change = 0, at, change

    @property
    def was_called(self) -> bool:
        return self._calls >= self._at

    def _meddling(self, call: Callable[..., Any]) -> Callable[..., Any]:
        def meddled(*args: Any) -> Any:
            self._calls += 1
            if self._calls == self._at:
                self._at = -1  # the change itself looks at files
                self._change(self._path)
                self._at = self._calls
            return call(*args)

        return meddled


def outcome(reader: Reader) -> str:
    """The code of a refusal, or the whole file, page by page, with the number of lines it is said to have."""
    params = ReadFileParams(path="file", max_lines=10_000)
    try:
        window = read_file(reader, params, lambda done, total: None)
        content = window.content
        while window.next_cursor:
            params = ReadFileParams(path="file", max_lines=10_000, cursor=window.next_cursor)
            window = read_file(reader, params, lambda done, total: None)
            content += window.content
    except ReadError as error:
        return error.code
    return f"{window.meta.line_count} {content}"


@pytest.mark.parametrize("size", [SMALL, LARGE], ids=["small", "large"])
@pytest.mark.parametrize("change", CHANGES, ids=lambda change: change.__name__)
def test_a_file_that_changes_at_any_system_call_is_read_right_or_refused(
    file: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch, change: Change, size: int
) -> None:
    meddler = Meddler(monkeypatch, file)
    at = 0
    gc.collect()  # what other tests left must not go meanwhile
    before_all = open_descriptors()
    while True:
        at += 1
        if file.is_dir():
            file.rmdir()
        file.unlink(missing_ok=True)
        file.write_text(text("o", size))
        meddler.arm(10**9, change)
        before = outcome(reader)
        meddler.arm(at, change)
        during = outcome(reader)
        was_called = meddler.was_called
        meddler.arm(10**9, change)
        after = outcome(reader)
        # Between two pages a change is a change to the holder of the cursor.
        assert during in (before, after, "CONTENT_MODIFIED"), at
        if not was_called:
            break
    assert at > 3
    assert open_descriptors() == before_all


def test_a_file_that_never_holds_still_is_said_to_be_changing(file: Path, reader: Reader) -> None:
    file.write_text(text("o", LARGE))
    changes = itertools.count()

    def change(_done: int, _total: int) -> None:
        with file.open("r+") as written:
            written.write(f"{next(changes)}\n")

    with pytest.raises(ReadError) as refusal:
        count_lines(reader, CountLinesParams(path="file"), change)
    assert refusal.value.code == "CONTENT_MODIFIED"
    assert refusal.value.retriable
    assert refusal.value.etag
    assert refusal.value.path == "file"


WRITER = """
import os, sys
path, size = sys.argv[1], int(sys.argv[2])
print("started", flush=True)
while True:
    for letter in "abc":
        with open(path + ".new", "w") as file:
            file.write((letter * 99 + "\\n") * (size // 100))
        os.rename(path + ".new", path)
"""


@pytest.mark.parametrize("size", [SMALL * 100, LARGE], ids=["small", "large"])
def test_every_read_of_a_file_that_another_process_replaces_is_of_one_version(
    file: Path, reader: Reader, size: int
) -> None:
    file.write_text(text("a", size))
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(file), str(size)], stdout=subprocess.PIPE)
    assert writer.stdout is not None
    seen: Counter[str] = Counter()
    try:
        assert writer.stdout.readline() == b"started\n"
        attempts = 0
        while attempts < scaled(300, 20_000) or len(seen) < 2:
            attempts += 1
            try:
                window = read_file(reader, ReadFileParams(path="file", max_lines=100), lambda done, total: None)
            except ReadError as error:
                assert error.code == "CONTENT_MODIFIED"
                continue
            assert window.content == text(window.content[0], 10_000)
            assert window.meta.line_count == size // 100
            seen[window.content[0]] += 1
    finally:
        writer.kill()
        writer.wait()
        writer.stdout.close()
    assert seen.keys() <= set("abc")
