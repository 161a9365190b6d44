"""From start to exit: which messages are allowed when, and how the process ends."""

import json
import os
import signal
import socket
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.conftest import Start
from tests.lsp.raw_client import PATIENCE, SERVE, Message, RawClient, endless_file, folder_item, framed, wait_until

FRAME_ERROR = 2
CLIENT_GONE = 1


@pytest.fixture
def scanning(start: Start, workspace: Path) -> RawClient:
    """A daemon in the middle of a scan."""
    client = start()
    client.initialize(workspace)
    client.start_request(
        "forge/countLines", {"path": endless_file(workspace / "endless").name, "workDoneToken": "scan"}
    )
    client.incoming("$/progress", token="scan")
    return client


@pytest.fixture(params=["idle", "scanning"])
def client_at(request: pytest.FixtureRequest, start: Start, workspace: Path) -> RawClient:
    """A daemon that has nothing to do, and one that has."""
    if request.param == "scanning":
        client: RawClient = request.getfixturevalue("scanning")
        return client
    client = start()
    client.initialize(workspace)
    return client


def test_requests_have_to_wait_for_initialize_and_for_nothing_else(start: Start, workspace: Path) -> None:
    (workspace / "a").write_text("a")
    client = start()
    client.notify("textDocument/didOpen", {"textDocument": {}})
    client.notify("workspace/didChangeWorkspaceFolders", {"event": {"added": [], "removed": []}})
    assert client.error("forge/readFile", {"path": "a"})["code"] == -32002
    assert client.error("shutdown")["code"] == -32002
    assert client.error("forge/noSuchMethod")["code"] == -32002
    client.start_request(
        "initialize",
        {
            "processId": None,
            "rootUri": None,
            "capabilities": {},
            "workspaceFolders": [{"uri": workspace.as_uri(), "name": "w"}],
        },
        msg_id="first",
    )
    assert "result" in client.answer_to("first")
    assert client.read("a")["content"] == "a"


def test_a_second_initialize_is_refused_and_changes_nothing(start: Start, workspace: Path) -> None:
    (workspace / "a").write_text("a")
    client = start()
    client.initialize(workspace)
    params: dict[str, Any] = {"processId": None, "rootUri": None, "capabilities": {}}
    assert client.error("initialize", params)["code"] == -32600
    client.notify("initialize", params)
    assert client.read("a")["content"] == "a"


def test_after_shutdown_every_request_is_refused(start: Start, workspace: Path) -> None:
    client = start()
    client.initialize(workspace)
    assert client.result("shutdown") is None
    for method in ("forge/readFile", "shutdown", "initialize", "no/such"):
        assert client.error(method, {})["code"] == -32600
    client.notify("exit")
    assert client.wait() == 0


def test_exit_without_shutdown_is_an_error(client_at: RawClient) -> None:
    client_at.notify("exit")
    assert client_at.wait() == 1


def test_exit_before_initialize_is_an_error(start: Start) -> None:
    client = start()
    client.notify("exit")
    assert client.wait() == 1


def test_exit_with_an_id_is_answered_and_ends_nothing(start: Start) -> None:
    client = start()
    client.initialize()
    assert client.error("exit")["code"] == -32601
    assert client.shut_down() == 0


def test_shutdown_with_a_scan_running_answers_the_scan_too(scanning: RawClient) -> None:
    assert scanning.shut_down() == 0
    scanning.check_that_everything_was_answered_once()


def test_a_request_sent_before_shutdown_is_answered_with_its_result(start: Start, workspace: Path) -> None:
    (workspace / "forge.toml").write_text("[tools.read_file]\n" + "".join(f"u{number} = 1\n" for number in range(500)))
    (workspace / "a").write_text("a\n")
    client = start()
    client.initialize(workspace)
    reading = client.start_request("forge/readFile", {"path": "a"})
    assert client.shut_down() == 0
    assert client.answer_to(reading)["result"]["content"] == "a\n"


@pytest.mark.skipif(sys.platform == "win32", reason="closes descriptors the way a shell does")
def test_a_conversation_without_stdout_fails(workspace: Path) -> None:
    messages: list[Message] = [
        {"id": 1, "method": "initialize", "params": {"processId": None, "rootUri": None, "capabilities": {}}},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "shutdown"},
        {"method": "exit"},
    ]
    talk = b"".join(framed(json.dumps({"jsonrpc": "2.0", **message}).encode()) for message in messages)
    command = " ".join(f"'{word}'" for word in SERVE)
    ended = subprocess.run(["/bin/sh", "-c", f"exec {command} >&-"], input=talk, timeout=PATIENCE, check=False)
    assert ended.returncode == CLIENT_GONE


def test_the_end_of_the_input_ends_the_daemon(client_at: RawClient) -> None:
    client_at.close_stdin()
    assert client_at.wait() == CLIENT_GONE


def test_the_end_of_the_input_after_shutdown_is_a_clean_end(start: Start) -> None:
    client = start()
    client.initialize()
    client.result("shutdown")
    client.close_stdin()
    assert client.wait() == 0


def test_the_end_of_the_input_inside_a_frame_is_told(start: Start) -> None:
    client = start()
    client.initialize()
    client.send_bytes(b"Content-Length: 10\r\n\r\n{")
    client.close_stdin()
    assert client.wait() == FRAME_ERROR
    last = client.drain()[-1]
    assert (last["id"], last["error"]["code"]) == (None, -32700)


@pytest.mark.skipif(sys.platform == "win32", reason="signals end a process at once there")
@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGINT, 130)])
def test_a_signal_ends_the_daemon_as_a_shell_expects(client_at: RawClient, number: int, code: int) -> None:
    client_at.process.send_signal(number)
    assert client_at.wait() == code
    client_at.drain()
    assert b"Traceback" not in client_at.stderr


def test_a_client_that_closes_our_stdout_is_gone(start: Start, workspace: Path) -> None:
    ours, theirs = os.pipe()
    client = start(stdout=theirs)
    os.close(theirs)
    client.start_request("initialize", {"processId": None, "rootUri": None, "capabilities": {}})
    assert os.read(ours, 16) == b"Content-Length: "
    os.close(ours)
    assert client.wait() == CLIENT_GONE


@pytest.mark.slow
@pytest.mark.skipif(sys.platform == "win32", reason="needs os.kill and inherited descriptors")
@pytest.mark.parametrize("with_process_id", [True, False], ids=["process_id", "no_process_id"])
def test_the_daemon_goes_with_its_editor_even_if_another_child_holds_its_stdin(with_process_id: bool) -> None:
    """The editor starts the daemon, hands the same pipe to a second child, and is killed."""
    editor = subprocess.Popen(
        [sys.executable, "-c", _EDITOR, json.dumps(SERVE), str(int(with_process_id))],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert editor.stdout is not None
    with editor.stdout:
        daemon, holder = (int(number) for number in editor.stdout.readline().split())
    try:
        editor.kill()
        editor.wait()
        wait_until(lambda: not is_running(daemon))
        assert not is_running(daemon)
        assert is_running(holder)
    finally:
        for process in (daemon, holder):
            if is_running(process):
                os.kill(process, signal.SIGKILL)


_EDITOR = f"""
import json, os, subprocess, sys, time
reading, writing = os.pipe()
daemon = subprocess.Popen(json.loads(sys.argv[1]), stdin=reading, stdout=subprocess.PIPE)
process_id = os.getpid() if sys.argv[2] == "1" else None
params = {{"processId": process_id, "rootUri": None, "capabilities": {{}}}}
body = json.dumps({{"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": params}}).encode()
os.write(writing, b"Content-Length: %d\\r\\n\\r\\n%b" % (len(body), body))
daemon.stdout.read(1)
holder = subprocess.Popen(
    [sys.executable, "-c", "import time; time.sleep({PATIENCE * 4})"], pass_fds=[writing, daemon.stdout.fileno()],
    stdout=subprocess.DEVNULL,
)
print(daemon.pid, holder.pid, flush=True)
time.sleep({PATIENCE * 4})
"""


def is_running(process: int) -> bool:
    """A zombie does not count as running."""
    try:
        status = Path(f"/proc/{process}/stat").read_text()
    except FileNotFoundError:
        return False
    return status.rpartition(")")[2].split()[0] not in ("Z", "X")


def test_nothing_but_frames_reaches_stdout_even_if_something_prints(
    start: Start, workspace: Path, tmp_path: Path
) -> None:
    (tmp_path / "sitecustomize.py").write_text(_CHATTERBOX)
    (workspace / "a").write_text("text\n" * 50_000)
    searched = [str(tmp_path), os.environ.get("PYTHONPATH", "")]
    client = start(env={"PYTHONPATH": os.pathsep.join(filter(None, searched))})
    client.initialize(workspace)
    for _ in range(20):
        assert client.read("a", max_lines=10_000)["content"] == "text\n" * 10_000
    assert client.shut_down() == 0
    client.drain()
    assert client.not_frames == b""
    assert b"chatter" in client.stderr
    assert b"from a child" in client.stderr


_CHATTERBOX = """
import os, sys, threading, time

class Chatterbox:
    def find_spec(self, name, path, target=None):
        if name == "lsprotocol":
            print("chatter at import", flush=True)
            os.system("echo from a child; cat")
            threading.Thread(target=chat, daemon=True).start()

def chat():
    while True:
        print("chatter from a thread", flush=True)
        os.write(1, b"chatter to the descriptor\\n")
        time.sleep(0.001)

sys.meta_path.insert(0, Chatterbox())
"""


def conversation(workspace: Path) -> bytes:
    folders = [folder_item(workspace)]
    initialize: Message = {
        "processId": None,
        "rootUri": None,
        "capabilities": {},
        "workspaceFolders": folders,
    }
    messages: list[Message] = [
        {"id": 1, "method": "initialize", "params": initialize},
        {"method": "initialized", "params": {}},
        {"id": 2, "method": "forge/readFile", "params": {"path": "a"}},
    ]
    return b"".join(framed(json.dumps({"jsonrpc": "2.0", **message}).encode()) for message in messages)


def test_stdin_may_be_a_regular_file(start: Start, workspace: Path, tmp_path: Path) -> None:
    (workspace / "a").write_text("from a file")
    (tmp_path / "input").write_bytes(conversation(workspace))
    with (tmp_path / "input").open("rb") as source:
        client = start(stdin=source)
    assert client.wait() == CLIENT_GONE
    answers = client.drain()
    assert "capabilities" in next(answer for answer in answers if answer["id"] == 1)["result"]


def test_stdout_may_be_a_regular_file(start: Start, workspace: Path, tmp_path: Path) -> None:
    (workspace / "a").write_text("to a file")
    with (tmp_path / "output").open("wb") as sink:
        client = start(stdout=sink)
    client.send_bytes(conversation(workspace))
    wait_until(lambda: b"to a file" in (tmp_path / "output").read_bytes())
    client.close_stdin()
    assert client.wait() == CLIENT_GONE
    assert b'"content":"to a file"' in (tmp_path / "output").read_bytes()


@pytest.mark.skipif(sys.platform == "win32", reason="needs descriptors that are sockets")
def test_one_socket_may_be_both_streams(start: Start, workspace: Path) -> None:
    (workspace / "a").write_text("through a socket")
    ours, theirs = socket.socketpair()
    with ours:
        with theirs:
            client = start(stdin=theirs, stdout=theirs)
        ours.settimeout(PATIENCE)
        ours.sendall(conversation(workspace))
        received = b""
        while b"through a socket" not in received:
            received += ours.recv(4096)
    assert client.wait() == CLIENT_GONE


def test_an_input_that_is_empty_from_the_start_ends_the_daemon(start: Start) -> None:
    assert start(stdin=subprocess.DEVNULL).wait() == CLIENT_GONE
