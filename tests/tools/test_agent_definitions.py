"""What the agent toolset costs a model before its first call."""

import json

import attrs
import pytest

from bench.economy.tokens import count
from bench.row import Skipped
from forge_daemon.mcp.results import tools
from forge_daemon.tools import ToolCatalog
from forge_protocol.agent_tools import AGENT_ARGUMENTS


def test_the_definitions_take_at_most_400_tokens() -> None:
    """All that MCP's `tools/list` sends of them, counted as in `make economy`."""
    try:
        assert count(json.dumps(tools("agent"), separators=(",", ":"))) <= 400
    except Skipped as reason:
        pytest.skip(str(reason))


def test_the_definitions_name_what_the_tools_take() -> None:
    definitions = ToolCatalog.definitions("agent")
    assert [tool["name"] for tool in definitions] == list(AGENT_ARGUMENTS)
    for tool in definitions:
        fields = attrs.fields(AGENT_ARGUMENTS[tool["name"]])
        assert list(tool["parameters"]["properties"]) == [field.name for field in fields]
        assert tool["parameters"]["required"] == [field.name for field in fields if field.default is attrs.NOTHING]
