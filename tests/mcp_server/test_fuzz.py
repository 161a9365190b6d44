"""Whatever arrives, the server answers what can be answered, and stays."""

import json
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from tests.mcp_server.mcp_process import META, McpProcess

pytestmark = pytest.mark.slow

VALUES: st.SearchStrategy[Any] = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | st.text(max_size=9),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=8,
)
METHODS = ["initialize", "server/discover", "tools/list", "tools/call", "ping", "notifications/cancelled", "roots/list"]
PARAMS = st.fixed_dictionaries(
    {},
    optional={
        "name": st.sampled_from(["read", "find", "read_many", "none"]) | VALUES,
        "arguments": st.dictionaries(st.sampled_from(["path", "pattern", "files", "start_line"]), VALUES) | VALUES,
        "_meta": st.just(META) | VALUES,
        "requestId": VALUES,
        "protocolVersion": VALUES,
        "capabilities": VALUES,
        "inputResponses": VALUES,
    },
)
MESSAGES = st.fixed_dictionaries(
    {"jsonrpc": st.just("2.0"), "method": st.sampled_from(METHODS)},
    optional={"id": st.integers(1, 9) | VALUES, "params": PARAMS | VALUES},
)


@settings(max_examples=8, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(MESSAGES | VALUES, min_size=5, max_size=25))
def test_the_server_outlives_any_messages(folder: Path, messages: list[Any]) -> None:
    with McpProcess(folder) as server:
        for message in messages:
            server.send_bytes(json.dumps(message).encode() + b"\n")
        server.send({"id": "last", "method": "ping"})
        answered: list[Any] = []
        while (answer := server.receive()).get("id") != "last":
            answered.append(answer)
        assert answer["result"] == {}
        asked = [message for message in messages if isinstance(message, dict) and type(message.get("id")) in (int, str)]
        assert len(answered) <= len(messages) + len(asked)
        assert server.close_input() == 0
