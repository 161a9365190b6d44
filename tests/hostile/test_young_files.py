"""A file that was written a moment ago is trusted for nothing: it may be written again and leave the same times."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.reading.sources.disk import HELD_BYTES
from forge_daemon.reading.sources.source import no_progress
from forge_daemon.requests.read_file import READ_FILE
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.read_file import ReadFileParams, ReadFileResult
from hostile import storages
from hostile.conftest import Figure
from hostile.scale import scaled
from workspace.readers import reader_of
from workspace.workspaces import folder

PAIRS = scaled(40, 10_000)
TORN_ANSWERS = scaled(20, 10_000)
LINES = 80_000


@pytest.fixture(params=storages.ALL)
def root(request: pytest.FixtureRequest) -> Iterator[Path]:
    with storages.ALL[request.param]() as path:
        yield path


def read(reader: Reader, **params: Any) -> ReadFileResult:
    return READ_FILE.run(reader, ReadFileParams(path="file", **params), no_progress)


def test_two_writes_within_one_tick_are_two_states(root: Path, figure: Figure) -> None:
    """Neither `not_modified` nor a cursor is wrong after the second."""
    reader = reader_of(folder(root))
    path = root / "file"
    path.write_bytes(b"line\n" * (HELD_BYTES // 5 + 1000))
    with path.open("r+b", buffering=0) as file:
        for number in range(PAIRS):
            os.pwrite(file.fileno(), b"%04d\n" % (number % 10_000), 5)
            one = read(reader, max_lines=3)
            os.pwrite(file.fileno(), b"\n\n\n\n\n", 10 if number % 2 else 0)
            assert not read(reader, max_lines=3, if_none_match=one.etag).not_modified
            try:
                assert one.next_start_line is not None
                by_cursor = read(reader, max_lines=1, cursor=one.next_cursor)
            except ReadError as error:
                assert error.code == ErrorCode.CONTENT_MODIFIED
            else:
                assert by_cursor.content == read(reader, max_lines=1, start_line=one.next_start_line).content
            os.pwrite(file.fileno(), b"line\nline\nline\n", 0)
    figure("wrong not_modified, wrong cursors of young files", f"0 of {PAIRS:,}")


REWRITER = """
import itertools, os, sys, time
path, one, other = sys.argv[1:]
contents = [open(name, "rb").read() for name in (one, other)]
file = os.open(path, os.O_WRONLY)
print("started", flush=True)
for turn in itertools.count():
    os.pwrite(file, contents[turn % 2], 0)
    time.sleep(turn % 7 * 0.005)  # now a read fits in between, now it does not
"""


def outcome(reader: Reader, line: int, right: set[str]) -> str:
    try:
        assert read(reader, start_line=line, limit=1).content in right
    except ReadError as error:
        assert error.code == ErrorCode.CONTENT_MODIFIED
        return "refused"
    return "right"


def test_no_line_of_a_file_that_is_rewritten_in_place_has_another_line_s_number(
    root: Path, tmp_path: Path, figure: Figure
) -> None:
    """One long write, again and again: the times are set when it begins, and the size stays."""
    one, other, path = tmp_path / "one", tmp_path / "other", root / "file"
    one.write_bytes(b"".join(b"A %09d........\n" % number for number in range(1, LINES + 1)))
    size = one.stat().st_size
    other.write_bytes(b"".join(b"B %09d\n" % number for number in range(1, LINES * 20 // 12 + 1))[:size])
    path.write_bytes(one.read_bytes())
    wanted = LINES - LINES // 10
    right = {f"A {wanted:09d}........\n", f"B {wanted:09d}\n"}
    reader = reader_of(folder(root))
    answers: Counter[str] = Counter()
    command = [sys.executable, "-c", REWRITER, str(path), str(one), str(other)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"started\n"
            while answers.total() < TORN_ANSWERS:
                answers[outcome(reader, wanted, right)] += 1
            assert writer.poll() is None, "the writer has ended"
        finally:
            writer.kill()
    assert read(reader, start_line=wanted, limit=1).content in right
    figure("wrong lines of a file rewritten in place", f"0 of {answers.total():,}, {answers['refused']:,} refused")
