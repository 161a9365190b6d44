"""Whether the storage of a path is local, or may wait for another machine or program.

Only what is proved local counts: the kinds of file systems listed here, on devices that are in this machine, all the
way down (a loop device's file, the layers of an overlay, the disks of a volume). The proof never touches what may
block: asking dead storage for its name would hang like reading from it.
"""

import os
import sys
import time
from _thread import allocate_lock as Lock
from collections.abc import Callable, Iterator
from functools import cache

from forge_daemon.light_typing import NamedTuple, NoReturn

from .remembered import Remembered

_ON_DISKS = frozenset(
    ["bcachefs", "btrfs", "erofs", "ext2", "ext3", "ext4", "f2fs", "jfs", "reiserfs", "squashfs", "xfs"]
)
_IN_MEMORY = frozenset(["devtmpfs", "ramfs", "rootfs", "tmpfs"])
_OVERLAY = "overlay"
_MOUNTS = "/proc/self/mountinfo"
_DEVICES = "/sys/dev/block"
_VIRTUAL_BUT_LOCAL = r"(?:zram|ram|pmem)\d+"
_REMOTE_DEVICES = frozenset(["session", "nvme-fabrics", "rbd", "nbd", "drbd"])
"""Each with a number, or without."""
_LAYERS = frozenset(["lowerdir", "lowerdir+", "datadir+", "upperdir"])
_LINK_LIMIT = 40
_LONGEST_PATH = 4000
"""Of a longer path, Linux does not tell whether it is a link."""
_MOMENT_SECONDS = 1.0
"""The longest that a proof holds, unless something is mounted: a link on the way may be turned."""
_REMEMBERED_BYTES = 256 * 1024


IsLocal = Callable[[str], bool]


def is_local(path: str) -> bool:
    """True only if nothing on the way to an absolute path, or at it, can make its reader wait."""
    return local_now()(path)


def local_now() -> IsLocal:
    """`is_local` for several paths at this moment: the table of mounts is looked at once. Not to be kept."""
    if sys.platform != "linux":
        return _nothing_is_local
    try:
        return _mounts(_MOUNTS).moment().__getitem__
    except OSError:
        _mounts.cache_clear()  # its file may have been closed by other code: the next call opens it again
        return _nothing_is_local


def _nothing_is_local(_path: str) -> bool:
    return False


class _Mount(NamedTuple):
    device: str
    kind: str
    source: str
    options: str


class _MountTable:
    """The mounts as they were at one moment."""

    def __init__(self, text: str) -> None:
        # A mount point may hold any character but the newline that ends it.
        lines = [line.partition(" - ") for line in text.split("\n") if line]
        fields = [before.split(" ") for before, _, _ in lines]
        covered = {(parent, point) for number, parent, _, _, point, *_ in fields if parent != number}
        self._mounts: dict[str, list[_Mount]] = {}
        """What is mounted at a path. Several if they cannot be distinguished, because they do not cover
        each other directly. In which order they were mounted tells nothing: one that is moved keeps its place."""
        for (number, _, device, _, point, *_), (_, _, described) in zip(fields, lines, strict=True):
            if (number, point) not in covered:
                kind, source, options = (*described.split(" "), "", "")[:3]
                mount = _Mount(device, kind, _unescaped(source), _unescaped(options))
                self._mounts.setdefault(_unescaped(point), []).append(mount)
        self._local: set[_Mount] = set()
        """A proof that failed is tried again: perhaps the kernel could not be asked at that moment."""
        self._pending: set[_Mount] = set()

    def is_local(self, path: str) -> bool:
        reached, names, links = ["/"], path.split("/")[::-1], 0
        mounts = [self._mounts.get("/", [])]
        """Of what was reached, and of each directory above it."""
        while names:
            name = names.pop()
            if name == "..":
                up = max(1, len(reached) - 1)
                del reached[up:], mounts[up:]
            elif name not in ("", "."):
                reached.append(os.path.join(reached[-1], name))
                mounts.append(self._mounts.get(reached[-1], mounts[-1]))
            if len(reached[-1]) > _LONGEST_PATH or not self._are_local_mounts(mounts[-1]):
                return False
            try:
                target = os.readlink(reached[-1])
            except OSError:  # no link, or not there
                continue
            links += 1
            if links > _LINK_LIMIT:
                return False
            names += target.split("/")[::-1]
            keep = 1 if target.startswith("/") else -1
            del reached[keep:], mounts[keep:]
        return True

    def _are_local_mounts(self, mounts: list[_Mount]) -> bool:
        return bool(mounts) and all(map(self._is_local_mount, mounts))

    def _is_local_mount(self, mount: _Mount) -> bool:
        if mount in self._local:
            return True
        if mount in self._pending:
            return False  # what rests on itself is not proved
        self._pending.add(mount)
        try:
            if self._proved(mount):
                self._local.add(mount)
        finally:
            self._pending.discard(mount)
        return mount in self._local

    def _proved(self, mount: _Mount) -> bool:
        if sys.platform == "win32":
            return False
        if mount.kind in _IN_MEMORY:
            return True
        if mount.kind == _OVERLAY:
            return self._are_local_layers(mount.options)
        if mount.kind not in _ON_DISKS:
            return False
        device = mount.device
        if device.startswith("0:"):  # a file system that may have several devices names one of them
            try:
                status = os.stat(mount.source)
            except OSError:
                return False
            device = f"{os.major(status.st_rdev)}:{os.minor(status.st_rdev)}"
        return self._is_local_device(device)

    def _are_local_layers(self, options: str) -> bool:
        """The layers are named as they were when they were mounted: in a container, those paths may not exist."""
        named = (option.partition("=") for option in options.split(","))
        layers = [layer for key, _, paths in named if key in _LAYERS for layer in paths.split(":") if layer]
        return bool(layers) and all(
            layer.startswith("/") and "\\" not in layer and self.is_local(layer) and os.path.isdir(layer)
            for layer in layers
        )

    def _is_local_device(self, number: str) -> bool:
        device = os.path.realpath(f"{_DEVICES}/{number}")
        if os.path.exists(f"{device}/partition"):
            device = os.path.dirname(device)
        if not os.path.isdir(device):
            return False
        name = os.path.basename(device)
        if below := _names_in(f"{device}/slaves"):
            return all(self._is_local_device(_text_of(f"{device}/slaves/{one}/dev")) for one in below)
        if name.startswith("loop"):
            file = _text_of(f"{device}/loop/backing_file")
            return file.startswith("/") and os.path.lexists(file) and self.is_local(file)
        if "/nvme-subsystem/" in device:
            subsystem = os.path.dirname(device)
            paths = [one for one in _names_in(subsystem) if os.path.exists(f"{subsystem}/{one}/transport")]
            return bool(paths) and all(_text_of(f"{subsystem}/{one}/transport") == "pcie" for one in paths)
        if "/virtual/" in device:
            import re

            return re.fullmatch(_VIRTUAL_BUT_LOCAL, name) is not None
        names = device.split("/")
        return not any(name.startswith("rport-") or name.rstrip("0123456789") in _REMOTE_DEVICES for name in names)


class _Moment(Remembered[bool]):
    """What was proved local, or was not, within a moment in which nothing was mounted."""

    def __init__(self, table: _MountTable) -> None:
        super().__init__(_REMEMBERED_BYTES)
        self._table = table
        self.ends = time.monotonic() + _MOMENT_SECONDS

    def __missing__(self, path: str) -> bool:
        with _proving:
            is_local = self._table.is_local(path)
            self.remember(path, is_local)
        return is_local


if sys.platform == "win32":

    def _mounts(path: str) -> NoReturn:
        raise OSError(path)

else:

    class _Mounts:
        """The table of mounts, read again when the kernel says that it changed."""

        def __init__(self, path: str) -> None:
            import select

            self._file = os.open(path, os.O_RDONLY | os.O_CLOEXEC)
            self._changed = select.poll()
            self._changed.register(self._file, select.POLLPRI)
            self._lock = Lock()
            self._table = self._read()
            self._moment = _Moment(self._table)

        def moment(self) -> _Moment:
            with self._lock:
                if self._changed.poll(0):
                    self._table = self._read()
                    self._moment = _Moment(self._table)
                elif time.monotonic() > self._moment.ends:
                    self._moment = _Moment(self._table)
                return self._moment

        def _read(self) -> _MountTable:
            return _MountTable(os.fsdecode(b"".join(self._blocks())))

        def _blocks(self) -> Iterator[bytes]:
            os.lseek(self._file, 0, os.SEEK_SET)
            while block := os.read(self._file, 1 << 16):
                yield block

    @cache
    def _mounts(path: str) -> _Mounts:
        return _Mounts(path)


_proving = Lock()


def _names_in(directory: str) -> list[str]:
    try:
        return os.listdir(directory)
    except OSError:
        return []


def _text_of(file: str) -> str:
    try:
        with open(file, encoding="utf-8", errors="surrogateescape") as opened:
            return opened.read().rstrip("\n")
    except OSError:
        return ""


def _unescaped(field: str) -> str:
    if "\\" not in field:
        return field
    import re

    return re.sub(r"\\([0-7]{3})", lambda code: chr(int(code[1], 8)), field)
