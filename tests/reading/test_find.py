"""Where a match is told to be, how much of it is shown, and what is not searched for at all."""

import pytest

from forge_daemon.reading.search.find import Finding, FindRequest, Match, Search, find, open_search
from forge_daemon.reading.search.line_search import _STEP, LONGEST_LINE, LineSearch
from forge_daemon.reading.search.literal_search import LiteralSearch
from forge_daemon.reading.sources.buffer import Buffer
from forge_daemon.reading.sources.source import Source
from forge_protocol.errors import ErrorCode, ReadError
from reading.sources import BOM, in_memory, no_progress


def found_in(data: bytes, search: Search, line: int = 1, column: int = 1, *, backward: bool = False) -> Finding:
    return find(in_memory(data), FindRequest(line, column, backward), search, no_progress)


def find_literal(data: bytes, pattern: str, line: int = 1, column: int = 1, *, backward: bool = False) -> Match | None:
    with open_search(pattern) as search:
        return found_in(data, search, line, column, backward=backward).match


def refusal(pattern: str, *, regex: bool = False) -> ReadError:
    with pytest.raises(ReadError) as refused, open_search(pattern, regex=regex):
        pass
    assert refused.value.code == ErrorCode.INVALID_ARGUMENT
    return refused.value


@pytest.mark.parametrize("backward", [False, True])
def test_nothing_is_found_in_an_empty_file(backward: bool) -> None:
    for data in (b"", BOM):
        with open_search("x*", regex=True) as search:
            assert found_in(data, search, 5, 5, backward=backward) == Finding(None, 0)
        assert found_in(data, open_search("x"), 5, 5, backward=backward) == Finding(None, 0)


@pytest.mark.parametrize("backward", [False, True])
def test_an_expression_that_is_found_ends_the_search_within_a_block(backward: bool) -> None:
    lines = [b"needle 42\n"] + [b"-" * 99 + b"\n"] * (6 * _STEP // 100)
    data = b"".join(reversed(lines) if backward else lines)
    read: list[tuple[int, int]] = []

    def read_at(offset: int, length: int) -> bytes:
        read.append((offset, offset + length))
        return data[offset : offset + length]

    with open_search(r"needle \d+", regex=True) as search:
        asked = FindRequest(len(lines) + 1 if backward else 1, 1, backward)
        found = find(in_memory(data)._replace(read_at=read_at), asked, search, no_progress)
    assert found.match is not None
    assert found.match.content == "needle 42"
    assert found.scanned_bytes <= 2 * _STEP
    if backward:  # the lines before it are counted, once, to tell its number
        return
    assert max(end for _, end in read) <= 2 * _STEP


def test_backward_from_the_start_there_is_nothing() -> None:
    assert found_in(b"a\na\n", open_search("a"), backward=True) == Finding(None, 0)


def test_behind_the_last_line_is_the_end_of_the_file() -> None:
    data = b"a\nb\na\n"
    assert found_in(data, open_search("a"), 9) == Finding(None, 0)
    for line in (4, 9, 2**63 - 1):
        match = find_literal(data, "a", line, backward=True)
        assert match == Match(3, 1, 1, "a")


def test_a_literal_may_overlap_itself() -> None:
    assert find_literal(b"aaa", "aa", 1, 2) == Match(1, 2, 3, "aaa")
    assert find_literal(b"aaa", "aa", 1, 3, backward=True) == Match(1, 2, 3, "aaa")


def test_the_end_of_a_line_is_not_part_of_it() -> None:
    assert find_literal(b"a\r\nb", "a\r") is None
    assert find_literal(b"a\rb\r\n", "\r") == Match(1, 2, 2, "a\rb")


def test_the_byte_order_mark_is_not_part_of_the_first_line() -> None:
    assert find_literal(BOM + b"a", "\ufeff") is None
    assert find_literal(BOM + b"a", "a") == Match(1, 1, 1, "a")


def test_malformed_bytes_are_found_as_they_are_shown() -> None:
    assert find_literal(b"a\xffb", "\ufffdb") == Match(1, 2, 3, "a\ufffdb")


def test_an_open_document_is_never_binary() -> None:
    source: Source = Buffer("a\0b", 1).source(None)
    assert find(source, FindRequest(), open_search("b"), no_progress).match == Match(1, 3, 3, "a\0b")


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
def test_a_line_too_long_for_an_expression_is_refused_with_the_way_on(backward: bool) -> None:
    data = b"x\n" + b"y" * LONGEST_LINE + b"\nx\n"
    with (
        open_search("z", regex=True) as search,
        pytest.raises(ReadError, match="longer than 4 MiB") as refused,
    ):
        found_in(data, search, 9 if backward else 1, backward=backward)
    assert refused.value.code == ErrorCode.INVALID_ARGUMENT
    assert "continues" in (refused.value.hint or "")


@pytest.mark.parametrize("backward", [False, True])
def test_a_literal_in_any_case_is_found_in_a_line_of_any_length(backward: bool) -> None:
    data = b"x\n" + "\u212a".encode() * LONGEST_LINE + "Äß".encode() + b"y" * LONGEST_LINE
    with open_search("kkäẞ", ignore_case=True) as search:
        match = found_in(data, search, 9 if backward else 1, backward=backward).match
    assert match is not None
    assert match[:3] == (2, LONGEST_LINE - 1, LONGEST_LINE + 2)


@pytest.mark.parametrize("backward", [False, True])
def test_the_longest_line_is_searched_whole(backward: bool) -> None:
    data = b"x\n" + b"y" * (LONGEST_LINE - 2) + b"z\nx\n"
    with open_search("yz$", regex=True) as search:
        match = found_in(data, search, 9 if backward else 1, backward=backward).match
    assert match is not None
    assert match[:3] == (2, LONGEST_LINE - 2, LONGEST_LINE - 1)


def test_a_pattern_that_runs_away_is_stopped() -> None:
    with (
        open_search(r"(a+)+\1c", regex=True) as search,
        pytest.raises(ReadError, match="longer than 2 seconds") as refused,
    ):
        found_in(b"a" * 64 + b"bc\n", search)
    assert refused.value.code == ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    "expression", ["(", "a{2,1}", "[", r"\8", "(?<=a*)b", "a{99999999999}", "(?a)(?u)x", "(" * 500 + ")" * 500]
)
def test_an_expression_that_does_not_compile_is_refused(expression: str) -> None:
    assert refusal(expression, regex=True).reason.startswith("pattern: not a regular expression: ")


def test_a_pattern_has_a_length() -> None:
    refusal("")
    refusal("", regex=True)
    refusal("a" * 1_001)
    assert find_literal(b"a" * 1_000, "a" * 1_000) is not None


def test_a_literal_that_could_never_match_is_refused() -> None:
    refusal("a\nb")
    refusal("\ud800")


def test_only_what_needs_a_process_gets_one() -> None:
    for search in (open_search("a"), open_search("ä", ignore_case=True)):
        assert isinstance(search, LiteralSearch)
    for search in (open_search("a", regex=True), open_search("\ufffd"), open_search("a\r", ignore_case=True)):
        with search:
            assert isinstance(search, LineSearch)
