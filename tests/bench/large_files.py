"""A log of 1 GiB. Cold means that the daemon has never seen it; the page cache is warm for all contenders."""

from pathlib import Path

from .contest import WINDOW_LINES, Contest, window
from .files import MIB, warm
from .row import Bar, Figures, Row
from .timing import alternate, time_command

_BLOCK = 25


def _deep_window_warm(contest: Contest) -> Figures:
    deep, shallow = window(contest.log, contest.deep_line), window(contest.files.log(MIB))
    contest.forge.request("forge/readFile", deep)
    ours, theirs = alternate(
        contest.repeat(80),
        lambda: contest.forge.time("forge/readFile", deep, _BLOCK),
        lambda: contest.forge.time("forge/readFile", shallow, _BLOCK),
    )
    return Figures(ours, theirs)


def _first_window(contest: Contest) -> Figures:
    first = window(contest.log)
    ours, theirs = alternate(
        contest.repeat(300),
        lambda: contest.time_cold("forge/readFile", first),
        lambda: contest.forge.time("forge/readFile", first),
    )
    return Figures(ours, theirs)


def _count(contest: Contest) -> Figures:
    log = _warm_log(contest)
    ours, theirs = alternate(
        contest.repeat(9),
        lambda: contest.time_cold("forge/countLines", {"path": log.name}),
        lambda: time_command("wc", "-l", str(log)),
    )
    return Figures(ours, theirs)


def _deep_window_cold(contest: Contest) -> Figures:
    log, first = _warm_log(contest), contest.deep_line
    last = first + WINDOW_LINES - 1
    ours, theirs = alternate(
        contest.repeat(9),
        lambda: contest.time_cold("forge/readFile", window(log, first)),
        lambda: time_command("sed", "-n", f"{first},{last}p;{last}q", str(log)),
    )
    return Figures(ours, theirs)


def _tail(contest: Contest) -> Figures:
    log = contest.log
    ours, theirs = alternate(
        contest.repeat(100),
        lambda: contest.time_cold("forge/readFile", {"path": log.name, "tail": WINDOW_LINES}),
        lambda: time_command("tail", "-n", str(WINDOW_LINES), str(log)),
    )
    return Figures(ours, theirs)


def _warm_log(contest: Contest) -> Path:
    warm(contest.log)
    return contest.log


ROWS = [
    Row(
        "deep",
        "warm window at line 10,000,000 of 1 GiB, against line 1 of 1 MiB",
        Bar(1.3),
        _deep_window_warm,
    ),
    Row("first", "first window of 1 GiB never seen, against a warm one", Bar(2), _first_window),
    Row("count", "countLines of 1 GiB, cold, against wc -l", Bar(2, aim=1), _count),
    Row("deep-cold", "window at line 10,000,000, cold, against sed", Bar(0.5), _deep_window_cold),
    Row("tail", "tail of 1 GiB, cold, against tail -n 200", Bar(1.5), _tail),
]
