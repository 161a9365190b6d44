"""Measuring contenders in turns."""

import os
import resource
import statistics
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from time import clock_gettime, perf_counter

from .row import Skipped


def alternate(rounds: int, *contenders: Callable[[], Iterable[float]]) -> list[float]:
    """Each contender's median, measured in turns: whatever slows the machine down slows them all down."""
    samples: list[list[float]] = [[] for _ in contenders]
    for _ in range(rounds):
        for contender, seconds in zip(contenders, samples, strict=True):
            seconds.extend(contender())
    return [statistics.median(seconds) for seconds in samples]


def time_command(*command: str, cwd: Path | None = None) -> list[float]:
    """Seconds from spawning it to having all of its output."""
    started = perf_counter()
    subprocess.run(command, cwd=cwd, check=True, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    return [perf_counter() - started]


def processor_seconds_of_command(*command: str, cwd: Path | None = None) -> list[float]:
    """Processor time, from spawning it to having all of its output. Finding nothing (exit code 1) is a result too."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    output = subprocess.run(command, cwd=cwd, stdout=subprocess.PIPE, stdin=subprocess.DEVNULL)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert output.returncode in (0, 1), f"{command} ended with {output.returncode}"
    return [after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime]


def processor_seconds(pid: int) -> float:
    """What a process and its children took until now, to the nanosecond for those that run."""
    seconds = 0.0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            if stat.parent.name == str(pid) or fields[1] == str(pid):
                of_ended_children = sum(map(int, fields[13:15])) / os.sysconf("SC_CLK_TCK")
                seconds += clock_gettime(_clock_of(int(stat.parent.name))) + of_ended_children
        except OSError:
            continue  # it has ended meanwhile
    if not seconds:
        raise Skipped("needs /proc")
    return seconds


def _clock_of(pid: int) -> int:
    """Linux's name for the clock of a process, as `clock_getcpuclockid` makes it."""
    return (~pid << 3) | 2


def resident_bytes(pid: int) -> int:
    """As `ps` tells, which Linux and macOS share."""
    output = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], check=True, capture_output=True, text=True)
    return int(output.stdout) * 1024
