"""What came of the rows: the table, and `bench.json`."""

import os
import platform
from collections.abc import Sequence
from enum import StrEnum
from typing import Any, NamedTuple

from .quantities import shown
from .row import Bar, Curves, Figures, Row

_COLUMNS = ("ours", "against", "ratio", "bar", "verdict")
_WIDTHS = (12, 12, 8, 17, 0)
_TIMES = "\N{MULTIPLICATION SIGN}"


class Verdict(StrEnum):
    REACHED_AIM = "ok, aim reached"
    HELD = "ok"
    MISSED = "MISSED"
    SKIPPED = "skipped"
    BROKEN = "BROKEN"
    """It should have been measured, and something went wrong."""


class Outcome(NamedTuple):
    row: Row
    verdict: Verdict
    figures: Figures | None = None
    remark: str = ""


def judged(row: Row, figures: Figures) -> Outcome:
    if not row.bar.holds(figures.ratio):
        verdict = Verdict.MISSED
    elif row.bar.reaches_aim(figures.ratio):
        verdict = Verdict.REACHED_AIM
    else:
        verdict = Verdict.HELD
    return Outcome(row, verdict, figures, figures.remark)


def heading(rows: Sequence[Row]) -> str:
    return _line(rows, "row", _COLUMNS)


def line(rows: Sequence[Row], outcome: Outcome) -> str:
    figures = outcome.figures
    measured = ("", "", "")
    if figures is not None:
        ours, theirs = shown(figures.ours, figures.unit), shown(figures.theirs, figures.unit)
        measured = (ours, theirs, f"{figures.ratio:.3g} {_TIMES}")
    verdict = f"{outcome.verdict}: {outcome.remark}" if outcome.remark else outcome.verdict
    return _line(rows, outcome.row.title, (*measured, _bar(outcome.row.bar), verdict))


def summary(outcomes: Sequence[Outcome]) -> str:
    parts = []
    for verdict in Verdict:
        names = [outcome.row.name for outcome in outcomes if outcome.verdict is verdict]
        if names:
            parts.append(f"{verdict}: {len(names)} ({', '.join(names)})")
    return "\n".join(parts)


def exit_code(outcomes: Sequence[Outcome], *, quick: bool) -> int:
    """Not 0 where a row could not be measured or missed its bar; the verdicts of a quick run are hints."""
    failed = {Verdict.BROKEN} if quick else {Verdict.BROKEN, Verdict.MISSED}
    return int(any(outcome.verdict in failed for outcome in outcomes))


def as_json(outcomes: Sequence[Outcome], curves: Curves, *, quick: bool, load: float) -> dict[str, Any]:
    return {
        "machine": {
            "system": platform.platform(),
            "python": platform.python_version(),
            "processors": os.cpu_count(),
            "load_before": load,
        },
        "quick": quick,
        "rows": [_row_as_json(outcome) for outcome in outcomes],
        "growth": curves,
    }


def _row_as_json(outcome: Outcome) -> dict[str, Any]:
    row, figures = outcome.row, outcome.figures
    return {
        "name": row.name,
        "title": row.title,
        "bar": row.bar._asdict(),
        **({**figures._asdict(), "ratio": figures.ratio} if figures else {}),
        "verdict": outcome.verdict,
        "remark": outcome.remark,
    }


def _bar(bar: Bar) -> str:
    aim = f" (aim {bar.aim:g})" if bar.aim is not None else ""
    return f"{'≥' if bar.at_least else '≤'} {bar.limit:g} {_TIMES}{aim}"


def _line(rows: Sequence[Row], title: str, cells: Sequence[str]) -> str:
    width = max(len(row.title) for row in rows)
    padded = (cell.ljust(wide) for cell, wide in zip(cells, _WIDTHS, strict=True))
    return f"{title:{width}}  {'  '.join(padded)}".rstrip()
