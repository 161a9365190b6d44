"""Where a search begins: last matches, columns, and what is counted."""

import re
from pathlib import Path

import pytest

from tests.tools.agent_calls import Call, lines
from tests.tools.refusals import refusal


class TestLastMatches:
    def test_a_negative_start_line_is_so_many_of_the_last_matches(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\n" + lines(30) + "x last\n")
        answer = call("find", path="a.txt", pattern="line 2", start_line=-3, context=0)
        assert answer == "[a.txt last 3 of 11 matching lines]\n28:\tline 27\n29:\tline 28\n30:\tline 29"

    def test_fewer_matches_than_asked_for_are_all(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\nb\nx\n")
        answer = call("find", path="a.txt", pattern="x", start_line=-9, context=1)
        assert answer == "[a.txt last 2 of 2 matching lines]\n1:\tx\n2\tb\n3:\tx"

    def test_none_is_no_match(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\n")
        assert call("find", path="a.txt", pattern="none", start_line=-5) == "[a.txt no match]"

    def test_those_that_do_not_fit_can_be_asked_for(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(900))
        answer = call("find", path="a.txt", pattern="line", start_line=-400, limit=500, context=0, max_chars=1000)
        first, last = answer.split("\n")[1], answer.split("\n")[-1]
        assert first == "501:\tline 501"
        shown = answer.count(":\t")
        assert last == f"[more: start_line {501 + shown}]"

    def test_a_page_that_is_full_says_which_of_the_last_it_shows(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(900))
        answer = call("find", path="a.txt", pattern="line", start_line=-400, limit=500, context=0, max_chars=1000)
        shown = answer.count(":\t")
        assert answer.split("\n")[0] == f"[a.txt first {shown} of the last 400 of 900 matching lines]"

    def test_the_last_matches_are_shown_where_there_are_more_than_the_limit(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(5_000))
        answer = call("find", path="a.txt", pattern="line", start_line=-100, context=0).split("\n")
        assert answer[0] == "[a.txt last 50 of 5,000 matching lines]"
        assert [int(line.partition(":")[0]) for line in answer[1:-1]] == list(range(4951, 5001))
        assert answer[-1] == "[before these: start_line 4901]"

    def test_those_before_the_limit_and_after_a_full_page_can_be_asked_for(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(900))
        answer = call("find", path="a.txt", pattern="line", start_line=-400, limit=300, context=0, max_chars=1000)
        shown = answer.count(":\t")
        assert answer.startswith(f"[a.txt first {shown} of the last 300 of 900 matching lines]\n601:\t")
        assert answer.endswith(f"\n[before these: start_line 501]\n[more: start_line {601 + shown}]")
        all_there_are = call("find", path="a.txt", pattern="line 90", start_line=-100, limit=2, context=0)
        assert all_there_are == "[a.txt last 2 of 2 matching lines]\n90:\tline 90\n900:\tline 900"

    def test_a_match_in_a_file_too_long_to_count_is_found_from_the_end(self, call: Call, workspace: Path) -> None:
        filler = b"-" * 99 + b"\n"
        (workspace / "big.log").write_bytes(b"error 1\n" + filler * 700_000 + b"error 2\n" + filler * 3)
        answer = call("find", path="big.log", pattern="error", start_line=-1, context=0)
        assert answer == "[big.log last 1 matching lines]\n700002:\terror 2"


class TestStartColumn:
    def test_the_next_match_in_a_long_line_is_one_call_away(self, call: Call, workspace: Path) -> None:
        (workspace / "a.js").write_text("a" * 10_000 + "needle 1" + "b" * 10_000 + "needle 2" + "c" * 5_000)
        first = call("find", path="a.js", pattern="needle")
        assert "needle 1" in first
        assert first.endswith("; next match: start_column 20009]")
        second = call("find", path="a.js", pattern="needle", start_column=20_009)
        assert second.startswith("[a.js 1 matching line from line 1, column 20009]\n")
        assert "needle 2" in second
        assert "needle 1" not in second
        assert "next match" not in second

    def test_a_match_near_the_start_of_a_long_line_is_shown_without_those_before_it(
        self, call: Call, workspace: Path
    ) -> None:
        (workspace / "a.js").write_text("needle 1" + "a" * 292 + "needle 2" + "b" * 5_000)
        assert call("find", path="a.js", pattern="needle").split("\n")[1].startswith("1:\tneedle 1aaa")
        second = call("find", path="a.js", pattern="needle", start_column=9).split("\n")[1]
        assert second.startswith(f"1:\t…{'a' * 100}needle 2bbb")

    def test_a_line_without_a_match_from_there_on_is_passed(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x here\nnothing\nx there\n")
        answer = call("find", path="a.txt", pattern="x", start_line=1, start_column=2, context=0)
        assert answer == "[a.txt 1 matching line from line 1, column 2]\n3:\tx there"
        none = call("find", path="a.txt", pattern="x", start_line=3, start_column=5)
        assert none == "[a.txt no match from line 3, column 5]"

    def test_columns_count_characters(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("日本語 日本語\n")
        assert "1:\t" in call("find", path="a.txt", pattern="日", start_column=5)
        assert "no match" in call("find", path="a.txt", pattern="日", start_column=6)

    def test_a_start_column_needs_the_number_of_a_line(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\n")
        assert "start_column" in refusal(call, "find", path="a.txt", pattern="x", start_line=-1, start_column=3).reason
        assert "must not be 0" in refusal(call, "find", path="a.txt", pattern="x", start_line=0).reason


def test_lines_and_columns_to_start_at_are_of_one_file(call: Call, workspace: Path) -> None:
    (workspace / "a.txt").write_text("x\n")
    for arguments in ({"start_line": -5}, {"start_line": 2}, {"start_column": 2}):
        assert "only in one file" in refusal(call, "find", path=".", pattern="x", **arguments).reason
        assert "only in one file" in refusal(call, "find", pattern="x", **arguments).reason


def test_counts_are_of_lines(call: Call, workspace: Path) -> None:
    (workspace / "a.txt").write_text("x x x\nx\n")
    assert call("find", path="a.txt", pattern="x", context=0).startswith("[a.txt 2 matching lines]")
    assert call("find", path="a.txt", pattern="x", context=0, limit=1).startswith("[a.txt 1 of 2 matching lines]")


def test_context_that_does_not_fit_leaves_no_match_out(call: Call, workspace: Path) -> None:
    (workspace / "a.txt").write_text(("-" * 400 + "\n") * 5 + "match\n" + ("-" * 400 + "\n") * 5 + "match\n")
    answer = call("find", path="a.txt", pattern="match", context=5, max_chars=1000)
    assert "6:\tmatch" in answer
    assert answer.endswith("[more: start_line 12]")


def test_context_around_the_last_line_that_is_shown_is_shown(call: Call, workspace: Path) -> None:
    (workspace / "a.txt").write_text("a\nx\nb\nc\nd\nx\n")
    answer = call("find", path="a.txt", pattern="x", context=1, limit=1)
    assert answer == "[a.txt 1 of 2 matching lines]\n1\ta\n2:\tx\n3\tb\n[more: start_line 6]"


CONTENT = ["no needle, a needle" if number in (5, 7, 30, 60) else f"line {number}" for number in range(1, 80)]
SECOND = CONTENT[4].rindex("needle") + 1


def oracle(start_line: int, start_column: int, context: int, limit: int) -> tuple[list[str], int | None]:
    """The lines of one page, and the line of the next match."""
    matches = [
        number
        for number, line in enumerate(CONTENT, 1)
        if "needle" in (line[start_column - 1 :] if number == start_line else line) and number >= start_line
    ]
    shown, following = matches[:limit], next(iter(matches[limit:]), None)
    end = len(CONTENT) if following is None else following - 1
    numbers = {near for each in shown for near in range(max(1, each - context), min(end, each + context) + 1)}
    page: list[str] = []
    last = 0
    for number in sorted(numbers):
        if page and context and number > last + 1:
            page.append("--")
        page.append(f"{number}{':' * (number in shown)}\t{CONTENT[number - 1]}")
        last = number
    return page, following


@pytest.mark.parametrize("context", [0, 1, 2, 5, 20])
@pytest.mark.parametrize("limit", [1, 2, 50])
def test_what_matches_from_any_line_and_column_on_is_shown_with_its_own_context(
    call: Call, workspace: Path, context: int, limit: int
) -> None:
    (workspace / "a.txt").write_text("\n".join(CONTENT) + "\n")
    for start_line in range(1, len(CONTENT) + 1):
        for column in (1, SECOND, SECOND + 1):
            first, start_column = start_line, column
            while True:
                wanted, following = oracle(first, start_column, context, limit)
                where = {"start_line": first, "start_column": start_column}
                answer = call("find", path="a.txt", pattern="needle", context=context, limit=limit, **where)
                header, *shown = answer.split("\n")
                if not wanted:
                    assert "no match" in header
                    assert not shown
                    break
                more = [] if following is None else [f"[more: start_line {following}]"]
                assert shown == [*wanted, *more], where
                number = re.match(r"\[a\.txt (\d+) (?:of \d )?matching lines?", header)
                assert number is not None
                assert int(number[1]) == sum(bool(re.match(r"\d+:", line)) for line in wanted)
                if following is None:
                    break
                first, start_column = following, 1


def test_a_file_to_start_after_is_of_a_folder(call: Call, workspace: Path) -> None:
    (workspace / "a.txt").write_text("x\n")
    assert "only in a folder" in refusal(call, "find", path="a.txt", pattern="x", start_after="a.txt").reason


@pytest.mark.parametrize("pattern", ["a(?=b)", "a(?!b)", "(?<=a)b", "(?<!a)b"])
def test_a_refused_look_around_does_not_speak_of_several_patterns(call: Call, workspace: Path, pattern: str) -> None:
    (workspace / "a.txt").write_text("x\n")
    for path in ("a.txt", "."):
        hint = refusal(call, "find", path=path, pattern=pattern, regex=True).hint
        assert hint == "search for the part that is rarest, and see by the lines found which are meant"
