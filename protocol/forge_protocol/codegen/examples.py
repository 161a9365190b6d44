"""One exchange per request for the reference: what the daemon really answers.

The golden conversations that are marked `example_of` are held with a daemon. What differs from run to run (etags,
cursors) is taken from `examples.json`, where the last recording is kept, so that the files are the same every time.
"""

import base64
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from forge_protocol.registry import Direction, Entry

MODIFIED = 1767225600
"""When the files of an example were last changed: 2026-01-01."""
VARIES = ("etag", "cursor", "next_cursor", "end_cursor", "if_none_match", "follow_id", "bytes")
"""Keys of values that depend on the file system, the machine or chance."""

Example = dict[str, Any]


class NoExample(Exception):
    """A registry entry that no golden conversation is the example of."""


def load_examples(recording: Path, golden: Path, entries: tuple[Entry, ...]) -> dict[str, Example]:
    """The `request` (method and params) and the `result` for each entry a client may send, by the entry's name."""
    conversations = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(golden.glob("*.json"))]
    chosen = {each["example_of"]: each for each in conversations if "example_of" in each}
    asked = [entry.name for entry in entries if entry.direction is Direction.CLIENT_TO_SERVER]
    if missing := [name for name in asked if name not in chosen]:
        raise NoExample(f"no file of {golden.name}/ has example_of: {', '.join(missing)}")
    known = json.loads(recording.read_text(encoding="utf-8")) if recording.is_file() else {}
    recorded = _record({name: chosen[name] for name in asked})
    return {name: known[name] if _is_same(known.get(name), example) else example for name, example in recorded.items()}


def _is_same(known: Any, recorded: Any, key: str = "") -> bool:
    if key in VARIES:
        return type(known) is type(recorded)
    if isinstance(known, dict) and isinstance(recorded, dict):
        return list(known) == list(recorded) and all(_is_same(known[name], recorded[name], name) for name in known)
    if isinstance(known, list) and isinstance(recorded, list):
        return len(known) == len(recorded) and all(map(_is_same, known, recorded))
    return bool(known == recorded)


def _record(conversations: dict[str, Any]) -> dict[str, Example]:
    with tempfile.TemporaryDirectory() as folder:
        roots = {name: Path(folder, str(number), "workspace") for number, name in enumerate(conversations)}
        for name, conversation in conversations.items():
            _lay_out(roots[name], conversation["workspace"])
        with _Daemon(Path(folder, "no settings")) as daemon:
            return {name: daemon.example(name, roots[name], conversations[name]) for name in conversations}


def _lay_out(root: Path, files: dict[str, dict[str, str]]) -> None:
    for path, content in files.items():
        file = root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(content["text"].encode() if "text" in content else base64.b64decode(content["base64"]))
        os.utime(file, (MODIFIED, MODIFIED))


class _Daemon:
    """A client that knows just enough to ask."""

    def __init__(self, settings: Path) -> None:
        self._process = subprocess.Popen(
            [sys.executable, "-m", "forge_daemon", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"FORGE_READ_CONFIG": str(settings)},
        )
        self._last_id = 0

    def __enter__(self) -> "_Daemon":
        self._ask("initialize", {"processId": os.getpid(), "rootUri": None, "capabilities": {}})
        self._tell("initialized", {})
        return self

    def __exit__(self, *_: object) -> None:
        self._process.communicate()

    def example(self, name: str, root: Path, conversation: dict[str, Any]) -> Example:
        folder = {"uri": root.as_uri(), "name": "workspace"}
        self._tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [folder], "removed": []}})
        for document in conversation["open_documents"]:
            about = {"uri": (root / document["path"]).as_uri(), "languageId": "plaintext"}
            text = {"version": document["version"], "text": document["text"]}
            self._tell("textDocument/didOpen", {"textDocument": about | text})
        results: list[Any] = []
        try:
            for step in conversation["exchange"]:
                request = {"method": step["method"], "params": resolve(step["params"], results)}
                answer = self._ask(**request)
                results.append(answer.get("result"))
                is_it = name in (step["method"], step["params"].get("command"))
                if is_it and "result" in answer:
                    return {"request": request, "result": answer["result"]}
        finally:
            self._tell("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": [folder]}})
        raise NoExample(f"the example of {name} never gets a result")

    def _ask(self, method: str, params: Any) -> dict[str, Any]:
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        while True:
            message = self._receive()
            if "method" not in message and message["id"] == self._last_id:
                return message

    def _tell(self, method: str, params: Any) -> None:
        self._send({"method": method, "params": params})

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        body = json.dumps({"jsonrpc": "2.0", **message}).encode()
        self._process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self._process.stdin.flush()

    def _receive(self) -> dict[str, Any]:
        assert self._process.stdout is not None
        header = self._process.stdout.readline()
        if not header:
            raise NoExample("the daemon ended before it answered")
        self._process.stdout.readline()
        message: dict[str, Any] = json.loads(self._process.stdout.read(int(header.split(b":")[1])))
        return message


def resolve(value: Any, results: Sequence[Any]) -> Any:
    """The value with each `$from` replaced by what an earlier result holds there."""
    match value:
        case {"$from": [index, *path]}:
            found = results[index]
            for key in path:
                found = found[key]
            return found
        case dict():
            return {key: resolve(item, results) for key, item in value.items()}
        case list():
            return [resolve(item, results) for item in value]
        case _:
            return value
