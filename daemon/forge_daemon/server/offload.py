"""Blocking work off the loop, with a token to stop it and to see how far it is."""

import asyncio
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from forge_daemon.reading.scan import stand_back
from forge_protocol.errors import ErrorCode, ReadError

T = TypeVar("T")

MAX_THREADS = 128
"""More than can be stuck on dead storage at once, so that the living are still served."""
QUIET_SECONDS = 0.5
"""Work that is done by then needs no progress report."""
REPORT_SECONDS = 0.25
STALLED_SECONDS = 30.0
"""Work that shows no sign of life for so long is given up; its thread is left behind."""


class Report(Protocol):
    """Shows a person how far long work is."""

    def show(self, done: int, total: int) -> None: ...

    def end(self) -> None: ...


class Work:
    """One piece of work: its `watch` is handed to the engine, which calls it at every step."""

    def __init__(self) -> None:
        self._cancelled = False
        self._seen_alive = time.monotonic()
        self.done = 0
        self.total = 0

    def watch(self, done: int, total: int) -> None:
        if self._cancelled:
            raise ReadError(ErrorCode.CANCELLED, "cancelled")
        self.done, self.total = done, total
        self._seen_alive = time.monotonic()

    def cancel(self) -> None:
        self._cancelled = True

    @property
    def stalled(self) -> bool:
        return time.monotonic() - self._seen_alive > STALLED_SECONDS


class Offload:
    """Threads that may get stuck without stopping the daemon: the process does not wait for them to end."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="read", initializer=stand_back)
        self._running: set[Work] = set()

    async def run(self, job: Callable[[Work], T], report: Report) -> T:
        work = Work()
        self._running.add(work)
        future = asyncio.get_running_loop().run_in_executor(self._threads, job, work)
        try:
            finished, _ = await asyncio.wait((future,), timeout=QUIET_SECONDS)
            while not finished:
                report.show(work.done, work.total)
                if work.stalled:
                    raise ReadError(
                        ErrorCode.INTERNAL,
                        f"the storage has not answered for {STALLED_SECONDS:.0f} seconds",
                        retriable=True,
                    )
                finished, _ = await asyncio.wait((future,), timeout=REPORT_SECONDS)
            return future.result()
        finally:
            work.cancel()
            future.add_done_callback(_have_seen)
            self._running.discard(work)
            report.end()

    def cancel_all(self) -> None:
        for work in self._running:
            work.cancel()


def _have_seen(future: "asyncio.Future[T]") -> None:
    """How work ends that nobody waits for any more is no news, and asyncio need not complain about it."""
    if not future.cancelled():
        future.exception()
