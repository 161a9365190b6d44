"""What a terminal would show of a text with escape sequences."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading import ansi
from forge_daemon.reading.ansi import ESC, end_of_finished, strip

SHOWN = {
    "plain": "plain",
    "\x1b[31mred\x1b[0m and \x1b[1;38;2;10;20;30mtrue colour\x1b[m": "red and true colour",
    "\x1b[38:5:208mcolons\x1b[K": "colons",
    "\x1b]8;;https://example.org/a\x1b\\a link\x1b]8;;\x1b\\.": "a link.",
    "\x1b]8;id=1;file:///x\x07another\x1b]8;;\x07.": "another.",
    "\x1b]0;title\x07text": "text",
    "\x1bP1$r0m\x1b\\after DCS \x1b_APC\x1b\\\x1b^PM\x1b\\\x1bXSOS\x1b\\.": "after DCS .",
    "\x1b(B\x1b)0\x1b=\x1b>\x1b7\x1bMx\x1bc": "x",
    "\x1b[1 q\x1b[?25l\x1b[2J.": ".",
    "not finished: \x1b[3": "not finished: 3",
    "never ended: \x1b]8;;http://x": "never ended: 8;;http://x",
    "alone \x1b": "alone ",
    "before a letter \x1bé": "before a letter é",
    "\x1b[31mone\n\x1b]two\nthree\x07": "one\ntwo\nthree\x07",
    "word\x1b[7m \x1b[27mword": "word word",
}


@pytest.mark.parametrize(("text", "shown"), SHOWN.items())
def test_sequences_are_taken_out_and_nothing_else(text: str, shown: str) -> None:
    assert strip(text) == shown


@given(st.text(st.sampled_from("\x1b[]();:0138mKqP\\X^_\x07 aé\n"), max_size=60))
def test_what_is_left_holds_no_escape_and_as_many_lines(text: str) -> None:
    assert ESC not in strip(text)
    assert strip(text).count("\n") == text.count("\n")


@given(st.text(st.sampled_from("\x1b[]();:0138mKqP\\X^_\x07 aé"), max_size=60), st.data())
def test_a_cut_before_an_unfinished_sequence_changes_nothing(text: str, data: st.DataObject) -> None:
    text = "." + text  # a sequence at the very start is cut all the same
    cut = end_of_finished(text[: data.draw(st.integers(0, len(text)))])
    assert strip(text[:cut]) + strip(text[cut:]) == strip(text)


def test_a_text_that_does_not_end_within_a_sequence_may_be_cut_at_its_end() -> None:
    assert end_of_finished("abc\x1b[0m") == len("abc\x1b[0m")
    assert end_of_finished("abc\x1b[0") == len("abc")
    assert end_of_finished("abc\x1b]8;;http://x\x1b") == len("abc")


def test_editors_take_out_the_same() -> None:
    """They count columns too. Their tests read the same table."""
    table = json.loads((Path(__file__).parents[1] / "editors/ansi.json").read_text())
    assert [strip(text) for text, _ in table] == [shown for _, shown in table]


@given(st.text("\x1b\x1b\\[]P1;m\x07\n (é", max_size=60), st.integers(1, 9))
def test_a_long_text_is_stripped_in_pieces_as_in_one(text: str, piece: int) -> None:
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(ansi, "_PIECE", piece)
        in_pieces = strip(text)
    assert in_pieces == re.sub(ansi._SEQUENCE, "", text)
