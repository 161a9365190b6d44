"""Runs blocking work on threads, so that nothing that gets stuck stops anything else."""

import logging
import threading
import time
from collections.abc import Callable
from typing import Protocol

from forge_protocol.errors import ErrorCode, ReadError

logger = logging.getLogger(__name__)

MAX_RUNNING = 128
"""Pieces of work at a time, each on a thread of its own."""
FULL_SECONDS = 2.0
"""How long the next piece waits for one of them to end. Meanwhile nothing is received."""
SLOW_SECONDS = 0.01
"""Nothing waits for work that takes longer: it may be stuck."""
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
    """Threads that take turns. The one whose turn it is receives requests and runs their work itself. If some takes
    long, the turn passes to a new thread, and the first one ends with that work. Usable from any thread.

    Python runs one thread at a time: handing work over to another would only cost the time to wake it.
    """

    def __init__(self) -> None:
        self._receive_next: Callable[[], bool] | None = None
        self._whose_turn: threading.Thread | None = None
        self._running: set[Work] = set()
        self._places = threading.Semaphore(MAX_RUNNING)
        self._lock = threading.Lock()
        self._is_busy = threading.Event()
        threading.Thread(target=self._supervise, name="workers", daemon=True).start()

    def serve(self, receive_next: Callable[[], bool]) -> None:
        """Call a function again and again, on one thread at a time, until it returns False. It calls `run`."""
        self._receive_next = receive_next
        self._pass_turn()

    def run(self, work: Work) -> None:
        """Run work on the calling thread. If too much is running, and for too long, the work is given up."""
        if not self._places.acquire(timeout=FULL_SECONDS):
            reason = f"{MAX_RUNNING} requests are already running"
            work.give_up(ReadError(ErrorCode.INTERNAL, reason, retriable=True))
            return
        with self._lock:
            self._running.add(work)
            self._is_busy.set()
        try:
            work.run(work)
        except Exception as error:
            logger.error("work failed: %s", type(error).__name__)
            logger.debug("work failed", exc_info=error)
        finally:
            with self._lock:
                self._running.discard(work)
            self._places.release()

    def cancel_all(self) -> None:
        """Cancel what is running."""
        with self._lock:
            running = list(self._running)
        for work in running:
            work.cancel()

    def _pass_turn(self) -> None:
        """To a daemon thread: one that is stuck on dead storage does not keep the process alive."""
        if self._receive_next is not None:
            self._whose_turn = threading.Thread(target=self._take_turn, args=(self._receive_next,), daemon=True)
            self._whose_turn.start()

    def _take_turn(self, receive_next: Callable[[], bool]) -> None:
        while self._whose_turn is threading.current_thread() and receive_next():
            pass

    def _supervise(self) -> None:
        while True:
            self._is_busy.wait()
            time.sleep(SLOW_SECONDS)
            self.check()

    def check(self) -> None:
        """Pass the turn if the work of the thread that has it is slow, and give up work that is stalled."""
        now = time.monotonic()
        with self._lock:
            if not self._running:
                self._is_busy.clear()
                return
            for work in self._running:
                if not work.is_slow and not work.is_writing and now - work.started > SLOW_SECONDS:
                    work.is_slow = True
                    self._pass_turn()
            stalled = [work for work in self._running if work.is_stalled(now) and not work.is_given_up]
        for work in stalled:
            logger.warning("storage has not answered for %.0f seconds: its thread is given up", STALLED_SECONDS)
            work.is_given_up = True
            work.cancel()
            work.end_report()
            reason = f"the storage has not answered for {STALLED_SECONDS:.0f} seconds"
            work.give_up(ReadError(ErrorCode.INTERNAL, reason, retriable=True))
