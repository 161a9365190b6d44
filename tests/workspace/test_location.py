import os
from pathlib import Path

import pytest

from forge_daemon.workspace.folder import (
    Folder,
    Place,
    folder_from_path,
    folder_from_uri,
    path_from_uri,
    real_path,
    relative_to,
)
from forge_daemon.workspace.location import locate
from forge_protocol.errors import ErrorCode, ReadError
from tests.workspace.workspaces import folder, link

APP = Folder("app", "/p/app", "file:///p/app")
LIB = Folder("lib", "/p/lib", "file:///p/lib")
DEEP = Folder("deep", "/q/r/deep", "file:///q/r/deep")
INNER = Folder("inner", "/p/app/inner", "file:///p/app/inner")


def places(path: str, *folders: Folder, workspace_folder: str | None = None) -> list[tuple[str, str]]:
    return [(place.folder.name, place.relative) for place in locate(path, folders or (APP, LIB), workspace_folder)]


def refused(path: str, *folders: Folder, workspace_folder: str | None = None) -> ReadError:
    with pytest.raises(ReadError) as caught:
        locate(path, folders or (APP, LIB), workspace_folder)
    return caught.value


class TestRelativePaths:
    def test_a_relative_path_means_one_place_in_each_folder(self) -> None:
        assert places("src/main.py") == [("app", "src/main.py"), ("lib", "src/main.py")]

    @pytest.mark.parametrize("path", ["./a//b", "a/./b", "a/x/../b", "x/../a/b", "../app/a/b", "a/b"])
    def test_relative_paths_are_normalised_as_text(self, path: str) -> None:
        assert places(path, APP) == [("app", "a/b")]

    def test_a_relative_path_may_climb_into_another_open_folder(self) -> None:
        assert places("../lib/x") == [("lib", "x")]

    def test_a_relative_path_may_climb_into_a_folder_deeper_down(self) -> None:
        assert places("../app/inner/x", LIB, INNER) == [("inner", "x")]

    def test_a_relative_path_that_climbs_out_is_refused_as_typed(self) -> None:
        error = refused("../../etc/passwd")
        assert (error.code, error.path) == (ErrorCode.SANDBOX_VIOLATION, "../../etc/passwd")

    def test_a_relative_path_that_climbs_out_of_one_folder_means_the_other(self) -> None:
        assert places("../lib/x", DEEP, LIB) == [("lib", "x")]

    def test_twins_by_prefix_are_not_inside(self) -> None:
        assert refused("../app-evil/x").code == ErrorCode.SANDBOX_VIOLATION
        assert refused("/p/app-evil/x").code == ErrorCode.SANDBOX_VIOLATION

    @pytest.mark.parametrize("path", ["a#b?c", "~/x", "$HOME", "*.py", "50%25", " x ", "http://x", "c:\\x"])
    def test_relative_paths_are_taken_literally(self, path: str) -> None:
        assert places(path, APP) == [("app", path.replace("//", "/"))]

    def test_beneath_the_root_of_the_machine_cannot_climb_out(self) -> None:
        machine = folder_from_path(os.path.abspath("/"))
        assert places("../../etc", machine) == [(machine.name, "etc")]

    def test_a_path_too_long_for_many_folders_needs_the_folder_named(self) -> None:
        many = [Folder(f"f{number}", f"/p/f{number}", f"file:///p/f{number}") for number in range(40)]
        path = "x/" * 16_000 + "y"
        error = refused(path, *many)
        assert error.code == ErrorCode.INVALID_ARGUMENT
        assert "40 workspace folders" in error.reason
        assert "workspace_folder" in (error.hint or "")
        assert places(path, *many, workspace_folder="f3") == [("f3", path)]
        assert places(f"/p/f3/{path}", *many) == [("f3", path)]
        assert len(places("x/" * 1000 + "y", *many)) == 40


class TestAbsolutePaths:
    def test_belong_to_the_innermost_folder(self) -> None:
        assert places("/p/app/inner/x", APP, INNER) == [("inner", "x")]
        assert places("/p/app/x", APP, INNER) == [("app", "x")]

    def test_an_absolute_path_may_name_the_folder_itself(self) -> None:
        assert places("/p/app") == [("app", "")]

    def test_absolute_paths_are_normalised_before_they_are_judged(self) -> None:
        assert places("//p/./app/../lib/x") == [("lib", "x")]
        assert refused("/p/app/../../etc/passwd").code == ErrorCode.SANDBOX_VIOLATION

    def test_outside_are_refused_without_their_name(self) -> None:
        error = refused("/etc/passwd")
        assert (error.code, error.path) == (ErrorCode.SANDBOX_VIOLATION, None)
        assert "etc" not in str(error.data())

    def test_absolute_paths_are_also_matched_by_the_real_root(self, tmp_path: Path) -> None:
        real = tmp_path / "real"
        folder(real)
        by_link = folder_from_path(str(link(tmp_path / "alias", real)))
        assert locate(f"{os.path.realpath(real)}/x", [by_link]) == [Place(by_link, "x")]


class TestFileUris:
    @pytest.mark.parametrize(
        "uri",
        [
            "file:///p/app/a%20b",
            "FILE:///p/app/a b",
            "file:/p/app/a%20b",
            "file://localhost/p/app/a%20b",
            "file://LOCALHOST/p/lib/%2e%2e/app/a%20b",
            "file:///p/app%2Fa%20b",
        ],
    )
    def test_file_uris_are_decoded_and_normalised(self, uri: str) -> None:
        assert places(uri) == [("app", "a b")]

    def test_name_any_file_there_is(self) -> None:
        assert places("file:///p/app/%C3%A9%25%23%3F") == [("app", "é%#?")]
        assert places("file:///p/app/%FF") == [("app", os.fsdecode(b"\xff"))]
        assert places("file:///p/app/100%") == [("app", "100%")]

    @pytest.mark.parametrize("uri", ["file:///etc/passwd", "file:///p/app/%2e%2e/%2e%2e/etc"])
    def test_outside_are_refused_without_their_name(self, uri: str) -> None:
        error = refused(uri)
        assert (error.code, error.path) == (ErrorCode.SANDBOX_VIOLATION, None)

    def test_file_uris_of_another_machine_are_refused(self) -> None:
        assert refused("file://server/p/app/x").code == ErrorCode.SANDBOX_VIOLATION

    @pytest.mark.parametrize(
        "uri",
        [
            "file:///p/app/x?y",
            "file:///p/app/x#L1",
            "file:src/x",
            "file:",
            "file://host",
            "file:///p/app/%00",
        ],
    )
    def test_file_uris_that_name_no_file_are_invalid(self, uri: str) -> None:
        assert refused(uri).code == ErrorCode.INVALID_ARGUMENT


class TestFaults:
    @pytest.mark.parametrize("path", ["", "a\0b", "a\ud800b", "file:///p/app/\ud800"])
    def test_what_no_path_can_be_is_invalid(self, path: str) -> None:
        assert refused(path).code == ErrorCode.INVALID_ARGUMENT

    def test_a_byte_that_is_no_text_can_be_asked_for(self) -> None:
        assert places("\udcff", APP) == [("app", "\udcff")]

    @pytest.mark.parametrize("path", ["x", "/p/app/x", "file:///p/app/x"])
    def test_without_an_open_folder_everything_is_refused(self, path: str) -> None:
        with pytest.raises(ReadError, match="no workspace folder is open") as caught:
            locate(path, [], None)
        assert caught.value.code == ErrorCode.SANDBOX_VIOLATION

    def test_faults_of_the_path_come_first(self) -> None:
        with pytest.raises(ReadError) as caught:
            locate("", [])
        assert caught.value.code == ErrorCode.INVALID_ARGUMENT


class TestDirectories:
    @pytest.mark.parametrize("path", ["a/", "a/.", "a/b/..", "/p/app/a/", "file:///p/app/a/"])
    def test_a_path_that_can_only_be_a_directory_says_so(self, path: str) -> None:
        assert locate(path, [APP]) == [Place(APP, "a", must_be_directory=True)]

    def test_a_path_that_can_be_a_file_need_not_be_a_directory(self) -> None:
        assert not locate("a/b", [APP])[0].must_be_directory


class TestWorkspaceFolder:
    @pytest.mark.parametrize("wanted", ["lib", "file:///p/lib", "file:///p/lib/", "file:/p/l%69b"])
    def test_narrows_by_name_or_uri(self, wanted: str) -> None:
        assert places("x", workspace_folder=wanted) == [("lib", "x")]

    def test_an_unknown_workspace_folder_is_refused_with_the_open_ones(self) -> None:
        error = refused("x", workspace_folder="nope")
        assert error.code == ErrorCode.INVALID_ARGUMENT
        assert "'app'" in error.reason
        assert "'lib'" in error.reason

    def test_a_workspace_folder_whose_name_is_shared_needs_the_uri(self) -> None:
        twin = Folder("lib", "/q/lib", "file:///q/lib")
        error = refused("x", LIB, twin, workspace_folder="lib")
        assert error.code == ErrorCode.INVALID_ARGUMENT
        assert "URI" in error.reason
        assert locate("x", [LIB, twin], "file:///q/lib") == [Place(twin, "x")]

    def test_a_climbing_path_starts_in_the_workspace_folder(self) -> None:
        assert places("../lib/x", workspace_folder="app") == [("lib", "x")]

    def test_chooses_an_outer_folder_for_an_absolute_path(self) -> None:
        assert places("/p/app/inner/x", APP, INNER, workspace_folder="app") == [("app", "inner/x")]

    def test_a_workspace_folder_that_does_not_contain_the_absolute_path_is_refused(self) -> None:
        assert refused("/p/app/x", workspace_folder="lib").code == ErrorCode.INVALID_ARGUMENT
        assert refused("/etc/x", workspace_folder="lib").code == ErrorCode.SANDBOX_VIOLATION


class TestFolders:
    def test_a_folder_keeps_its_uri_and_takes_its_name_from_the_path(self) -> None:
        assert folder_from_uri("file:///p/a%20b/") == Folder("a b", "/p/a b", "file:///p/a%20b/")
        assert folder_from_uri("file:///p", "Mine").name == "Mine"
        assert folder_from_uri("file:///").root == "/"

    @pytest.mark.parametrize("uri", ["untitled:x", "/p/app", "file://host/p", "file:///p?q", "file:p"])
    def test_a_folder_that_is_no_local_file_uri_is_invalid(self, uri: str) -> None:
        with pytest.raises(ReadError) as caught:
            folder_from_uri(uri)
        assert caught.value.code == ErrorCode.INVALID_ARGUMENT

    @pytest.mark.parametrize("path", ["/", "/p/app", "/p/é x#?%", "/\udcff" if os.name == "posix" else "/x"])
    def test_a_folder_of_a_path_has_a_uri_that_means_it(self, path: str) -> None:
        assert path_from_uri(folder_from_path(path).uri) == path

    @pytest.mark.parametrize("uri", ["untitled:x", "file://host/p", "file:///p#x", "file:///\ud800", ""])
    def test_a_uri_of_no_local_file_has_no_path(self, uri: str) -> None:
        assert path_from_uri(uri) is None

    def test_a_root_whose_links_lead_nowhere_is_itself(self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        def raced(_: str) -> str:
            raise OSError

        monkeypatch.setattr(os.path, "realpath", raced)
        assert real_path("/p/app") == "/p/app"

    def test_whole_names_are_compared(self) -> None:
        assert relative_to("/a/ws", "/a/ws-evil") is None
        assert relative_to("/a/ws", "/a/ws/b/c") == "b/c"
        assert relative_to("/", "/b") == "b"
        assert relative_to("/", "/") == ""
