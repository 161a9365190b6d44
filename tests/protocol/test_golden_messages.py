"""The matcher itself: a golden test is worth what its comparison notices."""

import json
from pathlib import Path
from typing import Any

import pytest

from forge_protocol.codegen.examples import resolve
from tests.protocol.golden_messages import GOLDEN, Conversation, content_of, lay_out, load, match

ANY_STRING = {"$any": "string"}
ANY_INTEGER = {"$any": "integer"}
MAYBE_STRING = {"$any": "string?"}


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (None, None),
        ({"a": [1, {"b": "x"}]}, {"a": [1, {"b": "x"}]}),
        (ANY_STRING, ""),
        (ANY_INTEGER, -4),
        ({"hint": MAYBE_STRING}, {}),
        ({"hint": MAYBE_STRING}, {"hint": "try this"}),
    ],
)
def test_an_answer_as_expected_has_no_differences(expected: Any, actual: Any) -> None:
    assert match(expected, actual) == []


@pytest.mark.parametrize(
    ("expected", "actual"),
    [
        (1, 2),
        (1, True),
        (1, 1.0),
        (0, None),
        ("1", 1),
        ([1], [1, 1]),
        ([1, 2], [2, 1]),
        ({}, {"surplus": 1}),
        ({"missing": 1}, {}),
        ({"missing": None}, {}),
        (ANY_STRING, 7),
        (ANY_STRING, None),
        (ANY_INTEGER, "7"),
        (ANY_INTEGER, True),
        (ANY_INTEGER, 7.0),
        ({"missing": ANY_STRING}, {}),
        ({"hint": MAYBE_STRING}, {"hint": None}),
    ],
)
def test_every_deviation_is_noticed(expected: Any, actual: Any) -> None:
    assert match(expected, actual)


def test_every_difference_is_named_with_its_place() -> None:
    differences = match({"a": [1, {"b": 2}], "c": ANY_STRING}, {"a": [1, {"b": 3}], "d": None})
    assert differences == [
        "answer.a[1].b: expected 2, got 3",
        "answer.c: expected any string, got nothing",
        "answer.d: expected nothing, got null",
    ]


def test_a_value_is_taken_from_an_earlier_result() -> None:
    results = [{"etag": "first"}, {"results": [{"result": {"next_cursor": "here"}}]}]
    params = {
        "cursor": {"$from": [1, "results", 0, "result", "next_cursor"]},
        "kept": [{"$from": [0, "etag"]}, 7],
    }
    assert resolve(params, results) == {"cursor": "here", "kept": ["first", 7]}


@pytest.mark.parametrize("path", [[5, "etag"], [0, "absent"]])
def test_a_value_that_no_earlier_result_holds_is_an_error(path: list[Any]) -> None:
    with pytest.raises(LookupError):
        resolve({"$from": path}, [{"etag": "first"}])


def test_a_workspace_is_laid_out_byte_for_byte(tmp_path: Path) -> None:
    workspace = {"deep/text.txt": {"text": "é\r\n"}, "data.bin": {"base64": "AP8="}}
    lay_out(Conversation("file", "name", workspace, [], []), tmp_path)
    assert (tmp_path / "deep" / "text.txt").read_bytes() == b"\xc3\xa9\r\n"
    assert (tmp_path / "data.bin").read_bytes() == b"\x00\xff"


@pytest.mark.parametrize("content", [{}, {"text": "a", "base64": "YQ=="}, {"bytes": "a"}, {"base64": "?"}])
def test_content_that_is_neither_text_nor_base64_is_refused(content: dict[str, str]) -> None:
    with pytest.raises(ValueError, match="base64"):
        content_of(content)


def test_a_conversation_is_loaded_whole() -> None:
    raw = json.loads((GOLDEN / "batch.json").read_text(encoding="utf-8"))
    loaded = load(GOLDEN / "batch.json")
    assert (loaded.file, loaded.name, loaded.workspace) == ("batch", raw["name"], raw["workspace"])
    first = loaded.exchange[0]
    assert first.entry_name == "forge/readFiles"
    assert {"method": first.method, "params": first.params} | first.answer == raw["exchange"][0]


def test_a_command_is_known_by_its_own_name() -> None:
    assert load(GOLDEN / "cache_clear.json").exchange[1].entry_name == "forge.cache.clear"
