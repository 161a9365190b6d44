"""Local storage is told from what may hang, and what may hang is never touched to find out."""

import os
import sys
from pathlib import Path

import pytest

from forge_daemon.workspace import storage
from forge_daemon.workspace.storage import is_local

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux's table of mounts")


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory in which, as the table of mounts has it, `far` is another machine's and `far/near` is not."""
    base = tmp_path.resolve()
    for name in ("near", "far/near", "with space"):
        (base / name).mkdir(parents=True)
    table = [
        (f"{base}/far", "nfs4"),
        (f"{base}/far/near", "ext4"),
        (f"{base}/with\\040space", "fuse.sshfs"),
        ("/", "ext4"),
    ]
    lines = [f"{number} 1 0:1 / {point} rw - {kind} none rw\n" for number, (point, kind) in enumerate(table)]
    (tmp_path / "mounts").write_text("".join(lines))
    monkeypatch.setattr(storage, "_MOUNTS", str(tmp_path / "mounts"))
    return base


def test_the_nearest_mount_point_tells(base: Path) -> None:
    assert is_local("/")
    assert is_local(str(base))
    assert is_local(f"{base}/near")
    assert is_local(f"{base}/none/at/all")
    assert is_local(f"{base}/farther")
    assert not is_local(f"{base}/far")
    assert not is_local(f"{base}/far/none")
    assert not is_local(f"{base}/with space")


def test_what_lies_behind_another_machine_depends_on_it(base: Path) -> None:
    assert not is_local(f"{base}/far/near")
    assert not is_local(f"{base}/far/../near")
    assert is_local(f"{base}/near/../near/./")


def test_links_are_followed_and_never_asked_of_another_machine(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (base / "in").symlink_to("near/../near")
    (base / "out").symlink_to(base / "far")
    (base / "circle").symlink_to("circle")
    asked: list[str] = []
    readlink = os.readlink

    def remembered(path: str) -> str:
        asked.append(path)
        return readlink(path)

    monkeypatch.setattr(os, "readlink", remembered)
    assert is_local(f"{base}/in")
    assert not is_local(f"{base}/out")
    assert not is_local(f"{base}/out/deeper")
    assert not is_local(f"{base}/circle")
    assert not [path for path in asked if path.startswith(f"{base}/far")]


def test_where_there_is_no_table_nothing_is_local(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "_MOUNTS", str(base / "none"))
    assert not is_local("/")
