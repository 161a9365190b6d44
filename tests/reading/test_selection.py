"""Selectors are reduced to one selection, or refused."""

from typing import Any

import pytest

from forge_daemon.reading.files.same_file import etag_of
from forge_daemon.reading.match.run import Place
from forge_daemon.reading.window.cursor import Cursor, encode_cursor
from forge_daemon.reading.window.selection import LastLines, Lines, Selection, Selectors, select
from forge_protocol import LARGEST_INTEGER
from forge_protocol.errors import ErrorCode, ReadError

CURSOR = Cursor(etag_of(b"a file"), 30, "00ff", Place(10, 2, 2), 7)


def selected(around: tuple[int, int, int] | None = None, max_lines: int | None = None, **selectors: Any) -> Selection:
    return select(Selectors(**selectors), around=around, max_lines=max_lines)


@pytest.mark.parametrize(
    ("selectors", "selection"),
    [
        ({}, None),
        ({"max_lines": 5}, None),
        ({"start_line": 3}, Lines(3, None)),
        ({"end_line": 4}, Lines(1, 4)),
        ({"limit": 4}, Lines(1, 4)),
        ({"start_line": 3, "end_line": 3}, Lines(3, 3)),
        ({"start_line": 3, "limit": 2}, Lines(3, 4)),
        ({"start_line": 3, "end_line": 9, "limit": 2}, Lines(3, 4)),
        ({"start_line": 3, "end_line": 4, "limit": 9}, Lines(3, 4)),
        ({"start_line": 2, "limit": LARGEST_INTEGER}, Lines(2, LARGEST_INTEGER)),
        ({"head": 6}, Lines(1, 6)),
        ({"tail": 6}, LastLines(6)),
        ({"around": (20, 10, 5)}, Lines(10, 25)),
        ({"around": (3, 10, 0)}, Lines(1, 3)),
        ({"around": (LARGEST_INTEGER, 1, 1)}, Lines(LARGEST_INTEGER - 1, LARGEST_INTEGER)),
        ({"around": (5, 2, 2), "max_lines": 5}, Lines(3, 7)),
        ({"cursor": encode_cursor(CURSOR)}, CURSOR),
    ],
)
def test_selectors_become_one_selection(selectors: dict[str, Any], selection: Selection) -> None:
    assert selected(**selectors) == selection


EVERY_SELECTOR: dict[str, Any] = {
    "start_line": 1,
    "end_line": 1,
    "limit": 1,
    "head": 1,
    "tail": 1,
    "around": (1, 0, 0),
    "cursor": encode_cursor(CURSOR),
}


@pytest.mark.parametrize("other", EVERY_SELECTOR)
@pytest.mark.parametrize("exclusive", ["head", "tail", "around", "cursor"])
def test_exclusive_selectors_stand_alone(exclusive: str, other: str) -> None:
    selectors = {name: EVERY_SELECTOR[name] for name in (exclusive, other)}
    if exclusive == other:
        assert selected(**selectors) is not None
        return
    with pytest.raises(ReadError) as caught:
        selected(**selectors)
    assert caught.value.code == ErrorCode.INVALID_ARGUMENT
    assert exclusive in caught.value.reason
    assert other in caught.value.reason


def test_a_range_that_ends_before_it_starts_is_refused() -> None:
    with pytest.raises(ReadError, match="end_line 2 is before start_line 3"):
        selected(start_line=3, end_line=2)


def test_around_must_fit_into_a_page() -> None:
    with pytest.raises(ReadError, match=r"asks for 6 lines, more than max_lines \(5\)") as caught:
        selected(around=(10, 2, 3), max_lines=5)
    assert caught.value.code == ErrorCode.INVALID_ARGUMENT
    assert caught.value.hint is not None


def test_lines_before_the_first_do_not_count_against_the_page() -> None:
    assert selected(around=(1, 1000, 4), max_lines=5) == Lines(1, 5)
