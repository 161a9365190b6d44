"""The toolset `agent` as an MCP client meets it."""

import random
from pathlib import Path

import pytest

from tests.mcp_server.conftest import Start
from tests.mcp_server.mcp_process import text_of

SLOW = "x[abx]{900}y"
"""Takes RE2 seconds for a line of some hundred kilobytes."""


def test_tools_have_a_title_and_say_how_long_an_answer_may_be(start: Start, folder: Path) -> None:
    server = start(folder)
    server.initialize()
    for tool in server.ask("tools/list")["result"]["tools"]:
        assert tool["title"]
        assert tool["_meta"] == {"anthropic/maxResultSizeChars": 32_000}
        assert tool["inputSchema"]["additionalProperties"] is False


def test_the_most_characters_can_be_chosen(start: Start, folder: Path) -> None:
    (folder / "long.txt").write_text("some words in a line\n" * 5_000)
    server = start("--max-chars", "2000", folder)
    server.initialize()
    tools = server.ask("tools/list")["result"]["tools"]
    assert tools[0]["_meta"] == {"anthropic/maxResultSizeChars": 2_000}
    assert 1_900 < len(text_of(server.call("read", path="long.txt"))) <= 2_000
    assert len(text_of(server.call("find", path="long.txt", pattern="words", limit=1000))) <= 2_000
    files = [{"path": "long.txt"}] * 3
    assert len(text_of(server.call("read_many", files=files))) <= 2_000


def test_a_full_page_has_at_most_32000_characters(start: Start, folder: Path) -> None:
    (folder / "long.txt").write_text("some words in a line\n" * 5_000)
    server = start(folder)
    server.initialize()
    assert 31_900 < len(text_of(server.call("read", path="long.txt"))) <= 32_000


def test_instructions_say_when_to_use_the_tools_and_what_they_cannot_do(start: Start, folder: Path) -> None:
    instructions = start(folder).initialize()["instructions"]
    for word in ("too long", "logs", "compressed", "long lines", "encodings", "nothing is written"):
        assert word in instructions
    assert "too long" in start().initialize(roots={})["instructions"]
    assert "instructions" not in start("--toolset", "workspace", folder).initialize()


def test_other_toolsets_do_not_promise_a_length(start: Start, folder: Path) -> None:
    server = start("--toolset", "forge", folder)
    server.initialize()
    (tool,) = server.ask("tools/list")["result"]["tools"]
    assert "_meta" not in tool


@pytest.mark.slow
def test_a_waiting_call_blocks_no_other_and_can_be_cancelled(start: Start, folder: Path) -> None:
    (folder / "build.log").write_text("")
    server = start(folder)
    server.initialize()
    waiting = [
        server.begin("tools/call", {"name": "read", "arguments": {"path": "build.log", "wait": 30}}) for _ in range(20)
    ]
    assert "two" in text_of(server.call("read", path="poem.txt"))
    for request in waiting:
        server.send({"method": "notifications/cancelled", "params": {"requestId": request}})
    assert server.ask("ping")["result"] == {}


def test_a_line_is_delivered_to_the_call_that_waits_for_it(start: Start, folder: Path) -> None:
    log = folder / "build.log"
    log.write_text("compiling\n")
    server = start(folder)
    server.initialize()
    arguments = {"path": "build.log", "start_line": 2, "wait": 30}
    request = server.begin("tools/call", {"name": "read", "arguments": arguments, "_meta": {"progressToken": "p"}})
    message = server.receive()
    assert message["method"] == "notifications/progress"
    with log.open("a") as file:
        file.write("done\n")
    while "method" in message:
        message = server.receive()
    assert message["id"] == request
    assert text_of(message["result"]) == "[build.log 2-2/2]\n2\tdone"


@pytest.mark.slow
def test_a_slow_expression_reports_progress_and_can_be_cancelled(start: Start, folder: Path) -> None:
    (folder / "a.js").write_text("".join(random.Random(1).choices("abx", k=600_000)))
    server = start(folder)
    server.initialize()
    arguments = {"path": "a.js", "pattern": SLOW, "regex": True}
    params = {"name": "find", "arguments": arguments, "_meta": {"progressToken": 7}}
    request = server.begin("tools/call", params)
    first, second = server.receive(), server.receive()
    for message in (first, second):
        assert message["method"] == "notifications/progress"
    assert first["params"]["progress"] < second["params"]["progress"]
    server.send({"method": "notifications/cancelled", "params": {"requestId": request}})
    server.send({"id": "alive", "method": "ping"})
    while (message := server.receive()).get("method") == "notifications/progress":
        pass
    assert message["id"] == "alive"


def test_a_session_remembers_what_it_was_answered(start: Start, folder: Path) -> None:
    server = start(folder)
    server.initialize()
    server.call("read", path="poem.txt")
    assert text_of(server.call("read", path="poem.txt", if_changed=True)) == "[poem.txt unchanged since you read it]"
    other = start(folder)
    other.initialize()
    assert "two" in text_of(other.call("read", path="poem.txt", if_changed=True))
