"""Searching a log of 1 GiB that the daemon has never seen. All figures are processor time."""

import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

from .contest import Contest
from .files import GIB, warm
from .row import Bar, Figures, Row
from .timing import alternate, processor_seconds, processor_seconds_of_command

_SLOWEST_PER_GIB = 2.5
"""Seconds: an expression need not be faster than this where grep is."""


def _find(contest: Contest) -> Figures:
    heading = _last_heading(contest)
    return _searched(contest, {"pattern": heading}, "-c", heading)


def _find_in_any_case(contest: Contest) -> Figures:
    heading = _last_heading(contest).upper()
    return _searched(contest, {"pattern": heading, "ignore_case": True}, "-ci", heading)


def _find_expression(expression: str) -> Callable[[Contest], Figures]:
    """It is nowhere in the log."""

    def find(contest: Contest) -> Figures:
        for_grep = expression.replace(r"\d", "[0-9]")
        ours, theirs, *_ = _searched(contest, {"pattern": expression, "regex": True}, "-cE", for_grep)
        return Figures(ours, max(theirs, _SLOWEST_PER_GIB * contest.log.stat().st_size / GIB))

    return find


def _searched(contest: Contest, params: dict[str, Any], grep_option: str, for_grep: str) -> Figures:
    log, forge = contest.log, contest.forge
    warm(log)

    def search() -> list[float]:
        contest.forget()
        before = processor_seconds(forge.pid)
        forge.request("forge/find", {"path": log.name, **params})
        return [processor_seconds(forge.pid) - before]

    ours, theirs = alternate(
        contest.repeat(9), search, lambda: processor_seconds_of_command("grep", grep_option, for_grep, str(log))
    )
    return Figures(ours, theirs)


def _find_command(contest: Contest) -> Figures:
    heading = _last_heading(contest)
    warm(contest.log)
    script = str(Path(sys.executable).with_name("forge-read"))
    ours, theirs = alternate(
        contest.repeat(9),
        lambda: processor_seconds_of_command(script, "find", "--count", heading, str(contest.log)),
        lambda: processor_seconds_of_command("grep", "-c", heading, str(contest.log)),
    )
    return Figures(ours, theirs)


def _last_heading(contest: Contest) -> str:
    """Stands once in the log, close to its end: all of it is searched, and its lines are counted."""
    behind_every_line = {"direction": "backward", "start_line": 1 << 50}
    found = contest.forge.request(
        "forge/find", {"path": contest.log.name, "pattern": "---- part ", **behind_every_line}
    )
    heading: str = found["match"]["content"].lstrip("- ")
    return heading


_EXPRESSIONS = {
    "alternatives": "NEEDLE_X|NIDDLE_Y",
    "digits": r"[a-z]{5} \d{3}-\d{4}",
    "word": r"\b[A-Z]{6}_[A-Z]{5}\b",
    "fields": r"user=\w+ .* status=59\d",
}

ROWS = [
    Row("find", "a literal at the end of 1 GiB, cold, against grep -c", Bar(2), _find),
    Row("find-any-case", "the same literal in any case, cold, against grep -ci", Bar(2), _find_in_any_case),
    Row("find-command", "forge-read find --count in 1 GiB, start-up included, against grep -c", Bar(3), _find_command),
    *(
        Row(
            f"find-{name}",
            f"{expression} in 1 GiB, against grep -cE or 2.5 s per GiB, the slower",
            Bar(1.2),
            _find_expression(expression),
        )
        for name, expression in _EXPRESSIONS.items()
    ),
]
