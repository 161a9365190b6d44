"""Somebody exchanges files for links while they are being opened: never a byte from outside."""

import errno
import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from forge_daemon.workspace import sandbox
from forge_daemon.workspace.folder import Folder, Place
from forge_daemon.workspace.sandbox import open_place
from forge_protocol.errors import ReadError
from workspace.workspaces import folder, link, open_descriptors, write

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="renameat2 is Linux's")

OPENS = 5000
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


def outcomes(place: Place, ws: Folder) -> Counter[str]:
    """What came of many attempts, going on until the exchange was met at both of its sides."""
    seen: Counter[str] = Counter()
    while seen.total() < OPENS or len(seen) < 2:
        try:
            fd, _ = open_place(place, [ws])
        except ReadError as error:
            seen[error.code] += 1
        else:
            seen[os.read(fd, 16).decode()] += 1
            os.close(fd)
    return seen


@pytest.fixture(params=["openat2", "walk"])
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    if request.param == "walk":
        monkeypatch.setattr(sandbox, "open_directly", None)


@pytest.mark.usefixtures("way")
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
    tmp_path: Path, one: str, other: str, trap: str | None, asked: str
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
        seen = outcomes(Place(ws, asked), ws)
    assert "SECRET" not in seen
    assert seen["inside"] > 0
    assert open_descriptors() == before
