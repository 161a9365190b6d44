"""Measure, show, write down."""

import argparse
import compileall
import json
import os
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path

from .contest import Contest
from .dependencies import dependencies_table
from .files import cache_folder
from .plot import draw
from .results import Outcome, Verdict, as_json, exit_code, heading, judged, line, summary
from .row import Curves, Row, Skipped
from .rows import ROWS

_PLOTS = Path(__file__).parent / "plots"
_PLOT_TITLES = {
    "warm": "A window at the end of a log read before",
    "cold": "A window at the end of a log never seen before",
}


def main() -> int:
    options = _options()
    if options.dependencies:
        print(dependencies_table())
        return 0
    load = os.getloadavg()[0]
    for remark in _remarks(options.quick, load):
        print(remark)
    # As an installed package is: a checkout has no compiled modules until they were imported once.
    for package in ("daemon", "protocol"):
        compileall.compile_dir(package, quiet=1)
    rows = [row for row in ROWS if not options.only or row.name in options.only]
    with Contest(cache_folder(), quick=options.quick) as contest:
        outcomes = _measured(rows, contest)
    print(f"\n{summary(outcomes)}")
    figures = as_json(outcomes, contest.curves, quick=options.quick, load=load)
    options.json.write_text(json.dumps(figures, indent=2) + "\n")
    _draw(contest.curves, options.plots or (cache_folder() if options.quick else _PLOTS))
    return exit_code(outcomes, quick=options.quick)


def _remarks(quick: bool, load: float) -> Iterator[str]:
    if quick:
        yield "A quick run: smaller logs, few samples. Its verdicts are hints."
    if load > (os.cpu_count() or 1) / 2:
        yield f"The machine is busy (load {load:.1f} on {os.cpu_count()} processors): the verdicts may be unjust."


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.bench", description=__doc__)
    names = [row.name for row in ROWS]
    parser.add_argument("--only", nargs="+", choices=names, metavar="ROW", help=f"of {', '.join(names)}")
    parser.add_argument("--quick", action="store_true", help="take seconds, not minutes")
    parser.add_argument("--json", type=Path, default=Path("bench.json"), help="where the figures go")
    parser.add_argument("--plots", type=Path, help="the folder the plots go to")
    parser.add_argument("--dependencies", action="store_true", help="show only what each dependency costs")
    return parser.parse_args()


def _measured(rows: Sequence[Row], contest: Contest) -> list[Outcome]:
    outcomes = []
    print(heading(rows), flush=True)
    for row in rows:
        outcomes.append(_outcome(row, contest))
        print(line(rows, outcomes[-1]), flush=True)
    return outcomes


def _outcome(row: Row, contest: Contest) -> Outcome:
    try:
        return judged(row, row.measure(contest))
    except Skipped as reason:
        return Outcome(row, Verdict.SKIPPED, remark=str(reason))
    except Exception as error:  # the other rows can still be measured
        return Outcome(row, Verdict.BROKEN, remark=f"{type(error).__name__}: {error}")


def _draw(curves: Curves, folder: Path) -> None:
    for name, contenders in curves.items():
        folder.mkdir(parents=True, exist_ok=True)
        (folder / f"{name}.svg").write_text(draw(_PLOT_TITLES[name], contenders), encoding="utf-8")


if __name__ == "__main__":
    sys.exit(main())
