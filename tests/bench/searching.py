"""Searching a log of 1 GiB that the daemon has never seen."""

from typing import Any

from .contest import Contest
from .files import warm
from .row import Bar, Figures, Row
from .timing import alternate, time_command


def _find(contest: Contest) -> Figures:
    return _searched(contest, _last_heading(contest), {}, "-c")


def _find_in_any_case(contest: Contest) -> Figures:
    return _searched(contest, _last_heading(contest).upper(), {"ignore_case": True}, "-ci")


def _searched(contest: Contest, literal: str, params: dict[str, Any], grep_option: str) -> Figures:
    log = contest.log
    warm(log)
    ours, theirs = alternate(
        contest.repeat(9),
        lambda: contest.time_cold("forge/find", {"path": log.name, "pattern": literal, **params}),
        lambda: time_command("grep", grep_option, literal, str(log)),
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


ROWS = [
    Row("find", "a literal at the end of 1 GiB, cold, against grep -c", Bar(4), _find),
    Row("find-any-case", "the same literal in any case, cold, against grep -ci", Bar(4), _find_in_any_case),
]
