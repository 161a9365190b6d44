"""`forge/follow` over the wire: one event at a time, each taken before the next, while the client is there."""

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.requests.pace import IDLE_SECONDS
from tests.lsp.conftest import Start
from tests.lsp.raw_client import RawClient, framed, result_of, wait_until
from tests.requests import rotating_writer
from tests.requests.rotating_writer import tell

WRITER = rotating_writer.__file__


@pytest.fixture
def log(workspace: Path) -> Path:
    log = workspace / "app.log"
    log.write_text("one\ntwo\nthree\n")
    return log


@pytest.fixture
def follow(client: RawClient, log: Path) -> Iterator[Any]:
    result = client.result("forge/follow", {"path": "app.log", "tail": 2})
    yield result
    assert client.result("forge/unfollow", {"follow_id": result["follow_id"]}) is None


def append(log: Path, text: str) -> None:
    with log.open("a", newline="\n") as file:
        file.write(text)


def event(client: RawClient, follow: Any) -> Any:
    """The next event, taken."""
    request = client.incoming("forge/followed", follow_id=follow["follow_id"])
    client.answer(request, None)
    return request["params"]


def test_the_answer_is_a_window_and_a_name(client: RawClient, follow: Any) -> None:
    assert (follow["content"], follow["meta"]["start_line"], follow["truncated"]) == ("two\nthree\n", 2, False)
    assert isinstance(follow["follow_id"], str)


def test_what_is_appended_is_sent_with_all_that_is_known_of_the_file(client: RawClient, follow: Any, log: Path) -> None:
    append(log, "four\n")
    params = event(client, follow)
    assert params == {
        "follow_id": follow["follow_id"],
        "event": "appended",
        "content": "four\n",
        "start_line": 4,
        "returned_line_count": 1,
        "line_numbers": None,
        "context_lines": None,
        "continues_line": False,
        "skipped_bytes": 0,
        "skipped_files": 0,
        "byte_length": 19,
        "line_count": 4,
        "etag": client.read("app.log")["etag"],
        "end_cursor": params["end_cursor"],
        "error": None,
    }
    append(log, "five\n")
    assert event(client, follow)["content"] == "five\n"
    assert client.read("app.log", cursor=params["end_cursor"])["content"] == "five\n"


def test_lines_that_are_only_context_are_named_in_an_event(client: RawClient, log: Path) -> None:
    follow = client.result("forge/follow", {"path": "app.log", "filter": {"pattern": "yes", "before": 1, "after": 1}})
    append(log, "four\nyes\nsix\nseven\n")
    params = event(client, follow)
    assert (params["line_numbers"], params["context_lines"]) == ([4, 5, 6], [4, 6])
    client.result("forge/unfollow", {"follow_id": follow["follow_id"]})


def test_the_next_event_waits_until_the_last_one_was_taken(client: RawClient, follow: Any, log: Path) -> None:
    append(log, "four\n")
    first = client.incoming("forge/followed")
    append(log, "five\n")
    other = client.result("forge/follow", {"path": "app.log", "tail": 1})
    append(log, "six\n")
    # The other follow is told meanwhile, so this one had its time.
    assert event(client, other)["content"] == "six\n"
    assert client.seen("forge/followed") == []
    client.answer(first, None)
    assert event(client, follow)["content"] == "five\nsix\n"
    client.result("forge/unfollow", {"follow_id": other["follow_id"]})


def test_rotation_and_truncation_of_a_followed_file_are_reported(client: RawClient, follow: Any, log: Path) -> None:
    old = log.rename(log.with_suffix(".1"))
    append(old, "four\n")
    log.write_text("new\n")
    assert [event(client, follow)["content"], event(client, follow)["event"]] == ["four\n", "replaced"]
    assert (event(client, follow)["start_line"]) == 1
    os.truncate(log, 0)
    assert event(client, follow)["event"] == "truncated"


@pytest.mark.slow
def test_files_that_come_and_go_while_the_client_is_busy_are_sent(client: RawClient, follow: Any, log: Path) -> None:
    append(log, "four\n")
    unanswered = client.incoming("forge/followed")
    for number in range(3):
        log.rename(log.with_name(f"old.{number}"))
        log.write_text(f"file {number}\n")
        time.sleep(3 * IDLE_SECONDS)  # so that it is seen, on a busy machine too
    client.answer(unanswered, None)
    for number in range(3):
        replaced = event(client, follow)
        assert (replaced["event"], replaced["skipped_files"]) == ("replaced", 0)
        assert event(client, follow)["content"] == f"file {number}\n"


def test_a_rotated_set_is_followed_without_an_event_at_a_rotation(client: RawClient, log: Path) -> None:
    log.with_name("app.log.1").write_text("zero\n")
    follow = client.result("forge/follow", {"path": "app.log", "tail": 4, "rotated": True})
    assert follow["content"] == "zero\none\ntwo\nthree\n"
    assert [member["path"] for member in follow["members"]] == ["app.log.1", "app.log"]
    log.rename(log.with_name("app.log.0"))
    log.write_text("four\n")
    appended = event(client, follow)
    assert (appended["event"], appended["content"], appended["start_line"]) == ("appended", "four\n", 5)
    answer = client.result("forge/readFile", {"path": "app.log", "rotated": True, "cursor": appended["end_cursor"]})
    assert answer["content"] == ""
    client.result("forge/unfollow", {"follow_id": follow["follow_id"]})


def test_removal_and_return_of_a_followed_file_are_reported(client: RawClient, follow: Any, log: Path) -> None:
    log.unlink()
    removed = event(client, follow)
    assert (removed["event"], removed["byte_length"], removed["etag"]) == ("removed", None, None)
    log.write_text("again\n")
    assert event(client, follow)["event"] == "created"
    assert event(client, follow)["content"] == "again\n"


def test_a_follow_ends_when_its_name_becomes_a_link_to_a_secret(client: RawClient, log: Path, workspace: Path) -> None:
    follow = client.result("forge/follow", {"path": "app.log"})
    (workspace / ".env").write_text("secret\n")
    log.unlink()
    log.symlink_to(".env")
    refused = event(client, follow)
    assert (refused["event"], refused["content"], refused["error"]["code"]) == ("refused", None, "POLICY_DENIED")
    assert refused["error"]["path"] == "app.log"
    assert client.result("forge/unfollow", {"follow_id": follow["follow_id"]}) is None


def test_a_follow_ends_when_a_later_policy_denies_the_file(client: RawClient, log: Path, workspace: Path) -> None:
    follow = client.result("forge/follow", {"path": "app.log"})
    append(log, "four\n")
    assert event(client, follow)["content"] == "four\n"
    (workspace / "forge.toml").write_text('[policy]\ndeny = ["*.log"]\n')
    append(log, "secret\n")
    refused = event(client, follow)
    while refused["event"] == "appended":  # the file was looked at before the settings were
        refused = event(client, follow)
    assert (refused["event"], refused["error"]["code"]) == ("refused", "POLICY_DENIED")
    append(log, "more\n")
    assert client.refusal("app.log")["code"] == "POLICY_DENIED"
    assert client.seen("forge/followed") == []


def test_faulty_follow_requests_are_refused(client: RawClient, log: Path) -> None:
    for params, code in (
        ({"path": "missing.log"}, "NOT_FOUND"),
        ({"path": ".env"}, "POLICY_DENIED"),
        ({"path": "app.log", "tail": 1, "cursor": "x"}, "INVALID_ARGUMENT"),
        ({"path": "app.log", "cursor": "x"}, "INVALID_ARGUMENT"),
        ({"path": "app.log", "unknown": 1}, "INVALID_ARGUMENT"),
    ):
        assert client.error("forge/follow", params)["data"]["code"] == code


def test_a_follow_continues_from_an_end_cursor(client: RawClient, log: Path) -> None:
    end_cursor = client.read("app.log")["end_cursor"]
    append(log, "four\n")
    follow = client.result("forge/follow", {"path": "app.log", "cursor": end_cursor})
    assert (follow["content"], follow["meta"]["start_line"]) == ("four\n", 4)
    append(log, "five\n")
    assert event(client, follow)["start_line"] == 5
    client.result("forge/unfollow", {"follow_id": follow["follow_id"]})


def test_only_the_lines_that_match_are_sent(client: RawClient, log: Path) -> None:
    wanted = {"pattern": "^t", "regex": True}
    follow = client.result("forge/follow", {"path": "app.log", "filter": wanted})
    assert (follow["content"], follow["line_numbers"]) == ("two\nthree\n", [2, 3])
    append(log, "four\nten\n")
    params = event(client, follow)
    assert (params["content"], params["line_numbers"], params["line_count"]) == ("ten\n", [5], 5)
    client.result("forge/unfollow", {"follow_id": follow["follow_id"]})
    append(log, "eleven\ntwelve\n")
    again = client.result("forge/follow", {"path": "app.log", "filter": wanted, "cursor": params["end_cursor"]})
    assert again["content"] == "twelve\n"
    client.result("forge/unfollow", {"follow_id": again["follow_id"]})
    faulty = {"path": "app.log", "filter": {"pattern": "(", "regex": True}}
    assert client.error("forge/follow", faulty)["code"] == -32602


def test_no_more_than_64_files_are_followed(client: RawClient, log: Path) -> None:
    follows = [client.result("forge/follow", {"path": "app.log"})["follow_id"] for _ in range(64)]
    assert len(set(follows)) == 64
    error = client.error("forge/follow", {"path": "app.log"})["data"]
    assert error["code"] == "INVALID_ARGUMENT"
    assert "forge/unfollow" in error["hint"]
    for follow_id in follows:
        client.result("forge/unfollow", {"follow_id": follow_id})
    at_once = [client.start_request("forge/follow", {"path": "app.log"}) for _ in range(80)]
    answers = [client.answer_to(number) for number in at_once]
    assert sum("result" in answer for answer in answers) == 64
    for answer in answers:
        if "result" in answer:
            client.result("forge/unfollow", {"follow_id": answer["result"]["follow_id"]})


def test_a_page_that_has_an_end_is_no_end_of_what_is_followed(client: RawClient, log: Path) -> None:
    page = client.result("forge/readFile", {"path": "app.log", "head": 2, "max_lines": 1})
    follow = client.result("forge/follow", {"path": "app.log", "cursor": page["next_cursor"]})
    assert follow["content"] == "two\nthree\n"
    append(log, "four\n")
    assert event(client, follow)["content"] == "four\n"
    client.result("forge/unfollow", {"follow_id": follow["follow_id"]})


def test_an_event_may_be_answered_after_its_follow_was_ended(client: RawClient, log: Path) -> None:
    follow = client.result("forge/follow", {"path": "app.log"})
    append(log, "four\n")
    late = client.incoming("forge/followed")
    client.result("forge/unfollow", {"follow_id": follow["follow_id"]})
    answer = {"jsonrpc": "2.0", "id": late["id"], "result": None}
    request = {"jsonrpc": "2.0", "id": "after", "method": "forge/readFile", "params": {"path": "app.log"}}
    # At once: what comes with it is not kept waiting.
    client.send_bytes(b"".join(framed(json.dumps(message).encode()) for message in (answer, request)))
    assert result_of(client.answer_to("after"))["content"] == "one\ntwo\nthree\nfour\n"


def test_an_ended_follow_lets_go_of_its_file(client: RawClient, log: Path) -> None:
    follow = client.result("forge/follow", {"path": "app.log"})
    assert holds_open(client, log)
    client.result("forge/unfollow", {"follow_id": follow["follow_id"]})
    wait_until(lambda: not holds_open(client, log))
    assert not holds_open(client, log)


@pytest.mark.slow
@pytest.mark.parametrize("mode", ["rename", "gap", "late"])
def test_a_program_that_writes_and_rotates_is_followed_without_a_gap(client: RawClient, log: Path, mode: str) -> None:
    log.write_text("")
    lines = 6_000
    follow = client.result("forge/follow", {"path": "app.log"})
    with subprocess.Popen([sys.executable, WRITER, str(log), str(lines), "2000", mode]):
        numbers: list[int] = []
        while not numbers or numbers[-1] != lines:
            content = event(client, follow)["content"] or ""
            numbers += [int(line.split()[1]) for line in content.splitlines() if "last of this file" not in line]
            tell(str(log), numbers[-1] if numbers else 0)
    assert numbers == list(range(1, lines + 1))
    client.result("forge/unfollow", {"follow_id": follow["follow_id"]})


def test_the_daemon_ends_whatever_is_followed(start: Start, workspace: Path, log: Path) -> None:
    client = start()
    client.initialize(workspace)
    client.result("forge/follow", {"path": "app.log"})
    append(log, "four\n")
    client.incoming("forge/followed")
    client.result("shutdown")
    wait_until(lambda: not holds_open(client, log))
    assert not holds_open(client, log)
    client.notify("exit")
    assert client.wait() == 0


def holds_open(client: RawClient, path: Path) -> bool:
    if sys.platform == "win32":
        return not _can_be_had_alone(path)
    descriptors = Path(f"/proc/{client.process.pid}/fd")
    return any(os.path.realpath(descriptor) == str(path) for descriptor in descriptors.iterdir())


def _can_be_had_alone(path: Path) -> bool:
    """Windows opens a file for one program alone only if no other has it open."""
    if sys.platform != "win32":
        raise NotImplementedError
    import _winapi

    generic_read, alone, open_existing, sharing_violation = 0x80000000, 0, 3, 32
    try:
        _winapi.CloseHandle(_winapi.CreateFile(str(path), generic_read, alone, 0, open_existing, 0, 0))
    except OSError as error:
        assert error.winerror == sharing_violation
        return False
    return True
