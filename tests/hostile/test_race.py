"""A process exchanges files for links while they are opened: never a byte from outside."""

import errno
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from forge_daemon.workspace.folder import Folder, Place
from forge_daemon.workspace.sandbox import open_place
from forge_protocol.errors import ReadError
from tests.hostile.conftest import Figure
from tests.hostile.scale import scaled
from tests.workspace.readers import read, reader_of
from tests.workspace.workspaces import folder, link, open_descriptors, write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="renameat2 is Linux's")

OPENS = scaled(5_000, 1_000_000)
READS = OPENS // 5
ATTACKER = """
import ctypes, sys
exchange = ctypes.CDLL(None, use_errno=True).renameat2
one, other = (path.encode() for path in sys.argv[1:])
if exchange(-100, one, -100, other, 2):
    sys.exit(ctypes.get_errno())
print("started", flush=True)
while not exchange(-100, one, -100, other, 2):
    pass
"""


@contextmanager
def exchanging(one: Path, other: Path) -> Iterator[None]:
    attacker = subprocess.Popen(
        [sys.executable, "-c", ATTACKER, str(one), str(other)],
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
    )
    assert attacker.stdout is not None
    try:
        if attacker.stdout.readline() != b"started\n":
            pytest.skip(f"no exchange of files here: {errno.errorcode.get(attacker.wait())}")
        yield
        assert attacker.poll() is None, "the attacker gave up"
    finally:
        attacker.kill()
        attacker.wait()
        attacker.stdout.close()


def outcomes(attempt: Callable[[], str], times: int = OPENS) -> Counter[str]:
    """The outcomes of many attempts, until both sides of the exchange were seen."""
    seen: Counter[str] = Counter()
    while seen.total() < times or len(seen) < 2:
        try:
            seen[attempt()] += 1
        except ReadError as error:
            seen[error.code] += 1
    return seen


def opened(place: Place, ws: Folder) -> str:
    fd, _ = open_place(place, [ws])
    try:
        return os.read(fd, 16).decode()
    finally:
        os.close(fd)


@pytest.mark.parametrize(
    ("one", "other", "trap", "asked"),
    [
        ("leaf", "link", "../outside/leaf", "leaf"),
        ("dir", "link", "../outside", "dir/leaf"),
        ("dir", "link", "../outside", "dir/sub/climbing"),
        ("dir", "../outside", None, "dir/sub/climbing"),
    ],
    ids=["leaf", "directory", "directory under a climbing link", "directory moved away"],
)
def test_an_exchange_at_the_wrong_moment_leads_nowhere_outside(
    tmp_path: Path, figure: Figure, one: str, other: str, trap: str | None, asked: str
) -> None:
    ws = folder(tmp_path / "ws")
    inside = tmp_path / "ws"
    write(inside / "leaf", "inside")
    write(inside / "dir/leaf", "inside")
    write(tmp_path / "outside/leaf", "inside" if trap is None else "SECRET")
    write(tmp_path / "leaf", "SECRET")
    (tmp_path / "outside/sub").mkdir()
    link(inside / "dir/sub/climbing", "../leaf" if trap is not None else "../../leaf")
    if trap is not None:
        link(inside / other, trap)
    before = open_descriptors()
    with exchanging(inside / one, inside / other):
        seen = outcomes(lambda: opened(Place(ws, asked), ws))
    assert "SECRET" not in seen
    assert seen["inside"] > 0
    assert open_descriptors() == before
    figure("race", f"{OPENS:,} opens, 0 from outside")


def test_an_exchange_of_links_never_gets_a_denied_file_past_the_policy(tmp_path: Path, figure: Figure) -> None:
    ws = folder(tmp_path / "ws")
    inside = tmp_path / "ws"
    write(inside / "plain", "inside")
    write(inside / ".env", "SECRET")
    link(inside / "one", "plain")
    link(inside / "other", ".env")
    reader = reader_of(ws)
    with exchanging(inside / "one", inside / "other"):
        seen = outcomes(lambda: read(reader, "one").answer, READS)
    assert seen.keys() == {"inside", "POLICY_DENIED"}
    figure("race", f"{READS:,} reads, 0 past the policy")
