"""The walk that Windows takes, with a stand-in for the system: what it opens are files of this one.

The stand-in opens a name in a directory as `windows_entries.open_entry` does: links are told and not followed, names
match in any case, and the directory's own spelling is told. `test_windows_entries.py` has what needs Windows itself.
"""

import errno
import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from forge_daemon.workspace import sandbox, windows, windows_records
from forge_daemon.workspace.folder import Folder, Place
from forge_daemon.workspace.sandbox import open_place, place_of_missing
from forge_daemon.workspace.walk import Steps
from forge_protocol.errors import ErrorCode, ReadError
from tests.workspace.reparse_points import reparse_data
from tests.workspace.workspaces import code, folder, link, open_descriptors, read, refusal, write

if sys.platform == "win32":
    pytest.skip("Windows itself is there", allow_module_level=True)

SHORT_NAMES = {"LONGNA~1.TXT": "long name.txt"}


def open_entry(name: str, directory: int, *, is_last: bool) -> tuple[int, str] | str:
    wanted = SHORT_NAMES.get(name, name).casefold()
    listed = [entry for entry in os.listdir(directory) if entry.casefold() == wanted]
    if not listed:
        raise FileNotFoundError(errno.ENOENT, name)
    try:
        target = os.readlink(listed[0], dir_fd=directory)
    except OSError:
        flags = os.O_RDONLY if is_last else os.O_RDONLY | os.O_DIRECTORY
        return os.open(listed[0], flags, dir_fd=directory), listed[0]
    found = windows_records.link_target(reparse_data(target.replace("/", "\\")))
    assert found is not None
    return found


@pytest.fixture(autouse=True)
def _on_windows(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    steps = Steps(
        lambda folder: os.open(folder.real_root, os.O_RDONLY | os.O_DIRECTORY),
        open_entry,
        lambda directory: os.open(".", os.O_RDONLY, dir_fd=directory),
    )
    monkeypatch.setattr(windows, "ACTIVE", True)
    monkeypatch.setattr(sandbox, "_STEPS", steps)
    before = open_descriptors()
    yield
    assert open_descriptors() == before


def test_a_file_is_opened_and_its_own_name_is_told(ws: Folder, tmp_path: Path) -> None:
    write(tmp_path / "ws/Dir/long name.txt", "hello")
    assert read(Place(ws, "Dir/long name.txt")) == ("hello", None)
    assert read(Place(ws, "dir/LONGNA~1.TXT")) == ("hello", Place(ws, "Dir/long name.txt"))


@pytest.mark.parametrize("is_there", [True, False])
@pytest.mark.parametrize("target", ["../outside/secret", "{}/outside/secret", "../outside/../outside/secret"])
def test_a_link_out_is_refused_whether_anything_is_there_or_not(
    ws: Folder, tmp_path: Path, target: str, is_there: bool
) -> None:
    if is_there:
        write(tmp_path / "outside/secret", "SECRET")
    link(tmp_path / "ws/link", target.format(tmp_path))
    link(tmp_path / "ws/folder", target.format(tmp_path).removesuffix("/secret"))
    for path in ("link", "folder/secret", "folder/missing"):
        error = refusal(Place(ws, path))
        assert (error.code, error.path) == (ErrorCode.SANDBOX_VIOLATION, path)
        assert error.reason == "a link leads out of every open workspace folder"


def test_a_link_inside_is_followed_whatever_its_case_and_slashes(ws: Folder, tmp_path: Path) -> None:
    write(tmp_path / "ws/dir/file", "hello")
    link(tmp_path / "ws/a/relative", "../DIR/file")
    link(tmp_path / "ws/absolute", f"{tmp_path}/WS/dir/file")
    link(tmp_path / "ws/junction", "dir")
    for path in ("a/relative", "absolute", "junction/file"):
        assert read(Place(ws, path)) == ("hello", Place(ws, "dir/file"))


def test_a_link_into_another_open_folder_is_followed(ws: Folder, tmp_path: Path) -> None:
    other = folder(tmp_path / "Other")
    write(tmp_path / "Other/file", "hello")
    link(tmp_path / "ws/link", "../other/file")
    assert read(Place(ws, "link"), ws, other) == ("hello", Place(other, "file"))
    assert code(Place(ws, "link")) == ErrorCode.SANDBOX_VIOLATION


def test_links_in_a_circle_lead_nowhere(ws: Folder, tmp_path: Path) -> None:
    link(tmp_path / "ws/a", "b")
    link(tmp_path / "ws/b", "a")
    assert code(Place(ws, "a")) == ErrorCode.NOT_FOUND


def test_what_is_not_there_yet_is_where_its_links_lead(ws: Folder, tmp_path: Path) -> None:
    (tmp_path / "ws/dir").mkdir(parents=True)
    link(tmp_path / "ws/junction", "dir")
    assert place_of_missing(Place(ws, "junction/new"), [ws]) == Place(ws, "dir/new")


def test_a_directory_is_opened_to_be_listed(ws: Folder, tmp_path: Path) -> None:
    write(tmp_path / "ws/dir/file", "")
    for place in (Place(ws, "dir", must_be_directory=True), Place(ws, "", must_be_directory=True)):
        descriptor, _ = open_place(place, [ws])
        assert os.listdir(descriptor) == (["file"] if place.relative else ["dir"])
        os.close(descriptor)


@pytest.mark.parametrize(
    ("number", "expected", "retriable"),
    [
        (32, ErrorCode.PERMISSION_DENIED, True),  # held by another process
        (33, ErrorCode.PERMISSION_DENIED, True),
        (5, ErrorCode.PERMISSION_DENIED, False),
        (123, ErrorCode.NOT_FOUND, False),  # no name of a file
        (1921, ErrorCode.NOT_FOUND, False),  # links in a circle
        (1920, ErrorCode.NOT_FILE, False),  # a socket
    ],
)
def test_what_windows_refuses_is_told_in_the_contracts_words(
    ws: Folder, monkeypatch: pytest.MonkeyPatch, number: int, expected: ErrorCode, retriable: bool
) -> None:
    class WindowsError(OSError):
        winerror = number

    def refuse(_folder: Folder) -> int:
        raise WindowsError(errno.EACCES if number in (5, 32, 33) else errno.EINVAL, "as Windows says it")

    monkeypatch.setattr(sandbox, "_STEPS", Steps(refuse, open_entry, os.dup))
    with pytest.raises(ReadError) as caught:
        open_place(Place(ws, "file"), [ws])
    assert (caught.value.code, caught.value.retriable) == (expected, retriable)
