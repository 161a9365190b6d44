"""No line is skipped that might match."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading.search.required_literal import required_literals


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
        ("{a}", "a"),
        (r"[]ab\]cd]e", "e"),
        ("[^]abc]e", "e"),
        ("日本|x", ""),
        ("a(b|c|(d))", "a"),
        ("(abc)", ""),
        ("abc?", "ab"),
        (r"ab\*?", "ab"),
        ("a\ufffdbc", "bc"),
        ("a\\\ufffdbc", "bc"),
        (r"\x41", ""),
        (r"(a)\1abc", ""),
        ("(?i)abc", ""),
        ("(?x)a b", ""),
        ("(?=abc)", ""),
        ("^(?!.*abcdef)(?=.*abcd|.*e)(?<=g)(?<!h).*abc", "abc"),
        ("(?P<name>abc)", ""),
        ("[a", ""),
    ],
)
def test_the_longest_literal_outside_of_groups_is_required(expression: str, longest: str) -> None:
    assert required_literals(expression)[0] == longest


def test_a_part_of_what_is_required_will_do() -> None:
    assert required_literals("a.bb.ccc.dddd." + "e" * 99) == ["e" * 16, "dddd", "ccc", "bb"]


ATOMS = st.sampled_from(
    [
        *"ab1 .^$",
        r"\.",
        r"\d",
        r"\w",
        r"\b",
        r"\x61",
        r"\t",
        r"\{",
        "[ab]",
        "[^a]",
        "[]a]",
        r"[\]b]",
        "{",
        "}",
        "]",
        ",",
    ]
)
QUANTIFIERS = st.sampled_from(["", "", "", "*", "+", "?", "{2}", "{0,1}", "{,2}", "*?", "++"])
EXPRESSIONS = st.recursive(
    ATOMS,
    lambda inner: st.one_of(
        st.lists(st.builds(str.__add__, inner, QUANTIFIERS), min_size=1, max_size=4).map("".join),
        st.builds("({})".format, inner),
        st.builds("(?:{})".format, inner),
        st.builds("(?={})".format, inner),
        st.builds("(?!{})".format, inner),
        st.builds("{}|{}".format, inner, inner),
    ),
    max_leaves=8,
)


@given(EXPRESSIONS, st.lists(st.text("ab1 .{},]\t", max_size=12), max_size=8))
def test_a_line_that_matches_holds_all_that_is_required(expression: str, lines: list[str]) -> None:
    try:
        pattern = re.compile(expression)
    except re.error:
        return
    for line in lines:
        if pattern.search(line):
            assert all(literal in line for literal in required_literals(expression))
