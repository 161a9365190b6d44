"""What the benchmark says and draws, from canned numbers: nothing is timed here."""

import json
import xml.etree.ElementTree as ET
from itertools import pairwise

import pytest

from tests.bench.framing import HEADERS, LINES, Framing
from tests.bench.plot import draw
from tests.bench.results import Outcome, Verdict, as_json, exit_code, heading, judged, line, summary
from tests.bench.row import Bar, Figures, Row
from tests.bench.timing import alternate

SVG = "{http://www.w3.org/2000/svg}"


def row(bar: Bar, name: str = "echo") -> Row:
    return Row(name, f"the row {name}", bar, lambda _: Figures(1, 1))


@pytest.mark.parametrize(
    ("bar", "figures", "verdict"),
    [
        (Bar(2, aim=1.5), Figures(2.1, 1), Verdict.MISSED),
        (Bar(2, aim=1.5), Figures(2, 1), Verdict.HELD),
        (Bar(2, aim=1.5), Figures(1.5, 1), Verdict.REACHED_AIM),
        (Bar(2.5, at_least=True), Figures(24, 10), Verdict.MISSED),
        (Bar(2.5, at_least=True), Figures(26, 10), Verdict.HELD),
    ],
)
def test_a_ratio_is_judged_by_its_bar(bar: Bar, figures: Figures, verdict: Verdict) -> None:
    assert judged(row(bar), figures).verdict is verdict


def test_a_line_shows_both_sides_the_ratio_and_the_bar() -> None:
    slow = row(Bar(2, aim=1.5))
    shown = line([slow], judged(slow, Figures(0.0009, 0.0003)))
    assert shown.split("  ")[0] == "the row echo"
    for part in ("900 µs", "300 µs", "3 ×", "≤ 2 × (aim 1.5)", "MISSED"):  # noqa: RUF001
        assert part in shown
    assert heading([slow]).index("verdict") == shown.index("MISSED")


def test_a_row_that_cannot_be_measured_says_why() -> None:
    skipped = Outcome(row(Bar(1), "mcp"), Verdict.SKIPPED, remark="npm is not installed")
    assert line([skipped.row], skipped).endswith("skipped: npm is not installed")


def test_the_summary_names_the_rows_of_each_verdict() -> None:
    good, bad = judged(row(Bar(1), "good"), Figures(1, 1)), judged(row(Bar(1), "bad"), Figures(2, 1))
    assert summary([good, bad]) == "ok: 1 (good)\nMISSED: 1 (bad)"


@pytest.mark.parametrize(
    ("verdict", "full", "quick"),
    [
        (Verdict.REACHED_AIM, 0, 0),
        (Verdict.HELD, 0, 0),
        (Verdict.SKIPPED, 0, 0),
        (Verdict.MISSED, 1, 0),
        (Verdict.BROKEN, 1, 1),
    ],
)
def test_bench_fails_if_a_limit_is_exceeded_and_a_quick_run_only_if_nothing_was_measured(
    verdict: Verdict, full: int, quick: int
) -> None:
    outcomes = [judged(row(Bar(1)), Figures(1, 1)), Outcome(row(Bar(1)), verdict)]
    assert exit_code(outcomes, quick=False) == full
    assert exit_code(outcomes, quick=True) == quick


def test_the_figures_survive_json() -> None:
    curves = {"warm": {"forge-read": [(1024, 0.5)]}}
    written = json.loads(json.dumps(as_json([judged(row(Bar(2)), Figures(3, 2))], curves, quick=True, load=0.1)))
    assert written["rows"][0]["ratio"] == 1.5
    assert written["rows"][0]["verdict"] == "ok"
    assert written["growth"]["warm"]["forge-read"] == [[1024, 0.5]]


def test_equal_times_are_drawn_at_equal_height_and_equal_factors_at_equal_distance() -> None:
    flat, linear = (
        [(2**20, 1e-3), (2**24, 1e-3), (2**28, 1e-3)],
        [(2**20, 1e-3), (2**24, 16e-3), (2**28, 256e-3)],
    )
    picture = ET.fromstring(draw("a < b", {"flat": flat, "linear": linear}))
    first, second = (_points(curve) for curve in picture.iter(f"{SVG}polyline"))
    assert len({y for _, y in first}) == 1
    steps = [(x - x0, y0 - y) for (x0, y0), (x, y) in pairwise(second)]
    assert steps[0] == pytest.approx(steps[1], abs=0.2)
    assert all(y0 > 0 for _, y0 in steps)
    labels = [text.text for text in picture.iter(f"{SVG}text")]
    assert {"a < b", "1 MiB", "256 MiB", "flat: 1 ms", "linear: 256 ms"} <= set(labels)


def test_contenders_take_turns_and_the_median_counts() -> None:
    turns: list[str] = []
    seconds = iter([3.0, 1.0, 2.0])

    def ours() -> list[float]:
        turns.append("ours")
        return [next(seconds)]

    def theirs() -> list[float]:
        turns.append("theirs")
        return [5.0]

    assert alternate(3, ours, theirs) == [2.0, 5.0]
    assert turns == ["ours", "theirs"] * 3


@pytest.mark.parametrize("framing", [HEADERS, LINES])
def test_messages_come_out_whole_however_they_arrive(framing: Framing) -> None:
    stream, arrived, taken = framing.wrap(b'{"a":1}') + framing.wrap(b'{"b":2}'), bytearray(), []
    for byte in stream:
        arrived.append(byte)
        if (body := framing.take(arrived)) is not None:
            taken.append(body)
    assert taken == [b'{"a":1}', b'{"b":2}']
    assert not arrived


def _points(polyline: ET.Element) -> list[tuple[float, float]]:
    pairs = (pair.split(",") for pair in polyline.attrib["points"].split())
    return [(float(x), float(y)) for x, y in pairs]
