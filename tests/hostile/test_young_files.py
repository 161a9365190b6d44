"""A file that was written a moment ago is trusted for nothing: it may be written again and leave the same times."""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.reading.files.disk import HELD_BYTES
from tests.hostile import storages
from tests.hostile.conftest import Figure
from tests.hostile.scale import scaled
from tests.lsp.raw_client import RawClient

PAIRS = scaled(40, 10_000)
TORN_ANSWERS = scaled(20, 10_000)
LINES = 80_000


@pytest.fixture(params=storages.ALL)
def storage(request: pytest.FixtureRequest) -> str:
    return str(request.param)


@pytest.fixture
def root(storage: str) -> Iterator[Path]:
    with storages.ALL[storage]() as path:
        yield path


@pytest.fixture
def client(root: Path) -> Iterator[RawClient]:
    with RawClient() as client:
        client.initialize(root)
        yield client


def answer(client: RawClient, **params: Any) -> Any:
    """What is answered; None where it is refused, as the file changes too often or has changed."""
    answer = client.request("forge/readFile", {"path": "file", **params})
    if "result" in answer:
        return answer["result"]
    assert answer["error"]["data"]["code"] == "CONTENT_MODIFIED"
    return None


def test_two_writes_within_one_tick_are_two_states(client: RawClient, root: Path, storage: str, figure: Figure) -> None:
    """Neither `not_modified` nor a cursor is wrong after the second, be it that lines move or that they stay."""
    path = root / "file"
    path.write_bytes(b"line\n" * (HELD_BYTES // 5 + 1000))
    refused = 0
    with path.open("r+b", buffering=0) as file:
        for number in range(PAIRS):
            os.pwrite(file.fileno(), b"%04d\n" % (number % 10_000), 5)
            one = client.read("file", start_line=LINES, max_lines=3)
            os.pwrite(file.fileno(), b"\n\n\n\n\n" if number % 2 else b"LINE\n", 5 * LINES // 2)
            again = client.read("file", start_line=LINES, max_lines=3, if_none_match=one["etag"])
            assert not again["not_modified"]
            by_cursor = answer(client, max_lines=1, cursor=one["next_cursor"])
            if by_cursor is None:
                refused += 1
            else:
                by_number = client.read("file", max_lines=1, start_line=one["next_start_line"])
                assert (by_cursor["content"], by_cursor["meta"]["start_line"]) == ("line\n", one["next_start_line"])
                assert by_cursor["meta"]["line_count"] == by_number["meta"]["line_count"]
                assert number % 2 == 0, "the lines have moved"
            os.pwrite(file.fileno(), b"line\n", 5 * LINES // 2)
    figure(
        "wrong not_modified, wrong cursors of young files", f"{storage}: 0 of {PAIRS:,}, {refused:,} cursors refused"
    )


REWRITER = """
import itertools, os, sys, time
path, one, other = sys.argv[1:]
contents = [open(name, "rb").read() for name in (one, other)]
file = os.open(path, os.O_WRONLY)
print("started", flush=True)
for turn in itertools.count():
    os.pwrite(file, contents[turn % 2], 0)
    # Longer than a tick of any kernel's clock; now a read fits in between, now it does not.
    time.sleep(0.011 + turn % 7 * 0.005)
"""


def outcome(client: RawClient, line: int, right: set[str]) -> str:
    window = answer(client, start_line=line, limit=1)
    assert window is None or window["content"] in right
    return "refused" if window is None else "right"


@pytest.mark.parametrize("storage", storages.WITH_A_FINE_CLOCK, indirect=True)
def test_no_line_of_a_file_that_is_rewritten_in_place_has_another_line_s_number(
    client: RawClient, root: Path, tmp_path: Path, storage: str, figure: Figure
) -> None:
    """One long write, again and again: the times are set when it begins, and the size stays."""
    one, other, path = tmp_path / "one", tmp_path / "other", root / "file"
    one.write_bytes(b"".join(b"A %09d........\n" % number for number in range(1, LINES + 1)))
    size = one.stat().st_size
    other.write_bytes(b"".join(b"B %09d\n" % number for number in range(1, LINES * 20 // 12 + 1))[:size])
    path.write_bytes(one.read_bytes())
    wanted = LINES - LINES // 10
    right = {f"A {wanted:09d}........\n", f"B {wanted:09d}\n"}
    answers: Counter[str] = Counter()
    command = [sys.executable, "-c", REWRITER, str(path), str(one), str(other)]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as writer:
        try:
            assert writer.stdout is not None
            assert writer.stdout.readline() == b"started\n"
            while answers.total() < TORN_ANSWERS:
                answers[outcome(client, wanted, right)] += 1
            assert writer.poll() is None, "the writer has ended"
        finally:
            writer.kill()
    assert client.read("file", start_line=wanted, limit=1)["content"] in right
    figure(
        "wrong lines of a file rewritten in place",
        f"{storage}: 0 of {answers.total():,}, {answers['refused']:,} refused",
    )
