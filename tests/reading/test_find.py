"""Where a match is reported to be, how much of its line is shown, and what is not searched for at all."""

import pytest

from forge_daemon.reading.files.document import Document
from forge_daemon.reading.match.filtered_lines import MAX_SEARCHED_LINE, STEP
from forge_daemon.reading.match.find import Match, Position
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.window.find import FindRequest, Found, find
from forge_protocol.errors import ErrorCode, ReadError
from tests.reading.sources import BOM, in_memory, no_progress


def found_in(data: bytes, term: Term, line: int = 1, column: int = 1, *, backward: bool = False) -> Found:
    return find(in_memory(data), FindRequest(term, Position(line, column), backward), no_progress)


def find_literal(data: bytes, pattern: str, line: int = 1, column: int = 1, *, backward: bool = False) -> Match | None:
    return found_in(data, Term(pattern), line, column, backward=backward).match


@pytest.mark.parametrize("backward", [False, True])
def test_nothing_is_found_in_an_empty_file(backward: bool) -> None:
    for data in (b"", BOM):
        for term in (Term("x*", regex=True), Term("x")):
            assert found_in(data, term, 5, 5, backward=backward) == Found(None, 0, None)


@pytest.mark.parametrize("backward", [False, True])
def test_an_expression_that_is_found_ends_the_search_within_a_block(backward: bool) -> None:
    lines = [b"needle 42\n"] + [b"-" * 99 + b"\n"] * (6 * STEP // 100)
    data = b"".join(reversed(lines) if backward else lines)
    read: list[tuple[int, int]] = []

    def read_at(offset: int, length: int) -> bytes:
        read.append((offset, offset + length))
        return data[offset : offset + length]

    position = Position(len(lines) + 1 if backward else 1)
    asked = FindRequest(Term(r"needle \d+", regex=True), position, backward)
    found = find(in_memory(data)._replace(read_at=read_at), asked, no_progress)
    assert found.match is not None
    assert found.match.content == "needle 42"
    assert found.scanned_bytes <= 2 * STEP
    if backward:  # the lines before it are counted, once, to tell its number
        return
    assert max(end for _, end in read) <= 2 * STEP


def test_backward_from_the_start_there_is_nothing() -> None:
    assert found_in(b"a\na\n", Term("a"), backward=True) == Found(None, 0, None)


def test_behind_the_last_line_is_the_end_of_the_file() -> None:
    data = b"a\nb\na\n"
    assert found_in(data, Term("a"), 9) == Found(None, 0, None)
    for line in (4, 9, 2**63 - 1):
        match = find_literal(data, "a", line, backward=True)
        assert match == Match(3, 1, 1, "a")


@pytest.mark.parametrize("data", [b"a\n\nb\n", b"a\r\n\r\nb\r\n"])
def test_an_empty_match_at_the_end_of_a_line_is_before_any_column_after_it(data: bytes) -> None:
    empty = Term("^$", regex=True)
    assert found_in(data, empty, 2, 1, backward=True).match is None
    assert found_in(data, empty, 2, 2, backward=True).match == Match(2, 1, 0, "")
    assert found_in(data, Term("$", regex=True), 1, 9, backward=True).match == Match(1, 2, 1, "a")
    assert found_in(data, Term("$", regex=True), 1, 9).match == Match(2, 1, 0, "")


def test_a_literal_may_overlap_itself() -> None:
    assert find_literal(b"aaa", "aa", 1, 2) == Match(1, 2, 3, "aaa")
    assert find_literal(b"aaa", "aa", 1, 3, backward=True) == Match(1, 2, 3, "aaa")


def test_the_end_of_a_line_is_not_part_of_it() -> None:
    assert find_literal(b"a\r\nb", "a\r") is None
    assert find_literal(b"a\rb\r\n", "\r") == Match(1, 2, 2, "a\rb")


def test_the_byte_order_mark_is_not_part_of_the_first_line() -> None:
    assert find_literal(BOM + b"a", "\ufeff") is None
    assert find_literal(BOM + b"a", "a") == Match(1, 1, 1, "a")


def test_an_open_document_is_never_binary() -> None:
    document = Document("a\0b", 1).snapshot(None)
    assert find(document, FindRequest(Term("b")), no_progress).match == Match(1, 3, 3, "a\0b")


def test_a_binary_file_is_refused() -> None:
    with pytest.raises(ReadError, match="binary") as refused:
        find_literal(b"a\0b", "b")
    assert refused.value.code == ErrorCode.INVALID_ARGUMENT


def test_a_match_far_out_in_a_long_line_is_shown_with_what_is_around_it() -> None:
    line = "é" * 5_000 + "needle" + "ü" * 10_000
    match = find_literal(f"first\n{line}\r\nlast\n".encode(), "needle")
    assert match == Match(2, 5_001, 5_006, line[5_000 - 1_024 :][:8_192])


def test_a_match_early_in_a_long_line_is_shown_with_the_lines_start() -> None:
    line = "é" * 4_095 + "needle" + "ü" * 10_000
    match = find_literal(line.encode(), "needle")
    assert match == Match(1, 4_096, 4_101, line[:8_192])


@pytest.mark.parametrize("backward", [False, True])
@pytest.mark.parametrize("term", [Term("yz$", regex=True), Term("YZ", ignore_case=True), Term("yz")])
def test_a_line_is_searched_as_far_as_the_limit(backward: bool, term: Term) -> None:
    data = b"x\n" + b"y" * (MAX_SEARCHED_LINE - 2) + b"z\nx\n"
    match = found_in(data, term, 9 if backward else 1, backward=backward).match
    assert match is not None
    assert match[:3] == (2, MAX_SEARCHED_LINE - 2, MAX_SEARCHED_LINE - 1)


def test_matching_lines_are_counted_from_the_start_of_the_search() -> None:
    request = FindRequest(Term("a"), Position(2), counts=True)
    assert find(in_memory(b"a\na\nb\na"), request, no_progress) == Found(Match(2, 1, 1, "a"), 0, 2)
