"""A second process moves directories on Windows while paths through them are opened: never a byte from outside.

An exchange of a directory for a link cannot be tried under wine. It follows links itself, and finds out where it went
by looking at the path once more, when the link may be gone again. `tests/hostile/test_race.py` has it for Linux.
"""

import os
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from forge_daemon.workspace.folder import Place
from forge_daemon.workspace.sandbox import open_place
from forge_protocol.errors import ReadError
from tests.workspace.workspaces import folder, link, open_descriptors, write

if sys.platform != "win32":
    pytest.skip("needs Windows", allow_module_level=True)

OPENS = 500
ATTACKER = """
import os, sys
one, other, spare = sys.argv[1:]

def rename(source, target):
    while True:
        try:
            return os.rename(source, target)
        except PermissionError:  # Windows renames no directory in which a file is open
            pass

print("started", flush=True)
while True:
    rename(one, spare)
    rename(other, one)
    rename(spare, other)
"""


@contextmanager
def exchanging(one: Path, other: Path) -> Iterator[None]:
    """Until the end, another process exchanges two directories, over and over."""
    command = [sys.executable, "-c", ATTACKER, str(one), str(other), str(other.with_name("spare"))]
    with subprocess.Popen(command, stdout=subprocess.PIPE) as attacker:
        assert attacker.stdout is not None
        assert attacker.stdout.readline().startswith(b"started")
        try:
            yield
            assert attacker.poll() is None, "the attacker gave up"
        finally:
            attacker.kill()


def test_a_directory_that_is_moved_out_while_it_is_walked_leads_nowhere_else(tmp_path: Path) -> None:
    ws, inside, outside = folder(tmp_path / "ws"), tmp_path / "ws", tmp_path / "outside"
    write(inside / "leaf", "inside")
    write(tmp_path / "leaf", "SECRET")
    link(inside / "dir/sub/climbing", "../../leaf")
    (outside / "sub").mkdir(parents=True)
    before = open_descriptors()
    seen: Counter[str] = Counter()
    with exchanging(inside / "dir", outside):
        while seen.total() < OPENS or len(seen) < 2:
            try:
                fd, _ = open_place(Place(ws, "dir/sub/climbing"), [ws])
            except ReadError as error:
                seen[error.code] += 1
                continue
            seen[os.read(fd, 16).decode()] += 1
            os.close(fd)
    assert "SECRET" not in seen
    assert seen["inside"] > 0
    assert open_descriptors() == before
