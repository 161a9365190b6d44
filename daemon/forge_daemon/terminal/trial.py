"""A short session with a real daemon: start, initialize, read a file, shut down."""

import os
import subprocess
import sys
import tempfile
import time
from threading import Timer

from forge_daemon.light_typing import Any
from forge_daemon.rpc.framing import FrameError, FrameParser, frame
from forge_daemon.rpc.json_text import decode, encode
from forge_daemon.workspace.folder import folder_from_path

PATIENCE_SECONDS = 60.0
"""The first start on a slow or busy machine can take half of it."""
_FILE = "trial.txt"
_TEXT = "read by the daemon\n"


class TrialFailed(Exception):
    """Says why."""


def try_daemon(command: tuple[str, ...] = (sys.executable, "-m", "forge_daemon", "serve")) -> float:
    """Returns the duration of the session in seconds."""
    started = time.monotonic()
    with tempfile.TemporaryDirectory() as directory:
        with open(os.path.join(directory, _FILE), "w", encoding="utf-8", newline="") as file:
            file.write(_TEXT)
        # Its stderr is ours, so that a bug report shows what it wrote there.
        daemon = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        out_of_patience = Timer(PATIENCE_SECONDS, daemon.kill)
        out_of_patience.start()
        try:
            _converse(_Conversation(daemon), directory)
            if daemon.wait() != 0:
                raise TrialFailed(f"ended with exit code {daemon.returncode}")
        except (OSError, ValueError, FrameError) as error:
            raise TrialFailed(f"the session broke off: {error}") from None
        finally:
            out_of_patience.cancel()
            daemon.kill()
            daemon.communicate()
    return time.monotonic() - started


def _converse(conversation: "_Conversation", directory: str) -> None:
    folder = folder_from_path(directory)
    conversation.ask(
        "initialize",
        {
            "processId": os.getpid(),
            "rootUri": folder.uri,
            "capabilities": {},
            "workspaceFolders": [{"uri": folder.uri, "name": folder.name}],
        },
    )
    conversation.tell("initialized", {})
    answer = conversation.ask("forge/readFile", {"path": _FILE})
    if answer.get("content") != _TEXT:
        raise TrialFailed("read something else than what is in the file")
    conversation.ask("shutdown", None)
    conversation.tell("exit", None)


class _Conversation:
    def __init__(self, daemon: "subprocess.Popen[bytes]") -> None:
        assert daemon.stdin is not None
        assert daemon.stdout is not None
        self._to_daemon, self._from_daemon = daemon.stdin, daemon.stdout
        self._parser = FrameParser()
        self._asked = 0

    def ask(self, method: str, params: Any) -> Any:
        self._asked += 1
        self._send({"id": self._asked, "method": method, "params": params})
        while True:
            data = os.read(self._from_daemon.fileno(), 65536)
            if not data:
                raise TrialFailed(f"gave no answer to {method}")
            for body in self._parser.feed(data):
                message = decode(body)
                if message.get("id") == self._asked and "method" not in message:
                    return self._result(method, message)

    def tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        present = {key: value for key, value in message.items() if value is not None}
        self._to_daemon.write(frame(encode({"jsonrpc": "2.0", **present})))
        self._to_daemon.flush()

    def _result(self, method: str, message: dict[str, Any]) -> Any:
        if "error" in message:
            raise TrialFailed(f"refused {method}: {message['error'].get('message')}")
        return message["result"]
