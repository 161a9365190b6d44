"""Where google-re2 and stringzilla are not installed, literals are found all the same."""

from collections.abc import Iterator

import pytest

from forge_daemon.reading.match import expression
from forge_daemon.reading.match.combined import Terms, compile_terms
from forge_daemon.reading.match.matcher import compile_term
from forge_daemon.reading.match.term import Term
from forge_protocol.errors import ErrorCode, ReadError
from tests.reading.match.blocks import found, matching, spans


@pytest.fixture(autouse=True)
def not_installed(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(expression, "re2", None)
    compile_term.cache_clear()
    compile_terms.cache_clear()
    yield
    compile_term.cache_clear()
    compile_terms.cache_clear()


def test_an_expression_is_refused_with_the_reason() -> None:
    assert not expression.is_supported()
    with pytest.raises(ReadError, match="need google-re2, which is not installed") as refused:
        compile_term(Term("a+", regex=True))
    assert refused.value.code == ErrorCode.INVALID_ARGUMENT
    assert "literal" in (refused.value.hint or "")


def test_an_expression_without_special_characters_is_a_literal() -> None:
    assert found(b"a\nb\n", "a", regex=True) == [b"a\n"]


def test_literals_are_found_in_any_case_and_as_words() -> None:
    block = "ÉTÉ.\nété\r\nl'été_\ncat\n\nconcat\nCAT".encode()
    assert found(block, "été", ignore_case=True) == ["ÉTÉ.\n".encode(), "été\r\n".encode(), "l'été_\n".encode()]
    assert found(block, "cat", whole_word=True) == [b"cat\n"]
    assert found(block, "Cat", whole_word=True, ignore_case=True) == [b"cat\n", b"CAT"]
    assert found(b"a.b*\nA.B*\naxb\n", "a.B*", ignore_case=True) == [b"a.b*\n", b"A.B*\n"]
    assert found(b"a\r\na\rb\n", "a\r") == [b"a\rb\n"]


def test_runs_of_matching_lines_are_found_whole() -> None:
    lines = [b"Keep\n" if number % 20 else b"skip\n" for number in range(100)]
    assert found(b"".join(lines), "kEEP", ignore_case=True) == [b"Keep\n"] * 95


def test_spans_of_a_literal_in_any_case() -> None:
    assert spans("Éé e".encode(), "é", ignore_case=True) == [(0, 2), (2, 4)]


def test_literals_are_combined() -> None:
    terms = Terms(any=(Term("a"), Term("B", ignore_case=True)), all=(Term("c"),), none=(Term("d"), Term("e")))
    assert matching(compile_terms(terms), b"ac\nbc\nbcd\na\ncB\nce\n") == [b"ac\n", b"bc\n", b"cB\n"]
