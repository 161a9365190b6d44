"""Edits against a model that walks the text character by character."""

from collections.abc import Callable

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lsprotocol import types

from forge_daemon.server import text_changes
from forge_daemon.server.text_changes import apply_changes

UNITS: dict[str, Callable[[str], int]] = {
    "utf-8": lambda character: len(character.encode("utf-8", "surrogatepass")),
    "utf-16": lambda character: len(character.encode("utf-16-le", "surrogatepass")) // 2,
    "utf-32": lambda _: 1,
}
TEXT = st.text(st.sampled_from("ab\r\n\f\v\x85\u2028é日\U0001f600"), max_size=30)
POSITION = st.tuples(st.integers(0, 8), st.integers(0, 12))


def offset_in_model(text: str, line: int, character: int, encoding: str) -> int:
    """Walks over whole lines, then over characters as long as they fit."""
    offset = 0
    while line and offset < len(text):
        if text[offset : offset + 2] == "\r\n":
            offset += 1
        if text[offset] in "\r\n":
            line -= 1
        offset += 1
    if line:
        return len(text)
    while offset < len(text) and text[offset] not in "\r\n" and character >= UNITS[encoding](text[offset]):
        character -= UNITS[encoding](text[offset])
        offset += 1
    return offset


def partial(start: tuple[int, int], end: tuple[int, int], text: str) -> types.TextDocumentContentChangePartial:
    return types.TextDocumentContentChangePartial(
        range=types.Range(start=types.Position(*start), end=types.Position(*end)), text=text
    )


@pytest.mark.parametrize("encoding", UNITS)
@given(text=TEXT, start=POSITION, end=POSITION, new=TEXT)
def test_an_edit_replaces_what_the_model_says(
    encoding: str, text: str, start: tuple[int, int], end: tuple[int, int], new: str
) -> None:
    first = offset_in_model(text, *start, encoding)
    last = max(first, offset_in_model(text, *end, encoding))
    assert apply_changes(text, [partial(start, end, new)], encoding) == text[:first] + new + text[last:]


@given(text=TEXT, edits=st.lists(st.tuples(POSITION, POSITION, TEXT), max_size=4))
def test_edits_apply_one_after_the_other(text: str, edits: list[tuple[tuple[int, int], tuple[int, int], str]]) -> None:
    changes = [partial(*edit) for edit in edits]
    expected = text
    for change in changes:
        expected = apply_changes(expected, [change], "utf-16")
    assert apply_changes(text, changes, "utf-16") == expected


def test_a_change_without_a_range_is_the_whole_text() -> None:
    whole = types.TextDocumentContentChangeWholeDocument(text="new")
    assert apply_changes("old\n", [partial((0, 0), (0, 1), "x"), whole], "utf-16") == "new"


def test_a_position_inside_a_character_means_its_start() -> None:
    assert apply_changes("\U0001f600", [partial((0, 1), (0, 1), "x")], "utf-16") == "x\U0001f600"
    assert apply_changes("é", [partial((0, 1), (0, 1), "x")], "utf-8") == "xé"


def test_half_a_character_counts_as_one_unit() -> None:
    assert apply_changes("\ud800a", [partial((0, 1), (0, 2), "b")], "utf-16") == "\ud800b"


def test_for_thousands_of_edits_a_long_text_is_gone_through_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """Other requests wait meanwhile."""
    lines = 20_000
    before = "word of a line\r\n" * lines
    split = text_changes._lines
    gone_through: list[int] = []

    def counted(text: str) -> list[str]:
        gone_through.append(len(text))
        return split(text)

    monkeypatch.setattr(text_changes, "_lines", counted)
    changes = [partial((line, 0), (line, 4), "thing") for line in reversed(range(0, lines, 20))]
    text = apply_changes(before, changes, "utf-16")
    assert sum(gone_through) < 2 * len(before)
    assert text == ("thing of a line\r\n" + "word of a line\r\n" * 19) * (lines // 20)
