"""A followed log with its rotated files: one text that goes on, whatever happens to the files."""

import gzip
import os
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from forge_daemon.reading.files.file_bytes import no_progress
from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.window import facts
from forge_daemon.reading.window.cursor import encode_cursor
from forge_daemon.requests.appended_lines import STANDING_SECONDS
from forge_daemon.requests.following import QUIET_SECONDS, Event
from forge_daemon.requests.read_file import read_file
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.read_file import ReadFileParams
from tests.requests import logrotate
from tests.requests.follower import Follower, Pass, append
from tests.workspace.workspaces import open_descriptors

WRITER = Path(logrotate.__file__)


@pytest.fixture
def follower(reader: Reader, log: Path) -> Iterator[Follower]:
    follower = Follower(reader, tail=4, rotated=True)
    yield follower
    follower.following.close()


@pytest.fixture
def log(root: Path) -> Path:
    log = root / "app.log"
    with gzip.open(root / "app.log.1.gz", "wb") as older:
        older.write(b"one\ntwo\nthree\n")
    log.write_text("four\nfive\n")
    return log


def _rotate(log: Path) -> Path:
    for number in range(9, 0, -1):
        for old in log.parent.glob(f"{log.name}.{number}*"):
            old.rename(str(old).replace(f".{number}", f".{number + 1}"))
    return log.rename(f"{log}.1")


def _compress(path: Path) -> None:
    Path(f"{path}.gz").write_bytes(gzip.compress(path.read_bytes()))
    path.unlink()


def test_the_first_window_reaches_into_older_files(follower: Follower, log: Path) -> None:
    assert (follower.first.content, follower.first.start_line) == ("two\nthree\nfour\nfive\n", 2)
    assert follower.look() is None
    append(log, "six\n")
    found = follower.look()
    assert found is not None
    assert found.window is not None
    assert (found.window.content, found.window.start_line, found.line_count) == ("six\n", 6, 6)
    assert found.byte_length == sum(file.stat().st_size for file in log.parent.iterdir())


def test_lines_go_on_when_the_log_is_rotated(follower: Follower, log: Path, pass_time: Pass) -> None:
    old = _rotate(log)
    log.touch()
    append(old, "six\n")
    assert follower.text() == "six\n"
    append(log, "seven\n")
    assert follower.look() is None
    append(old, "still in the old one\n")
    assert follower.text() == "still in the old one\n"
    pass_time(QUIET_SECONDS)
    found = follower.look()
    assert found is not None
    assert found.window is not None
    assert (found.event, found.window.content, found.window.start_line) == (Event.APPENDED, "seven\n", 8)
    append(log, "eight\n")
    assert follower.text() == "eight\n"
    assert follower.look() is None


def test_several_rotations_between_two_looks_lose_nothing(follower: Follower, log: Path, pass_time: Pass) -> None:
    append(log, "six\n")
    for number in range(5):
        old = _rotate(log)
        log.write_text(f"generation {number}\n")
        if number != 2:
            _compress(old)
    pass_time(QUIET_SECONDS)
    assert follower.text() == "six\n" + "".join(f"generation {number}\n" for number in range(5))
    assert follower.look() is None


@pytest.mark.parametrize("mode", ["renamed", "copied"])
def test_an_empty_log_that_is_rotated_before_the_first_look_loses_nothing(
    reader: Reader, root: Path, pass_time: Pass, mode: str
) -> None:
    log = root / "app.log"
    log.touch()
    follower = Follower(reader, rotated=True)
    for number in range(3):
        append(log, f"generation {number}\n")
        old = _rotate(log)
        if mode == "copied":
            shutil.copyfile(old, f"{old}.copy")
            old.rename(log)
            os.truncate(log, 0)
            Path(f"{old}.copy").rename(old)
        _compress(old)
        if mode == "renamed":
            log.touch()
    append(log, "newest\n")
    pass_time(QUIET_SECONDS)
    assert follower.text() == "generation 0\ngeneration 1\ngeneration 2\nnewest\n"
    assert follower.look() is None


@pytest.mark.parametrize("is_compressed", [False, True])
def test_a_log_that_is_copied_and_emptied_loses_nothing(
    follower: Follower, log: Path, pass_time: Pass, is_compressed: bool
) -> None:
    for number in range(3):
        append(log, f"before {number}\n")
        for old in sorted(log.parent.glob("app.log.*"), reverse=True):
            stem, _, rest = old.name.removeprefix("app.log.").partition(".")
            old.rename(log.with_name(f"app.log.{int(stem) + 1}{'.' * bool(rest)}{rest}"))
        copy = log.with_name("app.log.1")
        shutil.copyfile(log, copy)
        if is_compressed:
            _compress(copy)
        os.truncate(log, 0)
        append(log, f"after {number}\n" * 9)
        pass_time(QUIET_SECONDS)
        text = follower.text() or ""
        pass_time(QUIET_SECONDS)
        assert text + (follower.text() or "") == f"before {number}\n" + f"after {number}\n" * 9
    assert follower.look() is None


def test_a_line_without_newline_ends_with_its_file(follower: Follower, log: Path, pass_time: Pass) -> None:
    append(log, "unfinished")
    assert follower.text() is None
    pass_time(STANDING_SECONDS)
    assert follower.text() == "unfinished"
    _rotate(log)
    log.write_text("next\n")
    assert follower.look() is None
    pass_time(QUIET_SECONDS)
    found = follower.look()
    assert found is not None
    assert found.window is not None
    assert (found.window.content, found.continues_line, found.window.start_line) == ("\nnext\n", True, 6)


def test_lines_have_no_numbers_if_older_files_were_not_counted(
    reader: Reader, log: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "MAX_COUNTED_SET", 0)
    follower = Follower(reader, tail=1, rotated=True)
    assert (follower.first.content, follower.first.start_line) == ("five\n", -1)
    append(log, "six\n")
    found = follower.look()
    assert found is not None
    assert found.window is not None
    assert (found.window.content, found.window.start_line, found.line_count) == ("six\n", 0, None)


def test_a_filter_numbers_lines_of_the_set(reader: Reader, log: Path, pass_time: Pass) -> None:
    wanted = Filter(FilterSpec(Terms(any=(Term("f"),))))
    follower = Follower(reader, tail=2, rotated=True, filter=wanted)
    assert follower.first.line_numbers == [4, 5]
    append(log, "six\n")
    assert follower.look() is None
    _rotate(log)
    log.write_text("seven\nfine\n")
    assert follower.look() is None
    pass_time(QUIET_SECONDS)
    found = follower.look()
    assert found is not None
    assert found.window is not None
    assert (found.window.content, found.window.line_numbers) == ("fine\n", [8])


@pytest.mark.parametrize("limits", [{"first_line": 6}, {"last_line": 6}])
def test_a_filter_for_some_lines_of_the_set_is_refused(reader: Reader, log: Path, limits: dict[str, int]) -> None:
    with pytest.raises(ReadError, match="first_line and last_line cannot be combined with rotated") as refused:
        Follower(reader, rotated=True, filter=Filter(FilterSpec(Terms(any=(Term("f"),)), **limits)))  # type: ignore[arg-type]
    assert refused.value.code is ErrorCode.INVALID_ARGUMENT


def test_lines_before_a_match_are_context_but_for_those_of_a_file_that_was_left(
    reader: Reader, log: Path, pass_time: Pass
) -> None:
    follower = Follower(reader, rotated=True, filter=Filter(FilterSpec(Terms(any=(Term("yes"),)), before=2)))
    seen = []
    for lines in ("6\n", "7\nyes 8\n", "9\n"):
        append(log, lines)
        seen.append(follower.look())
    _rotate(log)
    log.write_text("10\n")
    pass_time(QUIET_SECONDS)
    for lines in ("", "yes 11\n"):
        append(log, lines)
        seen.append(follower.look())
        pass_time(QUIET_SECONDS)
        seen.append(follower.look())
    windows = [found.window for found in seen if found is not None and found.window is not None]
    assert [(window.line_numbers, window.context_lines) for window in windows] == [
        ([6, 7, 8], [6, 7]),
        ([10, 11], [10]),
    ]


def test_a_set_whose_newest_file_is_empty_is_followed_by_time(reader: Reader, log: Path, pass_time: Pass) -> None:
    log.write_text("2026-11-17T10:00:00 one\n2026-11-17T10:00:01 two\n")
    _rotate(log)
    log.touch()
    follower = Follower(reader, tail=1, rotated=True, filter=Filter(FilterSpec(Terms(), since="10:00:01")))
    assert follower.first.content == "2026-11-17T10:00:01 two\n"
    assert follower.look() is None
    shutil.copyfile(log, log.with_name("app.log.0"))
    log.write_text("2026-11-17T10:00:02 three\n")
    pass_time(QUIET_SECONDS)
    assert follower.text() == "2026-11-17T10:00:02 three\n"


def test_a_log_that_is_filled_copied_and_emptied_between_two_looks_loses_nothing(
    reader: Reader, log: Path, pass_time: Pass
) -> None:
    _rotate(log)
    log.touch()
    follower = Follower(reader, tail=1, rotated=True)
    assert follower.first.content == "five\n"
    log.with_name("app.log.0").write_text("six\n")
    pass_time(QUIET_SECONDS)
    append(log, "seven\n")
    assert follower.text() == "six\nseven\n"


def test_the_end_cursor_of_an_event_continues_in_the_set(follower: Follower, reader: Reader, log: Path) -> None:
    append(log, "six\n")
    found = follower.look()
    assert found is not None
    assert found.end_cursor is not None
    append(log, "seven\n")
    cursor = encode_cursor(found.end_cursor)
    answer = read_file(reader, ReadFileParams(path="app.log", rotated=True, cursor=cursor), no_progress)
    assert answer.content == "seven\n"


def test_a_log_that_is_emptied_without_a_copy_is_truncated(follower: Follower, log: Path) -> None:
    log.write_text("new\n")
    assert follower.event() is Event.TRUNCATED
    assert follower.text() == "new\n"


def test_a_set_that_is_removed_and_made_again_is_read_from_its_start(follower: Follower, log: Path) -> None:
    for file in log.parent.iterdir():
        file.unlink()
    assert follower.event() is Event.REMOVED
    assert follower.look() is None
    log.write_text("new\n")
    assert follower.event() is Event.CREATED
    assert follower.text() == "new\n"


def test_a_follow_of_any_file_is_one_of_the_log(reader: Reader, log: Path, pass_time: Pass) -> None:
    follower = Follower(reader, path="app.log.1.gz", tail=1, rotated=True)
    assert follower.first.content == "five\n"
    _rotate(log)
    log.write_text("six\n")
    assert follower.look() is None
    pass_time(QUIET_SECONDS)
    assert follower.text() == "six\n"


def test_a_follow_keeps_no_file_open(follower: Follower, log: Path) -> None:
    before = open_descriptors()
    append(log, "six\n")
    assert follower.text() == "six\n"
    assert open_descriptors() == before


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["delaycompress", "compress", "copytruncate"])
def test_a_log_that_is_rotated_while_it_is_written_comes_once_and_in_order(
    root: Path, reader: Reader, mode: str
) -> None:
    log, lines, every = root / "app.log", 100_000, 25_000
    log.touch()
    follower = Follower(reader, tail=1, rotated=True, may_skip=False)
    writer = subprocess.Popen([sys.executable, str(WRITER), str(log), str(lines), str(every), mode])
    got: list[str] = []
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline and f"line {lines} of some text" not in got[-50:]:
        found = follower.look()
        if found is None:
            time.sleep(0.01)
            continue
        assert found.event is Event.APPENDED
        assert found.window is not None
        assert not found.continues_line
        got += found.window.content.split("\n")[:-1]
    assert writer.wait() == 0
    if mode == "delaycompress":
        assert got.count("written after it was renamed") == 3
    numbers = [int(line.split()[1]) for line in got if line.startswith("line ")]
    assert numbers == list(range(1, lines + 1))
