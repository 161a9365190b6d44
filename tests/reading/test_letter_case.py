"""Folded bytes are the same where `re.IGNORECASE` sees the same letters, and it is known where they came from."""

import re
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading.search import letter_case
from forge_daemon.reading.search.letter_case import AnyCase, ExactCase, case_of
from reading.letters import LETTERS

CHARACTERS = LETTERS + "\u03c3ςΣ日😀 1\n"
PIECES = st.one_of(
    st.sampled_from(CHARACTERS).map(str.encode),
    st.sampled_from([b"\xe2\x84", b"\xc4", b"\xff", b"\xb0", b"\xed\xa0\x80"]),
)


def test_letters_are_the_same_wherever_re_says_so() -> None:
    for one in CHARACTERS:
        case = AnyCase(one)
        for other in CHARACTERS:
            same = re.fullmatch(re.escape(one), other, re.IGNORECASE) is not None
            assert (case.fold(one.encode()) == case.fold(other.encode())) == same, (one, other)


def test_no_letter_has_a_form_that_is_not_known() -> None:
    letters = set(letter_case._letters())
    others = "".join(character for character in map(chr, range(sys.maxunicode + 1)) if character not in letters)
    assert re.search(f"[{re.escape(''.join(letters))}]", others, re.IGNORECASE) is None


def test_forms_of_a_letter_have_the_same_forms() -> None:
    forms = {letter: letter_case._forms(letter) for letter in letter_case._letters()}
    assert all(forms[form] == each for each in forms.values() for form in each)


@given(st.lists(PIECES, max_size=20), st.text(st.sampled_from(CHARACTERS), max_size=8))
def test_what_is_folded_can_be_traced_back(pieces: list[bytes], text: str) -> None:
    case, block = AnyCase(text), b"".join(pieces)
    offsets = [len(b"".join(pieces[:count])) for count in range(len(pieces) + 1) if _is_boundary(pieces, count)]
    for offset in offsets:
        assert case.origin(block, len(case.fold(block[:offset]))) == offset


def _is_boundary(pieces: list[bytes], count: int) -> bool:
    """Malformed pieces may make up a character together."""
    before, after = b"".join(pieces[:count]), b"".join(pieces[count:])
    whole = (before + after).decode(errors="replace")
    return before.decode(errors="replace") + after.decode(errors="replace") == whole


@pytest.mark.parametrize("text", ["", "k", "日本"])
def test_what_is_not_a_letter_of_the_text_stays_as_it_is(text: str) -> None:
    block = "é ß 日本 😀 1\n".encode() + b"\xff\xe2\x84"
    assert AnyCase(text).fold(block) == block


def test_in_exact_case_nothing_is_folded() -> None:
    case = case_of("K", ignored=False)
    assert type(case) is ExactCase
    assert case.fold(b"kK") == b"kK"
    assert case.origin(b"kK", 1) == 1
