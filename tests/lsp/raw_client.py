"""A client that can send anything: the real process, bytes in, frames out."""

import itertools
import json
import os
import queue
import subprocess
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

PATIENCE = 30.0
"""Long enough for a busy machine; a test that needs it has failed."""
SERVE = [sys.executable, "-m", "forge_daemon", "serve"]

Message = dict[str, Any]


class RawClient:
    """Speaks to `forge-read serve` through pipes, and keeps count of what was asked and what was answered."""

    def __init__(
        self,
        *arguments: str,
        env: dict[str, str] | None = None,
        reads_at_once: bool = True,
        **popen: Any,
    ) -> None:
        streams = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.PIPE}
        self.process = subprocess.Popen([*SERVE, *arguments], env={**os.environ, **(env or {})}, **{**streams, **popen})
        self._ids = itertools.count(1)
        self._messages: queue.Queue[Message | None] = queue.Queue()
        self._set_aside: list[Message] = []
        self._asked: Counter[str] = Counter()
        self._answered: Counter[str] = Counter()
        self.not_frames = b""
        """What stood on stdout where a frame should have started."""
        self.stderr = b""
        self._threads = [
            threading.Thread(target=target, args=(stream,), daemon=True)
            for target, stream in (
                (self._read_frames, self.process.stdout),
                (self._read_stderr, self.process.stderr),
            )
            if stream is not None
        ]
        if reads_at_once:
            self.start_reading()

    def start_reading(self) -> None:
        for thread in self._threads:
            thread.start()

    def __enter__(self) -> "RawClient":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.wait()
        for thread in self._threads:
            thread.join(PATIENCE)
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            if stream is not None:
                with suppress(BrokenPipeError):
                    stream.close()

    # Sending -------------------------------------------------------------------------------------

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send_body(self, body: bytes) -> None:
        self.send_bytes(framed(body))

    def send(self, message: object) -> None:
        self.send_body(json.dumps(message).encode())

    def notify(self, method: str, params: object = None) -> None:
        self.send({"jsonrpc": "2.0", "method": method, **({} if params is None else {"params": params})})

    def start_request(self, method: str, params: object = None, msg_id: object = None) -> Any:
        msg_id = next(self._ids) if msg_id is None else msg_id
        message = {"jsonrpc": "2.0", "id": msg_id, "method": method}
        self._asked[json.dumps(msg_id)] += 1
        self.send(message if params is None else {**message, "params": params})
        return msg_id

    def start_command(self, name: str, argument: object, **params: Any) -> Any:
        return self.start_request("workspace/executeCommand", {"command": name, "arguments": [argument], **params})

    def answer(self, request: Message, result: object) -> None:
        """Answer a request of the daemon's."""
        self.send({"jsonrpc": "2.0", "id": request["id"], "result": result})

    def close_stdin(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()

    # Asking and waiting --------------------------------------------------------------------------

    def request(self, method: str, params: object = None) -> Message:
        """The whole answer."""
        return self.answer_to(self.start_request(method, params))

    def result(self, method: str, params: object = None) -> Any:
        return result_of(self.request(method, params))

    def error(self, method: str, params: object = None) -> Any:
        return error_of(self.request(method, params))

    def command(self, name: str, argument: object) -> Message:
        return self.answer_to(self.start_command(name, argument))

    def read(self, path: object, **params: Any) -> Any:
        return self.result("forge/readFile", {"path": str(path), **params})

    def refusal(self, path: object, **params: Any) -> Any:
        """The `data` of the error a read is answered with."""
        return self.error("forge/readFile", {"path": str(path), **params})["data"]

    def tool(self, name: str, **arguments: Any) -> Message:
        return self.command("forge.tools.call", {"name": name, "arguments": arguments})

    def answer_to(self, msg_id: object) -> Message:
        """Set everything else aside until the answer to this request is there."""
        return self.wait_for(lambda message: "method" not in message and message.get("id") == msg_id)

    def incoming(self, method: str, **params: Any) -> Message:
        """A notification or request of the daemon's with at least these parameters."""
        return self.wait_for(
            lambda message: (
                message.get("method") == method
                and params.items() <= {key: message["params"].get(key) for key in params}.items()
            )
        )

    def wait_for(self, wanted: Callable[[Message], bool]) -> Message:
        for message in self._set_aside:
            if wanted(message):
                self._set_aside.remove(message)
                return message
        while (coming := self._next()) is not None:
            if wanted(coming):
                return coming
            self._set_aside.append(coming)
        raise AssertionError(self._state("the stream ended"))

    def seen(self, method: str) -> list[Message]:
        """Messages of this kind that arrived and were not waited for, in order."""
        while not self._messages.empty():
            message = self._messages.get()
            assert message is not None, self._state("the stream ended")
            self._set_aside.append(message)
        return [message for message in self._set_aside if message.get("method") == method]

    def answers_set_aside(self) -> list[Message]:
        return [message for message in self._set_aside if "method" not in message]

    def forget_everything(self) -> None:
        """Forget messages that arrived unasked."""
        self.seen("")
        self._set_aside.clear()

    def drain(self) -> list[Message]:
        """Everything until the stream ends."""
        messages, self._set_aside = self._set_aside, []
        while (message := self._next()) is not None:
            messages.append(message)
        return messages

    def _next(self) -> Message | None:
        """None at the end of the stream."""
        try:
            return self._messages.get(timeout=PATIENCE)
        except queue.Empty:
            raise AssertionError(self._state("nothing came")) from None

    def _state(self, what: str) -> str:
        stderr = self.stderr.decode(errors="replace")
        return f"{what}; not frames: {self.not_frames!r}; set aside: {self._set_aside!r:.2000}; stderr: {stderr}"

    # The life of the process ---------------------------------------------------------------------

    def initialize(self, *folders: Path, **params: Any) -> Any:
        result = self.result(
            "initialize",
            {
                "processId": None,
                "rootUri": None,
                "capabilities": {},
                "workspaceFolders": [folder_item(folder) for folder in folders],
                **params,
            },
        )
        self.notify("initialized", {})
        return result

    def change_folders(
        self, *, added: tuple[dict[str, str], ...] = (), removed: tuple[dict[str, str], ...] = ()
    ) -> None:
        event = {"added": added, "removed": removed}
        self.notify("workspace/didChangeWorkspaceFolders", {"event": event})

    def open(self, path: Path, text: str, version: int = 1) -> None:
        document = {"uri": path.as_uri(), "languageId": "plaintext", "version": version, "text": text}
        self.notify("textDocument/didOpen", {"textDocument": document})

    def close(self, path: Path) -> None:
        self.notify("textDocument/didClose", {"textDocument": {"uri": path.as_uri()}})

    def shut_down(self) -> int:
        self.result("shutdown")
        self.notify("exit")
        return self.wait()

    def wait(self) -> int:
        """The exit code, once all of stderr is there."""
        code = self.process.wait(PATIENCE)
        self._threads[-1].join(PATIENCE)
        return code

    def check_that_everything_was_answered_once(self) -> None:
        wait_until(lambda: self._answered.total() >= self._asked.total() or self.process.poll() is not None)
        assert self._answered == self._asked

    def discount(self, msg_id: object) -> None:
        """One of the answers to this id was to something that was no request."""
        self._answered[json.dumps(msg_id)] -= 1

    # Reading -------------------------------------------------------------------------------------

    def _read_frames(self, stdout: Any) -> None:
        try:
            while header := stdout.readline():
                name, _, length = header.partition(b":")
                if name != b"Content-Length" or stdout.readline() != b"\r\n":
                    self.not_frames = header + stdout.read()
                    return
                message = json.loads(stdout.read(int(length)))
                if "method" not in message and json.dumps(message["id"]) in self._asked:
                    self._answered[json.dumps(message["id"])] += 1
                self._messages.put(message)
        except (ValueError, OSError):
            pass  # cut off in the middle of a frame, or closed by the test
        finally:
            self._messages.put(None)

    def _read_stderr(self, stderr: Any) -> None:
        self.stderr = stderr.read()


def framed(body: bytes) -> bytes:
    return b"Content-Length: %d\r\n\r\n%b" % (len(body), body)


def result_of(answer: Message) -> Any:
    assert "result" in answer, answer
    return answer["result"]


def error_of(answer: Message) -> Any:
    assert "error" in answer, answer
    return answer["error"]


def folder_item(folder: Path, name: str | None = None) -> dict[str, str]:
    return {"uri": folder.as_uri(), "name": name or folder.name}


def wait_until(condition: Callable[[], bool]) -> None:
    """Poll until the condition holds or time runs out; the caller asserts."""
    deadline = time.monotonic() + PATIENCE
    while not condition() and time.monotonic() < deadline:
        time.sleep(0.01)


def endless_file(path: Path) -> Path:
    """A text file that takes practically for ever to count: nothing but its first lines is on the disk."""
    path.write_bytes(b"line\n" * 4096)
    os.truncate(path, 1 << 40)
    return path
