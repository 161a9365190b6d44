"""The converter accepts exactly what the protocol says, and reports everything else by name."""

import json
from operator import or_
from pathlib import Path
from types import NoneType
from typing import Annotated, Any, Literal, get_args, get_origin

import attrs
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from forge_protocol.codegen.model import build_model
from forge_protocol.conversion import structure, unstructure
from forge_protocol.error_data import ErrorData
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.fields import Between, ProgressToken
from forge_protocol.read_file import Around, ReadFileParams, ReadFileResult
from forge_protocol.read_files import ItemError, ReadFilesItem, ReadFilesParams, ReadFilesResult
from forge_protocol.registry import REGISTRY, Direction
from forge_protocol.settings import SettingsFile
from forge_protocol.tools import ReadArguments, ReadFileArguments, ToolsCallParams
from tests.protocol.schema_check import violations

SCHEMA = json.loads((Path(__file__).parents[2] / "protocol" / "forge.schema.json").read_text(encoding="utf-8"))
SENT_BY_CLIENTS = [entry.params for entry in REGISTRY if entry.direction is Direction.CLIENT_TO_SERVER]
ASKED = [*SENT_BY_CLIENTS, ReadArguments, ReadFileArguments, SettingsFile]
MESSAGES = build_model().messages
NOTIFIED = [entry.params for entry in REGISTRY if entry.direction is Direction.SERVER_TO_CLIENT]
ANSWERED = [*NOTIFIED, *(entry.result for entry in REGISTRY if entry.result not in (None, NoneType)), ErrorData]

patient = settings(suppress_health_check=[HealthCheck.too_slow])

text = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
scalars = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | text
json_values = st.recursive(
    scalars,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3),
    max_leaves=8,
)


def faults(value: object, message_type: type) -> list[str]:
    with pytest.raises(ReadError) as caught:
        structure(value, message_type)
    assert caught.value.code is ErrorCode.INVALID_ARGUMENT
    return caught.value.reason.split("; ")


def values(hint: Any) -> st.SearchStrategy[Any]:
    """Everything of a field's type."""
    if attrs.has(hint):
        return messages(hint)
    if get_origin(hint) is Annotated:
        base, bounds = get_args(hint)[:2]
        if get_origin(base) is list:
            items = json_values if get_args(base) == (Any,) else values(get_args(base)[0])
            return st.lists(items, min_size=bounds.low, max_size=3)
        return st.integers(bounds.low, bounds.high)
    if get_origin(hint) is Literal:
        return st.sampled_from(get_args(hint))
    if get_origin(hint) is list:
        return st.lists(values(get_args(hint)[0]), max_size=3)
    if hint == dict[str, Any]:
        return st.dictionaries(text, json_values, max_size=3)
    if hint is ErrorCode:
        return st.sampled_from(ErrorCode)
    plain = {str: text, int: st.integers(), bool: st.booleans(), type(None): st.none()}
    return plain[hint] if hint in plain else st.one_of(*map(values, get_args(hint)))


def messages(message_type: type) -> st.SearchStrategy[Any]:
    return st.builds(message_type, **{field.name: values(field.type) for field in attrs.fields(message_type)})


def near_misses(message_type: type) -> st.SearchStrategy[dict[str, Any]]:
    """What would be accepted, with a key or two changed or added."""
    names = [field.name for field in MESSAGES[message_type.__name__].fields]
    plausible = scalars | json_values | st.sampled_from(["disk", "base64", "forge", 501, 10_001, {"line": 1}])
    changes = st.dictionaries(st.sampled_from([*names, "unknown"]), plausible, max_size=2)
    return st.builds(or_, messages(message_type).map(unstructure), changes)


@pytest.mark.parametrize("message_type", [*ASKED, *ANSWERED], ids=lambda each: each.__name__)
@patient
@given(data=st.data())
def test_a_message_survives_the_wire(message_type: type, data: st.DataObject) -> None:
    message = data.draw(messages(message_type))
    assert structure(json.loads(json.dumps(unstructure(message))), message_type) == message


@pytest.mark.parametrize("message_type", ASKED, ids=lambda each: each.__name__)
@patient
@given(data=st.data())
def test_the_converter_and_the_schema_take_the_same(message_type: type, data: st.DataObject) -> None:
    value = data.draw(near_misses(message_type) | json_values)
    refused_by_schema = [
        each
        for each in violations(SCHEMA, message_type.__name__, value)
        if not each.startswith("ReadFilesParams.files[")
    ]
    if refused_by_schema:
        assert len(faults(value, message_type)) >= 1
    else:
        structure(value, message_type)


def test_the_smallest_request_gets_the_defaults() -> None:
    params = structure({"path": "a"}, ReadFileParams)
    assert params == ReadFileParams(path="a")
    assert (params.max_lines, params.on_binary, params.source, params.start_line) == (
        200,
        "base64",
        "auto",
        None,
    )


def test_an_optional_field_that_is_null_is_absent() -> None:
    fields = [field.name for field in MESSAGES["ReadFileParams"].fields]
    assert structure(dict.fromkeys(fields) | {"path": "a"}, ReadFileParams) == ReadFileParams(path="a")
    assert structure({"policy": None, "tools": {"read_file": None}}, SettingsFile) == SettingsFile()


def test_a_required_field_is_neither_absent_nor_null() -> None:
    assert faults({}, ReadFileParams) == ["path: missing"]
    assert faults({"path": None}, ReadFileParams) == ["path: expected a string, got null"]


@pytest.mark.parametrize(
    ("field", "value", "fault"),
    [
        ("path", 7, "expected a string, got 7"),
        ("path", ["a"], "expected a string, got an array"),
        ("path", {"a": 1}, "expected a string, got an object"),
        ("start_line", "7", 'expected an integer, got "7"'),
        ("start_line", 7.5, "expected an integer, got 7.5"),
        ("start_line", 1e30, "expected an integer, got 1e+30"),
        ("start_line", True, "expected an integer, got true"),
        ("start_line", 0, "must be at least 1, got 0"),
        ("start_line", -1, "must be at least 1, got -1"),
        ("start_line", 2**63, "must be at most 9223372036854775807, got 9223372036854775808"),
        ("max_lines", 10_001, "must be at most 10000, got 10001"),
        ("show_line_numbers", 1, "expected true or false, got 1"),
        ("show_line_numbers", "true", 'expected true or false, got "true"'),
        ("on_binary", "BASE64", 'expected one of "base64", "refuse", got "BASE64"'),
        ("source", False, 'expected one of "auto", "disk", "buffer", "unsaved", got false'),
        ("around", 7, "expected an object, got 7"),
        ("around", [], "expected an object, got an array"),
    ],
)
def test_nothing_is_coerced(field: str, value: object, fault: str) -> None:
    assert faults({"path": "a"} | {field: value}, ReadFileParams) == [f"{field}: {fault}"]


@pytest.mark.parametrize("value", [1, 2**63 - 1])
def test_the_bounds_belong_to_the_range(value: int) -> None:
    assert structure({"path": "a", "limit": value}, ReadFileParams).limit == value


@pytest.mark.parametrize("value", [None, 7, "path", [], [{"path": "a"}], True])
def test_a_message_is_an_object(value: object) -> None:
    (fault,) = faults(value, ReadFileParams)
    assert fault.startswith("expected an object, got ")


def test_all_faults_are_told_at_once_each_with_its_path() -> None:
    value = {"path": 7, "start_line": "1", "around": {"before": True, "side": 1}, "zebra": 1, "colour": 2}
    assert faults(value, ReadFileParams) == [
        "path: expected a string, got 7",
        'start_line: expected an integer, got "1"',
        "around.line: missing",
        "around.before: expected an integer, got true",
        "around.side: unknown key",
        "colour: unknown key",
        "zebra: unknown key",
    ]


def test_faults_inside_arrays_are_told_with_their_index() -> None:
    value = {"policy": {"deny": ["a", 3, None], "allow": "*"}, "cache": {"max_bytes": -1}}
    assert faults(value, SettingsFile) == [
        "policy.deny[1]: expected a string, got 3",
        "policy.deny[2]: expected a string, got null",
        'policy.allow: expected an array, got "*"',
        "cache.max_bytes: must be at least 0, got -1",
    ]


def test_a_long_value_is_not_repeated_whole() -> None:
    (fault,) = faults({"path": "a", "source": "x" * 5000}, ReadFileParams)
    assert len(fault) < 120
    assert fault.endswith("…")


def test_a_reason_can_always_be_sent() -> None:
    value = {"path": "a", "source": "\ud800", "\udfff": 1}
    assert "; ".join(faults(value, ReadFileParams)).encode("utf-8")


@pytest.mark.parametrize("token", ["a token", 7])
def test_a_progress_token_is_a_string_or_an_integer(token: ProgressToken) -> None:
    assert structure({"path": "a", "workDoneToken": token}, ReadFileParams).work_done_token == token


@pytest.mark.parametrize("token", [1.5, True, ["a"]])
def test_a_progress_token_is_nothing_else(token: object) -> None:
    (fault,) = faults({"path": "a", "workDoneToken": token}, ReadFileParams)
    assert fault.startswith("workDoneToken: expected a string or an integer, got ")


def test_the_progress_token_is_spelled_as_lsp_does() -> None:
    assert faults({"path": "a", "work_done_token": "t"}, ReadFileParams) == ["work_done_token: unknown key"]
    assert unstructure(ReadFileParams(path="a", work_done_token="t"))["workDoneToken"] == "t"


def test_items_of_a_batch_are_left_for_each_to_answer() -> None:
    items = [{"path": 7}, "not an object", None]
    assert structure({"files": items}, ReadFilesParams).files == items


@pytest.mark.parametrize(("count", "bound"), [(0, "at least 1"), (51, "at most 50")])
def test_a_batch_has_a_size(count: int, bound: str) -> None:
    (fault,) = faults({"files": [{"path": "a"}] * count}, ReadFilesParams)
    assert fault == f"files: the number of items must be {bound}, got {count}"


def test_arguments_of_a_tool_are_any_object() -> None:
    arguments = {"anything": [1, None, {"deep": 1.5}]}
    assert structure({"name": "Read", "arguments": arguments}, ToolsCallParams).arguments == arguments
    assert faults({"name": "Read", "arguments": []}, ToolsCallParams) == ["arguments: expected an object, got an array"]


def test_an_error_leaves_out_what_it_does_not_know() -> None:
    error = ReadError(ErrorCode.NOT_FOUND, "no such file")
    data = structure(error.data(), ErrorData)
    assert (
        unstructure(data)
        == error.data()
        == {
            "code": "NOT_FOUND",
            "path": None,
            "reason": "no such file",
            "retriable": False,
        }
    )


def test_an_error_carries_hint_and_etag_where_there_are_any() -> None:
    error = ReadError(ErrorCode.CONTENT_MODIFIED, "changed", path="a", hint="again", retriable=True, etag="new")
    assert unstructure(structure(error.data(), ErrorData)) == error.data()
    assert error.data().keys() == {field.name for field in attrs.fields(ErrorData)}


def test_an_error_code_is_one_of_those_there_are() -> None:
    known = {"code": "NOT_FOUND", "path": None, "reason": "r", "retriable": False}
    assert structure(known, ErrorData).code is ErrorCode.NOT_FOUND
    (fault,) = faults(known | {"code": "NOPE"}, ErrorData)
    assert fault.startswith("code: ")


def test_an_item_of_a_batch_holds_one_of_two() -> None:
    error = ItemError(code=ErrorCode.NOT_FILE, path="a", reason="is a directory", retriable=False, message="m")
    answer = unstructure(ReadFilesResult(results=[ReadFilesItem(error=error)]))
    assert [item.keys() for item in answer["results"]] == [{"error"}]
    assert "hint" not in answer["results"][0]["error"]


@patient
@given(messages(ReadFileResult))
def test_a_result_carries_every_field(result: ReadFileResult) -> None:
    assert unstructure(result).keys() == {field.name for field in attrs.fields(ReadFileResult)}


def test_defaults_inside_an_object_hold_too() -> None:
    assert structure({"path": "a", "around": {"line": 3}}, ReadFileParams).around == Around(line=3, before=10, after=10)


def test_bounds_default_to_what_sixty_four_bits_hold() -> None:
    assert Between(1) == (1, 2**63 - 1)
