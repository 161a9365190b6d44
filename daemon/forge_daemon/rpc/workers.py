"""Runs blocking work on threads, a few at a time, so that nothing that gets stuck stops anything else."""

import logging
import threading
import time
from collections import deque
from collections.abc import Callable
from functools import partial
from typing import Protocol

from forge_daemon.daemon_threads import DaemonThreads
from forge_protocol.errors import ErrorCode, ReadError

logger = logging.getLogger(__name__)

MAX_THREADS = 128
MAX_ACTIVE = 8
"""Work that runs together, without what is slow: each may hold an answer of megabytes, and more would not be faster."""
SLOW_SECONDS = 0.25
"""Work that takes longer is not waited for: it may be stuck."""
STALLED_SECONDS = 30.0
"""Work that reports no progress for this long is given up; its thread is abandoned."""
QUIET_SECONDS = 0.5
"""Work that is done by then needs no progress report."""
REPORT_SECONDS = 0.25
_CANCELLED = "cancelled by the client"


class Report(Protocol):
    """Shows the user the progress of long work."""

    def show(self, done: int, total: int) -> None: ...

    def end(self) -> None: ...


class Work:
    """One piece of work. Its `progress` is passed to the engine, which calls it at every step."""

    def __init__(
        self,
        run: Callable[["Work"], object],
        give_up: Callable[[ReadError], object] = lambda _: None,
    ) -> None:
        self.run = run
        self.give_up = give_up
        """Called if the work is cancelled, or does not end. It may end all the same later."""
        self.is_writing = False
        """It waits for the client, not for storage."""
        self.is_slow = False
        self.is_given_up = False
        self.started = self._seen_alive = time.monotonic()
        self._next_report = self.started + QUIET_SECONDS
        self._is_cancelled = False
        self._report: Report | None = None
        self._reporting = threading.Lock()

    def progress(self, done: int, total: int) -> None:
        self._require_wanted()
        self._seen_alive = now = time.monotonic()
        if self._report is not None and now >= self._next_report:
            self._next_report = now + REPORT_SECONDS
            with self._reporting:
                if self._report is not None:
                    self._report.show(done, total)
            self._require_wanted()

    def report_to(self, report: Report) -> None:
        self._report = report

    def end_report(self) -> bool:
        """False while a report is being sent, which is not waited for."""
        if not self._reporting.acquire(blocking=False):
            return False
        report, self._report = self._report, None
        if report is not None:
            report.end()
        self._reporting.release()
        return True

    def cancel(self) -> None:
        self._is_cancelled = True

    def stop(self) -> None:
        """Cancel it, and answer for it now. If it is sending a report it answers for itself right after that."""
        self.cancel()
        if self.end_report():
            self.give_up(ReadError(ErrorCode.CANCELLED, _CANCELLED))

    def _require_wanted(self) -> None:
        if self._is_cancelled:
            raise ReadError(ErrorCode.CANCELLED, _CANCELLED)

    def is_stalled(self, now: float) -> bool:
        return now - self._seen_alive > STALLED_SECONDS and not self.is_writing


class Workers:
    """Usable from any thread."""

    def __init__(self) -> None:
        self._threads = DaemonThreads("worker", MAX_THREADS)
        self._lock = threading.Lock()
        self._waiting: deque[Work] = deque()
        self._running: set[Work] = set()
        self._active = 0
        """How many are running and not slow."""
        self._is_busy = threading.Event()
        threading.Thread(target=self._supervise, name="workers", daemon=True).start()

    def submit(self, work: Work) -> None:
        with self._lock:
            self._waiting.append(work)
            self._start_waiting()
        self._is_busy.set()

    def cancel_all(self) -> None:
        with self._lock:
            everything = [*self._waiting, *self._running]
            self._waiting.clear()
        for work in everything:
            work.cancel()

    def _start_waiting(self) -> None:
        """Start as many as may run. The lock is held."""
        while self._waiting and self._active < MAX_ACTIVE:
            work = self._waiting.popleft()
            self._active += 1
            self._running.add(work)
            work.started = time.monotonic()
            self._threads.start(partial(self._run, work))

    def _run(self, work: Work) -> None:
        try:
            work.run(work)
        except Exception as error:
            logger.error("work failed: %s", type(error).__name__)
            logger.debug("work failed", exc_info=error)
        with self._lock:
            self._running.discard(work)
            self._active -= not work.is_slow
            self._start_waiting()

    def _supervise(self) -> None:
        while True:
            self._is_busy.wait()
            time.sleep(SLOW_SECONDS)
            self.check()

    def check(self) -> None:
        """Replace threads that are slow, and give up work that is stalled."""
        now = time.monotonic()
        with self._lock:
            if not self._running and not self._waiting:
                self._is_busy.clear()
                return
            for work in self._running:
                if not work.is_slow and not work.is_writing and now - work.started > SLOW_SECONDS:
                    work.is_slow = True
                    self._active -= 1
            stalled = [work for work in self._running if work.is_stalled(now) and not work.is_given_up]
            self._start_waiting()
        for work in stalled:
            logger.warning("storage has not answered for %.0f seconds: its thread is given up", STALLED_SECONDS)
            work.is_given_up = True
            work.cancel()
            work.end_report()
            reason = f"the storage has not answered for {STALLED_SECONDS:.0f} seconds"
            work.give_up(ReadError(ErrorCode.INTERNAL, reason, retriable=True))
