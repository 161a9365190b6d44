"""What needs Windows itself: handles, sharing, times and long paths. `make test-windows` runs it."""

import os
import sys
from pathlib import Path

import pytest

from forge_daemon.reading.files.same_file import Identity
from forge_daemon.workspace.folder import Folder, Place
from forge_protocol.errors import ErrorCode
from tests.workspace.workspaces import code, link, read, refusal, write

if sys.platform != "win32":
    pytest.skip("needs Windows", allow_module_level=True)

import ctypes

from forge_daemon.rpc.watchdog import _is_alive
from forge_daemon.workspace import windows_entries

_GENERIC_READ_WRITE, _OPEN_EXISTING = 0xC0000000, 3


@pytest.fixture
def inside(ws: Folder) -> Path:
    return Path(ws.root)


def test_a_file_that_another_holds_can_be_tried_again(ws: Folder, inside: Path) -> None:
    file = write(inside / "held.txt", "text")
    kernel32 = ctypes.WinDLL("kernel32")
    kernel32.CreateFileW.restype = ctypes.c_void_p
    handle = kernel32.CreateFileW(str(file), _GENERIC_READ_WRITE, 0, None, _OPEN_EXISTING, 0, None)
    error = refusal(Place(ws, "held.txt"))
    assert (error.code, error.retriable) == (ErrorCode.PERMISSION_DENIED, True)
    kernel32.CloseHandle(ctypes.c_void_p(handle))
    assert read(Place(ws, "held.txt")) == ("text", None)


def test_a_file_that_is_read_can_be_renamed_and_deleted(inside: Path) -> None:
    file = write(inside / "log", "text")
    descriptor = windows_entries.open_file(file.as_posix())
    file.rename(inside / "log.1")
    (inside / "log.1").unlink()
    os.close(descriptor)
    assert os.listdir(inside) == []


def test_a_rewrite_that_puts_the_time_back_is_a_change(inside: Path) -> None:
    file = write(inside / "file", "before")
    before = os.stat(file)
    descriptor = windows_entries.open_file(file.as_posix())
    seen = Identity.of(descriptor)
    file.write_text("after!")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    assert os.stat(file).st_mtime_ns == before.st_mtime_ns
    assert Identity.of(descriptor) != seen
    os.close(descriptor)


def test_paths_above_260_characters_are_read(ws: Folder, inside: Path) -> None:
    names = ["d" * 50] * 8
    os.makedirs("\\\\?\\" + "\\".join([str(inside), *names]))
    with open("\\\\?\\" + "\\".join([str(inside), *names, "file"]), "w") as file:
        file.write("text")
    assert read(Place(ws, "/".join([*names, "file"]))) == ("text", None)


@pytest.mark.parametrize("name", ["a*b", "a?b", "a|b", "a<b", "a>b", 'a"b', "a\x01b"])
def test_names_that_no_file_can_have_are_not_found(ws: Folder, name: str) -> None:
    assert code(Place(ws, name)) == ErrorCode.NOT_FOUND


def test_names_are_told_as_the_directory_has_them(ws: Folder, inside: Path) -> None:
    write(inside / "Dir/File.txt", "text")
    assert read(Place(ws, "dir/FILE.TXT")) == ("text", Place(ws, "Dir/File.txt"))
    descriptor = windows_entries.open_file(ws.root)
    assert [(entry.name, entry.is_directory) for entry in windows_entries.entries(descriptor)] == [("Dir", True)]
    os.close(descriptor)


def test_a_folder_that_is_gone_is_told_and_one_made_anew_is_read(ws: Folder, inside: Path) -> None:
    write(inside / "file", "text")
    assert read(Place(ws, "file")) == ("text", None)
    inside.rename(inside.with_name("moved"))
    assert refusal(Place(ws, "file")).reason == "the workspace folder no longer exists"
    write(inside / "file", "anew")
    assert read(Place(ws, "file")) == ("anew", None)


def test_a_folder_that_became_a_link_is_refused(ws: Folder, inside: Path) -> None:
    write(inside / "file", "text")
    assert read(Place(ws, "file")) == ("text", None)
    write(inside.with_name("elsewhere") / "file", "SECRET")
    inside.rename(inside.with_name("moved"))
    link(inside, inside.with_name("elsewhere"))
    assert code(Place(ws, "file")) == ErrorCode.SANDBOX_VIOLATION


def test_links_that_the_system_follows_by_itself_lead_nowhere_else(ws: Folder, inside: Path) -> None:
    """Wine follows links, whatever it is asked: what was reached is compared with the directory it was asked of."""
    write(inside / "dir/file", "text")
    write(inside.with_name("outside") / "file", "SECRET")
    link(inside / "in", "dir")
    link(inside / "out", "../outside")
    assert read(Place(ws, "in/file")) == ("text", Place(ws, "dir/file"))
    assert code(Place(ws, "out/file")) == ErrorCode.SANDBOX_VIOLATION


def test_a_process_is_alive_until_it_ends() -> None:
    assert _is_alive(os.getpid())
    assert not _is_alive(2**31 - 4)
