"""How quickly other requests are answered during a long scan."""

import json
import statistics
import sys
import time
from time import perf_counter

from .client import BrokenPeer, result_in
from .contest import Contest, window
from .files import warm
from .row import Bar, Figures, Row, Skipped

_CANCELLED = -32800
_STOP_SECONDS = 0.05
_INTO_THE_SCAN_SECONDS = 0.05
_QUIET_SECONDS = 0.02
"""A process that has hardly used the processor for so long has stopped."""
_HARDLY = 0.1
_WINDOWS = 400


def _beside_a_scan(contest: Contest) -> Figures:
    """What nine of ten windows take at most while lines are counted, against the usual window.

    Of each round, and then the median round: other machines on the same host make single rounds much slower.
    """
    warm(contest.endless_log)
    usual: list[float] = []
    beside: list[float] = []
    alone: list[float] = []
    for _ in range(contest.repeat(9)):
        windows = contest.forge.time("forge/readFile", window(contest.files.module()), _WINDOWS)
        usual.append(statistics.median(windows))
        alone.append(_at_most_for_nine_of_ten(windows))
        beside.append(_at_most_for_nine_of_ten(_windows_during_a_scan(contest)))
    p50 = statistics.median(usual)
    remark = f"without the scan: {statistics.median(alone) / p50:.3g} times"
    return Figures(statistics.median(beside), p50, remark=remark)


def _at_most_for_nine_of_ten(seconds: list[float]) -> float:
    return statistics.quantiles(seconds, n=10)[8]


def _windows_during_a_scan(contest: Contest) -> list[float]:
    forge = contest.forge
    contest.forget()
    forge.request("forge/readFile", window(contest.files.module()))
    scan_id, scan = forge.message("forge/countLines", {"path": contest.endless_log.name})
    window_id, ask = forge.message("forge/readFile", window(contest.files.module()))
    forge.send(scan)
    seconds: list[float] = []
    while True:
        started = perf_counter()
        forge.send(ask)
        body = forge.receive()
        elapsed = perf_counter() - started
        answer = json.loads(body)
        result_in(answer)
        if answer["id"] == scan_id:
            forge.answer_to(window_id)
            return seconds
        seconds.append(elapsed)


def _cancel(contest: Contest) -> Figures:
    if sys.platform != "linux":
        raise Skipped("only Linux tells how busy another process is")
    warm(contest.endless_log)
    return Figures(max(_seconds_to_stop(contest) for _ in range(contest.repeat(20))), _STOP_SECONDS)


def _seconds_to_stop(contest: Contest) -> float:
    """From the cancel until it is answered and the work has really stopped."""
    forge = contest.forge
    contest.forget()
    scan_id, scan = forge.message("forge/countLines", {"path": contest.endless_log.name})
    forge.send(scan)
    time.sleep(_INTO_THE_SCAN_SECONDS)
    cancelled = perf_counter()
    forge.notify("$/cancelRequest", {"id": scan_id})
    answer = forge.answer_to(scan_id)
    answered = perf_counter()
    if answer.get("error", {}).get("code") != _CANCELLED:
        raise BrokenPeer("the scan was over before it could be cancelled")
    return max(answered, _idle_since(forge.pid)) - cancelled


def _idle_since(pid: int) -> float:
    busy_until = looked = perf_counter()
    used = _processor_seconds(pid)
    while looked - busy_until < _QUIET_SECONDS:
        time.sleep(0.002)
        before, used_before = looked, used
        looked, used = perf_counter(), _processor_seconds(pid)
        if used - used_before > _HARDLY * (looked - before):
            busy_until = looked
    return busy_until


def _processor_seconds(pid: int) -> float:
    """What all its threads have used, by the clock Linux keeps of every process (clock_getcpuclockid(3))."""
    return time.clock_gettime(~pid << 3 | 2)


ROWS = [
    Row("beside", "window beside a 4 GiB scan, p90, against its usual p50", Bar(4), _beside_a_scan),
    Row("cancel", "stopping a scan, slowest of 20, against 50 ms", Bar(1), _cancel),
]
