"""`:Forge time` goes to a time in a log, by bisection."""

from datetime import datetime, timedelta
from pathlib import Path

import pytest

from .nvim import Nvim

START = datetime(2026, 11, 16, 9, 0, 0)


@pytest.fixture
def log(workspace: Path) -> Path:
    """A line every second for three hours, each with a stack trace of two lines."""
    file = workspace / "server.log"
    moments = [START + timedelta(seconds=second) for second in range(3 * 60 * 60)]
    file.write_text("".join(f"{moment} started\n    at run\n    at main\n" for moment in moments))
    return file


def go(nvim: Nvim, typed: str) -> None:
    nvim.command(f"Forge time {typed}")


@pytest.mark.parametrize(
    ("typed", "time", "line"),
    [
        ("10:05", "2026-11-16 10:05:00", 11_701),
        ("11:59:59", "2026-11-16 11:59:59", 32_398),
        ("11:59:58.5", "2026-11-16 11:59:59", 32_398),
        ("2026-11-16T09:30", "2026-11-16 09:30:00", 5_401),
        ("2026-11-15", "2026-11-16 09:00:00", 1),
        ("2026-11-16 09:00:01", "2026-11-16 09:00:01", 4),
        ("08:00", "2026-11-16 09:00:00", 1),
    ],
)
def test_time_goes_to_the_first_line_at_or_after_it(nvim: Nvim, log: Path, typed: str, time: str, line: int) -> None:
    nvim.open(f"{log}:20000")
    go(nvim, typed)
    nvim.wait_for_line(f"{time} started")
    assert nvim.where() == f"{line:,} / 32,400"


def test_a_time_is_shown_with_its_zone_if_that_is_another_than_ones_own(nvim: Nvim) -> None:
    shown = "local filters = require('forge.filters') return filters.shown_time('2026-11-16T14:05:31' .. {})"
    assert nvim.lua(shown.format("filters.own_zone()")) == "2026-11-16 14:05:31"
    assert nvim.lua(shown.format("'+03:17'")) == "2026-11-16 14:05:31+03:17"


def test_time_past_the_end_goes_to_the_end_and_says_so(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    go(nvim, "14:05")
    nvim.wait_for_message("server.log ends before 14:05")
    assert nvim.where() == "32,400 / 32,400"


def test_time_understands_a_coloured_log(nvim: Nvim, log: Path) -> None:
    log.write_text("".join(f"\x1b[36m{line[:19]}\x1b[0m{line[19:]}\n" for line in log.read_text().splitlines()))
    nvim.open(log)
    go(nvim, "10:05")
    nvim.wait_for_line("2026-11-16 10:05:00 started")


@pytest.mark.parametrize(
    ("form", "line"),
    [
        ("Nov 16 {:%H:%M:%S} host app[1]: tick", 66),
        ("time=2026-11-16T{:%H:%M:%S}Z level=info msg=tick", 66),
        ('{{"ts": "2026-11-16T{:%H:%M:%S}Z", "msg": "tick"}}', 66),
    ],
)
def test_the_daemon_knows_the_times_of_other_formats(nvim: Nvim, workspace: Path, form: str, line: int) -> None:
    moments = [START + timedelta(minutes=minute) for minute in range(120)]
    (workspace / "app.log").write_text("".join(form.format(moment) + "\n" for moment in moments))
    nvim.open("app.log")
    go(nvim, "10:05")
    nvim.wait_for("require('forge.view').of():line() == ...", line)


@pytest.mark.parametrize(("typed", "minutes"), [("-30m", 29), ("now", 0)])
def test_a_time_can_be_an_age(nvim: Nvim, workspace: Path, typed: str, minutes: int) -> None:
    now = datetime.now()
    ages = [90, 60, 29, 0]
    times = [now + timedelta(minutes=1) - timedelta(minutes=age) for age in ages]
    (workspace / "app.log").write_text("".join(f"{time:%Y-%m-%d %H:%M:%S} tick\n" for time in times))
    nvim.open("app.log")
    go(nvim, typed)
    nvim.wait_for("require('forge.view').of():line() == ...", ages.index(minutes) + 1)


def test_ctrl_o_leads_back_from_a_time(nvim: Nvim, log: Path) -> None:
    nvim.open(f"{log}:20000")
    go(nvim, "10:05")
    nvim.wait_for_line("2026-11-16 10:05:00 started")
    nvim.type_to_the_end("<C-o>")
    nvim.wait_for("require('forge.view').of():line() == 20000")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("noon", "notes.txt: not a time: 'noon'"),
        ("14:05", "notes.txt: the text has no times"),
        ("", "which time?"),
    ],
)
def test_time_says_what_it_cannot_understand(nvim: Nvim, workspace: Path, typed: str, message: str) -> None:
    (workspace / "notes.txt").write_text("one\ntwo\n")
    nvim.open("notes.txt")
    go(nvim, typed)
    nvim.wait_for_message(f"forge: {message}")
