"""What every match of an expression contains."""

import pytest

from forge_daemon.reading.match.required_literal import required_literal


@pytest.mark.parametrize(
    ("expression", "longest"),
    [
        ("abc", "abc"),
        (r"a\.b\ c\\", r"a.b c" + "\\"),
        (r"\d+ bytes", " bytes"),
        ("ERROR.*timeout$", "timeout"),
        ("(GET|POST) /index", " /index"),
        ("(?:a|b)cd", "cd"),
        ("abc+d", "ab"),
        ("ab{2}cd", "cd"),
        ("ab{2,13}c", "a"),
        ("(abc){2}d", "d"),
        ("{a}", "a"),
        (r"[]ab\]cd]e", "e"),
        ("[^]abc]e", "e"),
        ("[[:alpha:]]e", "e"),
        ("日本|x", ""),
        ("a(b|c|(d))", "a"),
        ("(abc)", "abc"),
        ("(?P<name>abc)d", "abc"),
        ("(?<name>abc)d", "abc"),
        ("(a(bcd)e)?f", "f"),
        ("(a|b(cdef))g", "g"),
        ("((a|b)cdef)g", "cdef"),
        ("abc?", "ab"),
        ("abc??", "ab"),
        (r"ab\*?", "ab"),
        (r"\x41b", "b"),
        (r"\x{41}b", "b"),
        (r"\pLb", "b"),
        (r"\p{Greek}b", "b"),
        (r"\P{^Greek}b", "b"),
        (r"\tb", "b"),
        (r"\bword\b", "word"),
        (r"\Qa.b\E", ""),
        (r"\123b", ""),
        ("(?i)abc", ""),
        ("(?i:abc)d", ""),
        ("(?s)abc", ""),
        ("[a", ""),
        ("a)b", ""),
        ("|abc", ""),
    ],
)
def test_the_longest_literal_is_required(expression: str, longest: str) -> None:
    assert required_literal(expression) == longest
