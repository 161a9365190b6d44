"""For any bytes: a match is where a reader of the whole text would find it."""

import re
from collections.abc import Callable, Iterator
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge_daemon.reading import columns
from forge_daemon.reading.search import line_search, literal_search
from forge_daemon.reading.search.find import Finding, FindRequest, Match, Search, find, open_search
from reading.letters import LETTERS
from reading.sources import BOM, in_memory, lines_of, no_progress, normalised

LITERALS = ["a", "aa", "b", "aba", "é", "日", "😀", "\r", "a\r", "\ufffd", "a\ufffd", "\ufeff", "b a"]
EXPRESSIONS = ["a", "a+", "a*", "^a", "a$", "^$", "a|b", r"\S+", r"\Ab", r"b\Z", "(?<=a)b", "é?", "[^a]", r"\bb"]
NEEDING_LITERALS = [
    "a.*b",
    "ab?",
    "ba{0,1}",
    "[ab]a",
    "(a|b) a",
    "b|aa",
    r"\x61b",
    "(?i:A)b",
    "a\ufffd",
    "é.",
    "ks",
    "^i.*s",
]
FRAGMENTS = st.sampled_from(
    [
        *(text.encode() for text in ("\n", "\r\n", "\r", "a", "b", " ", "A", "\ufeff", "\ufffd", "é", "日", "😀")),
        *(b"\xff", b"\x80", b"\xe6\x97", b"\xf0\x9f\x98", b"\xed\xa0\x80"),
    ]
)
CONTENTS = st.lists(FRAGMENTS, max_size=40).map(b"".join)
LETTER_FRAGMENTS = st.sampled_from([*(text.encode() for text in [*LETTERS, "\n", "\r\n", "日"]), b"\xe2\x84", b"\xc4"])
LETTER_CONTENTS = st.lists(LETTER_FRAGMENTS, max_size=40).map(b"".join)
LINES, COLUMNS = st.integers(1, 12), st.integers(1, 12)


def found_in(data: bytes, search: Search, line: int, column: int, backward: bool) -> Finding:
    return find(in_memory(data), FindRequest(line, column, backward), search, no_progress)


class Position(NamedTuple):
    line: int
    column: int


def model(
    data: bytes, expression: str, line: int, column: int, *, backward: bool, flags: int = 0
) -> tuple[int, int, int] | None:
    """Every place is tried; the nearest one at which the expression matches is the answer."""
    pattern, found = re.compile(expression, flags), []
    for number, text in enumerate((each.removesuffix("\n") for each in lines_of(normalised(data))), 1):
        for start in range(len(text) + 1):
            if matched := pattern.match(text, start):
                found.append((number, start + 1, matched.end()))
    position = Position(line, column)
    if backward:
        return max((each for each in found if each[:2] < position), default=None)
    return min((each for each in found if each[:2] >= position), default=None)


def scanned(data: bytes, line: int, column: int, match: Match | None, *, backward: bool) -> int:
    """From one position to the other, each counted in bytes by decoding from the start of its line."""
    floor = len(BOM) if data.startswith(BOM) else 0
    end = floor if backward else len(data)
    if match is not None:
        end = offset_of(data, match.line, match.start_column)
    return abs(offset_of(data, line, column) - end)


def offset_of(data: bytes, line: int, column: int) -> int:
    bom = len(BOM) if data.startswith(BOM) else 0
    lines = data[bom:].split(b"\n")
    if line > len(lines):
        return len(data)
    before = bom + sum(len(each) + 1 for each in lines[: line - 1])
    raw = lines[line - 1].removesuffix(b"\r") if line < len(lines) else lines[line - 1]
    characters = min(column - 1, len(shown(raw)))
    return before + next(
        length
        for length in range(len(raw) + 1)
        if (shown(raw[:length]), shown(raw[length:])) == (shown(raw)[:characters], shown(raw)[characters:])
    )


def shown(raw: bytes) -> str:
    return raw.decode(errors="replace")


@pytest.fixture(scope="module", autouse=True)
def small_blocks() -> Iterator[None]:
    """So that short texts have as many seams as long ones."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(literal_search, "_BLOCK", 7)
        patch.setattr(literal_search, "_BACKWARD_BLOCK", 5)
        patch.setattr(literal_search, "_CANDIDATES", 2)
        patch.setattr(line_search, "_STEP", 8)
        patch.setattr(columns, "_PIECE", 6)
        yield


SearchFor = Callable[..., Search]

patient = settings(deadline=None)
"""Some examples start a process."""


@pytest.fixture(scope="module")
def search_for() -> Iterator[SearchFor]:
    """Each search is opened once."""
    opened: dict[tuple[str, bool, bool], Search] = {}

    def search_for(pattern: str, *, regex: bool = False, ignore_case: bool = False) -> Search:
        key = (pattern, regex, ignore_case)
        if key not in opened:
            opened[key] = open_search(pattern, regex=regex, ignore_case=ignore_case)
        return opened[key]

    yield search_for
    for search in opened.values():
        search.__exit__()


def check(
    finding: Finding,
    data: bytes,
    expected: tuple[int, int, int] | None,
    line: int,
    column: int,
    backward: bool,
) -> None:
    match = finding.match
    assert (match and match[:3]) == expected
    if match is not None:
        assert match.content == lines_of(normalised(data))[match.line - 1].removesuffix("\n")
    assert finding.scanned_bytes == scanned(data, line, column, match, backward=backward)


@patient
@given(CONTENTS, st.sampled_from(LITERALS), LINES, COLUMNS, st.booleans())
def test_a_literal_is_found_where_the_text_has_it(
    search_for: SearchFor, data: bytes, literal: str, line: int, column: int, backward: bool
) -> None:
    finding = found_in(data, search_for(literal), line, column, backward)
    expected = model(data, re.escape(literal), line, column, backward=backward)
    check(finding, data, expected, line, column, backward)


@patient
@given(
    CONTENTS | LETTER_CONTENTS,
    st.sampled_from(EXPRESSIONS + NEEDING_LITERALS),
    LINES,
    COLUMNS,
    st.booleans(),
    st.booleans(),
)
def test_a_regular_expression_sees_one_line_at_a_time(
    search_for: SearchFor,
    data: bytes,
    expression: str,
    line: int,
    column: int,
    backward: bool,
    ignore_case: bool,
) -> None:
    search = search_for(expression, regex=True, ignore_case=ignore_case)
    finding = found_in(data, search, line, column, backward=backward)
    flags = re.IGNORECASE if ignore_case else 0
    expected = model(data, expression, line, column, backward=backward, flags=flags)
    check(finding, data, expected, line, column, backward)


@patient
@given(
    *(CONTENTS | LETTER_CONTENTS, st.sampled_from(LITERALS) | st.text(LETTERS, min_size=1, max_size=3)),
    *(LINES, COLUMNS, st.booleans()),
)
def test_a_literal_in_any_case_is_still_a_literal(
    search_for: SearchFor, data: bytes, literal: str, line: int, column: int, backward: bool
) -> None:
    finding = found_in(data, search_for(literal, ignore_case=True), line, column, backward)
    expected = model(data, re.escape(literal), line, column, backward=backward, flags=re.IGNORECASE)
    check(finding, data, expected, line, column, backward)


@pytest.mark.parametrize("backward", [False, True])
def test_long_forms_of_a_letter_are_found_at_every_seam(search_for: SearchFor, backward: bool) -> None:
    search = search_for("kk", ignore_case=True)
    for text in ("x" * before + form for before in range(24) for form in ("\u212a\u212axxx", "\u212axk\u212ak")):
        for column in range(1, len(text) + 2):
            finding = found_in(text.encode(), search, 1, column, backward)
            expected = model(text.encode(), "kk", 1, column, backward=backward, flags=re.IGNORECASE)
            check(finding, text.encode(), expected, 1, column, backward)


def test_an_expression_in_any_case_does_not_need_its_literals_in_their_own(search_for: SearchFor) -> None:
    search = search_for("ks.*B", regex=True, ignore_case=True)
    match = found_in("x\n\u212a\u017f b\n".encode(), search, 1, 1, False).match
    assert match == Match(2, 1, 4, "\u212a\u017f b")


@patient
@given(CONTENTS, st.sampled_from(LITERALS))
def test_forward_and_backward_meet_the_same_matches(search_for: SearchFor, data: bytes, literal: str) -> None:
    search = search_for(literal)
    forward, line, column = [], 1, 1
    while (match := found_in(data, search, line, column, False).match) is not None:
        forward.append(match)
        line, column = match.line, match.start_column + 1
    backward, line, column = [], len(data) + 2, 1
    while (match := found_in(data, search, line, column, True).match) is not None:
        backward.append(match)
        line, column = match.line, match.start_column
    assert forward == backward[::-1]
