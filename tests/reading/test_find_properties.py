"""For any bytes: a match is where a reader of the whole text would find it."""

import re
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading.lines import columns
from forge_daemon.reading.match import filtered_lines
from forge_daemon.reading.match.find import Match, Position
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.window.find import FindRequest, Found, find
from tests.reading.sources import BOM, in_memory, lines_of, no_progress, normalised

LITERALS = ["a", "aa", "b", "aba", "é", "日", "😀", "\r", "a\r", "\ufeff", "b a"]
EXPRESSIONS = [
    "a",
    "a+",
    "a*",
    "^a",
    "a$",
    "^$",
    "a|b",
    r"\S+",
    "é?",
    "[^a]",
    r"\bb",
    "a.*b",
    "ab?",
    "ba{0,1}",
    "[ab]a",
]
VALID = [text.encode() for text in ("\n", "\r\n", "\r", "a", "b", " ", "A", "\ufeff", "é", "É", "日", "😀")]
MALFORMED = [b"\xff", b"\x80", b"\xe6\x97", b"\xf0\x9f\x98", b"\xed\xa0\x80"]
CONTENTS = st.lists(st.sampled_from([*VALID, *MALFORMED]), max_size=40).map(b"".join)
VALID_CONTENTS = st.lists(st.sampled_from(VALID), max_size=40).map(b"".join)
"""What an expression finds in malformed text is the matcher's own matter."""
LINES, COLUMNS = st.integers(1, 12), st.integers(1, 12)


def found_in(data: bytes, term: Term, line: int, column: int, backward: bool) -> Found:
    return find(in_memory(data), FindRequest(term, Position(line, column), backward), no_progress)


def model(
    data: bytes, expression: str, line: int, column: int, *, backward: bool, flags: int = 0
) -> tuple[int, int, int] | None:
    """Every place is tried; the nearest one at which the expression matches is the answer."""
    pattern, found = re.compile(expression, flags), []
    for number, text in enumerate((each.removesuffix("\n") for each in lines_of(normalised(data))), 1):
        for start in range(len(text) + 1):
            if matched := pattern.match(text, start):
                found.append((number, start + 1, matched.end()))
    position = (line, column)
    if backward:
        return max((each for each in found if each[:2] < position), default=None)
    return min((each for each in found if each[:2] >= position), default=None)


def scanned(data: bytes, line: int, column: int, match: Match | None, *, backward: bool) -> int:
    """From one position to the other, each counted in bytes by decoding from the start of its line."""
    end = 0 if backward else len(data.removeprefix(BOM))
    if match is not None:
        end = offset_of(data, match.line, match.start_column)
    return abs(offset_of(data, line, column) - end)


def offset_of(data: bytes, line: int, column: int) -> int:
    data = data.removeprefix(BOM)
    lines = data.split(b"\n")
    if line > len(lines):
        return len(data)
    before = sum(len(each) + 1 for each in lines[: line - 1])
    raw = lines[line - 1].removesuffix(b"\r") if line < len(lines) else lines[line - 1]
    if column - 1 > len(shown(raw)):
        return min(before + len(raw) + 1, len(data))
    characters = column - 1
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
        patch.setattr(filtered_lines, "STRIDE", 4)
        patch.setattr(filtered_lines, "STEP", 8)
        patch.setattr(columns, "PIECE", 6)
        yield


def check(
    finding: Found, data: bytes, expected: tuple[int, int, int] | None, line: int, column: int, backward: bool
) -> None:
    match = finding.match
    assert (match and match[:3]) == expected
    if match is not None:
        assert match.content == lines_of(normalised(data))[match.line - 1].removesuffix("\n")
    assert finding.scanned_bytes == scanned(data, line, column, match, backward=backward)


@given(CONTENTS, st.sampled_from(LITERALS), LINES, COLUMNS, st.booleans())
def test_a_literal_is_found_where_the_text_has_it(
    data: bytes, literal: str, line: int, column: int, backward: bool
) -> None:
    finding = found_in(data, Term(literal), line, column, backward)
    expected = model(data, re.escape(literal), line, column, backward=backward)
    check(finding, data, expected, line, column, backward)


@given(VALID_CONTENTS, st.sampled_from(EXPRESSIONS), LINES, COLUMNS, st.booleans(), st.booleans())
def test_a_regular_expression_sees_one_line_at_a_time(
    data: bytes, expression: str, line: int, column: int, backward: bool, ignore_case: bool
) -> None:
    finding = found_in(data, Term(expression, regex=True, ignore_case=ignore_case), line, column, backward)
    flags = re.IGNORECASE if ignore_case else 0
    expected = model(data, expression, line, column, backward=backward, flags=flags)
    check(finding, data, expected, line, column, backward)


@given(VALID_CONTENTS, st.sampled_from(LITERALS), LINES, COLUMNS, st.booleans())
def test_a_case_insensitive_literal_is_still_a_literal(
    data: bytes, literal: str, line: int, column: int, backward: bool
) -> None:
    finding = found_in(data, Term(literal, ignore_case=True), line, column, backward)
    expected = model(data, re.escape(literal), line, column, backward=backward, flags=re.IGNORECASE)
    check(finding, data, expected, line, column, backward)


@given(CONTENTS, st.sampled_from(LITERALS))
def test_forward_and_backward_find_the_same_matches(data: bytes, literal: str) -> None:
    term = Term(literal)
    forward, line, column = [], 1, 1
    while (match := found_in(data, term, line, column, False).match) is not None:
        forward.append(match)
        line, column = match.line, match.start_column + 1
    backward, line, column = [], len(data) + 2, 1
    while (match := found_in(data, term, line, column, True).match) is not None:
        backward.append(match)
        line, column = match.line, match.start_column
    assert forward == backward[::-1]
