"""Several terms as one filter, over lines and over records."""

import random
from itertools import pairwise

import pytest

from forge_daemon.reading.match.combined import MAX_TERMS, Terms, compile_terms
from forge_daemon.reading.match.expression import is_supported
from forge_daemon.reading.match.matcher import compile_term
from forge_daemon.reading.match.term import Term
from forge_protocol.errors import ErrorCode, ReadError
from tests.hostile.scale import scaled
from tests.reading.match.blocks import matching

pytestmark = pytest.mark.skipif(not is_supported(), reason="google-re2 is not installed")

A, B, C = Term("a"), Term("b"), Term("C", ignore_case=True)
BLOCK = b"a\nb\nab\nc\nabc\n\nbc"


def refusal(terms: Terms) -> ReadError:
    with pytest.raises(ReadError) as refused:
        compile_terms(terms)
    assert refused.value.code == ErrorCode.INVALID_ARGUMENT
    return refused.value


@pytest.mark.parametrize(
    ("terms", "lines"),
    [
        (Terms(), b"a b ab c abc  bc"),
        (Terms(any=(A,)), b"a ab abc"),
        (Terms(any=(A, C)), b"a ab c abc bc"),
        (Terms(all=(A,)), b"a ab abc"),
        (Terms(all=(A, B)), b"ab abc"),
        (Terms(all=(B, C, A)), b"abc"),
        (Terms(none=(A,)), b"b c  bc"),
        (Terms(none=(A, B)), b"c "),
        (Terms(any=(A, C), all=(B,)), b"ab abc bc"),
        (Terms(any=(A, C), all=(B,), none=(C,)), b"ab"),
        (Terms(all=(A,), none=(A,)), None),
        (Terms(any=(Term("^b|^$", regex=True), A), none=(Term("c$", regex=True),)), b"a b ab "),
        (Terms(all=(Term("nowhere"), A)), None),
    ],
)
def test_a_line_passes_if_one_of_any_all_of_all_and_none_of_none_match(terms: Terms, lines: bytes | None) -> None:
    expected = [] if lines is None else lines.split(b" ")
    assert [line.removesuffix(b"\n") for line in matching(compile_terms(terms), BLOCK)] == expected


def test_no_line_of_an_empty_block_passes() -> None:
    for terms in (Terms(), Terms(none=(A,)), Terms(all=(A, B))):
        assert matching(compile_terms(terms), b"") == []


def test_each_term_has_its_own_case_and_words() -> None:
    terms = Terms(any=(Term("err", whole_word=True), Term("WARN", ignore_case=True), Term("x|y", regex=True)))
    lines = b"err\nERR\nerror\nwarning\ny\n"
    assert matching(compile_terms(terms), lines) == [b"err\n", b"warning\n", b"y\n"]


def test_a_record_passes_if_its_lines_together_do() -> None:
    block = b"1 error\n  at b\n2 error\n3 info\n  at b\n4 error\n  at b\n  at c\n"
    starts = [block.index(b"%d" % number) for number in range(1, 5)]

    def passed(terms: Terms) -> list[int]:
        return [starts.index(start) + 1 for start, _ in compile_terms(terms).records(block, [*starts, len(block)])]

    error, at_b, at_c = Term("error"), Term("at b"), Term("at [c]", regex=True)
    assert passed(Terms(all=(error, at_b))) == [1, 4]
    assert passed(Terms(all=(error, at_b), none=(at_c,))) == [1]
    assert passed(Terms(any=(at_c, Term("info")))) == [3, 4]
    assert passed(Terms(any=(at_b,))) == [1, 3, 4]
    assert passed(Terms(none=(at_b,))) == [2]
    assert passed(Terms()) == [1, 2, 3, 4]
    assert list(compile_terms(Terms(all=(at_c, error))).records(block, [*starts, len(block)])) == [
        (starts[3], len(block))
    ]
    assert list(compile_terms(Terms(any=(at_b,))).records(block, starts[:3])) == [(0, starts[1])]


@pytest.mark.parametrize("seed", range(4))
def test_lines_and_records_pass_as_each_term_alone_would_have_it(seed: int) -> None:
    chance = random.Random(seed)
    patterns = [Term("a"), Term("b"), Term("a|d", regex=True), Term("D", ignore_case=True), Term("^.?$", regex=True)]
    for _ in range(scaled(200, 5_000)):
        lines = ["".join(chance.choices("abcd ", k=chance.randrange(4))).encode() + b"\n" for _ in range(30)]
        block = b"".join(lines)
        terms = Terms(*(tuple(chance.sample(patterns, k=chance.choice([0, 0, 1, 2]))) for _ in range(3)))

        def passes(text: bytes, terms: Terms = terms) -> bool:
            any_of, all_of, none_of = (
                [any(compile_term(t).runs(text, 0, len(text))) for t in group] for group in terms
            )
            return (any(any_of) or not any_of) and all(all_of) and not any(none_of)

        assert matching(compile_terms(terms), block) == [line for line in lines if passes(line)]
        ends = [sum(map(len, lines[:number])) for number in range(len(lines) + 1)]
        bounds = [0, *(end for end in ends[1:-1] if chance.random() < 0.3), len(block)]
        records = list(compile_terms(terms).records(block, bounds))
        assert records == [(start, end) for start, end in pairwise(bounds) if passes(block[start:end])]


def test_there_are_at_most_64_terms() -> None:
    terms = tuple(Term(f"term{number}") for number in range(MAX_TERMS))
    assert matching(compile_terms(Terms(any=terms)), b"term63\nterm\n") == [b"term63\n"]
    assert "at most 64 terms can be combined, got 65" in refusal(Terms(any=terms, none=(A,))).reason


def test_an_error_names_the_term() -> None:
    refused = refusal(Terms(any=(A, Term("(", regex=True)), none=(B,)))
    assert refused.reason == "any[1].pattern: not a regular expression: a ) is missing"
    refused = refusal(Terms(any=(A,), none=(B, Term("(?=a)", regex=True))))
    assert refused.reason.startswith("none[1].pattern: ")
    assert "several patterns" in (refused.hint or "")


def test_the_error_of_a_single_term_does_not_name_the_term() -> None:
    for terms in (Terms(any=(Term("(", regex=True),)), Terms(none=(Term("(", regex=True),))):
        assert refusal(terms).reason.startswith("pattern: ")


def test_terms_that_are_too_large_together_are_refused() -> None:
    large = tuple(Term(rf"{number}\pL{{200}}", regex=True) for number in range(8))
    assert "too large" in refusal(Terms(any=large)).reason
