"""The stream to the client: whatever the descriptors are, and however fast it reads."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lsp.raw_client import PATIENCE, SERVE, RawClient, framed, wait_until

LOGIN = b"".join(
    framed(json.dumps({"jsonrpc": "2.0", **message}).encode())
    for message in (
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
    )
)
LOGOUT = b"".join(
    framed(json.dumps({"jsonrpc": "2.0", **message}).encode())
    for message in ({"id": 2, "method": "shutdown"}, {"method": "exit"})
)


@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors the way a shell does")
@pytest.mark.parametrize("closed", ["2>&-", "2>&- 3>&-"])
def test_a_closed_stderr_changes_nothing(closed: str) -> None:
    command = " ".join(f"'{word}'" for word in SERVE)
    ended = subprocess.run(
        ["/bin/sh", "-c", f"exec {command} {closed}"],
        input=LOGIN + LOGOUT,
        stdout=subprocess.PIPE,
        timeout=PATIENCE,
        check=False,
    )
    assert ended.stdout.count(b"Content-Length") == 2
    assert ended.returncode == 0


@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors the way a shell does")
@pytest.mark.parametrize("closed", ["<&-", ">&-", "<&- >&- 2>&-"])
def test_without_a_stream_the_daemon_ends(closed: str) -> None:
    command = " ".join(f"'{word}'" for word in SERVE)
    ended = subprocess.run(
        ["/bin/sh", "-c", f"exec {command} {closed}"], capture_output=True, timeout=PATIENCE, check=False
    )
    assert (ended.returncode, ended.stdout, ended.stderr) == (1, b"", b"")


@pytest.mark.skipif(sys.platform == "win32", reason="needs descriptors that are sockets")
def test_a_client_that_does_not_read_its_one_socket_stalls_nobody(tmp_path: Path) -> None:
    """Neither signals nor the end of the process wait for it."""
    (tmp_path / "large").write_text("text\n" * 200_000)
    ours, theirs = socket.socketpair()
    with ours, theirs:
        client = RawClient(stdin=theirs, stdout=theirs)
        with client:
            theirs.close()
            folders = [{"uri": tmp_path.as_uri(), "name": "w"}]
            ours.sendall(LOGIN)
            assert ours.recv(16) == b"Content-Length: "
            change = {"event": {"added": folders, "removed": []}}
            ours.sendall(_message(method="workspace/didChangeWorkspaceFolders", params=change))
            ours.setblocking(False)
            for number in range(500):
                try:
                    ours.send(_message(id=number, method="forge/readFile", params={"path": "large", "max_lines": 9999}))
                except BlockingIOError:
                    break
            wait_until(lambda: len(ours.recv(1 << 20, socket.MSG_PEEK)) > 100_000)
            os.kill(client.process.pid, signal.SIGTERM)
            assert client.wait() == 143


def _message(**message: object) -> bytes:
    return framed(json.dumps({"jsonrpc": "2.0", **message}).encode())
