"""Long work shows progress, can be cancelled, and does not delay other requests."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.rpc.workers import Work
from forge_daemon.server.progress import ProgressReport
from forge_daemon.server.server import ForgeServer
from tests.lsp.conftest import Start
from tests.lsp.raw_client import Message, RawClient, endless_file, error_of, result_of, wait_until

CANCELLED = -32800
SHOWS_PROGRESS = {"window": {"workDoneProgress": True}}
SCAN_FOR_EVER = {"tools": {"read_file": {"max_scan_bytes": 1 << 50}}}


@pytest.fixture
def endless(workspace: Path) -> str:
    return endless_file(workspace / "endless").name


@pytest.fixture
def showing(start: Start, workspace: Path) -> Iterator[RawClient]:
    """A client that shows progress, and lets agents scan as far as they like."""
    client = start()
    client.initialize(workspace, capabilities=SHOWS_PROGRESS, initializationOptions=SCAN_FOR_EVER)
    yield client
    client.check_that_everything_was_answered_once()


def bytes_read(client: RawClient) -> int:
    io = Path(f"/proc/{client.process.pid}/io").read_text()
    return int(io.split("rchar: ")[1].split()[0])


def holds_open(client: RawClient, path: Path) -> bool:
    descriptors = Path(f"/proc/{client.process.pid}/fd")
    return any(os.path.realpath(descriptor) == str(path) for descriptor in descriptors.iterdir())


def keeps_reading(client: RawClient) -> bool:
    enough = bytes_read(client) + 1_000_000
    wait_until(lambda: bytes_read(client) > enough)
    return bytes_read(client) > enough


def kinds(messages: list[Message]) -> list[str]:
    return [message["params"]["value"]["kind"] for message in messages]


def is_progress(token: object) -> Any:
    return lambda message: message.get("method") == "$/progress" and message["params"]["token"] == token


def progress_until_end(client: RawClient, token: object) -> list[Message]:
    messages = [client.wait_for(is_progress(token))]
    while kinds(messages)[-1] != "end":
        messages.append(client.wait_for(is_progress(token)))
    return messages


def wait_as_long_as_progress_takes(client: RawClient, endless: str) -> None:
    """Until work that started later has shown its progress several times; nothing of that is left to be seen."""
    counting = client.start_request("forge/countLines", {"path": endless, "workDoneToken": "clock"})
    for _ in range(3):
        client.wait_for(is_progress("clock"))
    client.notify("$/cancelRequest", {"id": counting})
    progress_until_end(client, "clock")
    client.answer_to(counting)


def test_a_running_count_is_cancelled(client: RawClient, endless: str) -> None:
    counting = client.start_request("forge/countLines", {"path": endless, "workDoneToken": 1})
    client.incoming("$/progress", token=1)
    client.notify("$/cancelRequest", {"id": counting})
    error = error_of(client.answer_to(counting))
    assert (error["code"], error["data"]["code"]) == (CANCELLED, "CANCELLED")
    assert kinds(progress_until_end(client, 1))[-1] == "end"


@pytest.mark.skipif(sys.platform != "linux", reason="looks into /proc")
def test_cancelled_work_really_stops(client: RawClient, workspace: Path, endless: str) -> None:
    counting = client.start_request("forge/countLines", {"path": endless, "workDoneToken": 2})
    client.incoming("$/progress", token=2)
    assert keeps_reading(client)
    assert holds_open(client, workspace / endless)
    client.notify("$/cancelRequest", {"id": counting})
    client.answer_to(counting)
    # What still reads the file still holds it.
    wait_until(lambda: not holds_open(client, workspace / endless))
    assert not holds_open(client, workspace / endless)


def test_a_request_cancelled_right_away_is_answered_once(client: RawClient, endless: str) -> None:
    asked = [client.start_request("forge/countLines", {"path": endless}) for _ in range(20)]
    for msg_id in asked:
        client.notify("$/cancelRequest", {"id": msg_id})
    assert {error_of(client.answer_to(msg_id))["code"] for msg_id in asked} == {CANCELLED}


def test_cancelling_what_was_answered_long_ago_does_nothing(client: RawClient, workspace: Path) -> None:
    (workspace / "a").write_text("a")
    msg_id = client.start_request("forge/readFile", {"path": "a"})
    assert "result" in client.answer_to(msg_id)
    client.notify("$/cancelRequest", {"id": msg_id})
    assert client.read("a")["content"] == "a"


def test_other_requests_are_answered_beside_long_work(client: RawClient, workspace: Path, endless: str) -> None:
    (workspace / "a").write_text("quick")
    counting = [client.start_request("forge/countLines", {"path": endless}) for _ in range(8)]
    for _ in range(20):
        assert client.read("a")["content"] == "quick"
    for msg_id in counting:
        client.notify("$/cancelRequest", {"id": msg_id})
    assert {error_of(client.answer_to(msg_id))["code"] for msg_id in counting} == {CANCELLED}


def test_a_command_reports_progress_and_is_cancelled_like_any_request(showing: RawClient, endless: str) -> None:
    call = {"name": "Read", "arguments": {"path": endless, "start_line": 1 << 40}}
    calling = showing.start_command("forge.tools.call", call, workDoneToken="of the command")
    begin = showing.incoming("$/progress", token="of the command")["params"]["value"]
    assert (begin["kind"], begin["title"]) == ("begin", "Read")
    showing.notify("$/cancelRequest", {"id": calling})
    assert error_of(showing.answer_to(calling))["code"] == CANCELLED
    assert kinds(progress_until_end(showing, "of the command"))[-1] == "end"


def test_progress_under_the_clients_token_begins_reports_and_ends(client: RawClient, endless: str) -> None:
    counting = client.start_request("forge/countLines", {"path": endless, "workDoneToken": "mine"})
    shown = [client.wait_for(is_progress("mine")) for _ in range(3)]
    client.notify("$/cancelRequest", {"id": counting})
    shown += progress_until_end(client, "mine")
    client.answer_to(counting)
    assert kinds(shown) == ["begin", *["report"] * (len(shown) - 2), "end"]
    reports = [message["params"]["value"] for message in shown[1:-1]]
    assert all(0 <= report["percentage"] <= 100 and report["cancellable"] for report in reports)


@pytest.mark.slow
def test_without_a_token_the_client_is_asked_for_one(showing: RawClient, endless: str) -> None:
    counting = showing.start_request("forge/countLines", {"path": endless})
    create = showing.incoming("window/workDoneProgress/create")
    token = create["params"]["token"]
    showing.answer(create, None)
    begin = showing.wait_for(is_progress(token))["params"]["value"]
    assert (begin["kind"], begin["cancellable"], begin["percentage"]) == ("begin", True, 0)
    showing.notify("window/workDoneProgress/cancel", {"token": token})
    assert error_of(showing.answer_to(counting))["code"] == CANCELLED
    assert kinds(progress_until_end(showing, token))[-1] == "end"


@pytest.mark.slow
def test_a_client_that_refuses_a_token_is_not_shown_any_progress(showing: RawClient, endless: str) -> None:
    counting = showing.start_request("forge/countLines", {"path": endless})
    create = showing.incoming("window/workDoneProgress/create")
    showing.send({"jsonrpc": "2.0", "id": create["id"], "error": {"code": -32603, "message": "no"}})
    wait_as_long_as_progress_takes(showing, endless)
    showing.notify("$/cancelRequest", {"id": counting})
    assert error_of(showing.answer_to(counting))["code"] == CANCELLED
    assert showing.seen("$/progress") == []
    assert showing.seen("window/workDoneProgress/create") == []


def test_a_person_can_stop_work_shown_under_the_clients_token(client: RawClient, endless: str) -> None:
    counting = client.start_request("forge/countLines", {"path": endless, "workDoneToken": "stop me"})
    client.incoming("$/progress", token="stop me")
    client.notify("window/workDoneProgress/cancel", {"token": "stop me"})
    assert error_of(client.answer_to(counting))["code"] == CANCELLED


def test_short_work_shows_no_progress(showing: RawClient, workspace: Path) -> None:
    (workspace / "a").write_text("a\n")
    counted = showing.request("forge/countLines", {"path": "a", "workDoneToken": "short"})
    assert result_of(counted)["line_count"] == 1
    showing.read("a", workDoneToken="also short")
    assert showing.seen("$/progress") == []
    assert showing.seen("window/workDoneProgress/create") == []


@pytest.mark.slow
def test_a_client_that_cannot_show_progress_is_not_asked_to(client: RawClient, workspace: Path, endless: str) -> None:
    counting = client.start_request("forge/countLines", {"path": endless})
    wait_as_long_as_progress_takes(client, endless)
    client.notify("$/cancelRequest", {"id": counting})
    client.answer_to(counting)
    assert client.seen("$/progress") == []
    assert client.seen("window/workDoneProgress/create") == []


@pytest.mark.parametrize("token", [0, "", 1, "a"])
def test_work_that_has_ended_cannot_be_stopped_any_more_whatever_its_token(token: str | int) -> None:
    server = ForgeServer()
    server.dispatcher.send = lambda _: None
    client = server.session.client
    report = ProgressReport(client, token, "Counting", Work(lambda _: None))
    report.show(1, 2)
    assert list(client.stoppable) == [token]
    report.end()
    assert client.stoppable == {}
