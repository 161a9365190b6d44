"""However the client ends, the daemon ends too: with the right code, in time, and without leaving processes."""

import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.conftest import Figure
from tests.hostile.scale import FUZZ, scaled
from tests.lsp.raw_client import PATIENCE, SERVE, RawClient, endless_file, framed, wait_until
from tests.lsp.test_lifecycle import is_running

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

CLIENT_GONE = 1
KILLS = scaled(3, 200)
SOON, LATER = (0.5, 5.0) if FUZZ else (PATIENCE, PATIENCE)
"""A machine with other work is given time; `make fuzz` wants it to have none."""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    (tmp_path / "small").write_text("text\n" * 100)
    (tmp_path / "slow").write_text("a" * 40 + "cb\n")
    endless_file(tmp_path / "endless")
    return tmp_path.resolve()


def processes_of(parent: int) -> set[int]:
    """A process and all its descendants."""
    found, left = {parent}, [parent]
    while left:
        try:
            threads = os.listdir(f"/proc/{(process := left.pop())}/task")
            children = [Path(f"/proc/{process}/task/{thread}/children").read_text().split() for thread in threads]
        except FileNotFoundError:
            continue
        new = {int(child) for some in children for child in some} - found
        found |= new
        left += new
    return found


def wait_for_the_end_of(processes: set[int], patience: float) -> float:
    started = time.monotonic()
    wait_until(lambda: not any(map(is_running, processes)))
    took = time.monotonic() - started
    left = {process for process in processes if is_running(process)}
    for process in left:
        os.kill(process, signal.SIGKILL)
    assert not left, "a process is left"
    assert took <= patience
    return took


def busy(client: RawClient) -> None:
    """A scan, a runaway search in its own process, and answers to write."""
    client.start_request("forge/countLines", {"path": "endless", "workDoneToken": "scan"})
    client.start_request("forge/find", {"path": "slow", "pattern": "(a*)*b", "regex": True})
    client.incoming("$/progress", token="scan")
    for _ in range(50):
        client.start_request("forge/readFile", {"path": "small"})


def close_stdin(client: RawClient) -> None:
    client.close_stdin()


def send(number: int) -> Callable[[RawClient], None]:
    return lambda client: client.process.send_signal(number)


# Codes and ends are told apart in tests/lsp/test_lifecycle.py; here it is who is left, and how long it takes.
ENDS = {"SIGTERM": (send(signal.SIGTERM), 143)}
if FUZZ:
    ENDS |= {"SIGINT": (send(signal.SIGINT), 130), "end of input": (close_stdin, CLIENT_GONE)}


@pytest.mark.parametrize("is_busy", [False, True], ids=["idle", "busy"])
@pytest.mark.parametrize(("end", "code"), ENDS.values(), ids=ENDS)
def test_the_daemon_ends_in_time_with_the_right_code(
    workspace: Path, figure: Figure, end: Callable[[RawClient], None], code: int, is_busy: bool
) -> None:
    slowest = 0.0
    for _ in range(scaled(1, 20)):
        with RawClient() as client:
            client.initialize(workspace)
            if is_busy:
                busy(client)
            processes = processes_of(client.process.pid)
            end(client)
            started = time.monotonic()
            assert client.process.wait(PATIENCE) == code
            slowest = max(slowest, time.monotonic() - started)
            wait_for_the_end_of(processes, LATER)
            client.wait()
            assert b"Traceback" not in client.stderr
    assert slowest <= SOON
    figure("exit after end of input, SIGTERM, SIGINT, stdout closed", f"{slowest:.2f} s")


@pytest.fixture
def half_deaf(workspace: Path) -> Iterator[tuple[RawClient, int]]:
    """A daemon, and our end of its stdout."""
    ours, theirs = os.pipe()
    with RawClient(stdout=theirs) as client:
        os.close(theirs)
        folders = [{"uri": workspace.as_uri(), "name": "workspace"}]
        params: dict[str, object] = {
            "processId": None,
            "rootUri": None,
            "capabilities": {},
            "workspaceFolders": folders,
        }
        client.start_request("initialize", params)
        assert os.read(ours, 16) == b"Content-Length: "
        yield client, ours


@pytest.mark.parametrize("is_busy", [False, True], ids=["idle", "busy"])
def test_a_client_that_closes_our_stdout_is_gone(
    half_deaf: tuple[RawClient, int], figure: Figure, is_busy: bool
) -> None:
    client, ours = half_deaf
    if is_busy:
        client.start_request("forge/countLines", {"path": "endless"})
    processes = processes_of(client.process.pid)
    os.close(ours)
    started = time.monotonic()
    assert client.process.wait(PATIENCE) == CLIENT_GONE
    took = time.monotonic() - started
    wait_for_the_end_of(processes, LATER)
    assert took <= SOON
    figure("exit after end of input, SIGTERM, SIGINT, stdout closed", f"{took:.2f} s")


EDITOR = """
import itertools, json, os, random, subprocess, sys, time
serve, root, holds_stdin = json.loads(sys.argv[1]), sys.argv[2], sys.argv[3] == "1"
reading, writing = os.pipe()
daemon = subprocess.Popen(serve, stdin=reading, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
os.close(reading)
holder = 0
if holds_stdin:
    holder = subprocess.Popen(
        [sys.executable, "-c", "import time; time.sleep(600)"], pass_fds=[writing, daemon.stdout.fileno()],
        stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
    ).pid
def send(method, params, msg_id):
    body = json.dumps({"jsonrpc": "2.0", "id": msg_id, "method": method, "params": params}).encode()
    os.write(writing, b"Content-Length: %d\\r\\n\\r\\n%b" % (len(body), body))
folders = [{"uri": "file://" + root, "name": "w"}]
params = {"processId": os.getpid(), "rootUri": None, "capabilities": {}, "workspaceFolders": folders}
send("initialize", params, 0)
daemon.stdout.read1()
print(daemon.pid, holder, flush=True)
asked = [
    ("forge/readFile", {"path": "small"}), ("forge/countLines", {"path": "endless"}),
    ("forge/readFile", {"path": "no"}),
    ("forge/find", {"path": "slow", "pattern": "(a*)*b", "regex": True}),
]
for number in itertools.count(1):
    send(*random.choice(asked[:3] if number % 50 else asked), number)
    if number % 10 == 0:
        daemon.stdout.read1()
"""


def start_editor(workspace: Path, *, holds_stdin: bool) -> tuple["subprocess.Popen[str]", int, int]:
    """Starts a daemon of its own, and keeps it busy."""
    editor = subprocess.Popen(
        [sys.executable, "-c", EDITOR, json.dumps(SERVE), str(workspace), str(int(holds_stdin))],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
    )
    assert editor.stdout is not None
    with editor.stdout:
        daemon, holder = map(int, editor.stdout.readline().split())
    return editor, daemon, holder


def test_a_client_killed_at_any_moment_leaves_nobody_behind(workspace: Path, figure: Figure) -> None:
    chance = random.Random(None if FUZZ else 4)
    slowest = 0.0
    for _ in range(KILLS):
        editor, daemon, _ = start_editor(workspace, holds_stdin=False)
        # Mostly soon, and sometimes when thousands of requests are running.
        time.sleep(chance.random() ** 3 * (3.0 if FUZZ else 0.3))
        processes = processes_of(daemon)
        editor.kill()
        editor.wait()
        slowest = max(slowest, wait_for_the_end_of({daemon}, SOON))
        # A search that runs away ends itself, a little later.
        wait_for_the_end_of(processes, LATER)
    figure("clients killed at random", f"{KILLS}, each daemon gone within {slowest:.2f} s")


def test_a_parent_killed_while_another_child_holds_stdin_takes_the_daemon_along(
    workspace: Path, figure: Figure
) -> None:
    slowest = 0.0
    for _ in range(scaled(1, 5)):
        editor, daemon, holder = start_editor(workspace, holds_stdin=True)
        try:
            processes = processes_of(daemon)
            editor.kill()
            editor.wait()
            slowest = max(slowest, wait_for_the_end_of(processes, LATER))
            assert is_running(holder)
        finally:
            os.kill(holder, signal.SIGKILL)
    figure("exit after the parent's death, stdin held by another", f"{slowest:.1f} s")


def test_a_signal_before_anything_was_said_ends_the_daemon(workspace: Path) -> None:
    codes: set[Any] = set()
    for delay in (0.0, 0.05, 0.2, 0.5):
        with RawClient() as client:
            time.sleep(delay)
            client.process.send_signal(signal.SIGTERM)
            codes.add(client.process.wait(PATIENCE))
    # Until it has taken the signal over, the system ends it.
    assert codes <= {143, -signal.SIGTERM}


def lsp(**message: Any) -> bytes:
    return framed(json.dumps({"jsonrpc": "2.0", **message}).encode())


def mcp(**message: Any) -> bytes:
    return json.dumps({"jsonrpc": "2.0", **message}).encode() + b"\n"


def read_by_lsp(number: int) -> bytes:
    return lsp(id=number, method="forge/readFile", params={"path": "large", "start_line": number})


def read_by_mcp(number: int) -> bytes:
    arguments = {"path": "large", "start_line": number}
    return mcp(id=number, method="tools/call", params={"name": "read", "arguments": arguments})


@pytest.mark.parametrize("surface", ["serve", "mcp"])
def test_a_client_that_closes_our_stdin_and_reads_no_answer_is_gone(workspace: Path, surface: str) -> None:
    (workspace / "large").write_text("a line of a log\n" * 400_000)
    if surface == "serve":
        folders = [{"uri": workspace.as_uri(), "name": "workspace"}]
        params: dict[str, Any] = {"processId": os.getpid(), "capabilities": {}, "workspaceFolders": folders}
        arguments, hello, ask = [], lsp(id=1, method="initialize", params=params), read_by_lsp
    else:
        params = {"protocolVersion": "2025-06-18", "capabilities": {}, "clientInfo": {"name": "x", "version": "1"}}
        arguments, hello, ask = [str(workspace)], mcp(id=1, method="initialize", params=params), read_by_mcp
    command = [*SERVE[:-1], surface, *arguments]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as daemon:
        assert daemon.stdin is not None
        daemon.stdin.write(hello)
        daemon.stdin.flush()
        os.set_blocking(daemon.stdin.fileno(), False)
        last_taken = time.monotonic()
        requests = b"".join(map(ask, range(2, 20_000)))
        while requests and time.monotonic() < last_taken + 1:  # until it takes no more
            try:
                requests = requests[os.write(daemon.stdin.fileno(), requests) :]
                last_taken = time.monotonic()
            except BlockingIOError:
                time.sleep(0.01)
        assert requests
        daemon.stdin.close()
        try:
            daemon.wait(PATIENCE)
        finally:
            daemon.kill()
