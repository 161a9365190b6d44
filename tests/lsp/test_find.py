"""Searching through the real process: it shows progress, can be cancelled, and no pattern stops the daemon."""

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.raw_client import RawClient, endless_file, error_of

CANCELLED = -32800
SLOW = "(?:(?:a?b?){30}){30}[xy]"
"""On a line such as `aaaabc`; without the back reference the line would not even be tried."""


@pytest.fixture
def endless(workspace: Path) -> str:
    return endless_file(workspace / "endless").name


def cancelled_once_it_is_seen(client: RawClient, params: dict[str, Any]) -> None:
    searching = client.start_request("forge/find", {**params, "workDoneToken": "search"})
    begin = client.incoming("$/progress", token="search")["params"]["value"]
    assert (begin["kind"], begin["title"], begin["cancellable"]) == ("begin", "Searching", True)
    client.notify("$/cancelRequest", {"id": searching})
    error = error_of(client.answer_to(searching))
    assert (error["code"], error["data"]["code"]) == (CANCELLED, "CANCELLED")


def test_a_running_search_shows_progress_and_is_cancelled(client: RawClient, endless: str) -> None:
    cancelled_once_it_is_seen(client, {"path": endless, "pattern": "never"})


def test_a_case_insensitive_search_shows_progress_and_is_cancelled(client: RawClient, endless: str) -> None:
    cancelled_once_it_is_seen(client, {"path": endless, "pattern": "Never", "ignore_case": True})


def test_a_regular_expression_is_cancelled_once_it_is_seen(client: RawClient, endless: str) -> None:
    cancelled_once_it_is_seen(client, {"path": endless, "pattern": SLOW, "regex": True})


def test_a_person_can_stop_a_search(client: RawClient, endless: str) -> None:
    params = {"path": endless, "pattern": "never", "direction": "backward", "start_line": 1 << 50}
    searching = client.start_request("forge/find", {**params, "workDoneToken": "backward"})
    client.incoming("$/progress", token="backward")
    client.notify("window/workDoneProgress/cancel", {"token": "backward"})
    assert error_of(client.answer_to(searching))["code"] == CANCELLED


@pytest.mark.slow
def test_an_expression_that_is_too_slow_for_a_long_line_is_given_up_and_delays_nobody(
    client: RawClient, workspace: Path
) -> None:
    (workspace / "trap").write_text("ab" * (1 << 20) + "\n")
    running = client.start_request("forge/find", {"path": "trap", "pattern": SLOW, "regex": True})
    for _ in range(20):
        assert client.read("trap", max_bytes=10)["content"].startswith("aba")
    error = error_of(client.answer_to(running))
    assert error["data"]["code"] == "INVALID_ARGUMENT"
    assert "too slow" in error["message"]


def test_a_search_sees_what_is_open(client: RawClient, workspace: Path) -> None:
    (workspace / "notes").write_text("saved\n")
    client.open(workspace / "notes", "first\nedited\n")
    found = client.result("forge/find", {"path": "notes", "pattern": "edited"})
    client.close(workspace / "notes")
    assert found["match"] == {"line": 2, "start_column": 1, "end_column": 6, "content": "edited"}
