"""Fixtures of the hostile tests: the figures they report, and both ways to open files."""

from collections.abc import Callable
from typing import Any, Protocol

import pytest

from forge_daemon.workspace import sandbox
from hostile import figures
from hostile.scale import FUZZ

_KEY = "figure"


class Figure(Protocol):
    def __call__(self, what: str, measured: str, amount: int | None = None) -> None: ...


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Figure:
    """Report a figure for the table: which row, and what was measured. Amounts of the same are added up."""

    def record(what: str, measured: str, amount: int | None = None) -> None:
        assert what in figures.BARS
        record_property(_KEY, [what, measured, amount])

    return record


@pytest.fixture(params=["openat2", "walk"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """The kernel opens paths without links by itself; other systems, and links, take the walk."""
    if request.param == "walk":
        monkeypatch.setattr(sandbox, "open_directly", None)
    return str(request.param)


def pytest_terminal_summary(terminalreporter: Any) -> None:
    if FUZZ:
        recorded = [
            tuple(value)
            for outcome in ("passed", "failed")
            for report in terminalreporter.getreports(outcome)
            for key, value in report.user_properties
            if key == _KEY
        ]
        terminalreporter.write_sep("=", "figures")
        terminalreporter.write_line(figures.table(recorded))
