"""Folders whose storage does not answer: a real FUSE mount if permitted, else a stand-in."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest

from tests.hostile import stuck_storage

_STAND_IN = """
# A stand-in for storage that hangs: reads of files called stuck* never return.
import os, threading
pread = os.pread
def hanging(fd, length, offset):
    if os.path.basename(os.readlink(f"/proc/self/fd/{fd}")).startswith("stuck"):
        threading.Event().wait()
    return pread(fd, length, offset)
os.pread = hanging
"""


class StuckFolder(NamedTuple):
    path: Path
    environment: dict[str, str]
    """Of a daemon that is to get stuck there."""


class Mounted(NamedTuple):
    path: Path
    server: "subprocess.Popen[str]"

    def die(self) -> None:
        """From now on nothing is answered at all."""
        self.server.send_signal(signal.SIGUSR1)
        while not os.WIFSTOPPED(os.waitpid(self.server.pid, os.WUNTRACED)[1]):
            pass


@contextmanager
def mounted(folder: Path, script: str = stuck_storage.__file__, *arguments: str) -> Iterator[Mounted | str]:
    """A folder served by `stuck_storage` or another script, or the reason why there is none."""
    folder.mkdir()
    if sys.platform != "linux" or os.geteuid() != 0:
        yield "only root may mount storage that hangs"
        return
    server = subprocess.Popen(
        [sys.executable, script, str(folder), *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    )
    assert server.stdout is not None
    assert server.stderr is not None
    with server.stdout, server.stderr:
        try:
            is_mounted = server.stdout.readline() == f"{stuck_storage.MOUNTED}\n"
            yield Mounted(folder, server) if is_mounted else server.stderr.read()
        finally:
            server.send_signal(signal.SIGCONT)
            # A request that still waits for an answer is told that there will be none.
            server.kill()
            server.wait()
            subprocess.run(["umount", "-l", str(folder)], check=False, capture_output=True)


@contextmanager
def stuck_folder(base: Path) -> Iterator[StuckFolder]:
    with mounted(base / "stuck") as found:
        if isinstance(found, Mounted):
            yield StuckFolder(found.path, {})
            return
        for number in range(1000):
            (base / f"stuck/file{number}").write_bytes(stuck_storage.TEXT)
            (base / f"stuck/stuck{number}").write_bytes(stuck_storage.TEXT)
        (base / "site").mkdir()
        (base / "site/sitecustomize.py").write_text(_STAND_IN)
        yield StuckFolder(base / "stuck", {"PYTHONPATH": str(base / "site")})


@contextmanager
def folder_that_can_die(base: Path) -> Iterator[Mounted]:
    with mounted(base / "stuck") as found:
        if isinstance(found, str):
            pytest.skip(found)
        yield found
