"""What the processes that match lines do, without the processes."""

import io
import marshal
import re
from typing import Any

import pytest

from forge_daemon.reading.search import line_matching
from forge_daemon.reading.search.line_matching import (
    compiled,
    first_match,
    last_match,
    matching_rows,
    serve,
    supersets,
)


@pytest.fixture
def no_limits(monkeypatch: pytest.MonkeyPatch) -> None:
    """They would end the process that runs the tests."""
    monkeypatch.setattr(line_matching, "_start_clock", lambda _seconds: None)


def answers_to(*questions: Any) -> list[Any]:
    asked, answered = io.BytesIO(b"".join(map(marshal.dumps, questions))), io.BytesIO()
    with pytest.raises(EOFError):
        serve(asked, answered)
    length, answers = len(answered.getvalue()), []
    answered.seek(0)
    while answered.tell() < length:
        answers.append(marshal.load(answered))
    return answers


@pytest.mark.usefixtures("no_limits")
def test_each_question_gets_its_answer_whatever_its_expression() -> None:
    text = "one\ntwo two\nONE"
    questions = ("first", "two", False, text, 0), ("last", "two", False, text, None), ("all", "one", True, text)
    assert answers_to(*questions, ("first", "x", False, text, 0)) == [(1, 0, 3), (1, 4, 7), [0, 2], None]


@pytest.mark.usefixtures("no_limits")
def test_a_faulty_expression_is_told_and_the_next_one_is_answered() -> None:
    fault, rows = answers_to(("check", "(", False), ("all", "a", False, "b\na"))
    assert "missing )" in fault
    assert rows == [1]


@pytest.mark.usefixtures("no_limits")
def test_a_good_expression_is_told_with_its_patterns_for_re2() -> None:
    assert answers_to(("check", "ab", False)) == [[(b"(?m)\\x61\\x62", True)] * 3]


def test_where_the_parser_is_not_as_we_know_it_there_are_no_patterns(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(__import__("sys").modules, f"{line_matching.__package__}.superset", None)
    assert supersets("a", False) == []


def test_the_first_line_is_searched_from_its_column() -> None:
    assert first_match(re.compile("a"), ["a a", "a"], 1) == (0, 2, 3)
    assert first_match(re.compile("a"), ["a", "a"], 1) == (1, 0, 1)
    assert first_match(re.compile("$"), ["a", "b"], 2) == (1, 1, 1)
    assert first_match(re.compile("x"), ["a", "b"], 0) is None


def test_the_last_line_is_searched_up_to_its_column() -> None:
    assert last_match(re.compile("a"), ["a", "a a"], 2) == (1, 0, 1)
    assert last_match(re.compile("a"), ["a", "a a"], None) == (1, 2, 3)
    assert last_match(re.compile("a"), ["ba", "a a"], 0) == (0, 1, 2)
    assert last_match(re.compile("x"), ["a", "b"], None) is None


def test_a_match_may_reach_beyond_the_column_it_must_start_before() -> None:
    assert last_match(re.compile("abc"), ["abc"], 1) == (0, 0, 3)


def test_all_lines_that_match_are_told() -> None:
    assert matching_rows(re.compile("a|^$"), ["a", "b", "", "ba"]) == [0, 2, 3]


def test_case_is_ignored_only_where_asked() -> None:
    exact, any_case = compiled("A", False), compiled("A", True)
    assert isinstance(exact, re.Pattern)
    assert isinstance(any_case, re.Pattern)
    assert exact.search("a") is None
    assert any_case.search("a") is not None


def test_what_no_engine_can_hold_is_told_in_words() -> None:
    assert compiled("(" * 900 + ")" * 900, False) == "too large or too deeply nested"
