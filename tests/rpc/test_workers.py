"""Work on threads: its progress, and what happens to work that does not end."""

import threading
import time
from collections.abc import Callable
from queue import SimpleQueue

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


class Client:
    """Sends work to the workers, which receive it in this order."""

    def __init__(self) -> None:
        self.workers = Workers()
        self._sent: SimpleQueue[Work] = SimpleQueue()
        self.workers.serve(self._receive_next)

    def _receive_next(self) -> bool:
        self.workers.run(self._sent.get())
        return True

    def send(self, run: Callable[[Work], object], give_up: Callable[[ReadError], object] = print) -> threading.Event:
        """Returns what is set when the work has ended."""
        ended = threading.Event()

        def run_and_tell(work: Work) -> None:
            try:
                run(work)
            finally:
                ended.set()

        self._sent.put(Work(run_and_tell, give_up))
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
    client, go_on, stopped = Client(), threading.Event(), threading.Event()
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

    client.send(job, give_up)
    assert given_up.wait(PATIENCE)
    go_on.set()
    assert stopped.wait(PATIENCE)
    (error,) = errors
    assert (error.code, error.retriable) == (ErrorCode.INTERNAL, True)


def test_while_work_takes_long_another_thread_receives_the_next() -> None:
    client, go_on = Client(), threading.Event()
    slow = [client.send(lambda _: go_on.wait(PATIENCE)) for _ in range(MANY)]
    assert client.send(lambda _: None).wait(PATIENCE)
    assert not any(ended.is_set() for ended in slow)
    go_on.set()
    assert all(ended.wait(PATIENCE) for ended in slow)


def test_work_is_received_in_order_by_one_thread_at_a_time() -> None:
    client, threads = Client(), set[threading.Thread]()
    order: list[int] = []
    ended = []
    for number in range(MANY):
        pause = 2 * workers_module.SLOW_SECONDS if number % 4 == 0 else 0.0

        def run(_: Work, number: int = number, pause: float = pause) -> None:
            order.append(number)
            threads.add(threading.current_thread())
            time.sleep(pause)

        ended.append(client.send(run))
    assert all(each.wait(PATIENCE) for each in ended)
    assert order == list(range(MANY))
    assert len(threads) > 1, "slow work passed the turn"


def test_work_is_refused_while_too_much_is_running_and_the_next_is_received(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(workers_module, "MAX_RUNNING", MANY)
    monkeypatch.setattr(workers_module, "FULL_SECONDS", 0.01)
    client, go_on, errors = Client(), threading.Event(), list[ReadError]()
    stuck = [client.send(lambda _: go_on.wait(PATIENCE)) for _ in range(MANY)]
    refused = threading.Semaphore(0)

    def note(error: ReadError) -> None:
        errors.append(error)
        refused.release()

    never_run = [client.send(lambda _: None, note) for _ in range(MANY)]
    assert all(refused.acquire(timeout=PATIENCE) for _ in never_run)
    assert {(error.code, error.retriable) for error in errors} == {(ErrorCode.INTERNAL, True)}
    go_on.set()
    assert all(ended.wait(PATIENCE) for ended in stuck)
    assert client.send(lambda _: None).wait(PATIENCE)
    assert not any(ended.is_set() for ended in never_run)


def test_while_work_waits_for_the_client_nothing_more_is_received() -> None:
    """Or a client that does not read would be prepared any number of answers."""
    client, go_on, begun = Client(), threading.Event(), threading.Semaphore(0)

    def write(work: Work) -> None:
        work.is_writing = True
        begun.release()
        go_on.wait(PATIENCE)

    writing = [client.send(write) for _ in range(MANY)]
    assert begun.acquire(timeout=PATIENCE)
    for _ in range(10):
        client.workers.check()
    assert not begun.acquire(timeout=0.2)
    go_on.set()
    assert all(ended.wait(PATIENCE) for ended in writing)


def test_all_work_can_be_cancelled() -> None:
    client, begun = Client(), threading.Event()

    def job(work: Work) -> None:
        while True:
            work.progress(0, 1)
            begun.set()

    ended = client.send(job)
    assert begun.wait(PATIENCE)
    client.workers.cancel_all()
    assert ended.wait(PATIENCE)


def test_work_that_fails_stops_nothing(caplog: pytest.LogCaptureFixture) -> None:
    client = Client()
    for _ in range(MANY):
        client.send(lambda _: 1 / 0)
    assert client.send(lambda _: None).wait(PATIENCE)
    assert "work failed: ZeroDivisionError" in caplog.text
