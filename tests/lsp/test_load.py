"""Many requests at once, large answers, and a client that takes its time."""

import random
from pathlib import Path

from lsp.conftest import Start
from lsp.raw_client import RawClient, folder_item, result_of


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
