"""The processes that match lines: few, reused, bounded."""

import subprocess
import sys
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from threading import Event, Thread

import pytest

from forge_daemon.reading.search import line_matching
from forge_daemon.reading.search import matching_processes as module
from forge_daemon.reading.search.matching_processes import MatchingProcesses
from forge_protocol.errors import ErrorCode, ReadError

RUNAWAY = ("first", "(a+)+$", False, "a" * 64 + "b", 0)
LONG_LINE = "ab" * (2 * 1024 * 1024 - 10)


def carry_on() -> None:
    pass


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> Iterator[list["subprocess.Popen[bytes]"]]:
    """Every process that was started."""
    started: list[subprocess.Popen[bytes]] = []
    start = module._start

    def start_and_tell() -> "subprocess.Popen[bytes]":
        started.append(start())
        return started[-1]

    monkeypatch.setattr(module, "_start", start_and_tell)
    yield started
    assert all(process.poll() is not None for process in started)


@pytest.fixture
def processes(started: list["subprocess.Popen[bytes]"]) -> Iterator[MatchingProcesses]:
    processes = MatchingProcesses(2)
    yield processes
    processes.close()


def test_one_process_answers_one_question_after_the_other(
    processes: MatchingProcesses, started: list["subprocess.Popen[bytes]"]
) -> None:
    for text in ("xa", "ya"):
        assert processes.ask("first", "a", False, text, 0, proceed=carry_on) == (0, 1, 2)
    assert len(started) == 1


def test_many_questions_at_once_share_the_processes(
    processes: MatchingProcesses, started: list["subprocess.Popen[bytes]"]
) -> None:
    with ThreadPoolExecutor(12) as pool:
        asked = [pool.submit(processes.ask, "all", "a", False, "a\nb\na", proceed=carry_on) for _ in range(24)]
        assert [each.result() for each in asked] == [[0, 2]] * 24
    assert 1 <= len(started) <= 2


def test_an_expression_that_takes_too_long_is_stopped_and_the_next_one_answered(processes: MatchingProcesses) -> None:
    with pytest.raises(ReadError, match="longer than 2 seconds of processor time") as refused:
        processes.ask(*RUNAWAY, proceed=carry_on)
    assert refused.value.code == ErrorCode.INVALID_ARGUMENT
    assert processes.ask("all", "a", False, "a", proceed=carry_on) == [0]


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits a process's memory")
@pytest.mark.parametrize("expression", ["((((a|b))))*[xy]", "(?:(.)(.)|(.))*[xy]"])
def test_an_expression_that_takes_too_much_memory_is_stopped(processes: MatchingProcesses, expression: str) -> None:
    with pytest.raises(ReadError, match="more than 160 MiB of memory") as refused:
        processes.ask("first", expression, False, LONG_LINE, 0, proceed=carry_on)
    assert refused.value.code == ErrorCode.INVALID_ARGUMENT


def test_the_longest_line_needs_no_more_memory_than_is_allowed(processes: MatchingProcesses) -> None:
    line = "\ufffd" * (4 * 1024 * 1024)
    assert processes.ask("first", "x?\ufffd$", False, line, 0, proceed=carry_on) == (0, len(line) - 1, len(line))


class Cancelled(Exception):
    pass


def test_a_search_that_is_cancelled_does_not_wait_for_its_answer(
    processes: MatchingProcesses, started: list["subprocess.Popen[bytes]"]
) -> None:
    def cancel_what_runs() -> None:
        if started:
            raise Cancelled

    with pytest.raises(Cancelled):
        processes.ask(*RUNAWAY, proceed=cancel_what_runs)
    assert started[0].poll() is not None


def test_a_search_that_was_cancelled_before_its_turn_starts_no_process(
    processes: MatchingProcesses, started: list["subprocess.Popen[bytes]"]
) -> None:
    def cancel() -> None:
        raise Cancelled

    with pytest.raises(Cancelled):
        processes.ask(*RUNAWAY, proceed=cancel)
    assert started == []


def test_a_search_that_waits_for_a_process_can_be_cancelled(processes: MatchingProcesses) -> None:
    finish = Event()

    def hold() -> None:
        if finish.is_set():
            raise Cancelled

    def occupy() -> None:
        with pytest.raises(Cancelled):
            processes.ask("first", "(a|aa)+$", False, "a" * 60 + "b", 0, proceed=hold)

    holders = [Thread(target=occupy) for _ in range(2)]
    for holder in holders:
        holder.start()
    while processes._free._value:
        pass
    asked = 0

    def cancel_when_waiting() -> None:
        nonlocal asked
        asked += 1
        finish.set()
        raise Cancelled

    with pytest.raises(Cancelled):
        processes.ask("first", "(a|aa)+$", False, "a" * 60 + "b", 0, proceed=cancel_when_waiting)
    for holder in holders:
        holder.join()
    assert asked == 1


def test_a_process_that_died_while_idle_is_replaced(
    processes: MatchingProcesses, started: list["subprocess.Popen[bytes]"]
) -> None:
    processes.ask("all", "a", False, "a", proceed=carry_on)
    started[0].kill()
    started[0].wait()
    assert processes.ask("all", "a", False, "a", proceed=carry_on) == [0]


def test_a_process_ends_when_its_stream_does(started: list["subprocess.Popen[bytes]"]) -> None:
    with module._start() as process:
        assert process.stdin is not None
        process.stdin.close()
        assert process.wait(60) == 0


@pytest.mark.skipif(sys.platform == "win32", reason="only wall-clock time is limited there")
def test_a_process_that_is_busy_ends_with_the_daemon() -> None:
    """Long before its time is up, which on a busy machine takes many seconds."""
    child = f"import {line_matching.__name__} as it; it.SECONDS = 300; it.main({{os.getpid()}})"
    daemon = f"""
import marshal, os, subprocess, sys
child = subprocess.Popen([sys.executable, "-c", f{child!r}], stdin=subprocess.PIPE)
child.stdin.write(marshal.dumps({RUNAWAY}))
child.stdin.flush()
os._exit(0)
"""
    # The child holds the other end of the pipe.
    subprocess.run([sys.executable, "-c", daemon], stdout=subprocess.PIPE, timeout=60, check=True)
