"""The registry is complete: whatever goes over the wire has a name, a meaning and a type."""

import re
from collections.abc import Iterator
from importlib import import_module
from typing import get_type_hints

import attrs
import pytest

from forge_protocol.agent_tools import AGENT_DEFINITIONS
from forge_protocol.codegen.model import Field, Message, build_model
from forge_protocol.conversion import WIRE_NAMES
from forge_protocol.errors import ErrorCode
from forge_protocol.registry import BY_NAME, REGISTRY, REQUESTS, Direction, Entry, Kind
from forge_protocol.tools import READ_DEFINITION, ReadArguments

each_entry = pytest.mark.parametrize("entry", REGISTRY, ids=[entry.name for entry in REGISTRY])
MESSAGES = build_model().messages


def all_fields() -> Iterator[tuple[Message, Field]]:
    return ((message, field) for message in MESSAGES.values() for field in message.fields)


def test_names_are_unique() -> None:
    assert len(BY_NAME) == len(REGISTRY)


@each_entry
def test_a_name_tells_its_kind(entry: Entry) -> None:
    shape = r"forge(\.[a-z]+){2}" if entry.kind is Kind.COMMAND else r"forge/[a-z][A-Za-z]+"
    assert re.fullmatch(shape, entry.name)


@each_entry
def test_an_entry_is_complete(entry: Entry) -> None:
    assert attrs.has(entry.params)
    assert entry.summary.endswith(".")
    assert entry.direction in Direction


@each_entry
def test_errors_are_told_once_and_begin_with_bad_arguments(entry: Entry) -> None:
    assert not entry.errors or entry.errors[0] is ErrorCode.INVALID_ARGUMENT
    assert bool(entry.errors) == (entry.direction is Direction.CLIENT_TO_SERVER)
    assert len(set(entry.errors)) == len(entry.errors)


@each_entry
def test_what_a_client_may_ask_has_a_function_of_its_types(entry: Entry) -> None:
    assert (entry.function is None) == (entry.direction is Direction.SERVER_TO_CLIENT)
    if entry.function is not None:
        module, _, name = entry.function.partition(":")
        function = getattr(import_module(module), name)
        assert entry.params in get_type_hints(function).values()


def test_only_the_answer_of_a_tool_has_no_type() -> None:
    assert [entry.name for entry in REGISTRY if entry.result is None] == ["forge.tools.call"]


def test_every_message_and_field_says_what_it_means() -> None:
    for message in MESSAGES.values():
        assert message.doc.endswith("."), message.name
    for message, field in all_fields():
        assert field.doc.endswith("."), f"{message.name}.{field.name}"


def test_fields_are_snake_case_but_for_what_belongs_to_lsp() -> None:
    for message, field in all_fields():
        assert field.name in WIRE_NAMES.values() or re.fullmatch(r"[a-z]+(_[a-z]+)*", field.name), message.name


def test_every_request_takes_a_progress_token() -> None:
    assert all("work_done_token" in attrs.fields_dict(entry.params) for entry in REQUESTS)


@pytest.mark.parametrize("code", ErrorCode)
def test_every_code_has_a_meaning_and_a_number(code: ErrorCode) -> None:
    assert code.meaning.endswith(".")
    assert -32899 <= code.json_rpc_code <= -32600


def test_a_model_is_told_the_arguments_that_are_taken() -> None:
    """A class of arguments is all there is to say."""
    parameters = READ_DEFINITION["parameters"]
    assert list(parameters["properties"]) == [field.name for field in attrs.fields(ReadArguments)]
    assert parameters["properties"]["limit"] == {
        "type": "integer",
        "minimum": 1,
        "description": "How many lines to return.",
    }
    assert (parameters["required"], parameters["additionalProperties"]) == (["path"], False)
    many = AGENT_DEFINITIONS["read_many"]["parameters"]["properties"]["files"]
    assert many["items"]["properties"]["start_line"] == {"type": "integer"}
    assert many["items"]["required"] == ["path"]
