"""Local storage is told from what may hang, and what may hang is never touched to find out."""

import os
import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest

from forge_daemon.workspace import storage
from forge_daemon.workspace.storage import is_local
from workspace.work import calls_of

pytestmark = pytest.mark.skipif(sys.platform != "linux", reason="asks Linux's table of mounts")


@pytest.fixture
def base(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A directory in which, as the table of mounts has it, `far` is another machine's and `far/near` is not."""
    base = tmp_path.resolve()
    for name in ("near", "far/near", "with space"):
        (base / name).mkdir(parents=True)
    table = [
        (f"{base}/far", "nfs4"),
        (f"{base}/far/near", "tmpfs"),
        (f"{base}/with\\040space", "fuse.sshfs"),
        (f"{base}/near/forge.toml", "fuse"),
        (f"{base}/zfs", "zfs"),
        ("/", "tmpfs"),
    ]
    lines = [f"{number} 1 0:1 / {point} rw - {kind} none rw\n" for number, (point, kind) in enumerate(table)]
    (tmp_path / "mounts").write_text("".join(lines))
    monkeypatch.setattr(storage, "_MOUNTS", str(tmp_path / "mounts"))
    return base


class Machine:
    """A stand-in for the kernel's tables: mounts, and block devices with what they are made of."""

    def __init__(self, base: Path) -> None:
        self._base = base
        self.mounts = "1 1 0:1 / / rw - tmpfs none rw\n"

    def mount(self, point: str, kind: str, device: str = "0:9", options: str = "rw") -> str:
        path = f"{self._base}/{point}"
        os.makedirs(path, exist_ok=True)
        self.mounts += f"2 1 {device} / {path} rw - {kind} none {options}\n"
        (self._base / "mounts").write_text(self.mounts)
        storage._mounts.cache_clear()  # the kernel would say that it changed
        return path

    def device(self, number: str, where: str, *, slaves: tuple[str, ...] = (), backing_file: str = "") -> None:
        device = self._base / "sys/devices" / where
        (device / "slaves").mkdir(parents=True)
        (device / "dev").write_text(f"{number}\n")
        for slave in slaves:
            (device / "slaves" / os.path.basename(slave)).symlink_to(self._base / "sys/devices" / slave)
        if backing_file:
            (device / "loop").mkdir()
            (device / "loop/backing_file").write_text(f"{backing_file}\n")
        (self._base / "sys/block").mkdir(exist_ok=True)
        (self._base / "sys/block" / number).symlink_to(device)


@pytest.fixture
def machine(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Machine:
    base = tmp_path.resolve()
    monkeypatch.setattr(storage, "_MOUNTS", f"{base}/mounts")
    monkeypatch.setattr(storage, "_DEVICES", f"{base}/sys/block")
    return Machine(base)


@pytest.mark.parametrize(
    ("where", "local"),
    [
        ("pci0000:00/0000:00:02.0/virtio1/block/vda", True),
        ("pci0000:00/0000:3d:00.0/nvme/nvme0/nvme0n1", True),
        ("platform/mmc_host/mmc0/mmc0:0001/block/mmcblk0", True),
        ("virtual/block/zram0", True),
        ("virtual/block/nbd0", False),
        ("virtual/block/drbd0", False),
        ("rbd/0/block/rbd0", False),
        ("platform/host2/session1/target2:0:0/2:0:0:1/block/sdb", False),
        ("pci0000:00/0000:05:00.0/host7/rport-7:0-2/target7:0:0/block/sdc", False),
        ("virtual/nvme-fabrics/ctl/nvme1/nvme1n1", False),
        ("virtual/block/unheard0", False),
    ],
)
def test_a_file_system_is_as_local_as_its_device(machine: Machine, where: str, local: bool) -> None:
    machine.device("8:0", where)
    assert is_local(machine.mount("disk", "ext4", "8:0")) == local
    assert not is_local(machine.mount("disk", "ext4", "8:99")), "a device that is not known"


def test_a_volume_is_as_local_as_all_its_disks(machine: Machine) -> None:
    machine.device("8:0", "pci0000:00/0000:00:02.0/ata1/block/sda")
    machine.device("43:0", "virtual/block/nbd0")
    machine.device("254:0", "virtual/block/dm-0", slaves=("pci0000:00/0000:00:02.0/ata1/block/sda",))
    machine.device(
        "254:1",
        "virtual/block/dm-1",
        slaves=("pci0000:00/0000:00:02.0/ata1/block/sda", "virtual/block/nbd0"),
    )
    assert is_local(machine.mount("encrypted", "xfs", "254:0"))
    assert not is_local(machine.mount("mirror", "xfs", "254:1"))


def test_a_loop_device_is_as_local_as_its_file(machine: Machine, tmp_path: Path) -> None:
    far = machine.mount("far", "nfs4")
    for name in (f"{far}/image", f"{tmp_path}/image"):
        Path(name).touch()
    machine.device("7:0", "virtual/block/loop0", backing_file=f"{tmp_path.resolve()}/image")
    machine.device("7:1", "virtual/block/loop1", backing_file=f"{far}/image")
    machine.device("7:2", "virtual/block/loop2", backing_file="/not/there (deleted)")
    assert is_local(machine.mount("near-image", "squashfs", "7:0"))
    assert not is_local(machine.mount("far-image", "ext4", "7:1"))
    assert not is_local(machine.mount("lost-image", "ext4", "7:2"))


def test_an_overlay_is_as_local_as_its_layers(machine: Machine, tmp_path: Path) -> None:
    far, near = machine.mount("far", "fuse"), f"{tmp_path.resolve()}/near"
    os.makedirs(f"{far}/low")
    os.makedirs(f"{near}/a")
    assert is_local(machine.mount("m1", "overlay", options=f"rw,lowerdir={near}/a:{near},upperdir={near},workdir=/x"))
    assert not is_local(machine.mount("m2", "overlay", options=f"rw,lowerdir={near}:{far}/low"))
    assert not is_local(machine.mount("m3", "overlay", options=f"rw,lowerdir={near},upperdir={far}/low"))
    assert not is_local(machine.mount("m4", "overlay", options="rw,lowerdir=/var/lib/containers/none"))
    assert not is_local(machine.mount("m5", "overlay", options="rw,lowerdir=relative"))
    assert not is_local(machine.mount("m6", "overlay", options="rw"))
    itself = f"{tmp_path.resolve()}/m7"
    assert not is_local(machine.mount("m7", "overlay", options=f"rw,lowerdir={itself}/below"))


@pytest.mark.skipif(os.geteuid() != 0 if hasattr(os, "geteuid") else True, reason="only root may mount")
def test_what_is_mounted_later_is_seen_at_once(tmp_path: Path) -> None:
    folder = tmp_path.resolve() / "folder"
    folder.mkdir()
    if not is_local(str(folder)):
        pytest.skip("temporary files are not on local storage here")
    options = ["mount", "-t", "proc", "proc", str(folder)]
    if subprocess.run(options, capture_output=True, check=False).returncode:
        pytest.skip("nothing can be mounted here")
    try:
        assert not is_local(str(folder))
    finally:
        subprocess.run(["umount", str(folder)], check=True)
    assert is_local(str(folder))


@pytest.mark.parametrize("order", [(0, 1), (1, 0)], ids=["mounted over it", "moved over it"])
def test_of_two_mounts_on_one_point_the_upper_one_tells(tmp_path: Path, order: tuple[int, int]) -> None:
    def is_local_with(lower: str, upper: str) -> bool:
        lines = [f"7 1 0:7 / {tmp_path} rw - {lower} none rw\n", f"8 7 0:8 / {tmp_path} rw - {upper} none rw\n"]
        table = "1 1 0:1 / / rw - tmpfs none rw\n" + "".join(lines[index] for index in order)
        return storage._MountTable(table).is_local(str(tmp_path))

    assert not is_local_with(lower="tmpfs", upper="nfs4")
    assert is_local_with(lower="autofs", upper="tmpfs")


def test_a_mount_point_may_have_an_odd_name(tmp_path: Path) -> None:
    table = f"1 1 0:1 / / rw - tmpfs none rw\n7 1 0:7 / {tmp_path}/a\x0cb\u2028c rw - nfs4 none rw\n"
    assert storage._MountTable(table).is_local(str(tmp_path))
    assert not storage._MountTable(table).is_local(f"{tmp_path}/a\x0cb\u2028c")


def test_of_two_mounts_that_do_not_cover_each_other_both_must_be_local(tmp_path: Path) -> None:
    """One is hidden with the directory that it is mounted in."""
    table = [
        "1 1 0:1 / / rw - tmpfs none rw",
        f"7 1 0:7 / {tmp_path} rw - nfs4 none rw",
        f"8 5 0:8 / {tmp_path} rw - tmpfs none rw",
    ]
    assert not storage._MountTable("\n".join(table)).is_local(str(tmp_path))


def test_the_nearest_mount_point_tells(base: Path) -> None:
    assert is_local("/")
    assert is_local(str(base))
    assert is_local(f"{base}/near")
    assert is_local(f"{base}/none/at/all")
    assert is_local(f"{base}/farther")
    assert not is_local(f"{base}/far")
    assert not is_local(f"{base}/far/none")
    assert not is_local(f"{base}/with space")
    assert not is_local(f"{base}/near/forge.toml")
    assert not is_local(f"{base}/zfs"), "which devices it has is not told"


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


def test_what_could_not_be_proved_for_a_moment_is_proved_later(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = str(tmp_path)
    if not storage.is_local(path):
        pytest.skip("the temporary folder is not on storage that is proved local")
    table = storage._MountTable(Path("/proc/self/mountinfo").read_text())
    with monkeypatch.context() as failing:
        failing.setattr("os.path.isdir", lambda _: False)
        failing.setattr(storage, "_IN_MEMORY", frozenset())
        assert not table.is_local(path)
    assert table.is_local(path)


def test_a_proof_that_was_interrupted_is_made_later(machine: Machine, monkeypatch: pytest.MonkeyPatch) -> None:
    machine.device("8:0", "pci0000:00/0000:00:02.0/virtio1/block/vda")
    disk = machine.mount("disk", "ext4", "8:0")
    table = storage._MountTable(machine.mounts)

    def fail(path: str) -> str:
        raise MemoryError(path)

    with monkeypatch.context() as failing:
        failing.setattr("os.path.realpath", fail)
        with pytest.raises(MemoryError):
            table.is_local(disk)
    assert table.is_local(disk)


def test_proofs_are_bounded_in_bytes(base: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(storage, "_REMEMBERED_BYTES", 20_000)
    taken = []
    for number in range(100):
        assert is_local(f"{base}/{number:04}/{'none' * 500}")
        taken.append(sum(map(len, storage._mounts(storage._MOUNTS).moment())))
    assert 0 < max(taken) < 20_000


def test_a_proof_costs_as_much_more_as_the_path_is_longer(base: Path) -> None:
    table = storage._MountTable(Path(storage._MOUNTS).read_text())
    few, many = (calls_of(partial(table.is_local, f"{base}{'/a' * number}")) for number in (100, 1000))
    assert many < 11 * few


def test_a_path_longer_than_can_be_asked_about_is_not_proved(base: Path) -> None:
    assert is_local(f"{base}/a")
    assert not is_local(f"{base}/{'a/' * 16_000}")


def test_the_table_of_mounts_is_opened_again_where_somebody_closed_it() -> None:
    assert storage.is_local("/dev/shm")
    os.close(storage._mounts(storage._MOUNTS)._file)
    storage.is_local("/dev/shm")
    assert storage.is_local("/dev/shm")
