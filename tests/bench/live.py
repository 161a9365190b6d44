"""Logs that grow while they are read."""

import json
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from .contest import Contest, window
from .row import Bar, Figures, Row
from .timing import alternate, processor_seconds

_BLOCK = 25
_NOTICED_SECONDS = 0.3
_IDLE_FOLLOWS = 10
_IDLE_SHARE = 0.01
_WRITER = """
import sys, time
path, rate = sys.argv[1], int(sys.argv[2])
with open(path, "ab", buffering=0) as log:
    while True:
        log.write(b"2026-11-16T12:00:00 INFO another line of a log that is being written\\n" * max(1, rate // 100))
        time.sleep(max(1, rate // 100) / rate)
"""


@contextmanager
def _growing(contest: Contest, lines_a_second: int) -> Iterator[Path]:
    log = contest.files.folder / "growing.log"
    shutil.copyfile(contest.log, log)
    writer = subprocess.Popen([sys.executable, "-c", _WRITER, str(log), str(lines_a_second)])
    try:
        yield log
    finally:
        writer.kill()
        writer.wait()
        log.unlink()


def _deep_window(contest: Contest) -> Figures:
    still = window(contest.log, contest.deep_line)
    remarks: list[str] = []
    worst = Figures(0, 1)
    for rate in (10, 100, 10_000):
        with _growing(contest, rate) as log:
            growing = window(log, contest.deep_line)
            for request in (still, growing, growing):
                contest.forge.request("forge/readFile", request)
            ours, theirs = alternate(
                contest.repeat(40),
                lambda growing=growing: contest.forge.time("forge/readFile", growing, _BLOCK),  # type: ignore[misc]
                lambda: contest.forge.time("forge/readFile", still, _BLOCK),
            )
        found = Figures(ours, theirs)
        remarks.append(f"{rate:,} lines a second: {found.ratio:.2g}")
        worst = max(worst, found, key=lambda figures: figures.ratio)
    return worst._replace(remark="; ".join(remarks))


def _latency(contest: Contest) -> Figures:
    """From the end of a write to the event. The file is looked at four times a second while it is quiet."""
    log = contest.files.folder / "followed.log"
    log.write_text("first\n")
    forge = contest.another_forge()
    forge.request("forge/follow", {"path": log.name})
    seconds = []
    for number in range(contest.repeat(30)):
        time.sleep(0.4)
        with log.open("a") as file:
            file.write(f"line {number}\n")
        started = time.perf_counter()
        event = json.loads(forge.receive())
        seconds.append(time.perf_counter() - started)
        forge.answer(event["id"], None)
    log.unlink()
    return Figures(statistics.quantiles(seconds, n=10)[8], _NOTICED_SECONDS)


def _idle_follows(contest: Contest) -> Figures:
    """The share of a processor that quiet files take."""
    forge = contest.another_forge()
    for number in range(_IDLE_FOLLOWS):
        log = contest.files.folder / f"idle{number}.log"
        log.write_text("first\n")
        forge.request("forge/follow", {"path": log.name})
    seconds = 5 if contest.quick else 20
    time.sleep(1)  # until it is quiet after the start
    before = processor_seconds(forge.pid)
    time.sleep(seconds)
    share = (processor_seconds(forge.pid) - before) / seconds
    for number in range(_IDLE_FOLLOWS):
        (contest.files.folder / f"idle{number}.log").unlink()
    return Figures(share, _IDLE_SHARE, "of a processor")


ROWS = [
    Row("live-deep", "deep window of a log that grows against the same of one that does not", Bar(3), _deep_window),
    Row("follow-latency", "from a write to its event, 9 of 10, against 300 ms", Bar(1), _latency),
    Row("follow-idle", "ten quiet follows against 1 % of a processor", Bar(1), _idle_follows),
]
