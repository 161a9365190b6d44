"""A long series of mixed requests leaks no memory, no descriptors and no threads."""

import os
import random
import sys
from collections import deque
from pathlib import Path
from typing import Any

import pytest

from tests.hostile.conftest import Figure
from tests.hostile.scale import FUZZ, scaled
from tests.hostile.test_load import MIB, in_status, resident
from tests.lsp.raw_client import RawClient

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="looks at processes in /proc")

REQUESTS = scaled(5_000, 1_000_000)
IN_FLIGHT = 50
FILES = 300
CACHE_BYTES = 16 * MIB
GROWTH_BYTES = 16 * MIB
SPARE_THREADS = 8
"""Each takes the place of one that took long for a moment."""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    for number in range(FILES):
        (folder / f"{number}").write_text(f"line {number}\n" * (10 + number * 30))
    (folder / "link").symlink_to("7")
    (folder / "binary").write_bytes(bytes(range(256)) * 100)
    return folder.resolve()


def request(chance: random.Random) -> tuple[str, Any]:
    path = f"{chance.randrange(FILES)}"
    kind = chance.random()
    if kind < 0.55:
        return "forge/readFile", {"path": path, "start_line": chance.randrange(1, 200)}
    if kind < 0.65:
        return "forge/readFile", {"path": path, "tail": 5, "show_line_numbers": True}
    if kind < 0.72:
        return "forge/readFile", {"path": chance.choice(["link", "binary", "none", "..", "", "7/8", "/etc/passwd"])}
    if kind < 0.78:
        return "forge/countLines", {"path": path}
    if kind < 0.84:
        return "forge/readFiles", {"files": [{"path": path, "limit": 3}, {"path": "none"}, 5]}
    if kind < 0.90:
        argument = {"name": "Read", "arguments": {"path": path, "head": 3}}
        return "workspace/executeCommand", {"command": "forge.tools.call", "arguments": [argument]}
    if kind < 0.94:
        return "forge/find", {"path": path, "pattern": "no such thing"}
    return chance.choice([("forge/readFile", {"path": 5}), ("no/such", {}), ("forge/find", {"path": path})])


def converse(client: RawClient, workspace: Path, numbers: range, chance: random.Random) -> None:
    """Requests, always some in flight, among documents that are opened, changed and closed."""
    in_flight: deque[Any] = deque()
    for number in numbers:
        in_flight.append(client.start_request(*request(chance)))
        document = workspace / f"{number % 10}"
        if number % 97 == 0:
            client.open(document, f"unsaved {number}\n" * 50, version=number)
        elif number % 101 == 0:
            client.close(document)
        elif number % 103 == 0:
            client.notify("$/cancelRequest", {"id": in_flight[-1]})
        if len(in_flight) == IN_FLIGHT:
            client.answer_to(in_flight.popleft())
        if number % 1000 == 0:
            client.seen("")
    for msg_id in in_flight:
        client.answer_to(msg_id)


def test_the_daemon_stays_as_small_as_it_was(workspace: Path, figure: Figure) -> None:
    chance = random.Random(None if FUZZ else 7)
    settings = {"cache": {"max_bytes": CACHE_BYTES}}
    with RawClient() as client:
        client.initialize(workspace, initializationOptions=settings)
        process = client.process.pid
        at_start = resident(process)
        converse(client, workspace, range(REQUESTS // 5), chance)
        descriptors, threads = len(os.listdir(f"/proc/{process}/fd")), in_status(process, "Threads")
        converse(client, workspace, range(REQUESTS // 5, REQUESTS), chance)
        grown = resident(process) - at_start
        assert grown <= GROWTH_BYTES + CACHE_BYTES
        assert len(os.listdir(f"/proc/{process}/fd")) == descriptors
        assert in_status(process, "Threads") <= threads + SPARE_THREADS
        client.check_that_everything_was_answered_once()
        assert client.shut_down() == 0
    figure(
        "soak",
        f"{REQUESTS:,} requests, start + {grown / MIB:.1f} MiB with a cache of {CACHE_BYTES // MIB} MiB, flat",
    )
