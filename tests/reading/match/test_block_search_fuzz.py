"""Searching a block finds what RE2 finds in each of its lines, whatever the expression and whatever the lines."""

import random
import re
from collections.abc import Iterator
from typing import Any

import pytest

from forge_daemon.reading.match import matcher
from forge_daemon.reading.match.expression import is_supported
from forge_daemon.reading.match.matcher import Matcher, compile_term
from forge_daemon.reading.match.required_literal import required_literal
from forge_daemon.reading.match.term import Term
from forge_protocol.errors import ErrorCode, ReadError
from tests.hostile.scale import scaled
from tests.reading.match.blocks import matching
from tests.reading.match.random_expressions import random_expression, random_lines

if is_supported():
    import re2

pytestmark = pytest.mark.skipif(not is_supported(), reason="google-re2 is not installed")
_LINES_PER_EXPRESSION = 48
_NOT_SUPPORTED = re.compile(r"\\[AzC]|\\n|\n|-m|\\\[\[:")


@pytest.fixture(autouse=True)
def small_pieces(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """So that short blocks have as many seams, and changes from one way to search to another, as long ones."""
    monkeypatch.setattr(matcher, "PIECE", 128)
    monkeypatch.setattr(matcher, "_MIN_RUN", 2)
    monkeypatch.setattr(matcher, "_BYTES_PER_CANDIDATE", 64)
    yield
    compile_term.cache_clear()


def oracle(term: Term) -> Any | None:
    """RE2 itself, with nothing added; None if it does not accept the expression."""
    options = re2.Options()
    options.log_errors = False
    options.case_sensitive = not term.ignore_case
    try:
        alone = re2.compile(term.pattern, options)
        return re2.compile(rf"\b(?:{term.pattern})\b", options) if term.whole_word else alone
    except re2.error:
        return None


def compiled(term: Term) -> Matcher | None:
    try:
        return compile_term(term)
    except ReadError as refused:
        assert refused.code == ErrorCode.INVALID_ARGUMENT
        return None


def text_of(line: bytes) -> bytes:
    if line.endswith(b"\n"):
        return line[:-2] if line.endswith(b"\r\n") else line[:-1]
    return line


def spans_of_text(expression: Any, line: bytes) -> list[tuple[int, int]]:
    """Those that are not empty, found in the characters instead of the bytes."""
    text = line.decode()
    spans = (match.span() for match in expression.finditer(text))
    return [(len(text[:start].encode()), len(text[:end].encode())) for start, end in spans if start < end]


@pytest.mark.parametrize("seed", range(4))
def test_a_block_has_the_matches_of_its_lines(seed: int) -> None:
    chance = random.Random(seed)
    accepted = matched = missed = 0
    for _ in range(scaled(250, 25_000)):
        pattern = random_expression(chance)
        whole_word = chance.random() < 0.2 and r"\Q" not in pattern  # the quotation may go on in what is added
        term = Term(pattern, True, ignore_case=chance.random() < 0.3, whole_word=whole_word)
        expected, searched = oracle(term), compiled(term)
        if expected is None or searched is None:
            assert searched is None, term
            assert expected is None or _NOT_SUPPORTED.search(pattern) or not pattern, term
            continue
        accepted += 1
        lines = random_lines(chance, _LINES_PER_EXPRESSION)
        good = [line for line in lines if expected.search(text_of(line)) is not None]
        assert matching(searched, b"".join(lines)) == good, term
        matched, missed = matched + len(good), missed + len(lines) - len(good)
        literal = required_literal(pattern).encode()
        assert term.ignore_case or all(literal in line for line in good), term
        for line in map(text_of, good[:4]):
            spans = list(searched.spans(line))
            assert spans == sorted(set(spans)), term
            # RE2 finds \B inside of characters, and then tells wrong places in text.
            if r"\B" not in pattern and line == line.decode(errors="ignore").encode():
                assert [span for span in spans if span[0] < span[1]] == spans_of_text(expected, line), term
    assert accepted > scaled(100, 10_000)
    assert matched
    assert missed


@pytest.mark.parametrize("seed", range(2))
def test_a_literal_is_found_where_the_lines_have_it(seed: int) -> None:
    chance = random.Random(seed)
    for _ in range(scaled(250, 25_000)):
        lines = random_lines(chance, _LINES_PER_EXPRESSION)
        text = chance.choice(lines).decode(errors="ignore").replace("\n", "")
        literal = text[(first := chance.randrange(len(text) + 1)) : first + 3] or "a"
        term = Term(literal, False, ignore_case=chance.random() < 0.5, whole_word=chance.random() < 0.3)
        expected = oracle(term._replace(pattern=re2.escape(literal)))
        assert expected is not None
        good = [line for line in lines if expected.search(text_of(line)) is not None]
        assert matching(compile_term(term), b"".join(lines)) == good, term
