"""A real `forge-read mcp` and its wire, one message a line, with nothing of MCP done for the test."""

import json
import os
import queue
import subprocess
import sys
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

ANSWER_SECONDS = 30.0
META = {
    "io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {},
}


def command(*arguments: str | Path) -> list[str]:
    return [sys.executable, "-m", "forge_daemon", "mcp", *map(str, arguments)]


class McpProcess:
    def __init__(self, *arguments: str | Path, cwd: Path | None = None, environment: dict[str, str] | None = None):
        self.process = subprocess.Popen(
            command(*arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            cwd=cwd,
            env={**os.environ, **(environment or {})},
        )
        self.unexpected: list[bytes] = []
        """Lines on stdout that are no messages."""
        self._messages: queue.Queue[dict[str, Any] | None] = queue.Queue()
        self._next_id = 0
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> "McpProcess":
        return self

    def __exit__(self, *_: object) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self.process.stdin, self.process.stdout, self.process.stderr):
            assert stream is not None
            with suppress(BrokenPipeError):
                stream.close()
        assert not self.unexpected

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            try:
                message = json.loads(line)
            except ValueError:
                self.unexpected.append(line)
            else:
                self._messages.put(message)
        self._messages.put(None)

    def send_bytes(self, data: bytes) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(data)
        self.process.stdin.flush()

    def send(self, message: dict[str, Any]) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n")

    def receive(self) -> dict[str, Any]:
        message = self._messages.get(timeout=ANSWER_SECONDS)
        assert message is not None, "the server has ended"
        return message

    def begin(self, method: str, params: dict[str, Any] | None = None) -> int:
        self._next_id += 1
        self.send({"id": self._next_id, "method": method, **({} if params is None else {"params": params})})
        return self._next_id

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The whole response, for a client that names no revision."""
        msg_id = self.begin(method, params)
        message = self.receive()
        assert message["id"] == msg_id, message
        return message

    def ask_modern(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        """The whole response, for a client of revision 2026-07-28."""
        return self.ask(method, {**(params or {}), "_meta": META})

    def initialize(self, version: str = "2025-11-25", **capabilities: Any) -> dict[str, Any]:
        client = {"name": "test", "version": "1"}
        answer = self.ask(
            "initialize", {"protocolVersion": version, "capabilities": capabilities, "clientInfo": client}
        )
        self.send({"method": "notifications/initialized"})
        result: dict[str, Any] = answer["result"]
        return result

    def call(self, tool: str, **arguments: Any) -> dict[str, Any]:
        """The result of a tool call, after `initialize`."""
        result: dict[str, Any] = self.ask("tools/call", {"name": tool, "arguments": arguments})["result"]
        return result

    def close_input(self) -> int:
        """The exit code, once the input has ended."""
        assert self.process.stdin is not None
        self.process.stdin.close()
        return self.process.wait(timeout=ANSWER_SECONDS)


def text_of(result: dict[str, Any]) -> str:
    text: str = result["content"][0]["text"]
    return text
