"""Which lines a term finds."""

import threading
from collections.abc import Callable, Iterator

import pytest

from forge_daemon.reading.match import matcher
from forge_daemon.reading.match.expression import compile_lines, is_supported
from forge_daemon.reading.match.matcher import ExpressionMatcher, LiteralMatcher, compile_term
from forge_daemon.reading.match.term import Term
from forge_protocol.errors import ErrorCode, ReadError
from tests.reading.match.blocks import found, spans

pytestmark = pytest.mark.skipif(not is_supported(), reason="google-re2 is not installed")


class Stopped(Exception):
    pass


def stop() -> None:
    raise Stopped


class TestLiterals:
    def test_literals_are_text_and_not_expressions(self) -> None:
        assert found(b"a.b\naxb\n", "a.b") == [b"a.b\n"]

    def test_literals_are_found_in_every_line_that_has_them(self) -> None:
        assert found(b"a\n\nxax\nb\naa", "a") == [b"a\n", b"xax\n", b"aa"]

    def test_literals_beyond_ascii_are_found(self) -> None:
        assert found("日本\nnothing\né".encode(), "本") == ["日本\n".encode()]

    def test_literals_are_found_case_insensitively_in_any_script(self) -> None:
        block = "ÉTÉ\nété\nK\u212a\nStra\u1e9ee\nfin\n".encode()
        assert found(block, "été", ignore_case=True) == ["ÉTÉ\n".encode(), "été\n".encode()]
        assert found(block, "kk", ignore_case=True) == ["K\u212a\n".encode()]
        assert found(block, "STRASSE".replace("SS", "ß"), ignore_case=True) == ["Stra\u1e9ee\n".encode()]

    def test_literals_are_found_as_whole_words(self) -> None:
        block = b"cat\nconcat\ncat5\na cat.\ncat_\nCAT\n"
        assert found(block, "cat", whole_word=True) == [b"cat\n", b"a cat.\n"]
        assert found(block, "cat", whole_word=True, ignore_case=True) == [b"cat\n", b"a cat.\n", b"CAT\n"]
        assert found(b"a+b\na+\n", "a+b", whole_word=True) == [b"a+b\n"]

    def test_the_end_of_a_line_is_not_part_of_it(self) -> None:
        assert found(b"a\r\nb", "a\r") == []
        assert found(b"a\rb\r\n", "\r") == [b"a\rb\r\n"]
        assert found(b"a\r\r\n", "a\r") == [b"a\r\r\n"]
        assert found(b"a\r", "a\r") == [b"a\r"]

    def test_an_expression_without_special_characters_is_one(self) -> None:
        assert isinstance(compile_term(Term("disk full", regex=True)), LiteralMatcher)
        assert isinstance(compile_term(Term("disk.full", regex=True)), ExpressionMatcher)


class TestExpressions:
    @pytest.mark.parametrize(
        ("expression", "lines"),
        [
            ("^a", [b"ab\r\n", b"a"]),
            ("b$", [b"ab\r\n", b"b\n"]),
            ("^$", [b"\n", b"\r\n"]),
            ("b.", []),
            ("x*", [b"ab\r\n", b"\n", b"b\n", b"\r\n", b"a"]),
            ("$", [b"ab\r\n", b"\n", b"b\n", b"\r\n", b"a"]),
            (r"\s", []),
            (r"[^x]$", [b"ab\r\n", b"b\n", b"a"]),
            (r"(?s)b.b", []),
            (r"b[^x]*b", []),
        ],
    )
    def test_see_one_line_without_its_ending(self, expression: str, lines: list[bytes]) -> None:
        assert found(b"ab\r\n\nb\n\r\na", expression, regex=True) == lines

    def test_nothing_is_found_in_an_empty_block(self) -> None:
        assert found(b"", "x*", regex=True) == []
        assert found(b"", "x") == []

    def test_classes_are_ascii_unless_they_are_unicodes(self) -> None:
        block = "日本\nab\n٣\n".encode()
        assert found(block, r"^\w+$", regex=True) == [b"ab\n"]
        assert found(block, r"^\pL+$", regex=True) == ["日本\n".encode(), b"ab\n"]
        assert found(block, r"\d", regex=True) == []

    def test_expressions_may_have_posix_classes(self) -> None:
        assert found(b"ab\n12\n", "^[[:alpha:]]+$", regex=True) == [b"ab\n"]
        assert found(b"ab\n12\n", "^[[:^alpha:]]+$", regex=True) == [b"12\n"]

    def test_expressions_are_found_case_insensitively(self) -> None:
        assert found("ERROR\nÉA\n".encode(), "r+o|é.", regex=True, ignore_case=True) == [b"ERROR\n", "ÉA\n".encode()]

    def test_expressions_are_found_as_whole_words(self) -> None:
        block = b"ab\nabc\nx b\n"
        assert found(block, "ab|b", regex=True, whole_word=True) == [b"ab\n", b"x b\n"]

    def test_a_quotation_may_be_left_open(self) -> None:
        assert found(b"a.b\naxb\n", r"a\Q.b", regex=True) == [b"a.b\n"]
        assert found(b"a.b(\naxb\n", r"a\Q.b(", regex=True, whole_word=True) == []
        assert found(b"\\\nx\n", "\\Q\\", regex=True) == [b"\\\n"]

    def test_a_newline_in_a_class_is_never_matched(self) -> None:
        assert found(b"a\nb\n", r"a[^\n]*b", regex=True) == []
        assert found(b"a\nb\n", r"a[\n,]*b", regex=True) == []
        assert found(b"a, b\n", "a[^\n]*b", regex=True) == [b"a, b\n"]

    def test_a_line_with_malformed_bytes_is_found_by_what_is_valid_in_it(self) -> None:
        block = b"\xff ERROR \xe6\x97 disk\xff full\nok\n"
        for pattern in ("ERROR", "E.*R ", "^.*|disk", "full$", r"\bdisk\b"):
            assert block.splitlines(keepends=True)[0] in found(block, pattern, regex=True), pattern

    def test_a_malformed_byte_is_no_character(self) -> None:
        assert found(b"a\xffb\n", "a.b", regex=True) == []
        assert found(b"a\xffb\n", "a[^x]b", regex=True) == []
        assert found(b"a\xffb\n", "\ufffd") == []

    def test_expressions_may_have_five_hundred_alternatives(self) -> None:
        words = "|".join(f"word{number:04}" for number in range(500))
        assert found(b"word0499\nword0500\n", words, regex=True) == [b"word0499\n"]

    def test_runs_of_matching_lines_among_others(self) -> None:
        lines = [b"%d %s\n" % (number, b"skip" if number % 17 == 0 else b"keep") for number in range(500)]
        lines[250] = b"keep \xff keep\n"
        lines[251] = b"\xff\n"
        expected = [line for line in lines if b"keep" in line]
        assert found(b"".join(lines), "[k]eep", regex=True) == expected
        assert found(b"".join(lines).replace(b"\n", b"\r\n"), "[k]eep$", regex=True) == [
            line.replace(b"\n", b"\r\n") for line in expected
        ]

    def test_a_required_literal_that_is_frequent(self) -> None:
        lines = [b"code=%d\n" % (number % 100) for number in range(5_000)]
        assert found(b"".join(lines), r"code=[4]2$", regex=True) == [b"code=42\n"] * 50

    def test_a_line_longer_than_a_piece_among_others(self) -> None:
        long = b"y" * matcher.PIECE + b"ab\r\n"
        block = b"ab\n" + long + b"x\n" + long.replace(b"a", b"-") + b"ab"
        assert found(block, "[a]b$", regex=True) == [b"ab\n", long, b"ab"]
        assert found(block, "y-b", regex=True, ignore_case=True) == [long.replace(b"a", b"-")]


class TestSpans:
    def test_spans_of_a_literal(self) -> None:
        assert spans(b"aaa b aa", "aa") == [(0, 2), (6, 8)]
        assert spans(b"aaa", "aa", 1) == [(1, 3)]

    def test_spans_of_an_expression(self) -> None:
        assert spans("é12 3".encode(), r"\d+", regex=True) == [(2, 4), (5, 6)]
        assert spans("K\u212ak".encode(), "k", ignore_case=True) == [(0, 1), (1, 4), (4, 5)]

    def test_text_before_the_start_still_decides_a_match(self) -> None:
        assert spans(b"ab ab", r"^ab|\bb", 1, regex=True) == []
        assert spans(b"ab ab", r"\bab", 1, regex=True) == [(3, 5)]

    def test_empty_matches_are_between_characters(self) -> None:
        assert spans("é日".encode(), "x*", regex=True) == [(0, 0), (2, 2), (5, 5)]

    @pytest.mark.slow
    def test_spans_in_a_long_line_are_found_one_after_the_other(self) -> None:
        line = b"ab " * matcher.PIECE
        assert spans(line, "[b] ", regex=True) == [(at, at + 2) for at in range(1, len(line), 3)]


class TestCancelling:
    def test_a_search_is_cancelled_between_pieces(self) -> None:
        block = b"line\n" * (3 * matcher.PIECE)
        with pytest.raises(Stopped):
            list(compile_term(Term("[x]", regex=True)).runs(block, 0, len(block), stop))

    def test_the_search_of_a_long_line_can_be_stopped(self, endless: Callable[[], None]) -> None:
        with pytest.raises(Stopped):
            list(compile_term(Term("[x]", regex=True)).runs(b"-" * (size := matcher.PIECE + 1), 0, size, stop))


class TestAnExpressionThatIsTooSlow:
    LONG_LINE = b"-" * (matcher.PIECE + 1)

    def test_a_slow_expression_is_given_up_and_not_started_again_meanwhile(
        self, endless: Callable[[], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(matcher, "MAX_SECONDS", 0.1)
        slow = compile_term(Term("[x]", regex=True))
        threads = threading.active_count()
        for _ in range(3):
            with pytest.raises(ReadError, match="the expression is too slow for this text") as refused:
                list(slow.runs(self.LONG_LINE, 0, len(self.LONG_LINE)))
            assert refused.value.code == ErrorCode.INVALID_ARGUMENT
            assert threading.active_count() == threads + 1

    def test_a_slow_expression_is_used_again_once_it_came_to_an_end(
        self, endless: Callable[[], None], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        slow = compile_term(Term("[x]", regex=True))
        with monkeypatch.context() as patch:
            patch.setattr(matcher, "MAX_SECONDS", 0.1)
            with pytest.raises(ReadError):
                list(slow.runs(self.LONG_LINE, 0, len(self.LONG_LINE)))
        endless()
        assert list(slow.runs(self.LONG_LINE, 0, len(self.LONG_LINE))) == []

    def test_ordinary_lines_are_searched_all_the_same(self, endless: Callable[[], None]) -> None:
        assert found(b"x\ny\n", "[x]", regex=True) == [b"x\n"]


@pytest.fixture
def endless(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[], None]]:
    """Searches in long lines do not end until the fixture is called."""
    compile_term.cache_clear()
    ended = threading.Event()

    class Endless:
        def __init__(self, source: str) -> None:
            self.finditer = compile_lines(source).finditer

        def search(self, _line: bytes) -> None:
            ended.wait()

    monkeypatch.setattr(matcher, "compile_lines", Endless)
    before = set(threading.enumerate())

    def end() -> None:
        ended.set()
        for thread in set(threading.enumerate()) - before:
            thread.join()

    yield end
    end()
    compile_term.cache_clear()
