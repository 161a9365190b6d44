"""Only the lines of a 1 GiB log that match: the first pass in processor time, then windows far down."""

from typing import Any

from .contest import WINDOW_LINES, Contest, window
from .files import warm
from .row import Bar, Figures, Row
from .timing import alternate, processor_seconds, processor_seconds_of_command

_MANY = 50
"""Windows: the clock of processor time is too coarse for one."""
_GOAL_BYTES = 857_000_000
"""To be filtered in a second."""
_RARE, _COMMON = "served in 46 ms", "ERROR"
_EXPRESSION = r"timeout after \d{6} ms|attempt 7 of"


def _first_pass(contest: Contest, wanted: dict[str, Any]) -> float:
    """How many seconds it takes to count the matches of a log never seen."""
    contest.forget()
    before = processor_seconds(contest.forge.pid)
    contest.forge.request("forge/countLines", {"path": contest.log.name, "filter": wanted})
    return processor_seconds(contest.forge.pid) - before


def _against_the_goal(contest: Contest) -> Figures:
    warm(contest.log)
    (ours,) = alternate(contest.repeat(9), lambda: [_first_pass(contest, {"pattern": _RARE})])
    return Figures(ours, contest.log.stat().st_size / _GOAL_BYTES)


def _common(contest: Contest) -> Figures:
    return _against_grep(contest, {"pattern": _COMMON}, "-c", _COMMON)


def _expression(contest: Contest) -> Figures:
    for_grep = _EXPRESSION.replace(r"\d", "[0-9]")
    return _against_grep(contest, {"pattern": _EXPRESSION, "regex": True}, "-cE", for_grep)


def _against_grep(contest: Contest, wanted: dict[str, Any], option: str, for_grep: str) -> Figures:
    log = contest.log
    warm(log)
    ours, theirs = alternate(
        contest.repeat(9),
        lambda: [_first_pass(contest, wanted)],
        lambda: processor_seconds_of_command("grep", option, for_grep, str(log)),
    )
    return Figures(ours, theirs)


def _window(**wanted: Any) -> dict[str, Any]:
    return {"filter": wanted, "max_lines": WINDOW_LINES}


def _windows(contest: Contest, request: dict[str, Any]) -> list[float]:
    before = processor_seconds(contest.forge.pid)
    for _ in range(_MANY):
        contest.forge.request("forge/readFile", request)
    return [processor_seconds(contest.forge.pid) - before]


def _far_down(contest: Contest) -> Figures:
    """The slowest of all kinds of filters, each in the middle of what passes."""
    worst, remarks = Figures(0, 1), []
    plain = window(contest.log, contest.deep_line)
    for name, wanted in {
        "rare": _window(pattern=_RARE),
        "common": _window(pattern=_COMMON),
        "inverted": _window(pattern=_COMMON, invert=True),
        "expression": _window(pattern=r"worker-\d\d\] [0-9a-f]+ user", regex=True),
        "context": _window(pattern=_RARE, before=3, after=3),
        "level": _window(level="error"),
        "records": _window(pattern=_COMMON, records=True),
        "since": _window(since="-10000w"),
        "until": _window(pattern=_COMMON, until="12:00"),
        "any, all, none": _window(
            any=[{"pattern": _COMMON}, {"pattern": "WARN"}],
            all=[{"pattern": "worker-1"}],
            none=[{"pattern": "user"}],
        ),
    }.items():
        asked = {"path": contest.log.name, "filter": wanted["filter"]}
        matches = contest.forge.request("forge/countLines", asked)["line_count"]
        far = {"path": contest.log.name, "start_line": matches // 2 + 1, **wanted}
        for request in (far, plain):
            contest.forge.request("forge/readFile", request)
        ours, theirs = alternate(
            contest.repeat(6),
            lambda far=far: _windows(contest, far),  # type: ignore[misc]
            lambda: _windows(contest, plain),
        )
        found = Figures(ours, theirs)
        remarks.append(f"{name}: {found.ratio:.2g}")
        worst = max(worst, found, key=lambda figures: figures.ratio)
    return worst._replace(remark="; ".join(remarks))


ROWS = [
    Row("filter", "1 GiB filtered by a rare literal, cold, against 857 MB a second", Bar(2, aim=1), _against_the_goal),
    Row("filter-common", "1 GiB filtered by ERROR (one line of six), cold, against grep -c", Bar(5), _common),
    Row("filter-expression", "1 GiB filtered by an expression, cold, against grep -cE", Bar(4), _expression),
    Row("filter-window", "filtered window far down 1 GiB, warm, against a plain one (CPU)", Bar(3), _far_down),
]
