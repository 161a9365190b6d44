"""How long a process takes, without the time in which other programs kept the processors from it.

On a machine without other work that is the time on the clock. Bars that are times can be judged on any other, too.
"""

import os
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple


class _Spent(NamedTuple):
    """Of one thread, as the kernel's scheduler has it, in nanoseconds."""

    running: int
    kept_waiting: int


class Undisturbed:
    """Begins to measure when it is made."""

    def __init__(self, process: int) -> None:
        self._process = process
        self._before = _threads_of(process)
        self._mine_before = _threads()
        self._started = time.monotonic()

    def seconds(self) -> float:
        """The time since then. Threads that were kept waiting at once count as if one after the other."""
        took = time.monotonic() - self._started
        waits = [now.kept_waiting - before.kept_waiting for before, now in self._since()]
        waits += [now.kept_waiting - before.kept_waiting for before, now in _pairs(self._mine_before, _threads())]
        return max(0.0, took - sum(waits) / 1e9)

    def processor_seconds(self) -> float:
        """What the process and its children worked since then."""
        return sum(now.running - before.running for before, now in self._since()) / 1e9

    def _since(self) -> Iterator[tuple[_Spent, _Spent]]:
        return _pairs(self._before, _threads_of(self._process))


_NOTHING = _Spent(0, 0)


def _pairs(before: dict[Path, _Spent], now: dict[Path, _Spent]) -> Iterator[tuple[_Spent, _Spent]]:
    return ((before.get(thread, _NOTHING), spent) for thread, spent in now.items())


def _threads_of(process: int) -> dict[Path, _Spent]:
    """Of a process and of all that it started."""
    found: dict[Path, _Spent] = {}
    pending = [str(process)]
    while pending:
        threads = _threads(pending.pop())
        found |= threads
        for thread in threads:
            with suppress(OSError):  # it ended
                pending += (thread / "children").read_text().split()
    return found


def _threads(process: str = "self") -> dict[Path, _Spent]:
    tasks = Path("/proc", process, "task")
    try:
        return {tasks / name: _spent(tasks / name) for name in os.listdir(tasks)}
    except OSError:
        return {}


def _spent(thread: Path) -> _Spent:
    try:
        running, kept_waiting, _ = (thread / "schedstat").read_text().split()
    except (OSError, ValueError):
        return _NOTHING
    return _Spent(int(running), int(kept_waiting))
