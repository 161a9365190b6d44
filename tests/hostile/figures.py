"""The table that `make fuzz` prints: the bar and the measured figure of each row."""

from collections import Counter, defaultdict
from collections.abc import Iterable

PROPERTY = "figure"
"""Under which a test records one."""
BARS = {
    "hostile frames, hand-written": "130",
    "hostile frames, generated": "1,000,000",
    "hostile paths, hand-written": "190",
    "hostile paths, generated": "100,000 against the kernel's own resolution",
    "race": "1,000,000 opens per attack, 0 bytes from outside",
    "hostile contents, hand-written": "60",
    "stale reads": "0 of 100,000 rewrites per mode",
    "wrong not_modified, wrong cursors of young files": "0 of 10,000 on each file system",
    "wrong lines of a file rewritten in place": "0 of 10,000 answers on each file system that lets a read wait",
    "answers of a log that is appended to": "0 of 10,000 wrong or CONTENT_MODIFIED on each file system",
    "matches that a search passes over": "0 of 1,180,000 in 2,780,000 random lines",
    "filters and searches compared with a model": "9,600 answers",
    "faults injected": "1,000, right code each, no descriptor lost",
    "faults injected by strace": "each call of the real process",
    "clients killed at random": "gone, no orphan",
    "exit after end of input, SIGTERM, SIGINT, stdout closed": "0.5 s",
    "exit after the parent's death, stdin held by another": "5 s",
    "other spellings of a secret's name": "all denied",
    "steps of the state machine": "10,000",
    "small read beside 1,000 requests and 64 stuck reads, p99": "100 ms",
    "request about a hostile repository, slowest": "2 s",
    "small read beside it, p99": "100 ms",
    "client that never reads, resident": "bounded",
    "two answers of 32 MiB of control characters, resident": "500 MiB",
    "soak": "1,000,000 requests, start + 16 MiB + cache limit, descriptors and threads flat",
}
"""In the table's order."""


_LARGEST = frozenset({"request about a hostile repository, slowest", "small read beside it, p99"})
"""Rows of which only the largest figure is told."""


def table(recorded: Iterable[tuple[str, str, int | None]]) -> str:
    amounts: defaultdict[str, Counter[str]] = defaultdict(Counter)
    times: defaultdict[str, Counter[str]] = defaultdict(Counter)
    for what, measured, amount in recorded:
        if amount is None:
            times[what][measured] += 1
        else:
            amounts[what][measured] += amount
    rows = [("what", "bar", "measured"), ("---", "---", "---")]
    left_out = []
    for what, bar in BARS.items():
        figures = [f"{amount:,} {measured}" for measured, amount in amounts[what].items()]
        if what in _LARGEST and times[what]:
            figures.append(f"at most {max(times[what], key=_number)} in {times[what].total()} repositories")
        else:
            figures += [f"{often} x {measured}" if often > 1 else measured for measured, often in times[what].items()]
        if figures:
            rows.append((what, bar, "; ".join(figures)))
        else:
            left_out.append(f"not run: {what}")
    return "\n".join([*(f"| {' | '.join(row)} |" for row in rows), *left_out])


def _number(measured: str) -> float:
    return float(measured.split()[0])
