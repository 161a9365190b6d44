"""What people ask of a log: what is in it, and where a time is."""

from .contest import Contest, window
from .files import warm
from .row import Bar, Figures, Row
from .timing import alternate, processor_seconds, processor_seconds_of_command


def _describe(contest: Contest) -> Figures:
    log = contest.log
    warm(log)

    def describe() -> list[float]:
        contest.forget()
        before = processor_seconds(contest.forge.pid)
        contest.forge.request("forge/describe", {"path": log.name})
        return [processor_seconds(contest.forge.pid) - before]

    ours, theirs = alternate(contest.repeat(3), describe, lambda: processor_seconds_of_command("wc", "-l", str(log)))
    return Figures(ours, theirs)


def _find_time(contest: Contest) -> Figures:
    """Both need the number of a line in the middle."""
    asked = {"path": contest.log.name, "time": "2026-03-14T12:00"}
    deep = window(contest.log, contest.deep_line)
    for method, params in (("forge/findTime", asked), ("forge/readFile", deep)):
        contest.forge.request(method, params)
    ours, theirs = alternate(
        contest.repeat(40),
        lambda: contest.forge.time("forge/findTime", asked),
        lambda: contest.forge.time("forge/readFile", deep),
    )
    return Figures(ours, theirs)


ROWS = [
    Row("describe", "describe 1 GiB, with levels and records, against wc -l", Bar(3), _describe),
    Row("find-time", "a time in 1 GiB, warm, against a plain window far down", Bar(5), _find_time),
]
