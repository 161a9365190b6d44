"""File systems of several kinds, as far as this machine permits."""

import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

IMAGE_BYTES = 64 * 1024 * 1024


@contextmanager
def temporary() -> Iterator[Path]:
    """Where temporary files go: ext4 or overlay as a rule."""
    with tempfile.TemporaryDirectory() as folder:
        yield Path(folder).resolve()


@contextmanager
def tmpfs() -> Iterator[Path]:
    if not os.path.isdir("/dev/shm"):
        pytest.skip("no /dev/shm here")
    with tempfile.TemporaryDirectory(dir="/dev/shm") as folder:
        yield Path(folder).resolve()


@contextmanager
def ramfs() -> Iterator[Path]:
    """Its clock is coarse: two writes within a tick leave the same times."""
    with temporary() as folder, _mounted(folder, "-t", "ramfs", "ramfs"):
        yield folder


@contextmanager
def ext2() -> Iterator[Path]:
    """Its clock ticks once a second, and it gives a removed file's inode number to the next."""
    with temporary() as folder, tempfile.NamedTemporaryFile() as image:
        os.truncate(image.name, IMAGE_BYTES)
        try:
            subprocess.run(["mkfs.ext2", "-q", "-I", "128", image.name], check=True, capture_output=True)
        except (OSError, subprocess.CalledProcessError) as error:
            pytest.skip(f"no ext2 here: {error}")
        with _mounted(folder, "-o", "loop", image.name):
            yield folder


ALL = {"temporary": temporary, "tmpfs": tmpfs, "ramfs": ramfs, "ext2": ext2}
THAT_LET_WAIT = ["temporary", "tmpfs", "ext2"]
"""For a write that is under way. On ramfs nothing tells of one that is suspended in the middle."""
WITH_A_FINE_CLOCK = ["temporary", "tmpfs"]
"""Among those. On ext2 a file may be rewritten any number of times within a second and keep its times."""


@contextmanager
def _mounted(folder: Path, *arguments: str) -> Iterator[None]:
    if sys.platform != "linux" or os.geteuid() != 0:
        pytest.skip("only root may mount")
    mounted = subprocess.run(["mount", *arguments, str(folder)], capture_output=True, text=True, check=False)
    if mounted.returncode:
        pytest.skip(f"cannot be mounted here: {mounted.stderr.strip()}")
    try:
        yield
    finally:
        subprocess.run(["umount", str(folder)], check=True)
