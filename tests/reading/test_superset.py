"""The patterns for RE2: what they keep of an expression, and what they must leave out."""

import re
import string

import pytest

from forge_daemon.reading.search.candidates import Candidates
from forge_daemon.reading.search.line_matching import MOST_REPEATS, supersets
from forge_daemon.reading.search.line_search import LineSearch
from forge_daemon.reading.search.re2_search import re2_module, re2_search
from forge_daemon.reading.search.superset import superset, utf8_form

needs_re2 = pytest.mark.skipif(re2_module() is None, reason="google-re2 is not installed")


def candidate(expression: str, line: str | bytes, *, ignore_case: bool = False) -> bool:
    data = line if isinstance(line, bytes) else line.encode()
    found = Candidates(expression, ignore_case=ignore_case, supersets=supersets(expression, ignore_case))
    return bool(found.regions(data + b"\n"))


@needs_re2
@pytest.mark.parametrize(
    ("expression", "match", "no_match"),
    [
        ("A|B", "xB", "xC"),
        (r"[a-z]{5} \d{3}-\d{4}", "abcde 555-0199", "abcde 555-019"),
        (r"\b[A-Z]{6}_[A-Z]{5}\b", "NEEDLE_XYZZY", "NEEDLE_XYZZ"),
        ("(ERROR|WARN)$", "an ERROR\r", "an ERROR here"),
        (r"(?<=user=)\w+", "user=alice", "alice"),
        (r"foo(?=bar|baz)", "a foobaz", "a foo ba"),
        (r"(\d)\1\1-0199", "555-0199", "x-0199"),
        ("日本.", "日本語", "日 本語"),
        ("a{200}", "a" * 200, "a" * 60),
        ("(?a)\\w日", "a日", "é日"),
        (r"(?a:x(?u:\w))", "xé", "x é"),
        (r"(?u:x(?a:\w))", "xa", "xé"),
        ("(?x) a b # c", "ab", "a b"),
        (r"^\s*$", "", "x"),
        ("(?i)é", "É", "e"),
    ],
)
def test_a_line_without_what_the_expression_needs_is_passed_over(expression: str, match: str, no_match: str) -> None:
    assert re.search(expression, match.removesuffix("\r"))
    assert candidate(expression, match)
    assert not candidate(expression, no_match)


@needs_re2
@pytest.mark.parametrize(
    ("expression", "is_exact"),
    [
        *(
            (expression, True)
            for expression in ("A|B", r"user=\w+ .* st{1,3}$", "^(?i)x"[1:], "[a-f0-9]{16}", r"^\S+?é")
        ),
        *((expression, False) for expression in (r"\bx", "x(?=y)", r"(x)\1", "x++", "(?>x|xy)z", "a$b", "(?i)[^k]")),
        *((expression, False) for expression in (r"(?a:\S)", "(?:x?)*y", "x{70}", "(?i)[\\d]", "(?i)\u212a")),
    ],
)
def test_a_line_of_ascii_is_tried_only_where_the_pattern_may_match_more(expression: str, is_exact: bool) -> None:
    candidates = Candidates(expression, ignore_case=False, supersets=supersets(expression, False))
    line = b"A user=x  stt ab 0123456789abcdef X k 7 xx xyz"
    for text, certain in ((line, is_exact), (line + "é".encode(), False), (line + b"\r", False)):
        starts, regions = candidates.matches_and_regions(text + b"\n")
        assert starts in ([], [0] if certain else [])
        assert bool(starts) + len(regions) <= 1
    assert candidates._is_exact == is_exact


@needs_re2
def test_lines_that_are_sure_to_match_and_others_come_in_their_order() -> None:
    search = LineSearch("x[1-9]|y", ignore_case=False)
    block = "x1\né x2\nnone\ny\nx3\r\ny é".encode()
    assert search.matching_lines(block, lambda: None) == [0, 3, 14, 16, 20]
    many = b"y\n-\n" * 20_000
    assert search.matching_lines(many, lambda: None) == list(range(0, len(many), 4))


@needs_re2
def test_malformed_bytes_are_characters_too() -> None:
    assert candidate("a.b", b"a\xffb")
    assert candidate("a\ufffdb", b"a\xf0\x9f\x98b")


def test_the_letters_of_ascii_that_match_others_are_known() -> None:
    """Wherever Python's tables change, this says so."""
    others = "".join(map(chr, range(128, 0x11_0000)))
    with_others = {letter for letter in string.printable if re.search(re.escape(letter), others, re.IGNORECASE)}
    assert with_others == set("iIkKsS")


@needs_re2
def test_a_pattern_too_large_for_re2_is_loosened_until_it_is_not() -> None:
    expression = "(?:(?:[a-z\u00e9]{50}){50}x){50}"
    exact, *_, loosest = [
        superset(expression, ignore_case=False, most_repeats=most, encode=utf8_form) for most in MOST_REPEATS
    ]
    assert re2_search(exact[0]) is None
    assert re2_search(loosest[0]) is not None
    assert not loosest[1]


def test_what_is_not_known_is_not_translated() -> None:
    assert supersets("(", False) == []
