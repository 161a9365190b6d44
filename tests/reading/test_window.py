"""Windows by hand: which text, which facts, where to continue, and in which order things are refused."""

import pytest

from forge_daemon.reading.match.run import Place
from forge_daemon.reading.window.cursor import cursor_at
from forge_daemon.reading.window.read import count_lines
from forge_daemon.reading.window.selection import LastLines, Lines, Selection
from forge_daemon.reading.window.window import MAX_CONTENT_BYTES, BinaryPage, Facts, Window, WindowRequest
from forge_protocol.errors import ErrorCode, ReadError
from tests.reading.sources import BOM, FIVE, cursor_in, in_memory, no_progress, window_of


def facts_of(data: bytes, line_count: int | None) -> Facts:
    return Facts(
        byte_length=len(data),
        line_count=line_count,
        mtime_ms=0,
        encoding="utf-8",
        bom=data.startswith(BOM),
        ends_with_newline=data.endswith(b"\n"),
        etag=in_memory(data).etag,
        source="disk",
        document_version=None,
    )


def test_a_window_without_selection_is_the_whole_file() -> None:
    assert window_of(FIVE, WindowRequest()) == Window(
        facts_of(FIVE, 5),
        start_line=1,
        content=FIVE.decode(),
        returned_line_count=5,
        eol="lf",
        end_cursor=cursor_in(FIVE, len(FIVE), 6),
    )


def test_a_page_of_the_whole_file_says_where_to_go_on() -> None:
    assert window_of(FIVE, WindowRequest(max_lines=2)) == Window(
        facts_of(FIVE, 5),
        start_line=1,
        content="one\ntwo\n",
        returned_line_count=2,
        eol="lf",
        truncated_by="lines",
        next_start_line=3,
        next_cursor=cursor_in(FIVE, 8, 3),
    )


@pytest.mark.parametrize(
    ("selection", "max_lines", "content", "start_line", "truncated_by", "next_start_line"),
    [
        (Lines(2, 3), None, "two\nthree\n", 2, None, None),
        (Lines(2, 4), 2, "two\nthree\n", 2, "lines", 4),
        (Lines(2, 3), 2, "two\nthree\n", 2, None, None),
        (Lines(4, None), 2, "four\nfive\n", 4, None, None),
        (Lines(4, 9), 2, "four\nfive\n", 4, None, None),
        (Lines(5, 5), 1, "five\n", 5, None, None),
        (Lines(6, None), 1, "", 6, None, None),
        (Lines(7, 9), 1, "", 7, None, None),
        (Lines(2**63 - 1, 2**63 - 1), 1, "", 2**63 - 1, None, None),
        (LastLines(2), None, "four\nfive\n", 4, None, None),
        (LastLines(5), None, FIVE.decode(), 1, None, None),
        (LastLines(6), None, FIVE.decode(), 1, None, None),
        (LastLines(2**63 - 1), 1, "one\n", 1, "lines", 2),
        (LastLines(3), 2, "three\nfour\n", 3, "lines", 5),
    ],
)
def test_a_selection_is_exactly_those_lines(
    selection: Selection,
    max_lines: int | None,
    content: str,
    start_line: int,
    truncated_by: str | None,
    next_start_line: int | None,
) -> None:
    window = window_of(FIVE, WindowRequest(selection=selection, max_lines=max_lines))
    assert (window.content, window.start_line) == (content, start_line)
    assert (window.truncated_by, window.next_start_line) == (truncated_by, next_start_line)
    assert (window.next_cursor is None) == (truncated_by is None)
    assert window.returned_line_count == content.count("\n")


def test_a_cursor_keeps_the_end_of_its_selection() -> None:
    window = window_of(FIVE, WindowRequest(selection=Lines(2, 4), max_lines=2))
    assert window.next_cursor == cursor_in(FIVE, 14, 4, last=4)
    rest = window_of(FIVE, WindowRequest(selection=window.next_cursor, max_lines=2))
    assert (rest.content, rest.start_line, rest.truncated_by) == ("four\n", 4, None)


@pytest.mark.parametrize(
    ("data", "line_count", "returned", "content", "eol"),
    [
        (b"", 0, 0, "", "none"),
        (BOM, 0, 0, "", "none"),
        (BOM + b"\n", 1, 1, "\n", "lf"),
        (BOM + b"a", 1, 1, "a", "none"),
        (BOM + BOM + b"a", 1, 1, "\ufeffa", "none"),
        (b"a\n" + BOM + b"b\n", 2, 2, "a\n\ufeffb\n", "lf"),
        (b"a", 1, 1, "a", "none"),
        (b"\n", 1, 1, "\n", "lf"),
        (b"\n\n", 2, 2, "\n\n", "lf"),
        (b"a\nb", 2, 2, "a\nb", "lf"),
        (b"a\r\nb\r\n", 2, 2, "a\nb\n", "crlf"),
        (b"a\r\nb\n", 2, 2, "a\nb\n", "mixed"),
        (b"\r", 1, 1, "\r", "none"),
        (b"a\rb\xe2\x80\xa8c\xc2\x85d\x0ce\x0bf\x1cg", 1, 1, "a\rb\u2028c\x85d\x0ce\x0bf\x1cg", "none"),
    ],
)
def test_a_newline_ends_a_line_and_nothing_else_does(
    data: bytes, line_count: int, returned: int, content: str, eol: str
) -> None:
    window = window_of(data, WindowRequest())
    assert window.facts == facts_of(data, line_count)
    assert (window.returned_line_count, window.content, window.eol) == (returned, content, eol)
    assert window.truncated_by is None


def test_how_lines_end_and_what_is_malformed_is_said_of_the_window_not_of_the_file() -> None:
    data = b"a\nb\r\n\xff\n\n"
    windows = [window_of(data, WindowRequest(selection=Lines(line, line))) for line in range(1, 5)]
    assert [window.eol for window in windows] == ["lf", "crlf", "lf", "lf"]
    assert [window.decode_errors for window in windows] == [0, 0, 1, 0]
    assert windows[2].content == "\ufffd\n"


def test_an_answer_that_is_full_ends_after_a_whole_line() -> None:
    window = window_of(FIVE, WindowRequest(max_bytes=10))
    assert (window.content, window.truncated_by) == ("one\ntwo\n", "bytes")
    assert (window.next_start_line, window.next_cursor) == (3, cursor_in(FIVE, 8, 3))


def test_a_line_that_fits_to_the_byte_is_whole() -> None:
    assert window_of(FIVE, WindowRequest(max_bytes=8)).content == "one\ntwo\n"
    window = window_of(FIVE, WindowRequest(selection=Lines(4, None), max_bytes=10))
    assert (window.content, window.truncated_by) == ("four\nfive\n", None)


def test_a_line_longer_than_an_answer_is_cut_between_characters_and_gone_on_inside() -> None:
    data = "ab日本語\nnext\n".encode()
    first = window_of(data, WindowRequest(max_bytes=7))
    assert (first.content, first.returned_line_count, first.truncated_by) == ("ab日", 1, "bytes")
    assert (first.next_start_line, first.next_cursor) == (2, cursor_in(data, 5, 1, inside_line=True))
    second = window_of(data, WindowRequest(selection=first.next_cursor, max_bytes=7))
    assert (second.content, second.start_line, second.returned_line_count) == ("本語\n", 1, 1)
    assert (second.next_start_line, second.next_cursor) == (2, cursor_in(data, 12, 2))
    third = window_of(data, WindowRequest(selection=second.next_cursor, max_bytes=7))
    assert (third.content, third.start_line, third.truncated_by) == ("next\n", 2, None)


def test_a_fragment_counts_as_one_line_of_the_page() -> None:
    data = b"0123456789\nb\nc\n"
    first = window_of(data, WindowRequest(selection=Lines(1, 2), max_lines=2, max_bytes=5))
    assert (first.content, first.next_cursor) == ("01234", cursor_in(data, 5, 1, last=2, inside_line=True))
    second = window_of(data, WindowRequest(selection=first.next_cursor, max_lines=2))
    assert (second.content, second.returned_line_count, second.truncated_by) == ("56789\nb\n", 2, None)


def test_at_least_one_character_is_given_however_little_is_allowed() -> None:
    for text in ("é", "日", "😀", "\r\n", "\n"):
        window = window_of((text + "x\n").encode(), WindowRequest(max_bytes=1))
        assert window.content == text.replace("\r\n", "\n")


def test_a_line_end_that_does_not_fit_still_ends_the_line() -> None:
    data = b"\r\n\r\nlast"
    window = window_of(data, WindowRequest(max_bytes=1))
    assert (window.content, window.next_start_line) == ("\n", 2)
    assert window.next_cursor == cursor_in(data, 2, 2)
    assert window_of(data, WindowRequest(selection=Lines(1, 1), max_bytes=1)).truncated_by is None


def test_one_line_of_an_answer_s_length_is_not_truncated() -> None:
    data = b"x" * (MAX_CONTENT_BYTES - 1) + b"\n"
    assert window_of(data, WindowRequest()).truncated_by is None
    assert window_of(data + b"y", WindowRequest()).next_cursor == cursor_in(data + b"y", MAX_CONTENT_BYTES, 2)


def test_an_endless_line_is_paged_a_whole_answer_at_a_time() -> None:
    data = b"x" * (2 * MAX_CONTENT_BYTES + 7)
    selection: Selection = None
    lengths = []
    while True:
        window = window_of(data, WindowRequest(selection=selection))
        lengths.append(len(window.content))
        assert (window.start_line, window.returned_line_count) == (1, 1)
        selection = window.next_cursor
        if selection is None:
            break
    assert lengths == [MAX_CONTENT_BYTES, MAX_CONTENT_BYTES, 7]


def test_malformed_bytes_count_as_long_as_they_are_shown() -> None:
    data = b"\xff\n\xfe\n\xfd\n"
    window = window_of(data, WindowRequest(max_bytes=8))
    assert (window.content, window.truncated_by, window.next_start_line) == ("\ufffd\n\ufffd\n", "bytes", 3)
    assert window.decode_errors == 2
    assert window_of(data, WindowRequest(max_bytes=12)).truncated_by is None


def test_a_limit_on_the_file_s_bytes_counts_malformed_ones_as_they_stand_there() -> None:
    window = window_of(b"\xff\n\xfe\n\xfd\n", WindowRequest(max_bytes=4, max_bytes_of="file"))
    assert (window.content, window.truncated_by) == ("\ufffd\n\ufffd\n", "bytes")


def test_a_malformed_line_longer_than_an_answer_is_cut_by_what_is_shown() -> None:
    data = b"\xff" * 10 + b"\n"
    window = window_of(data, WindowRequest(max_bytes=12))
    assert (window.content, window.decode_errors) == ("\ufffd" * 4, 4)
    assert window.next_cursor == cursor_in(data, 4, 1, inside_line=True)


def test_lines_longer_than_guessed_are_read_in_several_steps() -> None:
    data = (b"x" * 5000 + b"\n") * 60
    window = window_of(data, WindowRequest(max_lines=50))
    assert (window.content, window.returned_line_count) == (data.decode()[: 50 * 5001], 50)
    assert window.next_start_line == 51


class TestBinary:
    DATA = b"\x89PNG\0\n" + bytes(range(256)) * 5

    def test_the_bytes_come_a_page_at_a_time(self) -> None:
        request = WindowRequest(max_bytes=1000)
        first = window_of(self.DATA, request)
        assert first.binary == BinaryPage(self.DATA[:1000], 0)
        assert (first.content, first.returned_line_count, first.start_line) == ("", 0, 1)
        assert (first.truncated_by, first.next_start_line) == ("bytes", None)
        assert first.next_cursor == cursor_at(in_memory(self.DATA), None, Place(1000, 0, 0), None)
        second = window_of(self.DATA, request._replace(selection=first.next_cursor))
        assert second.binary == BinaryPage(self.DATA[1000:], 1000)
        assert (second.truncated_by, second.next_cursor) == (None, None)

    def test_a_binary_file_has_no_lines_and_no_text(self) -> None:
        facts = window_of(self.DATA, WindowRequest()).facts
        assert (facts.encoding, facts.line_count, facts.bom, facts.ends_with_newline) == (
            "binary",
            None,
            False,
            False,
        )
        assert facts.byte_length == len(self.DATA)

    def test_a_binary_file_comes_whole_without_a_limit(self) -> None:
        assert window_of(self.DATA, WindowRequest(max_bytes=None)).binary == BinaryPage(self.DATA, 0)

    @pytest.mark.parametrize("selection", [Lines(1, None), Lines(1, 5), LastLines(5)])
    def test_lines_cannot_be_selected(self, selection: Selection) -> None:
        with pytest.raises(ReadError) as caught:
            window_of(self.DATA, WindowRequest(selection=selection))
        assert caught.value.code == ErrorCode.INVALID_ARGUMENT

    def test_the_lines_of_a_binary_file_cannot_be_counted(self) -> None:
        with pytest.raises(ReadError) as caught:
            count_lines(in_memory(self.DATA), WindowRequest(), no_progress)
        assert caught.value.code == ErrorCode.INVALID_ARGUMENT

    def test_a_binary_file_can_be_refused(self) -> None:
        with pytest.raises(ReadError) as caught:
            window_of(self.DATA, WindowRequest(on_binary="refuse", selection=Lines(1, None)))
        assert caught.value.code == ErrorCode.BINARY_NOT_SUPPORTED

    def test_a_nul_further_on_is_a_character(self) -> None:
        window = window_of(b"a" * 8192 + b"\0\n", WindowRequest())
        assert window.content.endswith("a\0\n")


class TestNotModified:
    @pytest.mark.parametrize(
        ("selection", "start_line"),
        [(None, 1), (Lines(3, 4), 3), (LastLines(2), 4), (LastLines(9), 1), (cursor_in(FIVE, 8, 3), 3)],
    )
    def test_not_modified_comes_with_every_fact_and_no_content(self, selection: Selection, start_line: int) -> None:
        request = WindowRequest(selection=selection, if_none_match=in_memory(FIVE).etag, max_lines=1)
        assert window_of(FIVE, request) == Window(facts_of(FIVE, 5), start_line, not_modified=True)

    def test_the_tail_of_a_large_file_is_numbered_from_the_end(self) -> None:
        request = WindowRequest(selection=LastLines(2), if_none_match=in_memory(FIVE).etag, count_lines_up_to=0)
        assert window_of(FIVE, request) == Window(facts_of(FIVE, None), -2, not_modified=True)

    def test_another_etag_brings_the_content(self) -> None:
        window = window_of(FIVE, WindowRequest(if_none_match="something else"))
        assert (window.not_modified, window.content) == (False, FIVE.decode())

    def test_not_modified_is_judged_before_the_file_is_found_to_be_binary(self) -> None:
        data = TestBinary.DATA
        request = WindowRequest(on_binary="refuse", if_none_match=in_memory(data).etag)
        window = window_of(data, request)
        assert (window.not_modified, window.binary, window.truncated_by) == (True, None, None)

    def test_size_is_judged_before_it(self) -> None:
        request = WindowRequest(max_file_size=len(FIVE) - 1, if_none_match=in_memory(FIVE).etag)
        with pytest.raises(ReadError) as caught:
            window_of(FIVE, request)
        assert caught.value.code == ErrorCode.SIZE_LIMIT_EXCEEDED

    def test_a_file_of_exactly_the_greatest_size_is_read(self) -> None:
        assert window_of(FIVE, WindowRequest(max_file_size=len(FIVE))).content == FIVE.decode()


@pytest.mark.parametrize(
    ("data", "count"), [(b"", 0), (BOM, 0), (BOM + b"\n", 1), (b"a", 1), (b"a\n", 1), (b"\n\na", 3)]
)
def test_lines_are_counted_like_those_of_a_window(data: bytes, count: int) -> None:
    assert count_lines(in_memory(data), WindowRequest(), no_progress).lines == count


def test_lines_are_counted_up_to_exactly_the_size_given() -> None:
    assert window_of(FIVE, WindowRequest(count_lines_up_to=len(FIVE))).facts.line_count == 5
    assert window_of(FIVE, WindowRequest(count_lines_up_to=len(FIVE) - 1)).facts.line_count is None
