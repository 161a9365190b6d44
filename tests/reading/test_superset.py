"""The patterns for RE2: what they keep of an expression, and what they must leave out."""

import re
import string

import pytest

from forge_daemon.reading.search.candidates import Candidates
from forge_daemon.reading.search.line_matching import MOST_REPEATS, supersets
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
    assert re2_search([exact]) is None
    assert re2_search([exact, loosest]) is not None


def test_what_is_not_known_is_not_translated() -> None:
    assert supersets("(", False) == []
