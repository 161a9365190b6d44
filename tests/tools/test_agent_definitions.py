"""What the agent toolset costs a model before its first call."""

import json

import attrs
import pytest

from forge_daemon.mcp.results import tools
from forge_daemon.tools import ToolCatalog
from forge_protocol.agent_tools import AGENT_ARGUMENTS
from tests.bench.economy.tokens import count
from tests.bench.row import Skipped


@pytest.mark.slow
def test_the_definitions_take_at_most_650_tokens() -> None:
    """What clients show to a model, of all that MCP's `tools/list` sends."""
    shown = [{key: tool[key] for key in ("name", "description", "inputSchema")} for tool in tools("agent", 32_000)]
    try:
        assert count(json.dumps(shown, separators=(",", ":"))) <= 650
    except Skipped as reason:
        pytest.skip(str(reason))


def test_the_definitions_carry_bounds_and_are_closed_to_other_keys() -> None:
    parameters = {tool["name"]: tool["parameters"] for tool in ToolCatalog.definitions("agent")}
    assert all(schema["additionalProperties"] is False for schema in parameters.values())
    read, find, read_many = (parameters[name] for name in ("read", "find", "read_many"))
    assert read["properties"]["wait"]["maximum"] == 30
    assert find["properties"]["context"] | {"description": ""} == {
        "type": "integer",
        "minimum": 0,
        "maximum": 20,
        "description": "",
    }
    assert (read_many["properties"]["files"]["minItems"], read_many["properties"]["files"]["maxItems"]) == (1, 20)


def test_files_of_read_many_are_open_to_the_arguments_of_read_that_are_not_listed() -> None:
    parameters = {tool["name"]: tool["parameters"] for tool in ToolCatalog.definitions("agent")}
    files = parameters["read_many"]["properties"]["files"]
    assert files["description"] == "arguments of read"
    assert files["items"]["properties"].keys() < parameters["read"]["properties"].keys()
    assert "additionalProperties" not in files["items"], "a client that checks by the schema would refuse the others"


def test_the_definitions_name_what_the_tools_take() -> None:
    definitions = ToolCatalog.definitions("agent")
    assert [tool["name"] for tool in definitions] == list(AGENT_ARGUMENTS)
    for tool in definitions:
        fields = [field for field in attrs.fields(AGENT_ARGUMENTS[tool["name"]]) if "hidden" not in field.metadata]
        assert list(tool["parameters"]["properties"]) == [field.name for field in fields]
        assert tool["parameters"]["required"] == [field.name for field in fields if field.default is attrs.NOTHING]
