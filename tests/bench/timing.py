"""Taking turns, and watching other processes."""

import statistics
import subprocess
from collections.abc import Callable, Iterable
from pathlib import Path
from time import perf_counter


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


def resident_bytes(pid: int) -> int:
    """As `ps` tells, which Linux and macOS share."""
    output = subprocess.run(["ps", "-o", "rss=", "-p", str(pid)], check=True, capture_output=True, text=True)
    return int(output.stdout) * 1024
