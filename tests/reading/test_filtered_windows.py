"""Windows of a filtered file: every selector, page and cursor counts the lines that pass, and no others."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge_daemon.reading.files.file_bytes import FileBytes
from forge_daemon.reading.lines import index, newlines
from forge_daemon.reading.match import filtered_lines
from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.window.cursor import decode_cursor, encode_cursor
from forge_daemon.reading.window.read import count_lines, read_window
from forge_daemon.reading.window.selection import LastLines, Lines, Selection, Selectors, select
from forge_daemon.reading.window.window import Window, WindowRequest
from forge_protocol.errors import ErrorCode, ReadError
from tests.reading.sources import BOM, in_memory, lines_of, no_progress, normalised

FRAGMENTS = st.sampled_from([b"\n", b"\n", b"\r\n", b"a", b"b", b"A", b" ", "é".encode(), b"\xff", b"\r", b"xyz" * 4])
CONTENTS = st.builds(bytes.__add__, st.sampled_from([b"", b"", BOM]), st.lists(FRAGMENTS, max_size=60).map(b"".join))
A, B = Term("a"), Term("b")
SPECS = [
    *(FilterSpec(Terms(any=(A,))), FilterSpec(Terms(none=(A,))), FilterSpec(Terms(any=(Term("A", ignore_case=True),)))),
    *(FilterSpec(Terms(any=(Term("nowhere"),))), FilterSpec(Terms(any=(Term("^a|b$", regex=True),)))),
    *(FilterSpec(Terms(any=(B,)), first_line=3), FilterSpec(Terms(none=(B,)), last_line=4)),
    *(FilterSpec(Terms(any=(A,)), first_line=2, last_line=7), FilterSpec(Terms(any=(A, B), none=(Term("x"),)))),
    *(FilterSpec(Terms(all=(A, B))), FilterSpec(Terms(any=(A,)), before=1, after=2)),
    FilterSpec(Terms(any=(Term("a", whole_word=True),)), first_line=2, last_line=9, before=3),
]
SMALL_STRIDE, SMALL_STEP = 8, 24


@pytest.fixture(scope="module", autouse=True)
def small_steps() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        for module in (newlines, index, filtered_lines):
            patch.setattr(module, "STRIDE", SMALL_STRIDE)
        patch.setattr(filtered_lines, "STEP", SMALL_STEP)
        patch.setattr(filtered_lines, "MAX_RUNS", 2)
        yield


def kept(data: bytes, spec: FilterSpec) -> list[tuple[int, str]]:
    """Number and text of every line that passes, or is near one that does."""
    lines = lines_of(normalised(data))
    part = range((spec.first_line or 1) - 1, min(spec.last_line or len(lines), len(lines)))
    matching = [row for row in part if _matches(spec.terms, lines[row].removesuffix("\n"))]
    near = {row + step for row in matching for step in range(-spec.before, spec.after + 1)}
    return [(row + 1, lines[row]) for row in sorted(near & set(part))]


def _matches(terms: Terms, line: str) -> bool:
    def has(term: Term) -> bool:
        expression = term.pattern if term.regex else re.escape(term.pattern)
        expression = rf"\b{expression}\b" if term.whole_word else expression
        return re.search(expression, line, re.ASCII | re.IGNORECASE * term.ignore_case) is not None

    return (not terms.any or any(map(has, terms.any))) and all(map(has, terms.all)) and not any(map(has, terms.none))


def ends_after(data: bytes, line: int) -> bool:
    """Whether a line ends with a newline."""
    return normalised(data).count("\n") >= line


def shown(window: Window) -> list[tuple[int, str]]:
    assert window.line_numbers is not None
    lines = lines_of(window.content)
    assert window.returned_line_count == len(lines)
    return list(zip(window.line_numbers, lines, strict=True))


def read(file: FileBytes, spec: FilterSpec, selection: Selection = None, **rest: int | None) -> Window:
    return read_window(file, WindowRequest(selection, filter=Filter(spec), **rest), no_progress)  # type: ignore[arg-type]


patient = settings(deadline=None)


@patient
@given(
    CONTENTS, st.sampled_from(SPECS), st.integers(1, 9), st.none() | st.integers(1, 12), st.none() | st.integers(1, 4)
)
def test_a_selection_counts_matches(
    data: bytes, wanted: FilterSpec, first: int, last: int | None, page: int | None
) -> None:
    last = None if last is None else max(first, last)
    window = read(in_memory(data), wanted, Lines(first, last), max_lines=page)
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
@given(CONTENTS, st.sampled_from(SPECS), st.integers(1, 9), st.booleans())
def test_the_last_lines_are_the_last_matches(data: bytes, wanted: FilterSpec, number: int, large: bool) -> None:
    window = read(in_memory(data), wanted, LastLines(number), count_lines_up_to=-1 if large else 1 << 20)
    expected = kept(data, wanted)
    if large:
        total = len(lines_of(normalised(data)))
        # Where the part ends with a line whose number is known, so are the others.
        is_known = wanted.last_line is not None and ends_after(data, wanted.last_line)
        before_end = 0 if is_known else total + 1
        assert shown(window) == [(line - before_end, text) for line, text in expected[-number:]]
        assert window.start_line == -min(number, len(expected))
    else:
        assert shown(window) == expected[-number:]
        assert window.start_line == max(1, len(expected) - number + 1)


@patient
@given(CONTENTS, st.sampled_from(SPECS), st.integers(1, 5), st.integers(1, 30), st.booleans(), st.booleans())
def test_pages_by_cursor_are_all_matches(
    data: bytes,
    wanted: FilterSpec,
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
            wanted,
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
@given(CONTENTS, CONTENTS, st.sampled_from(SPECS), st.booleans())
def test_an_end_cursor_gives_the_matches_that_were_appended(
    data: bytes, more: bytes, wanted: FilterSpec, large: bool
) -> None:
    if wanted.last_line is not None or data.endswith(b"\r") or not data.isascii() or not more:
        return
    more = more.removeprefix(BOM)
    limits = {"count_lines_up_to": -1 if large else 1 << 20}
    before = read(in_memory(data), wanted, LastLines(50) if large else None, **limits)
    assert before.end_cursor is not None
    cursor = decode_cursor(encode_cursor(before.end_cursor))
    after = read(in_memory(data + more), wanted, cursor, **limits)
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


@patient
@given(CONTENTS, st.sampled_from(SPECS))
def test_all_matches_are_counted(data: bytes, wanted: FilterSpec) -> None:
    assert count_lines(in_memory(data), WindowRequest(filter=Filter(wanted)), no_progress).lines == len(
        kept(data, wanted)
    )


def test_a_cursor_is_sent_with_its_own_filter() -> None:
    wanted = SPECS[0]
    window = read(in_memory(b"a\na\n"), wanted, max_lines=1)
    plain = read_window(in_memory(b"a\na\n"), WindowRequest(max_lines=1), no_progress)
    assert window.next_cursor is not None
    assert plain.next_cursor is not None
    for cursor, name in (
        (window.next_cursor, SPECS[1].name),
        (window.next_cursor, ""),
        (plain.next_cursor, wanted.name),
    ):
        with pytest.raises(ReadError, match="filter") as refused:
            select(Selectors(cursor=encode_cursor(cursor)), filter_name=name)
        assert refused.value.code == ErrorCode.INVALID_ARGUMENT


def test_a_full_page_is_truncated_without_a_look_for_more() -> None:
    window = read(in_memory(b"a\nb\n"), SPECS[0], max_lines=1)
    assert (window.truncated_by, window.next_start_line) == ("lines", 2)
    assert window.next_cursor is not None
    rest = read(in_memory(b"a\nb\n"), SPECS[0], window.next_cursor)
    assert (rest.content, rest.truncated_by, rest.start_line) == ("", None, 2)


def test_a_binary_file_has_no_lines_to_filter() -> None:
    with pytest.raises(ReadError, match="binary"):
        read(in_memory(b"a\0"), SPECS[0])


def test_a_line_longer_than_an_answer_is_delivered_in_parts() -> None:
    data = b"a" + "é".encode() * 50 + b"\nb\na\n"
    window = read(in_memory(data), SPECS[0], max_bytes=20)
    assert (window.content, window.truncated_by, window.line_numbers) == ("a" + "é" * 9, "bytes", [1])
    assert window.next_cursor is not None
    rest = read(in_memory(data), SPECS[0], window.next_cursor)
    assert (rest.content, rest.line_numbers, rest.start_line) == ("é" * 41 + "\na\n", [1, 3], 1)
