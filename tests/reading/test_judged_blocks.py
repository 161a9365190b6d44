"""A filtered window that is read again asks no process for its matches, and is right whatever became of the file."""

import os
import re
import time
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.reading.search import judged_blocks
from forge_daemon.reading.search.judged_blocks import JudgedBlocks
from forge_daemon.reading.search.line_filter import Filter, LineFilter
from forge_daemon.reading.search.matching_processes import MatchingProcesses
from forge_daemon.reading.selection import Lines
from forge_daemon.reading.sources.source import SMALL_BYTES, no_progress
from forge_daemon.reading.windows.facts import count_lines
from forge_daemon.reading.windows.read import read_window
from forge_daemon.reading.windows.window import Window, WindowRequest
from forge_daemon.workspace.reader import Reader, Target
from reading.passing_time import let_time_pass
from workspace.readers import reader_of
from workspace.workspaces import folder

EXPRESSIONS = [
    Filter(r"worker-\d+ (done|failed)", regex=True),
    Filter(r"worker-\d+ failed", regex=True),
    Filter(r"worker-\d+ failed", regex=True, invert=True),
    Filter(r"worker-\d+ (done|failed)", regex=True, first_line=9),
    Filter(r"of \d*777 lines", regex=True),
]
LINES = 40_000


@pytest.fixture
def log(tmp_path: Path) -> Path:
    log = tmp_path / "app.log"
    log.write_text("".join(f"worker-{at} {'done' if at % 3 else 'failed'}, of {at} lines\n" for at in range(LINES)))
    assert log.stat().st_size > SMALL_BYTES, "or all of it is read for each window"
    return log


@pytest.fixture
def reader(log: Path) -> Reader:
    return reader_of(folder(log.parent.resolve()))


@pytest.fixture
def asked(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """What the processes are asked."""
    kinds: list[str] = []
    ask = MatchingProcesses.ask

    def counted(processes: MatchingProcesses, *question: Any, **options: Any) -> Any:
        kinds.append(question[0])
        return ask(processes, *question, **options)

    monkeypatch.setattr(MatchingProcesses, "ask", counted)
    return kinds


def count(reader: Reader, wanted: Filter) -> int:
    with reader.open(Target("app.log")) as file:
        return file.read(lambda source: count_lines(source, no_progress, LineFilter(wanted)), no_progress)


def window(reader: Reader, wanted: Filter, first: int) -> Window:
    request = WindowRequest(Lines(first, None), max_lines=10, line_filter=LineFilter(wanted))
    with reader.open(Target("app.log")) as file:
        return file.read(lambda source: read_window(source, request, no_progress), no_progress)


def expected(log: Path, wanted: Filter, first: int) -> tuple[str, list[int]]:
    kept = [
        (number, line)
        for number, line in enumerate(log.read_text().splitlines(keepends=True), 1)
        if (re.search(wanted.pattern, line) is not None) != wanted.invert and number >= (wanted.first_line or 1)
    ][first - 1 : first + 9]
    return "".join(line for _, line in kept), [number for number, _ in kept]


@pytest.mark.parametrize("wanted", EXPRESSIONS, ids=str)
class TestAWindowThatIsReadAgain:
    def test_asks_no_process(
        self, reader: Reader, log: Path, asked: list[str], wanted: Filter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        let_time_pass(monkeypatch)
        first = count(reader, wanted) // 2
        once = window(reader, wanted, first)
        asked.clear()
        again = window(reader, wanted, first)
        assert asked == []
        assert (again.content, again.line_numbers) == (once.content, once.line_numbers)
        assert (again.content, again.line_numbers) == expected(log, wanted, first)

    def test_asks_none_after_a_file_grew_that_is_being_written(
        self, reader: Reader, log: Path, asked: list[str], wanted: Filter, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        written = log.stat().st_ctime_ns
        monkeypatch.setattr(time, "time_ns", lambda: written)
        matches = count(reader, wanted)
        window(reader, wanted, matches // 2)
        with log.open("a") as file:
            file.write("worker-1 failed, of 777 lines\nworker-1 waits\n")
        assert count(reader, wanted) == matches + 1
        asked.clear()
        again = window(reader, wanted, matches // 2)
        assert asked == []
        assert (again.content, again.line_numbers) == expected(log, wanted, matches // 2)

    def test_shows_what_the_file_holds_after_it_was_changed_in_place(
        self, reader: Reader, log: Path, wanted: Filter
    ) -> None:
        first = count(reader, wanted) // 2
        shown = window(reader, wanted, first)
        data = log.read_bytes()
        assert shown.line_numbers is not None
        lines = data.splitlines(keepends=True)
        for number in shown.line_numbers[1:5]:
            lines[number - 1] = b"x" * (len(lines[number - 1]) - 1) + b"\n"
        status = log.stat()
        with log.open("r+b") as file:
            file.write(b"".join(lines))
        os.utime(log, ns=(status.st_atime_ns, status.st_mtime_ns))
        again = window(reader, wanted, first)
        assert (again.content, again.line_numbers) == expected(log, wanted, first)


def test_only_the_blocks_used_last_are_remembered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(judged_blocks, "_MOST_BLOCKS", 3)
    monkeypatch.setattr(judged_blocks, "_MOST_MATCHES", 10)
    judged, found = JudgedBlocks(), []

    def judge(block: bytes, matches: int) -> list[int]:
        def really() -> list[int]:
            found.append(block)
            return list(range(matches))

        return judged.matching_lines(block, None, really)

    for block in (b"a", b"b", b"c", b"a", b"d"):
        assert judge(block, 1) == [0]
    assert found == [b"a", b"b", b"c", b"d"], "the second time a is known"
    judge(b"a", 1)
    judge(b"b", 1)
    assert found[4:] == [b"b"], "it was the one not used for longest"
    before = judged.memory
    assert judge(b"too many", 11) == judge(b"too many", 11) == list(range(11))
    assert judged.memory == before
    judge(b"many", 10)
    judge(b"b", 1)
    assert found[-2:] == [b"many", b"b"], "nothing else fits beside them"
