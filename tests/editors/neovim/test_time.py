"""`:Forge time` goes to a time in a log, by bisection."""

import json
from datetime import datetime, timedelta
from pathlib import Path

import pytest

from .nvim import Nvim

FORMS = json.loads((Path(__file__).parents[1] / "times.json").read_text())
START = datetime(2026, 11, 16, 9, 0, 0)


@pytest.mark.parametrize(("kind", "function"), [("stamps", "stamp"), ("targets", "parse")])
def test_every_form_is_understood_as_the_table_says(nvim: Nvim, kind: str, function: str) -> None:
    code = f"""
        local times, texts = require("forge.times"), {{}}
        for _, text in ipairs(...) do
          local found = times.{function}(text)
          table.insert(texts, found and times.text(found) or vim.NIL)
        end
        return texts
    """
    assert nvim.lua(code, [text for text, _ in FORMS[kind]]) == [meaning for _, meaning in FORMS[kind]]


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
        ("2026-11-16 09:30", "2026-11-16 09:30:00", 5_401),
        ("2026-11-15", "2026-11-16 09:00:00", 1),
        ("Nov 16 09:00:01", "2026-11-16 09:00:01", 4),
        ("08:00", "2026-11-16 09:00:00", 1),
    ],
)
def test_it_goes_to_the_first_line_at_or_after_a_time(nvim: Nvim, log: Path, typed: str, time: str, line: int) -> None:
    nvim.open(f"{log}:20000")
    go(nvim, typed)
    nvim.wait_for_line(f"{time} started")
    assert nvim.where() == f"{line:,} / 32,400"


def test_past_the_end_it_goes_to_the_end_and_says_so(nvim: Nvim, log: Path) -> None:
    nvim.open(log)
    go(nvim, "14:05")
    nvim.wait_for_message("server.log ends before 14:05: its last line is of 2026-11-16 11:59:59")
    assert nvim.where() == "32,400 / 32,400"


def test_a_log_that_passes_midnight_without_dates_is_understood(nvim: Nvim, workspace: Path) -> None:
    moments = [datetime(2026, 11, 16, 22) + timedelta(minutes=minute) for minute in range(8 * 60)]
    (workspace / "night.log").write_text("".join(f"{moment:%H:%M:%S} tick\n" for moment in moments))
    nvim.open("night.log")
    go(nvim, "02:30")
    nvim.wait_for_line("02:30:00 tick")
    go(nvim, "23:15")
    nvim.wait_for_line("23:15:00 tick")
    go(nvim, "2026-11-16")
    nvim.wait_for_message("the lines of night.log have a time and no date")


def test_a_log_that_is_not_in_order_is_said_to_be_so(nvim: Nvim, workspace: Path) -> None:
    hours = [9, 10, 11, 8, 7, 12, 13, 6]
    (workspace / "mixed.log").write_text("".join(f"2026-11-16 {hour:02}:00:00 tick\n" for hour in hours))
    nvim.open("mixed.log")
    go(nvim, "11:00")
    nvim.wait_for_message("mixed.log is not in order of time: line ")


@pytest.mark.parametrize(
    ("typed", "message"),
    [
        ("noon", FORMS["messages"]["not_a_time"]),
        ("14:05", "the lines of notes.txt do not begin with a time"),
    ],
)
def test_what_cannot_be_done_is_said(nvim: Nvim, workspace: Path, typed: str, message: str) -> None:
    (workspace / "notes.txt").write_text("one\ntwo\n")
    nvim.open("notes.txt")
    go(nvim, typed)
    nvim.wait_for_message(f"forge: {message}")
