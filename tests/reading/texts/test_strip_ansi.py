"""What a terminal would show of a text with escape sequences."""

import json
import re
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading.files.file_bytes import Knowledge
from forge_daemon.reading.texts import strip_ansi
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.strip_ansi import BLOCK, end_of_finished, strip
from tests.reading.texts.files import text_of, whole

STRIPPED = TextForm(strip_ansi=True)
SHOWN = {
    "plain": "plain",
    "\x1b[31mred\x1b[0m and \x1b[1;38;2;10;20;30mtrue colour\x1b[m": "red and true colour",
    "\x1b[38:5:208mcolons\x1b[K": "colons",
    "\x1b]8;;https://example.org/a\x1b\\a link\x1b]8;;\x1b\\.": "a link.",
    "\x1b]8;id=1;file:///x\x07another\x1b]8;;\x07.": "another.",
    "\x1b]0;title\x07text": "text",
    "\x1b]0;日本語\x07text": "text",
    "\x1bP1$r0m\x1b\\after DCS \x1b_APC\x1b\\\x1b^PM\x1b\\\x1bXSOS\x1b\\.": "after DCS .",
    "\x1b(B\x1b)0\x1b=\x1b>\x1b7\x1bMx\x1bc": "x",
    "\x1b[1 q\x1b[?25l\x1b[2J.": ".",
    "not finished: \x1b[3": "not finished: 3",
    "never ended: \x1b]8;;http://x": "never ended: 8;;http://x",
    "never ended: \x1b]8;;\x1b[31mhttp://x\x07": "never ended: 8;;http://x\x07",
    "alone \x1b": "alone ",
    "before a letter \x1bé": "before a letter é",
    "\x1b[31mone\n\x1b]two\nthree\x07": "one\ntwo\nthree\x07",
    "word\x1b[7m \x1b[27mword": "word word",
}
LETTERS = "\x1b[]();:0138mKqP\\X^_\x07 aé"


@pytest.mark.parametrize(("text", "shown"), SHOWN.items())
def test_sequences_are_taken_out_and_nothing_else(text: str, shown: str) -> None:
    assert strip(text.encode()).decode() == shown
    assert whole(text_of(text.encode(), STRIPPED)).decode() == shown


def test_editors_take_out_the_same() -> None:
    """They count columns too. Their tests read the same table."""
    table = json.loads((Path(__file__).parents[2] / "editors/ansi.json").read_text())
    assert [strip(text.encode()).decode() for text, _ in table] == [shown for _, shown in table]


@given(st.text(LETTERS + "\n", max_size=60))
def test_the_rest_holds_no_escape_and_as_many_lines(text: str) -> None:
    shown = strip(text.encode())
    assert b"\x1b" not in shown
    assert shown.count(b"\n") == text.count("\n")
    assert shown == re.sub(strip_ansi._SEQUENCE, b"", text.encode()), "as by the whole grammar"


@given(st.text(LETTERS, max_size=60), st.data())
def test_a_cut_before_an_unfinished_sequence_changes_nothing(text: str, data: st.DataObject) -> None:
    whole_text = text.encode()
    cut = end_of_finished(whole_text[: data.draw(st.integers(0, len(whole_text)))])
    assert strip(whole_text[:cut]) + strip(whole_text[cut:]) == strip(whole_text)


def test_a_text_that_does_not_end_within_a_sequence_may_be_cut_at_its_end() -> None:
    assert end_of_finished(b"abc\x1b[0m") == len(b"abc\x1b[0m")
    assert end_of_finished(b"abc\x1b[0") == len(b"abc")
    assert end_of_finished(b"abc\x1b]8;;http://x\x1b") == len(b"abc")


@given(st.integers(-40, 5), st.text(LETTERS, max_size=60), st.sampled_from(["", "\n", "\x1b]0;" + "t" * 4090]))
def test_a_sequence_across_two_blocks_is_taken_out(shift: int, text: str, after: str) -> None:
    data = ("x" * (BLOCK + shift) + text + after + "y" * 5000 + "\n" + text).encode()
    assert whole(text_of(data, STRIPPED)) == strip(data)


@given(st.text(LETTERS + "\n", max_size=40), st.lists(st.integers(1, 7)))
def test_a_text_that_grows_within_a_sequence_is_that_of_the_whole(text: str, steps: list[int]) -> None:
    data, knowledge, size, stable = text.encode(), Knowledge(), 0, b""
    for step in [*steps, len(data)]:
        size = min(len(data), size + step)
        opened = text_of(data[:size], STRIPPED, knowledge)
        now = whole(opened, 9)
        assert now == strip(data[:size])
        assert now.startswith(stable)
        stable = now[: opened.stable_length()]


def test_a_text_without_sequences_is_passed_on_as_it_is() -> None:
    block = b"no sequence\n" * 100
    assert strip(block) is block


@pytest.mark.parametrize("hidden", [b"\x1b", b"\x1b]", b"\x1b[31m", b"\x1b]0;" + b"x" * 4000])
def test_a_line_that_shows_nothing_can_be_stopped_at_any_place(hidden: bytes) -> None:
    data = hidden * (2_000_000 // len(hidden))
    asked_at: list[int] = []
    text = text_of(data, STRIPPED, progress=lambda done, _: asked_at.append(done))
    assert len(text.read_at(0, 100)) <= 100
    text.length()
    assert {done // 65_536 for done in asked_at} >= set(range(1, len(data) // 65_536))
