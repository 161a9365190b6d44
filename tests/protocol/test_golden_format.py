"""The golden conversations agree with the registry, the converter and the generated schema."""

import json
from collections.abc import Iterator
from pathlib import Path
from types import NoneType
from typing import Any

import pytest

from forge_protocol.agent_tools import AGENT_ARGUMENTS
from forge_protocol.codegen.examples import resolve
from forge_protocol.conversion import structure, unstructure
from forge_protocol.error_data import ErrorData
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.read_file import ReadFileParams
from forge_protocol.read_files import ReadFilesParams
from forge_protocol.registry import BY_NAME, REGISTRY, Direction, Entry
from forge_protocol.tools import READ_DEFINITION, ReadArguments, ReadFileArguments, ReadOutput
from tests.protocol.golden_messages import (
    EXECUTE_COMMAND,
    GOLDEN,
    Conversation,
    Step,
    content_of,
    load_all,
)
from tests.protocol.schema_check import violations

CONVERSATIONS = load_all()
SCHEMA = json.loads((Path(__file__).parents[2] / "protocol" / "forge.schema.json").read_text(encoding="utf-8"))
ONLY_BY_CHANCE = {ErrorCode.PERMISSION_DENIED, ErrorCode.CANCELLED, ErrorCode.INTERNAL}
"""Codes that no conversation can bring about the same way on every machine."""

each_conversation = pytest.mark.parametrize(
    "conversation", CONVERSATIONS, ids=[conversation.file for conversation in CONVERSATIONS]
)


def filled(value: Any) -> Any:
    """The value with something of the right type in place of each `$any`."""
    match value:
        case {"$any": "integer"}:
            return 7
        case {"$any": _}:
            return "something"
        case dict():
            return {key: filled(item) for key, item in value.items()}
        case list():
            return [filled(item) for item in value]
        case _:
            return value


def played(conversation: Conversation) -> Iterator[tuple[Entry, Any, Step]]:
    """Each step as a daemon that answers as expected would see it: entry, params, and the step filled in."""
    results: list[Any] = []
    for step in conversation.exchange:
        answer = filled(resolve(step.answer, results))
        params = resolve(step.params, results)
        results.append(answer.get("result"))
        if step.method == EXECUTE_COMMAND:
            arguments = params["arguments"]
            params = arguments[0] if len(arguments) == 1 else arguments
        yield BY_NAME[step.entry_name], params, Step(step.method, params, answer)


ARGUMENTS: dict[tuple[str | None, str], type] = {
    ("workspace", "read_file"): ReadFileArguments,
    **{("agent", name): arguments for name, arguments in AGENT_ARGUMENTS.items()},
}


def refusal(entry: Entry, params: Any) -> str | None:
    """Why the converter refuses the parameters; None if it accepts them."""
    try:
        structure(params, entry.params)
        if entry.name == "forge.tools.call":
            structure(params["arguments"], ARGUMENTS.get((params.get("toolset"), params["name"]), ReadArguments))
    except ReadError as error:
        return error.reason
    return None


@each_conversation
def test_a_file_has_the_keys_of_the_format(conversation: Conversation) -> None:
    raw = json.loads((GOLDEN / f"{conversation.file}.json").read_text(encoding="utf-8"))
    assert raw.keys() - {"example_of"} == {"name", "workspace", "open_documents", "exchange"}
    assert conversation.workspace, "an empty folder shows nothing"
    for path, content in conversation.workspace.items():
        assert not path.startswith("/")
        assert ".." not in path.split("/")
        content_of(content)
    for document in conversation.open_documents:
        assert {key: type(value) for key, value in document.items()} == {
            "path": str,
            "version": int,
            "text": str,
        }
    for step in raw["exchange"]:
        assert step.keys() in ({"method", "params", "result"}, {"method", "params", "error"})


def test_every_name_is_told_once() -> None:
    assert len({conversation.name for conversation in CONVERSATIONS}) == len(CONVERSATIONS)


@each_conversation
def test_params_are_accepted_or_refused_as_the_answer_says(conversation: Conversation) -> None:
    for entry, params, step in played(conversation):
        if reason := refusal(entry, params):
            assert step.answer["error"]["data"]["code"] == ErrorCode.INVALID_ARGUMENT, reason
        elif entry.params is not ReadFilesParams:  # its items answer for themselves
            assert violations(SCHEMA, entry.params.__name__, params) == []


@each_conversation
def test_results_are_whole_messages(conversation: Conversation) -> None:
    for entry, params, step in played(conversation):
        if "error" in step.answer:
            continue
        result = step.answer["result"]
        if entry.result is None and params.get("toolset") == "agent":
            assert isinstance(result, str)
            continue
        of_read_file = entry.result is None and params.get("toolset") == "workspace"
        if of_read_file:
            assert result.keys() == {"path", "content", "truncated", "next_start_line", "meta"}
            assert result["meta"].keys() == {"byte_length", "line_count", "returned_line_count", "mtime_ms"}
            continue
        if entry.result is NoneType:
            assert result is None
            continue
        result_type = entry.result or ReadOutput
        assert unstructure(structure(result, result_type)) == result
        assert violations(SCHEMA, result_type.__name__, result) == []


@each_conversation
def test_errors_are_ones_the_registry_announces(conversation: Conversation) -> None:
    for entry, _, step in played(conversation):
        if "error" not in step.answer:
            continue
        error = step.answer["error"]
        assert error.keys() == {"code", "message", "data"}
        assert unstructure(structure(error["data"], ErrorData)) == error["data"]
        assert violations(SCHEMA, "ErrorData", error["data"]) == []
        code = ErrorCode(error["data"]["code"])
        assert code in entry.errors
        assert error["code"] == code.json_rpc_code


def test_windows_say_of_themselves_what_is_true() -> None:
    """Facts that follow from the content hold in every expected window."""
    for conversation in CONVERSATIONS:
        for _, _, step in played(conversation):
            for window in _windows(step.answer.get("result")):
                content, meta = window["content"], window["meta"]
                assert content.count("\n") + (content[-1:] not in ("", "\n")) == meta["returned_line_count"]
                assert window["truncated"] == (window["truncated_by"] is not None)
                assert (window["document_version"] is not None) == (window["source"] == "buffer")
                assert window["truncated"] or window["next_cursor"] is window["next_start_line"] is None


def _windows(result: Any) -> Iterator[dict[str, Any]]:
    if isinstance(result, dict):
        if "not_modified" in result:
            yield result
        for item in result.get("results", []):
            yield from _windows(item.get("result"))


def test_every_entry_and_every_portable_error_is_covered() -> None:
    steps = [step for conversation in CONVERSATIONS for step in conversation.exchange]
    assert {step.entry_name for step in steps if "result" in step.answer} == {
        entry.name for entry in REGISTRY if entry.direction is Direction.CLIENT_TO_SERVER
    }
    codes = {step.answer["error"]["data"]["code"] for step in steps if "error" in step.answer}
    results = [step.answer["result"] for step in steps if isinstance(step.answer.get("result"), dict)]
    items = [item for result in results for item in result.get("results", [])]
    codes |= {item["error"]["code"] for item in items if "error" in item}
    assert codes == set(ErrorCode) - ONLY_BY_CHANCE


def test_every_parameter_of_a_read_is_used() -> None:
    asked: set[str] = set()
    for conversation in CONVERSATIONS:
        for entry, params, step in played(conversation):
            if entry.params is ReadFileParams and "result" in step.answer:
                asked |= {key for key, value in params.items() if value is not None}
    assert asked == SCHEMA["$defs"]["ReadFileParams"]["properties"].keys()


def test_the_definition_of_read_is_the_one_that_is_served() -> None:
    (listed,) = (
        next(each for each in CONVERSATIONS if each.file == "tools_of_forge").exchange[0].answer["result"]["tools"]
    )
    assert listed == READ_DEFINITION
