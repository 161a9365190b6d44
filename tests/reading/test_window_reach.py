"""Windows that are not counted from the first line, and how far a selection may reach."""

import pytest

from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.window.read import count_lines, read_window
from forge_daemon.reading.window.selection import LastLines, Lines
from forge_daemon.reading.window.window import ScanLimitExceeded, Window, WindowRequest
from forge_protocol.errors import ErrorCode
from tests.reading.sources import BOM, FIVE, cursor_in, in_memory, no_progress, window_of


class TestTailOfAFileWhoseLinesAreNotCounted:
    REQUEST = WindowRequest(count_lines_up_to=0)

    def tail(self, data: bytes, number: int, max_lines: int | None = None) -> Window:
        return window_of(data, self.REQUEST._replace(selection=LastLines(number), max_lines=max_lines))

    def test_a_tail_without_line_count_is_numbered_from_the_end(self) -> None:
        window = self.tail(FIVE, 2)
        assert (window.content, window.start_line, window.facts.line_count) == ("four\nfive\n", -2, None)

    def test_pages_go_on_by_cursor_alone(self) -> None:
        window = self.tail(FIVE, 3, max_lines=2)
        assert (window.content, window.start_line, window.truncated_by) == ("three\nfour\n", -3, "lines")
        assert (window.next_start_line, window.next_cursor) == (None, cursor_in(FIVE, 19, -1))
        rest = window_of(FIVE, self.REQUEST._replace(selection=window.next_cursor))
        assert (rest.content, rest.start_line, rest.truncated_by) == ("five\n", -1, None)

    def test_inside_a_long_line_the_number_is_repeated(self) -> None:
        window = window_of(FIVE, self.REQUEST._replace(selection=LastLines(1), max_bytes=3))
        assert (window.content, window.next_cursor) == ("fiv", cursor_in(FIVE, 22, -1, inside_line=True))

    @pytest.mark.parametrize("number", [5, 6, 2**63 - 1])
    def test_more_lines_than_there_are_is_all_of_them(self, number: int) -> None:
        window = self.tail(BOM + FIVE, number)
        assert (window.content, window.start_line) == (FIVE.decode(), -5)

    def test_a_last_line_without_newline_counts(self) -> None:
        assert self.tail(b"a\nb\nc", 2).content == "b\nc"
        assert self.tail(b"a\nb\n\n", 2).content == "b\n\n"

    def test_long_lines_are_searched_block_by_block(self) -> None:
        line = b"x" * 99_999 + b"\n"
        window = window_of(line * 30, self.REQUEST._replace(selection=LastLines(20), max_bytes=None))
        assert (len(window.content), window.returned_line_count) == (2_000_000, 20)

    def test_the_search_can_be_stopped(self) -> None:
        seen: list[tuple[int, int]] = []
        request = self.REQUEST._replace(selection=LastLines(2**40))
        data = b"x\n" * 100_000
        read_window(in_memory(data), request, lambda done, total: seen.append((done, total)))
        assert seen == [(0, 200_000), (1, 200_000), (65_537, 200_000)]


def test_a_page_of_lines_that_match_reads_no_further_into_a_coloured_text_than_it_must() -> None:
    data, read = b"\x1b[31mERROR\x1b[0m x\n" * 1_000_000, [0]
    matching = Filter(FilterSpec(Terms(any=(Term("ERROR x"),))))
    selection, form = Lines(1, None), TextForm(strip_ansi=True)
    request = WindowRequest(selection, max_lines=1, count_lines_up_to=0, filter=matching, form=form)
    window = read_window(in_memory(data), request, lambda done, total: read.append(done))
    assert (window.content, window.truncated_by) == ("ERROR x\n", "lines")
    assert max(read) < len(data) / 2


class TestReach:
    """The furthest a line selection may go, judged on the file."""

    def test_a_selection_that_starts_beyond_it_is_refused_and_says_how_far_it_came(self) -> None:
        with pytest.raises(ScanLimitExceeded) as caught:
            window_of(FIVE, WindowRequest(selection=Lines(4, None), reach=14, count_lines_up_to=14))
        assert caught.value.code == ErrorCode.SCAN_LIMIT_EXCEEDED
        assert caught.value.reached == 3
        assert "line 4" in caught.value.reason
        assert "14 bytes" in caught.value.reason

    def test_a_selection_that_starts_before_the_reach_is_delivered_up_to_it(self) -> None:
        window = window_of(FIVE, WindowRequest(selection=Lines(3, None), reach=20, count_lines_up_to=20))
        assert (window.content, window.truncated_by) == ("three\nfour\n", "bytes")
        assert window.next_start_line == 5

    def test_a_line_that_reaches_beyond_it_is_cut(self) -> None:
        window = window_of(FIVE, WindowRequest(selection=Lines(3, None), reach=10, count_lines_up_to=10))
        assert (window.content, window.next_start_line) == ("th", 4)

    def test_a_selection_that_ends_before_it_is_complete(self) -> None:
        window = window_of(FIVE, WindowRequest(selection=Lines(2, 2), reach=8, count_lines_up_to=8))
        assert (window.content, window.truncated_by) == ("two\n", None)

    def test_past_the_end_of_a_file_within_it_is_a_success(self) -> None:
        window = window_of(FIVE, WindowRequest(selection=Lines(9, None), reach=len(FIVE)))
        assert (window.content, window.truncated_by) == ("", None)

    def test_the_reach_does_not_limit_a_read_without_a_selection(self) -> None:
        assert window_of(FIVE, WindowRequest(reach=1)).content == FIVE.decode()

    def test_the_first_line_is_always_within_it(self) -> None:
        data = BOM + b"\nb\n"
        window = window_of(data, WindowRequest(selection=Lines(1, None), reach=2))
        assert (window.content, window.next_cursor) == ("\n", cursor_in(data, 1, 2))
        whole = window_of(data, WindowRequest(selection=Lines(1, 1), reach=2))
        assert (whole.content, whole.truncated_by) == ("\n", None)

    def test_no_answer_depends_on_how_much_was_indexed_before(self) -> None:
        request = WindowRequest(selection=Lines(4, None), reach=14, count_lines_up_to=14)
        source = in_memory(FIVE)
        reasons = []
        for _ in range(2):
            with pytest.raises(ScanLimitExceeded) as caught:
                read_window(source, request, no_progress)
            reasons.append((caught.value.reason, caught.value.reached))
            count_lines(source, WindowRequest(), no_progress)
        assert reasons[0] == reasons[1]
