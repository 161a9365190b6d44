"""The last window of larger and larger logs."""

from collections.abc import Callable
from functools import partial
from pathlib import Path

from .contest import WINDOW_LINES, Contest, window
from .files import GIB, MIB, warm
from .row import Bar, Curve, Figures, Row
from .timing import alternate, time_command

_SIZES = (MIB, 16 * MIB, 256 * MIB, GIB, 4 * GIB)
_BLOCK = 25


def _warm(contest: Contest) -> Figures:
    """Flat: the largest takes as long as the smallest."""
    requests = [window(log, line) for log, line in _last_windows(contest)]
    seconds = alternate(
        contest.repeat(40),
        *(partial(contest.forge.time, "forge/readFile", request, _BLOCK) for request in requests),
    )
    contest.curves["warm"] = {"forge-read": _points(contest, seconds)}
    return Figures(seconds[-1], seconds[0])


def _cold(contest: Contest) -> Figures:
    """Linear: a byte of the largest takes as long as one of the middle size; small ones mostly pay for asking."""
    last_windows = _last_windows(contest)
    ours = [partial(contest.time_cold, "forge/readFile", window(log, line)) for log, line in last_windows]
    theirs = [_sed(log, line) for log, line in last_windows]
    seconds = alternate(contest.repeat(5), *ours, *theirs)
    contest.curves["cold"] = {
        "forge-read": _points(contest, seconds[: len(ours)]),
        "sed": _points(contest, seconds[len(ours) :]),
    }
    per_gib = [value / size * GIB for size, value in contest.curves["cold"]["forge-read"]]
    return Figures(per_gib[-1], per_gib[len(per_gib) // 2], "s/GiB")


def _sizes(contest: Contest) -> tuple[int, ...]:
    return _SIZES[:3] if contest.quick else _SIZES


def _last_windows(contest: Contest) -> list[tuple[Path, int]]:
    """Each log, now in the page cache, and the line its last window starts at."""
    found = []
    for log in map(contest.files.log, _sizes(contest)):
        warm(log)
        lines = contest.forge.request("forge/countLines", {"path": log.name})["line_count"]
        found.append((log, lines - WINDOW_LINES + 1))
    return found


def _sed(log: Path, line: int) -> Callable[[], list[float]]:
    return partial(time_command, "sed", "-n", f"{line},$p", str(log))


def _points(contest: Contest, seconds: list[float]) -> Curve:
    return list(zip(_sizes(contest), seconds, strict=True))


ROWS = [
    Row("growth-warm", "last window, warm: 4 GiB against 1 MiB (flat)", Bar(1.3), _warm),
    Row("growth-cold", "last window, cold, per byte: 4 GiB against 256 MiB (linear)", Bar(1.3), _cold),
]
