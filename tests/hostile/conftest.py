"""Fixtures of the hostile tests: the figures they report, and both ways to open files."""

from collections.abc import Callable
from pathlib import Path
from typing import Protocol

import pytest

from tests.hostile import figures

_HAND_WRITTEN = ("test_contents", "test_frames", "test_paths")
"""Tables of cases, which take little time: `make test` runs them as well."""
_TIMED = ("test_ends", "test_load", "test_repositories")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.parent == Path(__file__).parent and item.path.stem not in _HAND_WRITTEN:
            item.add_marker(pytest.mark.hostile)
            if item.path.stem in _TIMED:
                item.add_marker(pytest.mark.timed)


class Figure(Protocol):
    def __call__(self, what: str, measured: str, amount: int | None = None) -> None: ...


@pytest.fixture
def figure(record_property: Callable[[str, object], None]) -> Figure:
    """Report a figure for the table: which row, and what was measured. Amounts of the same are added up."""

    def record(what: str, measured: str, amount: int | None = None) -> None:
        assert what in figures.BARS
        record_property(figures.PROPERTY, [what, measured, amount])

    return record
