"""Runs blocking work off the loop, with cancellation and progress."""

import asyncio
import logging
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Protocol, TypeVar

from forge_protocol.errors import ErrorCode, ReadError

logger = logging.getLogger(__name__)

T = TypeVar("T")

MAX_THREADS = 128
"""Many can be stuck on dead storage before reads of other storage have to wait."""
MOST_AT_ONCE = 8
"""Pieces of work begun together: each may hold an answer of megabytes, and more would not be faster."""
SLOW_SECONDS = 0.25
"""Work that takes longer is not waited for: it may be stuck."""
QUIET_SECONDS = 0.5
"""Work that is done by then needs no progress report."""
REPORT_SECONDS = 0.25
STALLED_SECONDS = 30.0
"""Work that reports no progress for this long is given up; its thread is abandoned."""


class Report(Protocol):
    """Shows the user the progress of long work."""

    def show(self, done: int, total: int) -> None: ...

    def end(self) -> None: ...


class NoReport:
    """For work whose progress is not shown."""

    def show(self, done: int, total: int) -> None:
        pass

    def end(self) -> None:
        pass


class Work:
    """One piece of work. Its `progress` is passed to the engine, which calls it at every step."""

    def __init__(self) -> None:
        self._cancelled = False
        self._seen_alive = time.monotonic()
        self.done = 0
        self.total = 0

    def progress(self, done: int, total: int) -> None:
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
    """Threads that may get stuck without stopping the daemon: the process does not wait for them when it ends."""

    def __init__(self) -> None:
        self._threads = ThreadPoolExecutor(MAX_THREADS, thread_name_prefix="read")
        self._running: set[Work] = set()
        self._slots = asyncio.Semaphore(MOST_AT_ONCE)
        self._may_begin = asyncio.Event()
        self._may_begin.set()

    def pause(self) -> None:
        """Start no work until `resume`: the client is not reading its answers."""
        self._may_begin.clear()

    def resume(self) -> None:
        self._may_begin.set()

    @property
    def is_idle(self) -> bool:
        return not self._running

    async def run(self, job: Callable[[Work], T], report: Report) -> T:
        slot = await self._slot()
        work = Work()
        self._running.add(work)
        future = asyncio.get_running_loop().run_in_executor(self._threads, job, work)
        future.add_done_callback(lambda _: slot.release())
        try:
            finished, _ = await asyncio.wait((future,), timeout=QUIET_SECONDS)
            while not finished:
                report.show(work.done, work.total)
                if work.stalled:
                    logger.warning("storage has not answered for %.0f seconds: its thread is given up", STALLED_SECONDS)
                    raise ReadError(
                        ErrorCode.INTERNAL,
                        f"the storage has not answered for {STALLED_SECONDS:.0f} seconds",
                        retriable=True,
                    )
                finished, _ = await asyncio.wait((future,), timeout=REPORT_SECONDS)
            return future.result()
        finally:
            work.cancel()
            future.add_done_callback(_ignore_outcome)
            self._running.discard(work)
            report.end()

    def let_go(self, close: Callable[[], None]) -> None:
        """Close a file. On dead storage even that may block forever."""
        self._threads.submit(close)

    async def _slot(self) -> "_Slot":
        slot = _Slot(self._slots)
        await self._slots.acquire()
        try:
            await self._may_begin.wait()
        except BaseException:
            slot.release()
            raise
        asyncio.get_running_loop().call_later(SLOW_SECONDS, slot.release)
        return slot

    def cancel_all(self) -> None:
        for work in self._running:
            work.cancel()


class _Slot:
    """A start slot. Released when the work ends, or after SLOW_SECONDS."""

    def __init__(self, slots: asyncio.Semaphore) -> None:
        self._slots: asyncio.Semaphore | None = slots

    def release(self) -> None:
        if self._slots is not None:
            self._slots.release()
            self._slots = None


def _ignore_outcome(future: "asyncio.Future[T]") -> None:
    """Retrieve the outcome of work that is no longer waited for, so that asyncio does not report it."""
    if not future.cancelled():
        future.exception()
