"""What the process that matches lines does, without the process."""

import io
import marshal
import re
import subprocess
import sys
from typing import Any

import pytest

from forge_daemon.reading.search import line_matching
from forge_daemon.reading.search.line_matching import compiled, first_match, last_match, lines_of, serve


@pytest.fixture
def no_hurry(monkeypatch: pytest.MonkeyPatch) -> None:
    """The watchdog would end the process that runs the tests."""
    monkeypatch.setattr(line_matching, "SECONDS", 3600)


def answers_to(*questions: Any) -> list[Any]:
    asked, answered = io.BytesIO(b"".join(map(marshal.dumps, questions))), io.BytesIO()
    with pytest.raises(EOFError):
        serve(asked, answered)
    length, answers = len(answered.getvalue()), []
    answered.seek(0)
    while answered.tell() < length:
        answers.append(marshal.load(answered))
    return answers


@pytest.mark.usefixtures("no_hurry")
def test_each_block_gets_its_answer() -> None:
    block = b"one\r\ntwo two\n"
    questions = (block, block, False, 0), (block, block, True, None), (b"one\n", b"one\n", False, 0)
    assert answers_to(("two", False, b""), *questions) == [None, (1, 0, 3), (1, 4, 7), None]


@pytest.mark.usefixtures("no_hurry")
@pytest.mark.parametrize(("backward", "column"), [(False, 0), (True, None)])
def test_a_line_without_what_every_match_needs_is_not_tried(backward: bool, column: int | None) -> None:
    block, folded = b"A\nB\nA\n", b"x\ny\nx\n"
    assert answers_to((".", False, b"y"), (block, folded, backward, column)) == [None, (1, 0, 1)]


@pytest.mark.usefixtures("no_hurry")
def test_a_faulty_pattern_is_told_and_nothing_else_is_done() -> None:
    asked, answered = io.BytesIO(marshal.dumps(("(", False, b""))), io.BytesIO()
    serve(asked, answered)
    assert "missing )" in marshal.loads(answered.getvalue())


def test_the_process_ends_when_its_stream_does() -> None:
    command = [sys.executable, "-I", "-S", line_matching.__file__]
    process = subprocess.run(command, input=b"", capture_output=True, timeout=60)
    assert (process.returncode, process.stdout, process.stderr) == (0, b"", b"")


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


def test_lines_lose_their_ends_and_nothing_else() -> None:
    assert lines_of(b"a\r\n\xff\r\rb\n\n") == ["a", "\ufffd\r\rb", ""]
    assert lines_of(b"a\nb") == ["a", "b"]


def test_case_is_ignored_only_where_asked() -> None:
    exact, any_case = compiled("A", False), compiled("A", True)
    assert isinstance(exact, re.Pattern)
    assert isinstance(any_case, re.Pattern)
    assert exact.search("a") is None
    assert any_case.search("a") is not None


def test_what_no_engine_can_hold_is_told_in_words() -> None:
    assert compiled("(" * 900 + ")" * 900, False) == "too large or too deeply nested"
