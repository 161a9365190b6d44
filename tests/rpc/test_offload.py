"""Work off the loop: its progress, and what happens to work whose answer is no longer wanted."""

import asyncio
import threading
from functools import partial

import pytest

from forge_daemon.rpc import offload
from forge_daemon.rpc.offload import Offload, Work
from forge_protocol.errors import ErrorCode, ReadError


class Report:
    """Lets the work continue once it has been shown."""

    def __init__(self) -> None:
        self.shown: list[tuple[int, int]] = []
        self.was_shown = threading.Event()
        self.ended = 0

    def show(self, done: int, total: int) -> None:
        self.shown.append((done, total))
        self.was_shown.set()

    def end(self) -> None:
        self.ended += 1


async def test_work_that_takes_long_is_shown_and_then_finished() -> None:
    report = Report()

    def job(work: Work) -> str:
        work.progress(3, 10)
        assert report.was_shown.wait(30)
        return "done"

    assert await Offload().run(job, report) == "done"
    assert report.shown[0] == (3, 10)
    assert report.ended == 1


async def test_short_work_is_not_shown() -> None:
    report = Report()
    assert await Offload().run(lambda _: 5, report) == 5
    assert (report.shown, report.ended) == ([], 1)


async def test_an_error_of_the_work_is_an_error_of_whoever_waits() -> None:
    def job(_: Work) -> None:
        raise ReadError(ErrorCode.NOT_FOUND, "nothing there")

    with pytest.raises(ReadError, match="nothing there"):
        await Offload().run(job, Report())


async def test_work_that_shows_no_sign_of_life_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(offload, "STALLED_SECONDS", 0.0)
    stuck, stopped = threading.Event(), threading.Event()

    def job(work: Work) -> None:
        stuck.wait(30)
        try:
            work.progress(1, 2)
        except ReadError:
            stopped.set()
            raise

    with pytest.raises(ReadError, match="has not answered") as caught:
        await Offload().run(job, Report())
    assert (caught.value.code, caught.value.retriable) == (ErrorCode.INTERNAL, True)
    stuck.set()
    assert await asyncio.to_thread(stopped.wait, 30)


async def test_work_is_cancelled_with_the_task_that_waits_for_it_and_with_all_others() -> None:
    offloaded, stopped = Offload(), [threading.Event(), threading.Event()]

    def job(number: int, work: Work) -> None:
        try:
            while True:
                work.progress(0, 1)
                threading.Event().wait(0.001)
        finally:
            stopped[number].set()

    tasks = [asyncio.ensure_future(offloaded.run(partial(job, number), Report())) for number in range(2)]
    await asyncio.sleep(0)
    tasks[0].cancel()
    assert await asyncio.to_thread(stopped[0].wait, 30)
    assert not stopped[1].is_set()
    offloaded.cancel_all()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert isinstance(results[0], asyncio.CancelledError)
    assert isinstance(results[1], ReadError)


async def test_a_file_is_let_go_without_waiting_for_its_storage() -> None:
    answered, closed_by = threading.Event(), list[int]()

    def close() -> None:
        assert answered.wait(30)
        closed_by.append(threading.get_ident())

    Offload().let_go(close)
    assert closed_by == []
    answered.set()
    while not closed_by:
        await asyncio.sleep(0.01)
    assert closed_by != [threading.get_ident()]
