"""Files far larger than an answer: bounded in time and memory, and the same rules as for small ones."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.reading.files.same_file import RACY_SUFFIX
from forge_daemon.reading.window.window import COUNT_LINES_UP_TO, MAX_CONTENT_BYTES
from forge_daemon.requests.count_lines import count_lines
from forge_daemon.requests.read_file import read_file
from forge_daemon.workspace.reader import Reader
from forge_protocol.conversion import structure
from forge_protocol.count_lines import CountLinesParams
from forge_protocol.read_file import ReadFileParams, ReadFileResult
from tests.reading.sources import no_progress
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder

pytestmark = pytest.mark.slow

LINE = b"%07d\n"
BLOCK = 1024 * 1024
LINES_IN_BLOCK = BLOCK // len(LINE % 0)


@pytest.fixture(scope="module")
def root(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """`large.log`, a little larger than what is counted for a window."""
    root = tmp_path_factory.mktemp("large").resolve() / "ws"
    root.mkdir()
    block = b"".join(LINE % number for number in range(LINES_IN_BLOCK))
    with (root / "large.log").open("wb") as large:
        for _ in range(COUNT_LINES_UP_TO // BLOCK):
            large.write(block)
        large.write(b"the end\nof it")
    yield root
    for path in root.iterdir():
        path.unlink()


@pytest.fixture
def reader(root: Path) -> Reader:
    return reader_of(folder(root))


def read(reader: Reader, path: str, **params: Any) -> ReadFileResult:
    return read_file(reader, structure({"path": path, **params}, ReadFileParams), no_progress)


COUNTED = COUNT_LINES_UP_TO // 8 + 2


def test_windows_do_not_tell_the_number_of_lines_and_countlines_does(reader: Reader) -> None:
    while read(reader, "large.log", max_lines=1).etag.endswith(RACY_SUFFIX):
        time.sleep(0.01)  # the etag of a file that was just written changes once
    first = read(reader, "large.log", max_lines=2)
    assert (first.content, first.meta.line_count) == ("0000000\n0000001\n", None)
    assert (first.truncated_by, first.next_start_line) == ("lines", 3)
    counted = count_lines(reader, CountLinesParams(path="large.log"), no_progress)
    assert (counted.line_count, counted.byte_length) == (COUNTED, COUNT_LINES_UP_TO + 13)
    assert counted.etag == first.etag
    assert read(reader, "large.log", max_lines=2) == first, "knowing the number changes no answer"


def test_the_number_is_told_up_to_exactly_the_limit(reader: Reader, root: Path) -> None:
    path = root / "sparse.log"
    path.write_bytes(b"x" * 9000 + b"\n")
    os.truncate(path, COUNT_LINES_UP_TO)
    assert read(reader, "sparse.log", limit=1).meta.line_count == 2
    os.truncate(path, COUNT_LINES_UP_TO + 1)
    assert read(reader, "sparse.log", limit=1).meta.line_count is None


def test_the_last_lines_of_a_large_file_are_numbered_from_the_end_and_continue_by_cursor(reader: Reader) -> None:
    last = read(reader, "large.log", tail=4, max_lines=3, show_line_numbers=True)
    assert last.content == f"-4| {LINES_IN_BLOCK - 2:07d}\n-3| {LINES_IN_BLOCK - 1:07d}\n-2| the end\n"
    assert (last.meta.start_line, last.truncated, last.next_start_line) == (-4, True, None)
    rest = read(reader, "large.log", cursor=last.next_cursor, show_line_numbers=True)
    assert (rest.content, rest.meta.start_line, rest.truncated) == ("-1| of it", -1, False)


def test_any_line_is_found_and_past_the_end_is_a_success(reader: Reader) -> None:
    middle = COUNTED // 2
    window = read(reader, "large.log", around={"line": middle, "before": 1, "after": 0})
    expected = [(line - 1) % LINES_IN_BLOCK for line in (middle - 1, middle)]
    assert window.content == "".join(f"{number:07d}\n" for number in expected)
    assert read(reader, "large.log", start_line=COUNTED).content == "of it"
    beyond = read(reader, "large.log", start_line=COUNTED + 1)
    assert (beyond.content, beyond.truncated, beyond.next_start_line) == ("", False, None)


def test_the_pages_of_a_large_file_are_the_file(reader: Reader, root: Path) -> None:
    with (root / "large.log").open("rb") as file:
        result = read(reader, "large.log", start_line=COUNTED - 300_000, max_lines=10_000)
        file.seek(8 * (COUNTED - 300_000 - 1))
        while True:
            assert result.content.encode() == file.read(len(result.content))
            if result.next_cursor is None:
                break
            result = read(reader, "large.log", cursor=result.next_cursor, max_lines=10_000)
        assert file.read() == b""


def test_one_endless_line_is_paged(reader: Reader, root: Path) -> None:
    path = root / "endless.txt"
    with path.open("wb") as file:
        for _ in range(COUNT_LINES_UP_TO // BLOCK):
            file.write(b"x" * BLOCK)
        file.write(b"end")
    first = read(reader, "endless.txt")
    assert (len(first.content), first.truncated_by, first.next_start_line) == (MAX_CONTENT_BYTES, "bytes", 2)
    last = read(reader, "endless.txt", tail=1)
    assert (len(last.content), last.meta.start_line, last.truncated) == (MAX_CONTENT_BYTES, -1, True)
    assert count_lines(reader, CountLinesParams(path="endless.txt"), no_progress).line_count == 1


SCRIPT = """
import json, resource, sys

from forge_daemon.requests.read_file import read_file
from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import SettingsStore
from forge_protocol.read_file import ReadFileParams

reader = Reader([folder_from_path(sys.argv[1])], SettingsStore())


def read(name, **params):
    return read_file(reader, ReadFileParams(path=name, **params), lambda done, total: None)


def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * (1 if sys.platform == "darwin" else 1024)


read("small.txt")
before = peak()
answers = [
    read("huge.log", max_lines=1),
    read("huge.log", start_line=int(sys.argv[2]), max_lines=1),
    read("huge.log", tail=1),
    read("huge.log", max_lines=10000),
]
grown = peak() - before
print(json.dumps({"grown": grown, "contents": [answer.content for answer in answers[:3]]}))
"""


def test_a_gibibyte_takes_little_memory(tmp_path: Path) -> None:
    root = tmp_path / "ws"
    root.mkdir()
    (root / "small.txt").write_text("small\n")
    huge = root / "huge.log"
    block = b"".join(LINE % number for number in range(LINES_IN_BLOCK))
    with huge.open("wb") as file:
        for _ in range(1024):
            file.write(block)
    late = 1023 * LINES_IN_BLOCK + 5
    try:
        finished = subprocess.run(
            [sys.executable, "-c", SCRIPT, str(root), str(late)], capture_output=True, text=True, check=False
        )
    finally:
        huge.unlink()
    assert finished.returncode == 0, finished.stderr
    told = json.loads(finished.stdout)
    assert told["contents"] == ["0000000\n", "0000004\n", f"{LINES_IN_BLOCK - 1:07d}\n"]
    assert told["grown"] <= 32 * 1024 * 1024
