"""Threads that may get stuck on dead storage: nothing waits for them when the process ends."""

import threading
from collections import deque
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")

MAX_LOOKS = 64


class DaemonThreads:
    """Runs each job on an idle thread, else on a new one. With `limit` threads busy, jobs wait."""

    def __init__(self, name: str, limit: int) -> None:
        self._name = name
        self._limit = limit
        self._jobs: deque[Callable[[], object]] = deque()
        self._has_job = threading.Condition()
        """Wakes one thread for a job. A `SimpleQueue` wakes another one for each that takes a job."""
        self._idle = 0
        self._number = 0

    def start(self, job: Callable[[], object]) -> None:
        with self._has_job:
            self._jobs.append(job)
            if self._idle:
                self._idle -= 1
                self._has_job.notify()
                return
            if self._number == self._limit:
                return
            self._number += 1
        threading.Thread(target=self._run, name=self._name, daemon=True).start()

    def _run(self) -> None:
        while True:
            with self._has_job:
                while not self._jobs:
                    self._idle += 1
                    self._has_job.wait()
                job = self._jobs.popleft()
            job()


_looks = DaemonThreads("look", MAX_LOOKS)
_unanswered: set[str] = set()
"""Storage that has not answered a look yet."""


def with_timeout(look: Callable[[], T], seconds: float, storage: str) -> T | None:
    """What `look` returns or raises; None if the storage does not answer in time.

    For storage that the caller did not ask for, such as that of another folder. While it owes an answer it is not
    looked at again, so that no more threads get stuck there.
    """
    if storage in _unanswered:
        return None
    results: list[T] = []
    errors: list[BaseException] = []
    done = threading.Event()

    def run() -> None:
        try:
            results.append(look())
        except BaseException as error:
            errors.append(error)
        finally:
            done.set()
            _unanswered.discard(storage)

    _looks.start(run)
    if not done.wait(seconds):
        _unanswered.add(storage)
        if done.is_set():  # a moment too late
            _unanswered.discard(storage)
    if errors:
        raise errors.pop()
    return results[0] if results else None
