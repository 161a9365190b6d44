"""Many requests, stuck storage, a slow client, a long session: the daemon keeps answering, within limits."""

import json
import os
import re
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from forge_daemon.rpc.workers import MAX_RUNNING
from tests.hostile.conftest import Figure
from tests.hostile.scale import FUZZ, scaled
from tests.hostile.stuck_folders import Mounted, StuckFolder, folder_that_can_die, stuck_folder
from tests.lsp.raw_client import PATIENCE, SERVE, RawClient, error_of, folder_item, framed

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

STUCK = 64
IN_FLIGHT = 1000
ASKED = 5000
MIB = 1 << 20


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    (folder / "small").write_text("text\n" * 100)
    (folder / "large").write_text(("x" * 99 + "\n") * 10_000)
    (folder / "link").symlink_to("large")
    return folder.resolve()


@pytest.fixture
def stuck(tmp_path: Path) -> Iterator[StuckFolder]:
    with stuck_folder(tmp_path) as folder:
        yield folder


@pytest.fixture
def mortal(tmp_path: Path) -> Iterator[Mounted]:
    with folder_that_can_die(tmp_path) as folder:
        yield folder


def in_status(process: int, name: str) -> int:
    for line in Path(f"/proc/{process}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1])
    raise AssertionError(f"no {name} in /proc")


def resident(process: int) -> int:
    return in_status(process, "VmRSS") * 1024


# Stuck storage -----------------------------------------------------------------------------------


def test_small_reads_are_answered_while_others_are_stuck(workspace: Path, stuck: StuckFolder, figure: Figure) -> None:
    with RawClient(env=stuck.environment) as client:
        client.initialize(workspace, stuck.path)
        hanging = [client.start_request("forge/readFile", {"path": f"stuck{number}"}) for number in range(STUCK)]
        others = [
            client.start_request("forge/readFile", {"path": f"file{number}"}) for number in range(IN_FLIGHT - STUCK)
        ]
        took = []
        for _ in range(scaled(50, 1000)):
            started = time.monotonic()
            assert client.read("small")["content"].startswith("text\n")
            took.append(1000 * (time.monotonic() - started))
        for msg_id in others:
            assert client.answer_to(msg_id)["result"]["content"] == "text\n"
        assert client.answers_set_aside() == []
        for msg_id in hanging:
            client.notify("$/cancelRequest", {"id": msg_id})
        for msg_id in hanging:
            assert error_of(client.answer_to(msg_id))["code"] == -32800
        assert client.read("small")["content"].startswith("text\n")
        assert client.shut_down() == 0
        client.check_that_everything_was_answered_once()
    p99 = statistics.quantiles(took, n=100)[98]
    if FUZZ:
        assert p99 < 100
    figure("small read beside 1,000 requests and 64 stuck reads, p99", f"{p99:.1f} ms")


@pytest.mark.parametrize("dead", [False, True], ids=["stuck", "dead before it was opened"])
def test_more_stuck_reads_than_threads_stop_nothing_that_needs_none(
    workspace: Path, mortal: Mounted, dead: bool
) -> None:
    if dead:
        mortal.die()
    with RawClient() as client:
        client.initialize(workspace, mortal.path)
        for number in range(MAX_RUNNING + 10):
            client.start_request("forge/readFile", {"path": f"stuck{number}"})
        for _ in range(20):
            assert client.read("small", workspace_folder=workspace.name)["content"].startswith("text\n")
        client.process.terminate()
        assert client.wait() == 143


# Dead storage ------------------------------------------------------------------------------------


def ask_around(client: RawClient, workspace: Path, dead: Path) -> None:
    """Requests that do not concern the dead folder are answered."""
    client.start_request("forge/readFile", {"path": f"{dead}/file1"})
    client.start_request("forge/readFile", {"path": "file2", "workspace_folder": dead.name})
    client.start_request("forge/readFile", {"path": dead.as_uri()})
    client.start_command("forge.tools.call", {"name": "Read", "arguments": {"path": f"{dead}/file3"}})
    name = workspace.name
    assert client.read(workspace / "small")["content"].startswith("text\n")
    assert client.read("small", workspace_folder=name)["content"].startswith("text\n")
    assert client.refusal("none", workspace_folder=name)["code"] == "NOT_FOUND"
    assert client.error("forge/readFile", {"path": "small", "unknown": 1})["code"] == -32602
    assert client.error("forge/readFile", {"path": "/elsewhere", "unknown": 1})["code"] == -32602
    client.start_request("forge/readFile", {"path": "/elsewhere"})
    assert client.read(workspace / "small")["content"].startswith("text\n")
    assert client.result("workspace/executeCommand", {"command": "forge.cache.stats", "arguments": [{}]})["folders"]


def test_a_folder_whose_storage_dies_takes_nobody_along(workspace: Path, mortal: Mounted) -> None:
    with RawClient() as client:
        client.initialize(workspace, mortal.path)
        assert client.read(f"{mortal.path}/file1")["content"] == "text\n"
        mortal.die()
        ask_around(client, workspace, mortal.path)
        client.open(mortal.path / "file7", "unsaved\n")
        ask_around(client, workspace, mortal.path)
        client.notify("workspace/didChangeConfiguration", {"settings": {"forge": {"policy": {"deny": ["x"]}}}})
        client.notify("workspace/didChangeWatchedFiles", {"changes": [{"uri": f"{mortal.path.as_uri()}/a", "type": 1}]})
        ask_around(client, workspace, mortal.path)
        client.close(mortal.path / "file7")
        client.change_folders(removed=(folder_item(mortal.path),))
        assert client.read("small")["content"].startswith("text\n")


def test_a_folder_that_is_dead_when_it_is_opened_takes_nobody_along(workspace: Path, mortal: Mounted) -> None:
    mortal.die()
    with RawClient() as client:
        client.initialize(workspace, mortal.path)
        ask_around(client, workspace, mortal.path)
        client.change_folders(removed=(folder_item(mortal.path),))
        client.change_folders(added=(folder_item(mortal.path),))
        ask_around(client, workspace, mortal.path)


# A client that does not read ---------------------------------------------------------------------


QUIET_SECONDS = 1.0
"""A daemon that takes no more for so long has stopped taking."""


def growth_while_nobody_reads(workspace: Path, method: str, params: object) -> int:
    """How much the daemon grows while requests arrive and no answer is read."""
    with subprocess.Popen(SERVE, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as daemon:
        assert daemon.stdin is not None
        assert daemon.stdout is not None
        initialize: dict[str, object] = {
            "processId": None,
            "capabilities": {},
            "workspaceFolders": [folder_item(workspace)],
        }
        os.write(daemon.stdin.fileno(), framed_request(0, "initialize", initialize))
        assert daemon.stdout.read(1)
        before = largest = resident(daemon.pid)
        os.set_blocking(daemon.stdin.fileno(), False)
        stream = memoryview(b"".join(framed_request(number, method, params) for number in range(1, ASKED + 1)))
        last_taken = time.monotonic()
        while stream and time.monotonic() < last_taken + QUIET_SECONDS:
            try:
                stream = stream[os.write(daemon.stdin.fileno(), stream) :]
                last_taken = time.monotonic()
            except BlockingIOError:
                time.sleep(0.01)
            largest = max(largest, resident(daemon.pid))
        daemon.kill()
    return largest - before


def framed_request(number: int, method: str, params: object) -> bytes:
    return framed(json.dumps({"jsonrpc": "2.0", "id": number, "method": method, "params": params}).encode())


@pytest.mark.parametrize(
    ("method", "params", "most"),
    [
        ("forge/readFile", {"path": "small"}, 64 * MIB),
        ("forge/readFile", {"path": "large", "max_lines": 10_000}, 64 * MIB),
        # A few are worked on together: answers of 1 MiB, or of 8.
        ("forge/readFile", {"path": "link", "max_lines": 10_000}, 96 * MIB),
        ("forge/readFiles", {"files": [{"path": "large", "max_lines": 10_000}] * 8}, 512 * MIB),
    ],
    ids=["small answers", "large answers at once", "large answers off the loop", "batches"],
)
def test_a_client_that_never_reads_does_not_make_the_daemon_grow_without_bounds(
    workspace: Path, figure: Figure, method: str, params: object, most: int
) -> None:
    grown = growth_while_nobody_reads(workspace, method, params)
    assert grown < most
    figure("client that never reads, resident", f"start + {grown // MIB} MiB")


@pytest.mark.parametrize("stdin", ["pipe", "file"])
def test_a_client_that_reads_late_and_asks_no_more_gets_everything(workspace: Path, tmp_path: Path, stdin: str) -> None:
    """The input ends long before the answers are read, which exceed all buffers."""
    initialize: dict[str, object] = {
        "processId": None,
        "capabilities": {},
        "workspaceFolders": [folder_item(workspace)],
    }
    large = {"path": "large", "max_lines": 10_000}
    stream = framed_request(0, "initialize", initialize)
    stream += b"".join(framed_request(number, "forge/readFile", large) for number in range(1, 41))
    (tmp_path / "input").write_bytes(stream)
    with (tmp_path / "input").open("rb") as source:
        daemon = subprocess.Popen(SERVE, stdin=source if stdin == "file" else subprocess.PIPE, stdout=subprocess.PIPE)
    with daemon:
        if daemon.stdin is not None:
            daemon.stdin.write(stream)
            daemon.stdin.close()
        time.sleep(0.5)
        assert daemon.poll() is None
        assert daemon.stdout is not None
        answered = daemon.stdout.read()
        assert daemon.wait(PATIENCE) == 1
    assert sorted(int(found) for found in re.findall(rb'"jsonrpc":"2.0","id":(\d+)', answered)) == list(range(41))
    assert answered.count(b'"result"') == 41


def test_two_of_the_largest_answers_at_once_take_little_more_than_one(workspace: Path, figure: Figure) -> None:
    """Control characters take six times their size in JSON."""
    for number in range(32):
        (workspace / f"{number}.txt").write_bytes((b"\x01" * 99 + b"\n") * (MIB // 100))
    files = [{"path": f"{number}.txt", "max_lines": 10_000} for number in range(32)]
    with RawClient() as client:
        client.initialize(workspace)
        params = {"files": files, "max_total_bytes": 32 * MIB}
        for asked in [client.start_request("forge/readFiles", params) for _ in range(2)]:
            assert len(client.answer_to(asked)["result"]["results"]) == 32
        peak = in_status(client.process.pid, "VmHWM") * 1024
    assert peak < 500 * MIB
    figure("two answers of 32 MiB of control characters, resident", f"{peak // MIB} MiB")
