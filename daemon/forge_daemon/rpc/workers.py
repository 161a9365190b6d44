"""Runs blocking work on threads, so that nothing that gets stuck stops anything else."""

import logging
import threading
import time
from collections.abc import Callable
from queue import SimpleQueue
from typing import Protocol

from forge_protocol.errors import ErrorCode, ReadError

logger = logging.getLogger(__name__)

MAX_THREADS = 128
SLOW_SECONDS = 0.01
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
    """One thread takes work from a queue. If some takes long, another thread takes the rest, and the first one ends
    with that work. Usable from any thread.

    Python runs one thread at a time: several would take its lock from each other at every call of the system.
    """

    def __init__(self) -> None:
        self._waiting: SimpleQueue[Work] = SimpleQueue()
        self._running: set[Work] = set()
        self._lock = threading.Lock()
        self._is_busy = threading.Event()
        threading.Thread(target=self._supervise, name="workers", daemon=True).start()
        self._start_thread()

    def submit(self, work: Work) -> None:
        self._waiting.put(work)

    def cancel_all(self) -> None:
        """Cancel what is running."""
        with self._lock:
            running = list(self._running)
        for work in running:
            work.cancel()

    def _start_thread(self) -> None:
        """A daemon thread: one that is stuck on dead storage does not keep the process alive."""
        threading.Thread(target=self._serve, name="worker", daemon=True).start()

    def _serve(self) -> None:
        is_replaced = False
        while not is_replaced:
            work = self._waiting.get()
            work.started = time.monotonic()
            with self._lock:
                self._running.add(work)
                if not self._is_busy.is_set():
                    self._is_busy.set()
            try:
                work.run(work)
            except Exception as error:
                logger.error("work failed: %s", type(error).__name__)
                logger.debug("work failed", exc_info=error)
            with self._lock:
                self._running.discard(work)
                is_replaced = work.is_slow

    def _supervise(self) -> None:
        while True:
            self._is_busy.wait()
            time.sleep(SLOW_SECONDS)
            self.check()

    def check(self) -> None:
        """Replace a thread whose work is slow, and give up work that is stalled."""
        now = time.monotonic()
        with self._lock:
            if not self._running:
                self._is_busy.clear()
                return
            for work in self._running:
                is_slow = now - work.started > SLOW_SECONDS and not work.is_writing
                if is_slow and not work.is_slow and len(self._running) < MAX_THREADS:
                    work.is_slow = True
                    self._start_thread()
            stalled = [work for work in self._running if work.is_stalled(now) and not work.is_given_up]
        for work in stalled:
            logger.warning("storage has not answered for %.0f seconds: its thread is given up", STALLED_SECONDS)
            work.is_given_up = True
            work.cancel()
            work.end_report()
            reason = f"the storage has not answered for {STALLED_SECONDS:.0f} seconds"
            work.give_up(ReadError(ErrorCode.INTERNAL, reason, retriable=True))
