"""Work on threads: its progress, and what happens to work that does not end."""

import threading
from collections.abc import Callable

import pytest

from forge_daemon.rpc import workers as workers_module
from forge_daemon.rpc.workers import Work, Workers
from forge_protocol.errors import ErrorCode, ReadError

PATIENCE = 30.0
MANY = 16


class Report:
    def __init__(self) -> None:
        self.shown: list[tuple[int, int]] = []
        self.ended = 0

    def show(self, done: int, total: int) -> None:
        self.shown.append((done, total))

    def end(self) -> None:
        self.ended += 1


def submit(workers: Workers, run: Callable[[Work], object]) -> threading.Event:
    """Set when the work has ended."""
    ended = threading.Event()

    def run_and_tell(work: Work) -> None:
        try:
            run(work)
        finally:
            ended.set()

    workers.submit(Work(run_and_tell))
    return ended


def test_work_that_takes_long_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers_module, "QUIET_SECONDS", 0.0)
    report, work = Report(), Work(lambda _: None)
    work.report_to(report)
    work.progress(3, 10)
    work.progress(4, 10)
    assert report.shown == [(3, 10)], "not at every step"
    work.end_report()
    work.end_report()
    assert report.ended == 1


def test_short_work_is_not_reported() -> None:
    report, work = Report(), Work(lambda _: None)
    work.report_to(report)
    work.progress(3, 10)
    assert report.shown == []


def test_work_that_shows_no_sign_of_life_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers_module, "STALLED_SECONDS", 0.0)
    answers, go_on, stopped = Workers(), threading.Event(), threading.Event()
    errors: list[ReadError] = []
    given_up = threading.Event()

    def job(work: Work) -> None:
        go_on.wait(PATIENCE)
        try:
            work.progress(1, 2)
        except ReadError:
            stopped.set()

    def give_up(error: ReadError) -> None:
        errors.append(error)
        given_up.set()

    answers.submit(Work(job, give_up))
    assert given_up.wait(PATIENCE)
    go_on.set()
    assert stopped.wait(PATIENCE)
    (error,) = errors
    assert (error.code, error.retriable) == (ErrorCode.INTERNAL, True)


def test_slow_work_is_replaced_so_that_other_work_is_done() -> None:
    workers, go_on = Workers(), threading.Event()
    slow = [submit(workers, lambda _: go_on.wait(PATIENCE)) for _ in range(MANY)]
    assert submit(workers, lambda _: None).wait(PATIENCE)
    assert not any(ended.is_set() for ended in slow)
    go_on.set()
    assert all(ended.wait(PATIENCE) for ended in slow)


def test_when_every_thread_is_stuck_work_waits_until_one_comes_free(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers_module, "SLOW_SECONDS", 0.0)
    monkeypatch.setattr(workers_module, "MAX_THREADS", MANY)
    workers, go_on, begun = Workers(), threading.Event(), threading.Semaphore(0)

    def get_stuck(_: Work) -> None:
        begun.release()
        go_on.wait(PATIENCE)

    stuck = [submit(workers, get_stuck) for _ in range(MANY)]
    assert all(begun.acquire(timeout=PATIENCE) for _ in stuck)
    waiting = [submit(workers, lambda _: None) for _ in range(MANY)]
    assert not any(ended.is_set() for ended in waiting)
    go_on.set()
    assert all(ended.wait(PATIENCE) for ended in waiting)


def test_work_that_waits_for_the_client_is_not_replaced(monkeypatch: pytest.MonkeyPatch) -> None:
    """Or a client that does not read would be prepared any number of answers."""
    monkeypatch.setattr(workers_module, "SLOW_SECONDS", 0.01)
    workers, go_on, begun = Workers(), threading.Event(), threading.Semaphore(0)

    def write(work: Work) -> None:
        work.is_writing = True
        begun.release()
        go_on.wait(PATIENCE)

    writing = [submit(workers, write) for _ in range(MANY)]
    assert begun.acquire(timeout=PATIENCE)
    for _ in range(10):
        workers.check()
    assert not begun.acquire(timeout=0.2)
    go_on.set()
    assert all(ended.wait(PATIENCE) for ended in writing)


def test_all_work_can_be_cancelled() -> None:
    workers, begun = Workers(), threading.Event()

    def job(work: Work) -> None:
        while True:
            work.progress(0, 1)
            begun.set()

    ended = submit(workers, job)
    assert begun.wait(PATIENCE)
    workers.cancel_all()
    assert ended.wait(PATIENCE)


def test_work_that_fails_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    workers = Workers()
    for _ in range(MANY):
        submit(workers, lambda _: 1 / 0)
    assert submit(workers, lambda _: None).wait(PATIENCE)
    assert "work failed: ZeroDivisionError" in caplog.text
