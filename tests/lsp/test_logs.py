"""Logs never contain a file's content, parameters, or the path of the workspace, and never stop the daemon."""

import logging
import os
import queue
import re
import signal
import sys
from pathlib import Path

import pytest

from forge_daemon.rpc.log import MAX_EQUAL, DroppingHandler
from tests.lsp.conftest import Start
from tests.lsp.raw_client import PATIENCE, RawClient, endless_file, error_of

SECRET = "xyzzy-plugh"


def busy_session(client: RawClient, workspace: Path) -> None:
    """Reads, errors, edits, faulty messages and faulty settings, all of them around a secret."""
    (workspace / f"{SECRET}.txt").write_text(f"{SECRET}\n" * 100)
    (workspace / "forge.toml").write_text("[nonsense]\n")
    client.initialize(workspace, initializationOptions={"policy": {"deny": [SECRET]}, "cache": {"unheard": SECRET}})
    client.read(f"{SECRET}.txt")
    client.open(workspace / f"{SECRET}.txt", SECRET)
    for path in (f"{SECRET}/none", f"/{SECRET}", f"../{SECRET}", ""):
        client.refusal(path)
    client.error("forge/readFile", {"path": SECRET, SECRET: SECRET, "limit": SECRET})
    client.notify("textDocument/didOpen", {"textDocument": SECRET})
    client.notify("textDocument/didChange", {"textDocument": {"uri": SECRET}, "contentChanges": SECRET})
    client.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": f"file:///{SECRET}", "version": 1}, "contentChanges": [{"text": SECRET}]},
    )
    client.send_body(b"{" + SECRET.encode())
    client.tool("Read", path=f"{SECRET}.txt")
    endless = endless_file(workspace / "endless")
    counting = client.start_request("forge/countLines", {"path": endless.name})
    client.notify("$/cancelRequest", {"id": counting})
    assert error_of(client.answer_to(counting))["code"] == -32800


def test_stderr_tells_no_secrets(start: Start, workspace: Path) -> None:
    client = start()
    busy_session(client, workspace)
    assert client.shut_down() == 0
    assert SECRET.encode() not in client.stderr
    assert str(workspace).encode() not in client.stderr
    assert b"Traceback" not in client.stderr


@pytest.mark.parametrize("level", ["info", "debug"])
def test_a_log_file_tells_no_secrets(start: Start, workspace: Path, tmp_path: Path, level: str) -> None:
    log = tmp_path / "daemon.log"
    client = start("--log-file", str(log), "--log-level", level)
    busy_session(client, workspace)
    assert client.shut_down() == 0
    assert "forge_daemon" in log.read_text(), "the ignored notifications are logged"
    assert SECRET not in log.read_text()
    assert str(workspace) not in log.read_text()
    assert client.stderr == b""


def test_the_editors_output_panel_is_told_no_secrets(start: Start, workspace: Path) -> None:
    client = start()
    busy_session(client, workspace)
    client.result("shutdown")
    logged = [message["params"]["message"] for message in client.seen("window/logMessage")]
    assert any("not open" in message for message in logged)
    assert not any(SECRET in message or str(workspace) in message for message in logged)


def traces(client: RawClient) -> list[str]:
    assert all(message["params"].keys() == {"message"} for message in client.seen("$/logTrace"))
    return [message["params"]["message"] for message in client.seen("$/logTrace")]


def test_every_answered_request_is_traced_if_the_client_wants_it(client: RawClient, workspace: Path) -> None:
    (workspace / f"{SECRET}.txt").write_text(SECRET)
    client.read(f"{SECRET}.txt")
    assert traces(client) == []
    client.notify("$/setTrace", {"value": "messages"})
    reading = client.start_request("forge/readFile", {"path": f"{SECRET}.txt"})
    client.answer_to(reading)
    first = client.incoming("$/logTrace")["params"]["message"]  # a worker sends it after its answer
    client.notify("$/setTrace", {"value": "verbose"})
    refused = client.start_request("forge/noSuchThing", {"path": SECRET})
    client.answer_to(refused)
    second = client.incoming("$/logTrace")["params"]["message"]
    client.notify("$/setTrace", {"value": "off"})
    client.read(f"{SECRET}.txt")
    assert traces(client) == []
    assert f"forge/readFile ({reading})" in first
    assert f"forge/noSuchThing ({refused})" in second
    assert first.endswith(" ms")
    assert SECRET not in first + second


def test_tracing_may_start_with_the_handshake(start: Start, workspace: Path) -> None:
    client = start()
    client.initialize(workspace, trace="messages")
    assert "answered initialize" in client.incoming("$/logTrace")["params"]["message"]


def test_at_info_the_log_tells_start_folders_and_end(start: Start, workspace: Path, tmp_path: Path) -> None:
    log = tmp_path / "daemon.log"
    client = start("--log-file", str(log), "--log-level", "info")
    client.initialize(workspace)
    for _ in range(6):
        client.refusal("nothing")
    assert client.shut_down() == 0
    lines = log.read_text().splitlines()
    told = ("starts: protocol", "workspace folders open: 1", "exit code 0")
    assert [[part in line for line in lines].count(True) for part in told] == [1, 1, 1]
    assert not any("forge/readFile" in line for line in lines)


def test_at_debug_the_log_has_one_line_a_request(start: Start, workspace: Path, tmp_path: Path) -> None:
    (workspace / f"{SECRET}.txt").write_text(SECRET)
    log = tmp_path / "daemon.log"
    client = start("--log-file", str(log), "--log-level", "debug")
    client.initialize(workspace)
    client.read(f"{SECRET}.txt")
    client.refusal(f"{SECRET}/none")
    client.error("forge/readFile", {SECRET: 1})
    client.error(f"/{SECRET}")
    assert client.shut_down() == 0
    requests = [line.partition(" DEBUG forge_daemon.rpc.dispatcher: ")[2] for line in log.read_text().splitlines()]
    assert [re.sub(r"[\d.]+ ms", "N ms", request) for request in requests if request] == [
        "initialize: answered in N ms",
        "forge/readFile: answered in N ms",
        "forge/readFile: NOT_FOUND in N ms",
        "forge/readFile: INVALID_ARGUMENT in N ms",
        "unknown method: -32601 in N ms",
        "shutdown: answered in N ms",
    ]
    assert SECRET not in log.read_text()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="fills a pipe")
def test_a_log_that_nobody_reads_stops_nothing(start: Start, workspace: Path) -> None:
    (workspace / "a").write_text("a\n")
    unread, log = os.pipe()
    while True:  # whoever logs now has to wait
        try:
            os.set_blocking(log, False)
            os.write(log, b"x" * 4096)
        except BlockingIOError:
            break
    os.set_blocking(log, True)
    client = start("--log-level", "debug", stderr=log)
    os.close(log)
    client.initialize(workspace)
    for number in range(200):
        change = {"textDocument": {"uri": "file:///nope", "version": number}, "contentChanges": [{"text": "x"}]}
        client.notify("textDocument/didChange", change)
        assert client.read("a")["content"] == "a\n"
    client.process.send_signal(signal.SIGTERM)
    assert client.process.wait(PATIENCE) == 128 + signal.SIGTERM
    os.close(unread)


def test_what_cannot_be_written_in_time_is_dropped_and_counted() -> None:
    records: queue.Queue[logging.LogRecord] = queue.Queue(2)
    handler = DroppingHandler(records)
    for number in range(5):
        handler.handle(logging.makeLogRecord({"msg": f"message {number}"}))
    assert [records.get().getMessage() for _ in range(2)] == ["message 0", "message 1"]
    handler.handle(logging.makeLogRecord({"msg": "at last"}))
    assert records.get().getMessage() == "3 log messages were dropped: nobody reads the log"
    assert records.get().getMessage() == "at last"


def test_equal_warnings_are_limited(start: Start, workspace: Path) -> None:
    client = start()
    client.initialize(workspace)
    for number in range(3 * MAX_EQUAL):
        change = {"textDocument": {"uri": "file:///nope", "version": number}, "contentChanges": [{"text": "x"}]}
        client.notify("textDocument/didChange", change)
    client.result("shutdown")
    told = [message for message in client.seen("window/logMessage") if "not open" in message["params"]["message"]]
    assert len(told) == MAX_EQUAL
    client.notify("exit")
    assert client.wait() == 0
    assert client.stderr.count(b"not open") == MAX_EQUAL
