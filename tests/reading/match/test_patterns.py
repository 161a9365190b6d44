"""Which patterns are refused, and in which words."""

import pytest

from forge_daemon.reading.match import expression
from forge_daemon.reading.match.expression import is_supported
from forge_daemon.reading.match.matcher import compile_term
from forge_daemon.reading.match.term import MAX_CHARACTERS, Term
from forge_protocol.errors import ErrorCode, ReadError
from tests.reading.match.blocks import found

needs_re2 = pytest.mark.skipif(not is_supported(), reason="google-re2 is not installed")


def refusal(pattern: str, *, regex: bool = False) -> ReadError:
    with pytest.raises(ReadError) as refused:
        compile_term(Term(pattern, regex))
    assert refused.value.code == ErrorCode.INVALID_ARGUMENT
    assert refused.value.reason.startswith("pattern: ")
    return refused.value


@pytest.mark.parametrize("regex", [False, True])
def test_a_pattern_has_a_length(regex: bool) -> None:
    assert "must have 1 to 10,000 characters, got 0" in refusal("", regex=regex).reason
    assert "got 10,001" in refusal("a" * (MAX_CHARACTERS + 1), regex=regex).reason
    assert found(b"a" * MAX_CHARACTERS, "a" * MAX_CHARACTERS, regex=regex)


@pytest.mark.parametrize("regex", [False, True])
def test_half_a_character_is_refused(regex: bool) -> None:
    assert "lone surrogate" in refusal("a\ud800", regex=regex).reason


def test_a_literal_with_a_newline_is_refused() -> None:
    assert "lines are searched one by one" in refusal("a\nb").reason


@needs_re2
@pytest.mark.parametrize("pattern", ["a\nb", r"a\nb", r"\n", "(a|\n)", r"[^a]\n", "\\Qa\n\\E"])
def test_an_expression_with_a_newline_is_refused(pattern: str) -> None:
    assert "lines are searched one by one" in refusal(pattern, regex=True).reason


@needs_re2
@pytest.mark.parametrize("pattern", [r"\\n", r"\Q\n\E", r"[^\n]", "[^\n]"])
def test_what_only_looks_like_a_newline_is_none(pattern: str) -> None:
    assert found(b"\\n\n", pattern, regex=True) == [b"\\n\n"]


@needs_re2
@pytest.mark.parametrize(
    ("pattern", "part", "hint"),
    [
        ("(?=a)b", "(?=", "search for the part that is rarest"),
        ("(?!a)b", "(?!", "search for the part that is rarest"),
        ("(?<=a)b", "(?<=", "search for the part that is rarest"),
        ("(?<!a)b", "(?<!", "search for the part that is rarest"),
        (r"(a)\1", r"\1", "write out"),
        ("(?P<x>a)(?P=x)", "(?P", "write out"),
        (r"\Aa", r"\A", "use ^ and $"),
        (r"a\z", r"\z", "use ^ and $"),
        (r"a\Z", r"\Z", "use ^ and $"),
        (r"a\Cb", r"\C", "use ."),
        ("(?-m)a", "(?-m", "use ^ and $"),
        ("(?i-sm:a)", "(?i-sm", "use ^ and $"),
        ("(?>a)b", "(?>", "does not backtrack"),
        ("a++", "++", "does not backtrack"),
        ("(?x)a b", "(?x", "spaces"),
        ("(?a)b", "(?a", r"\pL"),
        ("(?#note)a", "(?#", "comment"),
        (r"\u00e9", r"\u", r"\x{1234}"),
        (r"a\hb", r"\h", r"[ \t]"),
        ("*a", "*", r"write \* for the character itself"),
    ],
)
def test_an_error_names_the_part_and_what_to_use_instead(pattern: str, part: str, hint: str) -> None:
    refused = refusal(pattern, regex=True)
    assert part in refused.reason
    assert hint in (refused.hint or "")


@needs_re2
@pytest.mark.parametrize(
    ("pattern", "words"),
    [
        ("(a", "a ) is missing"),
        ("a)", "a ) has no ("),
        ("a)(b", "a ) has no ("),
        ("[a", "a ] is missing"),
        ("a\\", "ends in the middle of an escape sequence"),
        ("[z-a]", "z-a is not a range or class of characters"),
        ("[[:letter:]]", "[:letter:] is not a range or class"),
        (r"\p{Klingon}", r"\p{Klingon} is not a range or class"),
        ("a{1001}", "{1001} repeats too often"),
        ("(a{100}){100}", "repeats too often"),
        ("a{2,1}", "from more to less"),
        ("a**", "** repeats a repetition"),
        ("(?P<a-b>c)", "(?P<a-b> is not the name of a group"),
        (r"\q", r"\q is not an escape sequence"),
        (r"\pL{490}", "too large"),
    ],
)
def test_a_faulty_expression_is_explained_in_plain_words(pattern: str, words: str) -> None:
    reason = refusal(pattern, regex=True).reason
    assert reason.startswith("pattern: not a regular expression: ")
    assert words in reason


@needs_re2
def test_an_error_that_is_not_known_is_shown_as_it_is(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(expression, "_REASONS", {})
    assert refusal("a{2,1}", regex=True).reason.endswith("invalid repetition size: {2,1}")


def test_escaped_characters_are_no_special_ones() -> None:
    assert found(rb"\A" + b"\n", r"\\A" if is_supported() else r"\A", regex=is_supported()) == [rb"\A" + b"\n"]
