"""The session that PROTOCOL.md shows is one that the daemon really holds."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any

REFERENCE = Path(__file__).parents[2] / "protocol" / "PROTOCOL.md"
SHOWN_ROOT = "file:///home/ada/project"
ANY = "…"


def _differences(shown: Any, real: Any, where: str = "") -> list[str]:
    """Where a message is not as it is shown."""
    if shown == ANY:
        return []
    if isinstance(shown, dict) and isinstance(real, dict):
        extra = [] if ANY in shown else [f"{where}.{key}: not shown" for key in real.keys() - shown.keys()]
        missing = [f"{where}.{key}: missing" for key in shown.keys() - real.keys() - {ANY}]
        common = shown.keys() & real.keys()
        return (
            extra + missing + [each for key in common for each in _differences(shown[key], real[key], f"{where}.{key}")]
        )
    return [] if shown == real else [f"{where}: {shown!r} is {real!r}"]


class _Session:
    def __init__(self, settings: Path) -> None:
        self.process = subprocess.Popen(
            [sys.executable, "-m", "forge_daemon", "serve"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=os.environ | {"FORGE_READ_CONFIG": str(settings)},
        )

    def __enter__(self) -> "_Session":
        return self

    def __exit__(self, *_: object) -> None:
        self.process.kill()
        self.process.communicate()

    def send(self, message: dict[str, Any]) -> None:
        assert self.process.stdin is not None
        body = json.dumps(message).encode()
        self.process.stdin.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
        self.process.stdin.flush()

    def receive(self) -> dict[str, Any]:
        assert self.process.stdout is not None
        length = int(self.process.stdout.readline().split(b":")[1])
        self.process.stdout.readline()
        message: dict[str, Any] = json.loads(self.process.stdout.read(length))
        return message


def test_the_session_that_is_shown_can_be_held(tmp_path: Path) -> None:
    root = tmp_path / "project"
    root.mkdir()
    (root / "app.log").write_text("".join(f"line {number}\n" for number in range(1, 6)))
    shown = re.findall(r"^(-->|<--) (\{.*\})$", REFERENCE.read_text(encoding="utf-8"), re.MULTILINE)
    assert len(shown) > 15
    with _Session(tmp_path / "none.toml") as session:
        _hold(session, shown, root)
        assert session.process.wait(timeout=30) == 0


def _hold(session: _Session, shown: list[tuple[str, str]], root: Path) -> None:
    cursor = None
    for arrow, text in shown:
        message = json.loads(text.replace(SHOWN_ROOT, root.as_uri()))
        if arrow == "-->":
            if message.get("params", {}).get("cursor") == ANY:
                message["params"]["cursor"] = cursor
            session.send(message)
            continue
        if message.get("method") == "forge/followed":
            with (root / "app.log").open("a", newline="\n") as file:
                file.write("line 6\n")
        real = session.receive()
        assert _differences(message, real) == []
        result = real.get("result")
        cursor = result.get("next_cursor") or cursor if isinstance(result, dict) else cursor
