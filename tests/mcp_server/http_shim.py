"""Puts an HTTP address in front of a stdio server, for test tools that only speak HTTP: one POST is one message.

Only what such a judge needs of MCP's streamable HTTP: a request is answered with its response as JSON, anything else
is accepted. There is one server process for all sessions.
"""

import json
import queue
import subprocess
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

ANSWER_SECONDS = 20.0
STATUSES = {-32601: 404, -32602: 400, -32022: 400}
"""What an HTTP server of revision 2026-07-28 says along with these errors."""


class StdioServer:
    """The process that answers at the address."""

    def __init__(self, command: Sequence[str]) -> None:
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._waiting: dict[Any, queue.Queue[dict[str, Any]]] = {}
        self._lock = threading.Lock()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        with self._lock:
            self.process.stdin.write(json.dumps(message).encode() + b"\n")
            self.process.stdin.flush()

    def ask(self, message: dict[str, Any]) -> dict[str, Any]:
        answer = self._waiting[message["id"]] = queue.Queue()
        self.send(message)
        return answer.get(timeout=ANSWER_SECONDS)

    def _read(self) -> None:
        assert self.process.stdout is not None
        for line in self.process.stdout:
            message = json.loads(line)
            if "method" not in message and (waiting := self._waiting.pop(message.get("id"), None)) is not None:
                waiting.put(message)

    def close(self) -> None:
        assert self.process.stdin is not None
        self.process.stdin.close()
        self.process.wait(timeout=10)
        self._reader.join()
        assert self.process.stdout is not None
        self.process.stdout.close()


@contextmanager
def served_over_http(command: Sequence[str]) -> Iterator[str]:
    """The URL of the server."""
    server = StdioServer(command)

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def handle(self) -> None:
            with suppress(ConnectionError):  # a judge that has seen enough
                super().handle()

        def do_POST(self) -> None:
            message = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            if "id" in message and "method" in message:
                answer = server.ask(message)
                self._reply(STATUSES.get(answer.get("error", {}).get("code"), 200), json.dumps(answer).encode())
            else:
                server.send(message)
                self._reply(202, b"")

        def do_GET(self) -> None:
            self._reply(405, b"")

        def do_DELETE(self) -> None:
            self._reply(405, b"")

        def _reply(self, status: int, body: bytes) -> None:
            self.send_response(status)
            self.send_header("Content-Type", "application/json")
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            """Discarded."""

    http = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=http.serve_forever, daemon=True)
    thread.start()
    try:
        yield f"http://127.0.0.1:{http.server_address[1]}/mcp"
    finally:
        http.shutdown()
        http.server_close()
        thread.join()
        server.close()
