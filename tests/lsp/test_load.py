"""Many requests at once, large answers, and a client that takes its time."""

import json
import random
import signal
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from tests.lsp.conftest import Start
from tests.lsp.raw_client import RawClient, folder_item, framed, result_of

pytestmark = pytest.mark.slow


def test_a_thousand_requests_in_flight_are_each_answered_once(client: RawClient, workspace: Path) -> None:
    for number in range(10):
        (workspace / f"{number}").write_text(f"{number}\n" * 10)
    asked = {client.start_request("forge/readFile", {"path": f"{number % 11}"}): number % 11 for number in range(1000)}
    for msg_id, number in asked.items():
        answer = client.answer_to(msg_id)
        if number == 10:
            assert answer["error"]["data"]["code"] == "NOT_FOUND"
        else:
            assert answer["result"]["content"] == f"{number}\n" * 10


def test_large_answers_arrive_whole(client: RawClient, workspace: Path) -> None:
    for number in range(8):
        (workspace / f"{number}").write_text(f"{number}日本\U0001f600 line\n" * 30_000)
    asked = {
        client.start_request("forge/readFile", {"path": f"{number % 8}", "max_lines": 10_000}): number % 8
        for number in range(80)
    }
    for msg_id, number in asked.items():
        assert result_of(client.answer_to(msg_id))["content"] == f"{number}日本\U0001f600 line\n" * 10_000


def test_a_client_that_reads_late_gets_everything(start: Start, workspace: Path) -> None:
    """Far more than pipes and the daemon's own buffer hold waits to be read."""
    (workspace / "b").write_text(("x" * 99 + "\n") * 10_000)
    client = start(reads_at_once=False)
    folders = [folder_item(workspace)]
    client.start_request(
        "initialize", {"processId": None, "rootUri": None, "capabilities": {}, "workspaceFolders": folders}
    )
    asked = [client.start_request("forge/readFile", {"path": "b", "max_lines": 10_000}) for _ in range(30)]
    random.shuffle(asked)
    client.start_reading()
    for msg_id in asked:
        assert len(result_of(client.answer_to(msg_id))["content"]) == 1_000_000
    client.check_that_everything_was_answered_once()


@contextmanager
def somebody_asking_all_the_time(client: RawClient, path: str) -> Iterator[None]:
    stop = threading.Event()

    body = {"jsonrpc": "2.0", "id": "again", "method": "forge/readFile", "params": {"path": path}}
    more_than_a_pipe_holds = framed(json.dumps(body).encode()) * 1000

    def ask() -> None:
        with suppress(BrokenPipeError):
            while not stop.is_set():
                client.send_bytes(more_than_a_pipe_holds)

    asking = threading.Thread(target=ask)
    asking.start()
    try:
        for _ in range(100):
            client.wait_for(lambda message: "result" in message)
        yield
    finally:
        stop.set()
        asking.join()


@pytest.fixture
def busy(start: Start, workspace: Path) -> RawClient:
    (workspace / "a").write_text("a\n")
    client = start()
    client.initialize(workspace)
    return client


def test_long_work_is_done_beside_somebody_who_never_stops_asking(busy: RawClient, workspace: Path) -> None:
    with (workspace / "large").open("wb") as large:
        large.truncate(100 << 20)
        large.seek(0)
        large.write(b"a\n" * 10_000)
    with somebody_asking_all_the_time(busy, "a"):
        assert busy.result("forge/readFiles", {"files": [{"path": "a"}]})
        assert busy.result("forge/countLines", {"path": "large"})["line_count"] == 10_001


@pytest.mark.skipif(sys.platform == "win32", reason="signals end a process at once there")
def test_a_signal_is_heard_beside_somebody_who_never_stops_asking(busy: RawClient) -> None:
    with somebody_asking_all_the_time(busy, "a"):
        busy.process.send_signal(signal.SIGTERM)
        assert busy.wait() == 128 + signal.SIGTERM
