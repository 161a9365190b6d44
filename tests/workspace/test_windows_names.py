"""The rules of Windows for names, links and listings are text and bytes, and hold on any system."""

import os
import struct

import pytest

from forge_daemon.workspace import windows, windows_records
from forge_daemon.workspace.folder import Place, folder_from_path, folder_from_uri
from forge_daemon.workspace.location import locate
from forge_daemon.workspace.walk import Steps, open_by_walking
from forge_protocol.errors import ErrorCode, ReadError
from tests.workspace.reparse_points import reparse_data


@pytest.fixture(autouse=True)
def _on_windows(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(windows, "ACTIVE", True)


def test_drive_letters_and_names_match_in_any_case_with_any_slashes() -> None:
    home = folder_from_uri("file:///c%3A/Users/Me")
    assert home.root == "C:/Users/Me"
    for path in ("c:\\users\\ME\\a\\b.txt", "C:/Users/Me/a/b.txt", "file:///C:/users/me/a/b.txt", "a\\b.txt"):
        assert locate(path, [home]) == [Place(home, "a/b.txt")]


def test_network_folders_are_folders() -> None:
    share = folder_from_uri("file://server/share/work")
    assert share.root == "//server/share/work"
    assert locate("\\\\SERVER\\share\\work\\x", [share]) == [Place(share, "x")]
    assert folder_from_path("\\\\server\\share").root == "//server/share/"
    assert folder_from_path("//server/share/a").uri == "file://server/share/a"
    assert folder_from_path("C:\\a b").uri == "file:///C:/a%20b"


def test_a_path_cannot_climb_out_of_its_drive() -> None:
    drive = folder_from_path("C:\\")
    assert drive.root == "C:/"
    assert locate("..\\..\\x", [drive]) == [Place(drive, "x")]


@pytest.mark.parametrize("path", ["D:\\x", "\\x", "..\\x", "\\\\server\\share\\x", "\\\\?\\C:\\ws\\x", "C:\\ws2\\x"])
def test_what_leads_out_is_refused(path: str) -> None:
    with pytest.raises(ReadError) as caught:
        locate(path, [folder_from_path("C:\\ws")])
    assert caught.value.code == ErrorCode.SANDBOX_VIOLATION


@pytest.mark.parametrize(
    "path",
    [
        "a.txt:stream",
        "a.txt::$DATA",
        "C:x",
        "con",
        "dir/NUL.txt",
        "com1",
        "LPT9.log",
        "aux .c",
        "x.",
        "x ",
        "a./b",
    ],
)
def test_names_that_windows_takes_for_something_else_are_refused(path: str) -> None:
    with pytest.raises(ReadError) as caught:
        locate(path, [folder_from_path("C:\\ws")])
    assert caught.value.code == ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize("path", ["console.log", "com10", ".env", "nul-terminated.c", "a.b.c"])
def test_ordinary_names_are_not(path: str) -> None:
    home = folder_from_path("C:\\ws")
    assert locate(path, [home]) == [Place(home, path)]


@pytest.mark.parametrize("uri", ["file:///c:/%FF", "file:///c:/a/%C3%28"])
def test_a_uri_whose_bytes_are_not_utf_8_is_refused_and_spoils_nothing_else(uri: str) -> None:
    for refused in (lambda: locate(uri, [folder_from_path("C:\\a")]), lambda: folder_from_uri(uri)):
        with pytest.raises(ReadError) as caught:
            refused()
        assert caught.value.code == ErrorCode.INVALID_ARGUMENT
        assert "not UTF-8" in caught.value.reason


def test_half_a_character_is_refused() -> None:
    with pytest.raises(ReadError) as caught:
        locate("\udcff", [folder_from_path("C:\\a")])
    assert caught.value.code == ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("target", "leads_to"),
    [
        ("..\\a\\b.txt", "../a/b.txt"),
        ("\\??\\C:\\Users\\Me", "C:/Users/Me"),
        ("\\??\\UNC\\server\\share\\x", "//server/share/x"),
        ("\\Windows", "/Windows"),
        ("\\??\\Volume{0b5f}\\", "//?/Volume{0b5f}/"),
    ],
)
@pytest.mark.parametrize("junction", [True, False])
def test_the_data_of_a_link_tells_where_it_leads(target: str, leads_to: str, junction: bool) -> None:
    assert windows_records.link_target(reparse_data(target, junction=junction)) == leads_to


def test_other_reparse_points_lead_nowhere_that_is_known() -> None:
    assert windows_records.link_target(reparse_data("x", tag=0xA000001D)) is None
    assert windows_records.is_name_surrogate(0xA000001D)
    assert not windows_records.is_name_surrogate(0x9000001A)  # a file that is kept in the cloud


@pytest.mark.parametrize("target", ["\\Windows", "\\??\\Volume{0b5f}\\x", "\\??\\D:\\ws\\x", "\\??\\UNC\\C$\\ws\\x"])
def test_a_link_to_another_volume_leads_out(target: str) -> None:
    ws = folder_from_path("C:\\ws")

    def entry(name: str, directory: int, *, is_last: bool) -> str:
        return windows_records.link_target(reparse_data(target)) or ""

    with pytest.raises(ReadError) as caught:
        open_by_walking(Place(ws, "link"), [ws], Steps(lambda _: os.open(os.devnull, os.O_RDONLY), entry, os.dup))
    assert caught.value.code == ErrorCode.SANDBOX_VIOLATION


def test_a_link_without_a_drive_means_that_of_its_folder() -> None:
    ws = folder_from_path("C:\\ws")
    ws.resolved_root = ws.root
    met = []

    def entry(name: str, directory: int, *, is_last: bool) -> tuple[int, str] | str:
        met.append(name)
        return "/WS/dir/file" if name == "link" else (os.dup(directory), name)

    steps = Steps(lambda _: os.open(os.devnull, os.O_RDONLY), entry, os.dup)
    descriptor, leads_to = open_by_walking(Place(ws, "link"), [ws], steps)
    os.close(descriptor)
    assert (met, leads_to) == (["link", "dir", "file"], Place(ws, "dir/file"))


@pytest.mark.parametrize(
    ("directory", "reached", "way"),
    [
        ("\\a\\b", "\\a\\b\\c", "c"),
        ("\\a\\b", "\\a\\x\\y", "../x/y"),
        ("\\a\\b", "\\a\\b", "."),
        ("\\", "\\x", "x"),
        ("\\a", "\\b", "../b"),
    ],
)
def test_the_way_from_a_directory_to_a_file(directory: str, reached: str, way: str) -> None:
    assert windows.path_between(directory, reached) == way


@pytest.mark.parametrize(
    ("path", "extended"),
    [("C:/a/b", "\\\\?\\C:\\a\\b"), ("//server/share/a", "\\\\?\\UNC\\server\\share\\a"), ("a", "a")],
)
def test_a_path_of_any_length_has_a_form_of_its_own(path: str, extended: str) -> None:
    assert windows.extended_path(path) == extended
    assert windows.without_extension(extended) == path


def test_a_listing_tells_names_and_kinds() -> None:
    link_tag, cloud_tag, archive = 0xA000000C, 0x9000001A, 0x20
    entries = [
        (".", windows_records.DIRECTORY, 0),
        ("..", windows_records.DIRECTORY, 0),
        ("dir", windows_records.DIRECTORY, 0),
        ("名前.txt", archive, 0),
        ("link", windows_records.REPARSE_POINT, link_tag),
        ("junction", windows_records.DIRECTORY | windows_records.REPARSE_POINT, 0xA0000003),
        ("in the cloud", windows_records.REPARSE_POINT, cloud_tag),
    ]
    listing = b""
    for number, (name, attributes, tag) in enumerate(entries, 1):
        encoded = name.encode("utf-16-le")
        record = struct.pack("<I36xQ8xIII", 0, number, attributes, len(encoded), tag) + encoded
        record += b"\0" * (-len(record) % 8)
        listing += (struct.pack("<I", len(record)) if number < len(entries) else b"\0\0\0\0") + record[4:]
    assert list(windows_records.listed_entries(listing + b"rest of the buffer")) == [
        windows_records.Entry("dir", True, False, False, 3),
        windows_records.Entry("名前.txt", False, True, False, 4),
        windows_records.Entry("link", False, False, True, 5),
        windows_records.Entry("junction", False, False, True, 6),
        windows_records.Entry("in the cloud", False, True, False, 7),
    ]
