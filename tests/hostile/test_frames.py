"""Whatever bytes come in, each id is answered exactly once with the right code, or the stream is given up."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.rpc.framing import FrameError, FrameParser
from tests.hostile.conftest import Figure
from tests.hostile.frames import Case, cases, number_of_cases
from tests.lsp.raw_client import Message, RawClient

FRAME_ERROR = 2
SURVIVED = ("headers", "bodies", "envelopes", "ids", "methods")


def named(file: str) -> list[Any]:
    return [pytest.param(case, id=f"{file}: {case.name}") for case in cases(file)]


@pytest.fixture(scope="module")
def workspace(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("workspace")
    (folder / "a.txt").write_text("one\ntwo\n")
    return folder


@pytest.fixture(scope="module")
def serving(workspace: Path) -> Iterator[RawClient]:
    with RawClient() as client:
        client.initialize(workspace)
        yield client
        assert client.shut_down() == 0
        ends_quietly(client)


@pytest.fixture(scope="module")
def not_initialized() -> Iterator[RawClient]:
    with RawClient() as client:
        yield client
        client.notify("exit")
        assert client.wait() == 1
        ends_quietly(client)


@pytest.fixture(scope="module")
def shut_down(workspace: Path) -> Iterator[RawClient]:
    with RawClient() as client:
        client.initialize(workspace)
        client.result("shutdown")
        yield client
        client.notify("exit")
        assert client.wait() == 0
        ends_quietly(client)


def ends_quietly(client: RawClient) -> None:
    """No late answer, no message to the user, no internal error."""
    assert [message for message in client.drain() if message.get("method") != "window/logMessage"] == []
    assert client.not_frames == b""
    assert b"Traceback" not in client.stderr
    assert b" ERROR " not in client.stderr
    assert b"a.txt" not in client.stderr, "parameters were logged"


def is_answer(message: Message) -> bool:
    return "method" not in message


def summary(answer: Message) -> str:
    assert answer["jsonrpc"] == "2.0"
    assert answer.keys() == {"jsonrpc", "id", "result"} or answer.keys() == {"jsonrpc", "id", "error"}
    return json.dumps([answer["id"], answer["error"]["code"] if "error" in answer else "result"])


def expect(client: RawClient, case: Case) -> None:
    for piece in case.pieces:
        client.send_bytes(piece)
    answers = [client.wait_for(is_answer) for _ in case.answers]
    assert Counter(map(summary, answers)) == Counter(map(json.dumps, case.answers))


@pytest.mark.parametrize("case", [case for file in SURVIVED for case in named(file)])
def test_a_hostile_message_is_answered_and_the_next_one_is_understood(serving: RawClient, case: Case) -> None:
    expect(serving, case)
    assert serving.read("a.txt")["content"] == "one\ntwo\n"
    assert serving.answers_set_aside() == []


@pytest.mark.parametrize("case", named("before_initialize"))
def test_before_initialize_nothing_is_served(not_initialized: RawClient, case: Case) -> None:
    expect(not_initialized, case)
    assert not_initialized.error("forge/readFile", {"path": "a.txt"})["code"] == -32002
    assert not_initialized.answers_set_aside() == []


@pytest.mark.parametrize("case", named("after_shutdown"))
def test_after_shutdown_nothing_is_served(shut_down: RawClient, case: Case) -> None:
    expect(shut_down, case)
    assert shut_down.error("forge/readFile", {"path": "a.txt"})["code"] == -32600
    assert shut_down.answers_set_aside() == []


@pytest.mark.parametrize("case", named("fatal"))
def test_a_stream_that_cannot_be_followed_is_answered_and_given_up(case: Case) -> None:
    with RawClient() as client:
        for piece in case.pieces:
            client.send_bytes(piece)
        if case.closes:
            client.close_stdin()
        assert client.wait() == FRAME_ERROR
        *answers, last = client.drain()
        assert Counter(map(summary, answers)) == Counter(map(json.dumps, case.answers))
        assert summary(last) == json.dumps([None, -32700])
        assert client.not_frames == b""
        assert b"Traceback" not in client.stderr


@pytest.mark.parametrize("case", named("fatal_headers"))
def test_a_header_without_a_valid_length_is_a_frame_error(case: Case) -> None:
    """What becomes of such an error is the process's; what is one is told without starting another process."""
    with pytest.raises(FrameError):
        list(FrameParser().feed(case.stream))


def test_there_are_at_least_130_hostile_frames(figure: Figure) -> None:
    assert number_of_cases() >= 130
    figure("hostile frames, hand-written", f"{number_of_cases()}, all as expected")
