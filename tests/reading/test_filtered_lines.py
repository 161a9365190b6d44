"""A filtered text is what a reader of the whole text would keep of it, whatever was searched before."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge_daemon.reading.search import candidates, filter_index, filtered_lines, line_search, literal_search
from forge_daemon.reading.search.filter_index import FilterIndex
from forge_daemon.reading.search.filtered_lines import FilteredLines, Matches, MatchingLine
from forge_daemon.reading.search.line_filter import Filter, LineFilter
from reading.sources import in_memory, no_progress

LINES = st.lists(
    st.sampled_from([b"a", b"b", b"", b"ab", b"A", b"\xff", "é".encode(), b"a\r", b"x" * 30, b"y" * 70 + b"a"]),
    max_size=60,
)
FILTERS = [
    *(Filter("a"), Filter("a", invert=True), Filter("A", ignore_case=True), Filter("é"), Filter("nowhere")),
    *(Filter("^a|^$", regex=True), Filter("[^a]", regex=True), Filter("^a|^$", regex=True, invert=True)),
]


@pytest.fixture(scope="module", autouse=True)
def small_steps() -> Iterator[None]:
    """So that short texts have as many seams as long ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filtered_lines, "_STEP", 24)
        patch.setattr(filtered_lines, "_FIRST_LOOK_BACK", 10)
        patch.setattr(filtered_lines, "_LONGEST_LOOK_BACK", 40)
        patch.setattr(filtered_lines, "_USUAL_LINE", 2)
        patch.setattr(filtered_lines, "LONGEST_LINE", 64)
        patch.setattr(line_search, "_STEP", 16)
        patch.setattr(filter_index, "_FEWEST_POSTS", 3)
        patch.setattr(filter_index, "_BYTES_PER_POST", 64)
        patch.setattr(filter_index, "_GAP", 200)
        patch.setattr(candidates, "_MOST_REGIONS", 4)
        patch.setattr(literal_search, "_MOST_REGIONS", 4)
        yield


@pytest.fixture(scope="module")
def opened() -> dict[Filter, LineFilter]:
    return {wanted: LineFilter(wanted) for wanted in FILTERS}


def is_kept(wanted: Filter, line: bytes) -> bool:
    text = line.removesuffix(b"\n").decode(errors="replace")
    text = text.removesuffix("\r") if line.endswith(b"\r\n") else text
    expression = wanted.pattern if wanted.regex else re.escape(wanted.pattern)
    return (re.search(expression, text, re.IGNORECASE * wanted.ignore_case) is not None) != wanted.invert


def kept(data: bytes, wanted: Filter, first: int = 0, last: int | None = None) -> list[tuple[int, int, int]]:
    """Line, offset and end of each, of a part of the lines."""
    found, offset = [], 0
    for number, line in enumerate(data.splitlines(keepends=True) if b"\r" not in data else _lines(data)):
        if is_kept(wanted, line) and first <= number and (last is None or number < last):
            found.append((number, offset, offset + len(line)))
        offset += len(line)
    return found


def _lines(data: bytes) -> list[bytes]:
    lines = [line + b"\n" for line in data.split(b"\n")]
    lines[-1] = lines[-1].removesuffix(b"\n")
    return lines if lines[-1] else lines[:-1]


def text_of(lines: list[bytes], ended: bool) -> bytes:
    return b"\n".join(lines) + (b"\n" if ended and lines else b"")


def filtered(
    data: bytes, line_filter: LineFilter, index: FilterIndex, part: tuple[int, int] | None = None
) -> FilteredLines:
    return FilteredLines(in_memory(data), line_filter, index, part or (0, len(data)), no_progress)


def each_of(matches: Iterator[Matches]) -> list[MatchingLine]:
    return [line for some in matches for line in some.each()]


def can_be_judged(data: bytes, wanted: Filter) -> bool:
    return not wanted.regex or all(len(line) < 64 for line in data.split(b"\n"))


patient = settings(deadline=None)


@patient
@given(
    LINES,
    st.booleans(),
    st.sampled_from(FILTERS),
    st.lists(st.tuples(st.integers(0, 70), st.none() | st.integers(0, 70)), max_size=4),
)
def test_matches_are_found_by_their_number_whatever_is_known(
    opened: dict[Filter, LineFilter],
    lines: list[bytes],
    ended: bool,
    wanted: Filter,
    selections: list[tuple[int, int | None]],
) -> None:
    data, index = text_of(lines, ended), FilterIndex(0)
    if not can_be_judged(data, wanted):
        return
    expected = kept(data, wanted)
    for number, most in selections:
        found = each_of(filtered(data, opened[wanted], index).from_number(number, most))
        assert [(each.line, each.offset, each.end) for each in found] == expected[number:][:most]
        assert [each.number for each in found] == list(range(number, number + len(found)))
        assert all(each.content in (None, data[each.offset : each.end]) for each in found)
    assert filtered(data, opened[wanted], index).count() == len(expected)


@patient
@given(
    LINES,
    st.booleans(),
    st.sampled_from(FILTERS),
    st.integers(0, 60),
    st.integers(0, 60),
    st.integers(0, 9),
    st.booleans(),
)
def test_a_part_has_its_own_numbers(
    opened: dict[Filter, LineFilter],
    lines: list[bytes],
    ended: bool,
    wanted: Filter,
    first: int,
    last: int,
    number: int,
    own: bool,
) -> None:
    data = text_of(lines, ended)
    starts = [0]
    for line in _lines(data):
        starts.append(starts[-1] + len(line))
    first, last = sorted((min(first, len(starts) - 1), min(last, len(starts) - 1)))
    if not can_be_judged(data, wanted):
        return
    expected = kept(data, wanted, first, last)
    index = FilterIndex(starts[first] if own else 0)
    part = filtered(data, opened[wanted], index, (starts[first], starts[last]))
    assert part.count() == len(expected)
    found = each_of(part.from_number(number, None))
    assert [(each.line, each.offset, each.end) for each in found] == expected[number:]
    assert [each.number for each in found] == list(range(number, number + len(found)))
    for position, (before, offset, _) in enumerate(expected):
        again = each_of(part.from_offset(offset, before, position, None))
        assert [(each.line, each.offset, each.end) for each in again] == expected[position:]


@patient
@given(LINES, st.booleans(), st.sampled_from(FILTERS), st.integers(1, 70))
def test_the_last_matches_are_counted_from_the_end(
    opened: dict[Filter, LineFilter], lines: list[bytes], ended: bool, wanted: Filter, number: int
) -> None:
    data = text_of(lines, ended)
    if not can_be_judged(data, wanted):
        return
    expected = kept(data, wanted)[-number:]
    total = len(_lines(data))
    found = filtered(data, opened[wanted], FilterIndex(0)).last(number, 0)
    assert [(each.line, each.offset, each.end) for each in found] == [(n - total, o, e) for n, o, e in expected]
    assert [each.number for each in found] == list(range(-len(expected), 0))


@patient
@given(LINES, LINES, st.booleans(), st.sampled_from(FILTERS), st.integers(0, 9))
def test_what_is_known_stays_true_while_the_file_grows(
    opened: dict[Filter, LineFilter], lines: list[bytes], more: list[bytes], ended: bool, wanted: Filter, number: int
) -> None:
    data, index = text_of(lines, ended), FilterIndex(0)
    grown = data + text_of(more, True)
    if not can_be_judged(grown, wanted):
        return
    assert filtered(data, opened[wanted], index).count() == len(kept(data, wanted))
    part = filtered(grown, opened[wanted], index)
    assert part.count() == len(kept(grown, wanted))
    found = each_of(part.from_number(number, None))
    assert [(each.line, each.offset, each.end) for each in found] == kept(grown, wanted)[number:]


def test_the_index_is_bounded_and_stays_right(opened: dict[Filter, LineFilter]) -> None:
    data = b"a\nb\n" * 2_000
    index, line_filter = FilterIndex(0), opened[Filter("a")]
    assert filtered(data, line_filter, index).count() == 2_000
    assert index.memory <= 24 * len(data) // 64
    (found,) = each_of(filtered(data, line_filter, index).from_number(1_234, 1))
    assert (found.number, found.line, found.offset) == (1_234, 2_468, 4_936)


def test_a_match_after_a_long_gap_is_not_searched_again(opened: dict[Filter, LineFilter]) -> None:
    data = b"a\n" * 400 + b"b\n" * 500 + b"a\n" * 400
    index, line_filter = FilterIndex(0), opened[Filter("a")]
    filtered(data, line_filter, index).count()
    known = index.at_number(400)
    assert known is not None
    assert (known.number, known.offset) == (400, 1_800)
