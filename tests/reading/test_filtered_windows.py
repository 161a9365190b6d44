"""Windows of a filtered file: every selector, page and cursor counts the lines that match, and no others."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge_daemon.reading.cursor import decode_cursor, encode_cursor
from forge_daemon.reading.search import filter_index, filtered_lines
from forge_daemon.reading.search.line_filter import Filter, LineFilter
from forge_daemon.reading.selection import LastLines, Lines, Selection, Selectors, select
from forge_daemon.reading.sources.source import Source
from forge_daemon.reading.windows.facts import count_lines
from forge_daemon.reading.windows.read import read_window
from forge_daemon.reading.windows.window import Window, WindowRequest
from forge_protocol.errors import ErrorCode, ReadError
from reading.sources import BOM, in_memory, lines_of, no_progress, normalised

FRAGMENTS = st.sampled_from([b"\n", b"\n", b"\r\n", b"a", b"b", b"A", b" ", "é".encode(), b"\xff", b"\r", b"xyz" * 4])
CONTENTS = st.builds(bytes.__add__, st.sampled_from([b"", b"", BOM]), st.lists(FRAGMENTS, max_size=60).map(b"".join))
FILTERS = [
    *(Filter("a"), Filter("a", invert=True), Filter("A", ignore_case=True), Filter("nowhere"), Filter("", regex=True)),
    *(Filter("^a|b$", regex=True), Filter("b", first_line=3), Filter("b", last_line=4, invert=True)),
    Filter("a", first_line=2, last_line=7),
]
FILTERS.remove(Filter("", regex=True))


@pytest.fixture(scope="module", autouse=True)
def small_steps() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(filtered_lines, "_STEP", 24)
        patch.setattr(filtered_lines, "_FIRST_LOOK_BACK", 10)
        patch.setattr(filter_index, "_FEWEST_POSTS", 3)
        patch.setattr(filter_index, "_BYTES_PER_POST", 64)
        yield


@pytest.fixture(scope="module")
def opened() -> dict[Filter, LineFilter]:
    return {wanted: LineFilter(wanted) for wanted in FILTERS}


def kept(data: bytes, wanted: Filter) -> list[tuple[int, str]]:
    """Number and text of every line that matches."""
    expression = wanted.pattern if wanted.regex else re.escape(wanted.pattern)
    pattern = re.compile(expression, re.IGNORECASE * wanted.ignore_case)
    return [
        (number, line)
        for number, line in enumerate(lines_of(normalised(data)), 1)
        if (wanted.first_line or 1) <= number <= (wanted.last_line or number)
        and (pattern.search(line.removesuffix("\n")) is not None) != wanted.invert
    ]


def shown(window: Window) -> list[tuple[int, str]]:
    assert window.line_numbers is not None
    lines = lines_of(window.content)
    assert window.returned_line_count == len(lines)
    return list(zip(window.line_numbers, lines, strict=True))


def read(source: Source, line_filter: LineFilter, selection: Selection = None, **rest: int) -> Window:
    return read_window(source, WindowRequest(selection, line_filter=line_filter, **rest), no_progress)  # type: ignore[arg-type]


patient = settings(deadline=None)


@patient
@given(
    CONTENTS, st.sampled_from(FILTERS), st.integers(1, 9), st.none() | st.integers(1, 12), st.none() | st.integers(1, 4)
)
def test_a_selection_counts_matches(
    opened: dict[Filter, LineFilter], data: bytes, wanted: Filter, first: int, last: int | None, page: int | None
) -> None:
    last = None if last is None else max(first, last)
    window = read(in_memory(data), opened[wanted], Lines(first, last), max_lines=page)  # type: ignore[arg-type]
    expected = kept(data, wanted)
    selected = expected[first - 1 : last]
    assert shown(window) == selected[:page]
    assert window.start_line == first
    assert window.facts.line_count == len(expected)
    if len(selected) > len(selected[:page]):
        assert window.truncated_by == "lines"
        assert window.next_start_line == first + len(selected[:page])
    assert (window.truncated_by is None) == (window.next_cursor is None)


@patient
@given(CONTENTS, st.sampled_from(FILTERS), st.integers(1, 9), st.booleans())
def test_the_last_lines_are_the_last_matches(
    opened: dict[Filter, LineFilter], data: bytes, wanted: Filter, number: int, large: bool
) -> None:
    window = read(in_memory(data), opened[wanted], LastLines(number), count_lines_up_to=-1 if large else 1 << 20)
    expected = kept(data, wanted)
    if large:
        total = len(lines_of(normalised(data)))
        # Where the part's end is known to be a certain line's, lines are known as well.
        before_end = 0 if wanted.last_line is not None and wanted.last_line < total else total + 1
        assert shown(window) == [(line - before_end, text) for line, text in expected[-number:]]
        assert window.start_line == -min(number, len(expected))
    else:
        assert shown(window) == expected[-number:]
        assert window.start_line == max(1, len(expected) - number + 1)


@patient
@given(CONTENTS, st.sampled_from(FILTERS), st.integers(1, 5), st.integers(1, 30), st.booleans(), st.booleans())
def test_pages_by_cursor_are_all_matches(
    opened: dict[Filter, LineFilter],
    data: bytes,
    wanted: Filter,
    page: int,
    max_bytes: int,
    forget: bool,
    from_the_end: bool,
) -> None:
    source, selection = in_memory(data), LastLines(50) if from_the_end else None
    contents, numbers = [], []
    cursor: Selection = selection
    for _ in range(1_000):
        window = read(
            in_memory(data) if forget else source,
            opened[wanted],
            cursor,
            max_lines=page,
            max_bytes=max_bytes,
            count_lines_up_to=-1 if from_the_end else 1 << 20,
        )
        assert len(window.content.encode()) <= max(max_bytes, 4)
        contents.append(window.content)
        numbers += window.line_numbers or []
        if window.next_cursor is None:
            break
        assert window.content
        cursor = select(Selectors(cursor=encode_cursor(window.next_cursor)), filter_name=wanted.name)
    expected = kept(data, wanted)
    assert "".join(contents) == "".join(text for _, text in expected)
    if not from_the_end:
        assert sorted(set(numbers)) == [number for number, _ in expected]
        assert numbers == sorted(numbers)


@patient
@given(CONTENTS, CONTENTS, st.sampled_from(FILTERS), st.booleans())
def test_an_end_cursor_gives_the_matches_that_were_appended(
    opened: dict[Filter, LineFilter], data: bytes, more: bytes, wanted: Filter, large: bool
) -> None:
    if wanted.last_line is not None or data.endswith(b"\r") or not data.isascii() or not more:
        return
    more = more.removeprefix(BOM)
    limits = {"count_lines_up_to": -1 if large else 1 << 20}
    before = read(growing(data), opened[wanted], LastLines(50) if large else None, **limits)
    assert before.end_cursor is not None
    cursor = decode_cursor(encode_cursor(before.end_cursor))
    after = read(growing(data + more), opened[wanted], cursor, **limits)
    expected = [text for _, text in kept(data + more, wanted)]
    delivered = before.content + after.content
    unfinished = lines_of(normalised(data))[-1:] if data and not data.endswith(b"\n") else []
    if unfinished and before.content.endswith(unfinished[0]):
        # It was shown, so what completes it is shown as well, whether or not the whole line matches.
        return
    assert delivered == "".join(expected)
    if not large:
        assert (before.line_numbers or []) + (after.line_numbers or []) == [
            number for number, _ in kept(data + more, wanted)
        ]


def growing(data: bytes) -> Source:
    from forge_daemon.reading.sources.source import ends_digest

    source = in_memory(data)
    return source._replace(key=b"file", ends_digest=ends_digest(source.read_at, len(data)))


@patient
@given(CONTENTS, st.sampled_from(FILTERS))
def test_all_matches_are_counted(opened: dict[Filter, LineFilter], data: bytes, wanted: Filter) -> None:
    assert count_lines(in_memory(data), no_progress, opened[wanted]) == len(kept(data, wanted))


def test_a_cursor_is_sent_with_its_own_filter(opened: dict[Filter, LineFilter]) -> None:
    wanted = Filter("a")
    window = read(in_memory(b"a\na\n"), opened[wanted], max_lines=1)
    plain = read_window(in_memory(b"a\na\n"), WindowRequest(max_lines=1), no_progress)
    assert window.next_cursor is not None
    assert plain.next_cursor is not None
    for cursor, name in (
        (window.next_cursor, Filter("b").name),
        (window.next_cursor, None),
        (plain.next_cursor, wanted.name),
    ):
        with pytest.raises(ReadError, match="filter") as refused:
            select(Selectors(cursor=encode_cursor(cursor)), filter_name=name)
        assert refused.value.code == ErrorCode.INVALID_ARGUMENT


def test_a_full_page_is_truncated_without_a_look_for_more(opened: dict[Filter, LineFilter]) -> None:
    window = read(in_memory(b"a\nb\n"), opened[Filter("a")], max_lines=1)
    assert (window.truncated_by, window.next_start_line) == ("lines", 2)
    assert window.next_cursor is not None
    rest = read(in_memory(b"a\nb\n"), opened[Filter("a")], window.next_cursor)
    assert (rest.content, rest.truncated_by, rest.start_line) == ("", None, 2)


def test_a_binary_file_has_no_lines_to_filter(opened: dict[Filter, LineFilter]) -> None:
    with pytest.raises(ReadError, match="binary"):
        read(in_memory(b"a\0"), opened[Filter("a")])


def test_a_line_longer_than_an_answer_is_delivered_in_parts(opened: dict[Filter, LineFilter]) -> None:
    data = b"a" + "é".encode() * 50 + b"\nb\na\n"
    window = read(in_memory(data), opened[Filter("a")], max_bytes=20)
    assert (window.content, window.truncated_by, window.line_numbers) == ("a" + "é" * 9, "bytes", [1])
    assert window.next_cursor is not None
    rest = read(in_memory(data), opened[Filter("a")], window.next_cursor)
    assert (rest.content, rest.line_numbers, rest.start_line) == ("é" * 41 + "\na\n", [1, 3], 1)
