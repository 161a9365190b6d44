"""Generated trees and paths, compared with the kernel's own resolution."""

import os
import random
import shutil
import stat
import sys
import time
from pathlib import Path

import pytest

from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ErrorCode, ReadError
from tests.hostile.conftest import Figure
from tests.hostile.scale import FUZZ, scaled
from tests.workspace.kernel import opens_beneath
from tests.workspace.readers import read, reader_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks openat2 and /proc where a path leads")

PATHS = scaled(3_000, 100_000)
PATHS_IN_A_TREE = 100
NAMES = ("a", "b", "c", "日本", " ", "..a", "...", "x" * 255, "a\\b", "%2e%2e")
STEPS = (*NAMES[:5], "..", "..", ".", "", "ws", "out", "ws-evil")
_REFUSED_OUTSIDE = frozenset({ErrorCode.SANDBOX_VIOLATION})
_NOTHING_THERE = frozenset({ErrorCode.NOT_FOUND, ErrorCode.SANDBOX_VIOLATION})
"""What is not there, outside, is not told from what is."""


def test_a_made_up_path_leads_where_the_kernel_says_or_nowhere(tmp_path: Path, figure: Figure) -> None:
    first = time.time_ns() if FUZZ else 0
    for number in range(first, first + PATHS // PATHS_IN_A_TREE):
        chance = random.Random(number)
        base = tmp_path.resolve() / "tree"
        root, grown_paths = grown(base, chance)
        reader = reader_of(folder_from_path(str(root)))
        for path in [made_up_path(root, grown_paths, chance) for _ in range(PATHS_IN_A_TREE)]:
            expected = by_the_kernel(path, str(root))
            assert by_the_reader(reader, path) in expected, (number, path)
        shutil.rmtree(base)
    figure("hostile paths, generated", f"{PATHS:,}")


def grown(base: Path, chance: random.Random) -> tuple[Path, list[Path]]:
    """A workspace with a twin and an outside, and what is in them; each file holds its own path."""
    root = base / "ws"
    directories = [root, root, root, root, base / "out", base / "ws-evil"]
    for directory in directories:
        directory.mkdir(parents=True, exist_ok=True)
    for _ in range(6):
        directory = chance.choice(directories) / chance.choice(NAMES)
        if not directory.exists():
            directory.mkdir()
            directories.append(directory)
    grown_paths = directories.copy()
    for _ in range(30):
        path = chance.choice(directories) / chance.choice(NAMES)
        if path in grown_paths:
            continue
        kind = chance.random()
        if kind < 0.35:
            path.write_text(str(path))
        elif kind < 0.4:
            os.mkfifo(path)
        else:
            path.symlink_to(made_up_target(path.parent, root, grown_paths, chance))
        grown_paths.append(path)
    return root, grown_paths


def made_up_target(directory: Path, root: Path, grown_paths: list[Path], chance: random.Random) -> str:
    if chance.random() < 0.7:
        there = chance.choice(grown_paths)
        return os.path.relpath(there, directory) if chance.random() < 0.8 else str(there)
    start = chance.choice(("", "", f"{root}/", f"{root.parent}/", "/proc/self/root/", "/"))
    return start + made_up_steps(chance) or "."


def made_up_path(root: Path, grown_paths: list[Path], chance: random.Random) -> str:
    if chance.random() < 0.7:
        there = chance.choice(grown_paths)
        path = os.path.relpath(there, root) if chance.random() < 0.7 else str(there)
        path = path.replace("/", chance.choice(("/", "/", "/./", "//", "/none/../")))
        if chance.random() < 0.3:
            path += "/" + made_up_steps(chance)
    else:
        path = chance.choice(("", "", "./", f"{root}/", f"{root.parent}/", "/")) + made_up_steps(chance)
    if path.startswith("/") and chance.random() < 0.3:
        return "file://" + path.replace("%", "%25")
    return path or "."


def made_up_steps(chance: random.Random) -> str:
    return "/".join(chance.choice(STEPS) for _ in range(chance.randrange(1, 6)))


def by_the_kernel(path: str, root: str) -> frozenset[str]:
    """The allowed outcomes for a path: the text of the file it leads to, or a refusal."""
    literal = path.removeprefix("file://").replace("%25", "%") if path.startswith("file://") else path
    # What is asked for is normalised as text first; only then do links count.
    normal = os.path.normpath(os.path.join(root, literal.replace("//", "/"))).replace("//", "/")
    if normal != root and not normal.startswith(f"{root}/"):
        return _REFUSED_OUTSIDE
    if literal.endswith(("/", "/.", "/..")) or literal in (".", ".."):
        normal += "/"
    try:
        fd = os.open(normal, os.O_RDONLY | os.O_NONBLOCK)
    except OSError:
        return _NOTHING_THERE
    try:
        final = os.readlink(f"/proc/self/fd/{fd}")
        if final != root and not final.startswith(f"{root}/"):
            return _REFUSED_OUTSIDE
        outcome = f"={final}" if stat.S_ISREG(os.fstat(fd).st_mode) else ErrorCode.NOT_FILE
    finally:
        os.close(fd)
    # A way out and back again may be refused; one that never leaves may not.
    return frozenset({outcome}) if opens_beneath(root, os.path.relpath(normal, root)) else _REFUSED_OUTSIDE | {outcome}


def by_the_reader(reader: Reader, path: str) -> str:
    try:
        return f"={read(reader, path).answer}"
    except ReadError as error:
        return error.code
