"""The rules for names on Windows are text, and hold on any system; that Windows keeps them was not seen."""

import pytest

from forge_daemon.workspace import windows
from forge_daemon.workspace.folder import Place, folder_from_path, folder_from_uri
from forge_daemon.workspace.location import locate
from forge_protocol.errors import ErrorCode, ReadError


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
    assert folder_from_path("C:\\a b").uri == "file:///C%3A/a%20b"


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
