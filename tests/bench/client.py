"""A client with very little overhead, the same for every contender.

One thread, one write a request, blocking reads, and nothing is parsed while the clock runs.
"""

import json
import os
import subprocess
from collections.abc import Sequence
from time import perf_counter
from typing import Any

from .framing import HEADERS, Framing

_READ_SIZE = 256 * 1024


class BrokenPeer(Exception):
    """A contender ended or gave a wrong answer, so there is nothing to measure."""


class Peer:
    """A process that answers JSON-RPC on its standard streams."""

    def __init__(self, command: Sequence[str], framing: Framing = HEADERS) -> None:
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, bufsize=0
        )
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._command = command
        self._framing = framing
        self._input = self._process.stdin.fileno()
        self._output = self._process.stdout.fileno()
        self._arrived = bytearray()
        self._last_id = 0

    @property
    def pid(self) -> int:
        return self._process.pid

    def close(self) -> None:
        self._process.kill()
        with self._process:
            pass

    def message(self, method: str, params: object) -> tuple[int, bytes]:
        """A request ready to be sent, and its id."""
        self._last_id += 1
        body = {"jsonrpc": "2.0", "id": self._last_id, "method": method, "params": params}
        return self._last_id, self._framing.wrap(json.dumps(body).encode())

    def notify(self, method: str, params: object) -> None:
        self.send(self._framing.wrap(json.dumps({"jsonrpc": "2.0", "method": method, "params": params}).encode()))

    def answer(self, msg_id: object, result: object) -> None:
        """Answer a request of the peer's."""
        self.send(self._framing.wrap(json.dumps({"jsonrpc": "2.0", "id": msg_id, "result": result}).encode()))

    def send(self, data: bytes) -> None:
        view = memoryview(data)
        while view:
            view = view[os.write(self._input, view) :]

    def receive(self) -> bytes:
        """The next message's body."""
        while (body := self._framing.take(self._arrived)) is None:
            data = os.read(self._output, _READ_SIZE)
            if not data:
                raise BrokenPeer(f"{' '.join(self._command)} ended with code {self._process.wait()}")
            self._arrived += data
        return body

    def answer_to(self, msg_id: int) -> dict[str, Any]:
        """Skips notifications."""
        while True:
            answer: dict[str, Any] = json.loads(self.receive())
            if "method" not in answer and answer.get("id") == msg_id:
                return answer

    def request(self, method: str, params: object) -> Any:
        msg_id, message = self.message(method, params)
        self.send(message)
        return result_in(self.answer_to(msg_id))

    def time(self, method: str, params: object, times: int = 1) -> list[float]:
        """Seconds from asking to the whole answer, one after the other."""
        msg_id, message = self.message(method, params)
        seconds = []
        for _ in range(times):
            started = perf_counter()
            self.send(message)
            body = self.receive()
            seconds.append(perf_counter() - started)
        answer = json.loads(body)
        if answer.get("id") != msg_id:
            raise BrokenPeer(f"{' '.join(self._command)} answered out of turn: {answer}")
        result_in(answer)
        return seconds

    def time_in_flight(self, method: str, params: object, times: int, in_flight: int) -> float:
        """Seconds for all of them, with a fixed number in flight."""
        messages = [self.message(method, params)[1] for _ in range(times)]
        started = perf_counter()
        self.send(b"".join(messages[:in_flight]))
        for message in messages[in_flight:]:
            self.receive()
            self.send(message)
        for _ in range(in_flight):
            body = self.receive()
        seconds = perf_counter() - started
        result_in(json.loads(body))
        return seconds


def result_in(answer: dict[str, Any]) -> Any:
    if "result" not in answer:
        raise BrokenPeer(f"not answered: {answer.get('error')}")
    return answer["result"]
