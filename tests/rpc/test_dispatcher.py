"""Exactly one answer to every request, whatever becomes of it."""

import gc
import json
import logging
import threading
import time
import weakref
from collections.abc import Callable
from typing import Any

import pytest

from forge_daemon.rpc import workers as workers_module
from forge_daemon.rpc.dispatcher import Dispatcher, Method, RpcError, method_not_found, unchanged
from forge_daemon.rpc.workers import Work, Workers
from forge_protocol.errors import ErrorCode, ReadError, invalid_argument

PATIENCE = 30.0


class Wire:
    """A surface made of functions, and what was sent to its client."""

    def __init__(self, **methods: Callable[..., Any]) -> None:
        self.methods = methods
        self.sent: list[Any] = []
        self.dispatcher = Dispatcher(self, Workers())
        self.dispatcher.send = lambda body: self.sent.append(json.loads(body))

    def request(self, name: str, _params: Any) -> Method:
        if name not in self.methods:
            raise method_not_found(name)
        return Method(self.methods[name], on_worker=name.endswith("_on_worker"))

    def notification(self, name: str) -> Method | None:
        return Method(self.methods[name]) if name in self.methods else None

    def receive(self, **message: Any) -> None:
        self.dispatcher.receive(json.dumps({"jsonrpc": "2.0", **message}).encode())

    def receive_beside(self, **message: Any) -> None:
        """On a thread of its own. Returns once the request is known."""
        threading.Thread(target=self.receive, kwargs=message, daemon=True).start()
        _until(lambda: self.dispatcher.has_unanswered)


def fail(error: Exception) -> Callable[[Any], Any]:
    def run(_: Any) -> None:
        raise error

    return run


def test_a_result_is_sent_under_the_id_of_its_request() -> None:
    wire = Wire(double=lambda number: 2 * number)
    wire.receive(id="a", method="double", params=4)
    assert wire.sent == [{"jsonrpc": "2.0", "id": "a", "result": 8}]
    assert not wire.dispatcher.has_unanswered


def test_a_notification_is_never_answered() -> None:
    taken: list[Any] = []
    wire = Wire(take=taken.append)
    wire.receive(method="take", params=1)
    wire.receive(method="unknown", params=1)
    assert (taken, wire.sent) == ([1], [])


def test_work_is_answered_when_it_is_done_and_nothing_waits_for_it() -> None:
    gate = threading.Event()

    def wait(_: Any, _work: Work) -> str:
        assert gate.wait(PATIENCE)
        return "done"

    wire = Wire(wait_on_worker=wait, now=unchanged)
    wire.receive_beside(id=1, method="wait_on_worker")
    wire.receive(id=2, method="now")
    assert [answer["id"] for answer in wire.sent] == [2]
    assert wire.dispatcher.has_unanswered
    gate.set()
    _until(lambda: len(wire.sent) == 2)
    assert wire.sent[-1] == {"jsonrpc": "2.0", "id": 1, "result": "done"}
    assert not wire.dispatcher.has_unanswered


def _until_cancelled(_: Any, work: Work) -> None:
    while True:
        work.progress(0, 1)
        time.sleep(0.001)


def _until(reached: Callable[[], bool]) -> None:
    deadline = time.monotonic() + PATIENCE
    while not reached():
        assert time.monotonic() < deadline
        time.sleep(0.001)


def test_a_cancelled_request_is_answered_once_and_its_id_is_taken_until_then() -> None:
    wire = Wire(wait_on_worker=_until_cancelled)
    wire.receive_beside(id=1, method="wait_on_worker")
    wire.receive(id=1, method="wait_on_worker")
    assert wire.sent.pop()["error"]["code"] == -32600
    odd_ids: list[Any] = [None, [], {}, 1.0, "1", 7]
    for odd in odd_ids:
        wire.dispatcher.cancel(odd)
    assert wire.dispatcher.has_unanswered
    wire.dispatcher.cancel(1)
    wire.dispatcher.cancel(1)
    assert [message["error"]["data"]["code"] for message in wire.sent] == ["CANCELLED"]
    assert not wire.dispatcher.has_unanswered


def test_a_surface_may_leave_a_cancelled_request_without_an_answer() -> None:
    wire = Wire(wait_on_worker=_until_cancelled, now=unchanged)
    wire.receive_beside(id=1, method="wait_on_worker")
    wire.dispatcher.cancel(1, answer=False)
    assert not wire.dispatcher.has_unanswered
    wire.receive(id=1, method="now")
    assert wire.sent == [{"jsonrpc": "2.0", "id": 1, "result": None}]


def test_all_running_requests_can_be_cancelled() -> None:
    running = threading.Semaphore(0)

    def run(_: Any, work: Work) -> None:
        running.release()
        _until_cancelled(_, work)

    wire = Wire(wait_on_worker=run)
    for number in range(3):
        wire.receive_beside(id=number, method="wait_on_worker")
        assert running.acquire(timeout=PATIENCE)
    wire.dispatcher.cancel_all()
    assert sorted(message["id"] for message in wire.sent if "error" in message) == [0, 1, 2]


def test_a_request_that_is_given_up_is_answered_and_its_late_result_is_not_sent(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(workers_module, "STALLED_SECONDS", 0.0)
    gate, ended = threading.Event(), threading.Event()

    def wait(_: Any, _work: Work) -> None:
        gate.wait(PATIENCE)
        ended.set()

    wire = Wire(wait_on_worker=wait)
    wire.receive_beside(id=1, method="wait_on_worker")
    _until(lambda: bool(wire.sent))
    gate.set()
    assert ended.wait(PATIENCE)
    (answer,) = wire.sent
    assert "has not answered" in answer["error"]["message"]
    assert answer["error"]["data"]["retriable"]


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (ValueError("secret"), -32603),
        (ReadError(ErrorCode.NOT_FOUND, "no such file", path="a"), -32803),
        (RpcError(-32601, "gone"), -32601),
    ],
)
def test_a_failure_is_answered_without_a_traceback(error: Exception, code: int) -> None:
    def fail_on_worker(_: Any, _work: Work) -> None:
        raise error

    wire = Wire(fail=fail(error), fail_on_worker=fail_on_worker)
    wire.receive(id=1, method="fail")
    wire.receive(id=2, method="fail_on_worker")
    _until(lambda: len(wire.sent) == 2)
    assert {answer["error"]["code"] for answer in wire.sent} == {code}
    assert not any(word in json.dumps(wire.sent) for word in ("secret", "Traceback"))


def test_a_result_that_is_no_json_is_an_error_and_not_silence() -> None:
    wire = Wire(odd=lambda _: object())
    wire.receive(id=1, method="odd")
    assert [answer["error"]["data"]["code"] for answer in wire.sent] == ["INTERNAL"]


def test_faulty_parameters_are_answered_for_a_request_and_logged_for_a_notification(
    caplog: pytest.LogCaptureFixture,
) -> None:
    wire = Wire(x=fail(invalid_argument("faulty")))
    wire.receive(id=1, method="x")
    wire.receive(method="x")
    assert [answer["error"]["code"] for answer in wire.sent] == [-32602]
    assert "ignored a x notification: faulty" in caplog.text


def test_a_notification_that_fails_is_logged_by_the_kind_of_failure_alone(
    caplog: pytest.LogCaptureFixture,
) -> None:
    wire = Wire(fail=fail(ValueError("secret")))
    with caplog.at_level(logging.DEBUG):
        wire.receive(method="fail")
    assert "a notification failed: ValueError" in caplog.text
    assert "secret" not in caplog.text
    assert wire.sent == []


def test_an_answer_of_the_client_is_there_before_its_next_message_is_handled() -> None:
    order: list[Any] = []
    wire = Wire(next=order.append)
    asked = wire.dispatcher.ask("question", {"a": 1}, parse=lambda result: result + 1)
    asked.add_done_callback(lambda future: order.append(future.result()))
    question = wire.sent[-1]
    assert (question["method"], question["params"]) == ("question", {"a": 1})
    wire.receive(id=question["id"], result=1)
    wire.receive(method="next", params="next")
    assert order == [2, "next"]
    wire.receive(id=question["id"], result=1)
    wire.receive(id="never asked", result=1)
    assert len(wire.sent) == 1


def test_a_refusal_of_the_client_is_an_exception() -> None:
    wire = Wire()
    asked = wire.dispatcher.ask("question")
    assert "params" not in wire.sent[-1]
    wire.receive(id=wire.sent[-1]["id"], error={"code": 5, "message": "no"})
    assert isinstance(asked.exception(0), RpcError)


def test_the_owner_is_told_of_each_answer() -> None:
    told: list[tuple[str, Any]] = []
    wire = Wire(x=unchanged)
    wire.dispatcher.on_answered = lambda name, msg_id, seconds: told.append((name, msg_id))
    wire.receive(id=1, method="x")
    wire.receive(id=2, method="y")
    wire.receive(method="x")
    assert told == [("x", 1), ("y", 2)]


def test_a_dispatcher_without_a_stream_says_so() -> None:
    with pytest.raises(RuntimeError, match="not open"):
        Dispatcher(Wire(), Workers()).notify("x")


def test_what_a_refused_request_worked_on_is_let_go_with_its_answer() -> None:
    """Not when the garbage collector comes: until then, hundreds of long paths would stay."""

    class Text:
        pass

    texts: list[weakref.ref[Text]] = []

    def answer_on_worker(_: Any, _work: Work) -> None:
        text = Text()
        texts.append(weakref.ref(text))
        try:
            raise OSError(str(text))
        except OSError:
            raise ReadError(ErrorCode.NOT_FOUND, "not there") from None

    wire = Wire(answer_on_worker=answer_on_worker)
    gc.disable()
    try:
        wire.receive(id=1, method="answer_on_worker")
        _until(lambda: bool(wire.sent))
        assert wire.sent[0]["error"]["data"]["code"] == "NOT_FOUND"
        _until(lambda: texts[0]() is None)
    finally:
        gc.enable()
