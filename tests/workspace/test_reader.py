"""From path to file: the order of checks, which file is meant, and when an open document answers."""

import os
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.reading.files.document import Document
from forge_daemon.workspace.folder import Folder, Place
from forge_daemon.workspace.location import locate
from forge_daemon.workspace.reader import Target
from forge_protocol.errors import ErrorCode, ReadError
from tests.workspace.readers import Found, read, reader_of, refusal, text_of
from tests.workspace.workspaces import folder, link, open_descriptors, write


class TestOrderOfChecks:
    def test_policy_comes_before_everything_on_disk(self, ws: Folder) -> None:
        root = Path(ws.root)
        (root / ".env").mkdir()
        link(root / "id_rsa", "/etc/passwd")
        for path in (".env", "id_rsa", "missing/.env", "missing.p12"):
            error = refusal(reader_of(ws), path)
            assert (error.code, error.path) == (ErrorCode.POLICY_DENIED, path)

    def test_the_sandbox_comes_before_existence(self, ws: Folder, tmp_path: Path) -> None:
        outside = write(tmp_path / "outside.txt", "secret")
        link(Path(ws.root) / "there", outside)
        link(Path(ws.root) / "not-there", tmp_path / "nothing")
        errors = [refusal(reader_of(ws), path) for path in ("there", "not-there")]
        assert {error.code for error in errors} == {ErrorCode.SANDBOX_VIOLATION}
        assert errors[0].reason == errors[1].reason

    def test_the_policy_of_the_file_a_link_leads_to_comes_before_its_kind(self, ws: Folder) -> None:
        root = Path(ws.root)
        (root / "id_rsa").mkdir()
        write(root / ".env", "secret")
        link(root / "keys", "id_rsa")
        link(root / "harmless.txt", ".env")
        for path, pattern in (("keys", "id_rsa"), ("harmless.txt", ".env")):
            error = refusal(reader_of(ws), path)
            assert (error.code, error.path) == (ErrorCode.POLICY_DENIED, path)
            assert repr(pattern) in error.reason
            assert "leads to" in error.reason

    def test_kind_comes_before_reading(self, ws: Folder) -> None:
        (Path(ws.root) / "directory").mkdir()
        os.mkfifo(Path(ws.root) / "fifo")
        for path in ("directory", "directory/", "fifo", "."):
            assert refusal(reader_of(ws), path).code == ErrorCode.NOT_FILE

    def test_a_file_is_no_directory(self, ws: Folder) -> None:
        write(Path(ws.root) / "a.txt", "a")
        reader = reader_of(ws)
        reader.documents.put(f"{ws.root}/a.txt", Document("buffer", 1))
        reader.documents.put(f"{ws.root}/new.txt", Document("buffer", 1))
        for path in ("a.txt/", "a.txt/.", "a.txt/b", "new.txt/"):
            assert refusal(reader, path).code == ErrorCode.NOT_FOUND
        assert "a `/` after it, maybe the last one" in refusal(reader, "a.txt/").reason

    def test_nothing_stays_open_whatever_happens(self, ws: Folder) -> None:
        root = Path(ws.root)
        write(root / "a.txt", "a")
        write(root / ".env", "secret")
        (root / "directory").mkdir()
        link(root / "harmless.txt", ".env")
        reader = reader_of(ws)
        before = open_descriptors()
        for path in ("directory", "harmless.txt", "missing", ".env"):
            refusal(reader, path)
        read(reader, "a.txt")
        assert open_descriptors() == before


class TestWhichFolder:
    def test_a_relative_path_means_the_one_folder_that_has_the_file(self, ws: Folder, other: Folder) -> None:
        write(Path(other.root) / "only.txt", "found")
        assert read(reader_of(ws, other), "only.txt") == Found("only.txt", "other", "found")

    def test_a_file_in_several_folders_is_ambiguous_and_the_candidates_are_named(
        self, ws: Folder, other: Folder
    ) -> None:
        for each in (ws, other):
            write(Path(each.root) / "both.txt", each.name)
        reader = reader_of(ws, other)
        error = refusal(reader, "both.txt")
        assert (error.code, error.path) == (ErrorCode.INVALID_ARGUMENT, "both.txt")
        assert "ws, other" in error.reason
        assert error.hint == "say which: ws/both.txt, other/both.txt"
        assert read(reader, "other/both.txt") == Found("both.txt", "other", "other")
        assert read(reader, "both.txt", workspace_folder="other").answer == "other"
        assert read(reader, "both.txt", workspace_folder=ws.uri).answer == "ws"
        assert read(reader, f"{other.root}/both.txt") == Found("both.txt", "other", "other")

    def test_a_path_that_exists_as_given_is_taken_as_given(self, ws: Folder, other: Folder) -> None:
        write(Path(other.root) / "notes.txt", "in the folder")
        assert read(reader_of(ws, other), "other/notes.txt") == Found("notes.txt", "other", "in the folder")
        write(Path(ws.root) / "other/notes.txt", "as given")
        assert read(reader_of(ws, other), "other/notes.txt") == Found("other/notes.txt", "ws", "as given")

    def test_a_folders_name_in_front_leads_nowhere_else(self, ws: Folder, other: Folder, tmp_path: Path) -> None:
        write(tmp_path / "outside.txt", "")
        write(Path(other.root) / ".env", "")
        reader = reader_of(ws, other)
        assert refusal(reader, "other/../../outside.txt").code == ErrorCode.SANDBOX_VIOLATION
        assert refusal(reader, "other/.env").code == ErrorCode.POLICY_DENIED
        assert refusal(reader, "other/nothing").code == ErrorCode.NOT_FOUND
        assert refusal(reader_of(ws), "ws/nothing").code == ErrorCode.NOT_FOUND

    def test_only_regular_files_that_may_be_read_make_a_path_ambiguous(self, ws: Folder, other: Folder) -> None:
        write(Path(ws.root) / "name", "file")
        (Path(other.root) / "name").mkdir()
        assert read(reader_of(ws, other), "name").answer == "file"
        write(Path(ws.root) / "secret.txt", "denied")
        write(Path(other.root) / "secret.txt", "allowed")
        write(Path(ws.root) / "forge.toml", '[policy]\ndeny = ["secret.txt"]\n')
        assert read(reader_of(ws, other), "secret.txt") == Found("secret.txt", "other", "allowed")

    def test_the_most_telling_refusal_is_given_where_no_folder_has_it(self, ws: Folder, other: Folder) -> None:
        (Path(other.root) / "directory").mkdir()
        error = refusal(reader_of(ws, other), "directory")
        assert (error.code, error.path) == (ErrorCode.NOT_FILE, "directory")
        assert refusal(reader_of(ws, other), ".env").code == ErrorCode.POLICY_DENIED
        assert refusal(reader_of(ws, other), "missing").code == ErrorCode.NOT_FOUND

    def test_a_new_document_counts_as_a_file(self, ws: Folder, other: Folder) -> None:
        reader = reader_of(ws, other)
        reader.documents.put(f"{other.root}/new.txt", Document("unsaved", 1))
        assert read(reader, "new.txt") == Found("new.txt", "other", "unsaved")
        assert refusal(reader, "new.txt", "disk").code == ErrorCode.NOT_FOUND
        write(Path(ws.root) / "new.txt", "saved")
        assert refusal(reader, "new.txt").code == ErrorCode.INVALID_ARGUMENT
        assert read(reader, "new.txt", "disk") == Found("new.txt", "ws", "saved")

    def test_an_absolute_path_belongs_to_the_innermost_folder(self, ws: Folder) -> None:
        inner = folder(Path(ws.root) / "inner")
        write(Path(inner.root) / "a.txt", "a")
        reader = reader_of(ws, inner)
        assert read(reader, f"{ws.root}/inner/a.txt") == Found("a.txt", "inner", "a")
        assert read(reader, f"{inner.uri}/a.txt") == Found("a.txt", "inner", "a")
        assert read(reader, "inner/a.txt") == Found("inner/a.txt", "ws", "a")

    def test_a_link_into_another_open_folder_is_followed_and_named_as_asked(self, ws: Folder, other: Folder) -> None:
        target = write(Path(other.root) / "deep" / "target.txt", "there")
        link(Path(ws.root) / "link.txt", target)
        assert read(reader_of(ws, other), "./x/../link.txt") == Found("link.txt", "ws", "there")
        assert refusal(reader_of(ws), "link.txt").code == ErrorCode.SANDBOX_VIOLATION

    def test_a_link_into_another_folder_is_under_that_folder_s_policy(self, ws: Folder, other: Folder) -> None:
        target = write(Path(other.root) / "private.txt", "there")
        write(Path(other.root) / "forge.toml", '[policy]\ndeny = ["private.txt"]\n')
        link(Path(ws.root) / "link.txt", target)
        assert refusal(reader_of(ws, other), "link.txt").code == ErrorCode.POLICY_DENIED

    def test_without_a_folder_nothing_is_read(self) -> None:
        error = refusal(reader_of(), "a.txt")
        assert error.code == ErrorCode.SANDBOX_VIOLATION
        assert "no workspace folder is open" in error.reason

    def test_folders_can_be_opened_and_closed(self, ws: Folder, other: Folder) -> None:
        write(Path(ws.root) / "a.txt", "a")
        write(Path(other.root) / "b.txt", "b")
        reader = reader_of(ws)
        read(reader, "a.txt")
        reader.set_folders([ws, other])
        assert reader.folders == (ws, other)
        assert [figures.entries for _, figures in reader.cache_figures()] == [1, 0]
        assert read(reader, "b.txt").answer == "b"
        reader.set_folders([other])
        assert refusal(reader, f"{ws.root}/a.txt").code == ErrorCode.SANDBOX_VIOLATION


class TestWhatAPathMeans:
    def test_a_path_is_resolved_again_when_folders_come_and_go(self, ws: Folder, other: Folder) -> None:
        write(Path(ws.root) / "a.txt", "in ws")
        write(Path(other.root) / "a.txt", "in other")
        reader = reader_of(ws)
        assert read(reader, "a.txt").answer == "in ws"
        reader.set_folders([ws, other])
        assert refusal(reader, "a.txt").code == ErrorCode.INVALID_ARGUMENT
        reader.set_folders([other])
        assert read(reader, "a.txt").answer == "in other"

    def test_a_folder_closed_while_it_is_asked_for_is_not_remembered(
        self, ws: Folder, other: Folder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(Path(ws.root) / "a.txt", "in ws")
        write(Path(other.root) / "a.txt", "in other")
        reader = reader_of(ws)

        def close_meanwhile(*asked: Any) -> list[Place]:
            places = locate(*asked)
            reader.set_folders([other])
            return places

        with monkeypatch.context() as patched:
            patched.setattr("forge_daemon.workspace.reader.locate", close_meanwhile)
            reader.open(Target("a.txt"))
        assert read(reader, "a.txt") == Found("a.txt", "other", "in other")


def test_a_file_in_nested_folders_must_be_allowed_by_each(ws: Folder) -> None:
    inner = folder(Path(ws.root) / "inner")
    write(Path(inner.root) / "forge.toml", '[policy]\ndeny = ["private.txt"]\n')
    write(Path(inner.root) / "private.txt", "for nobody\n")
    reader = reader_of(ws, inner)
    for path in ("inner/private.txt", f"{inner.root}/private.txt"):
        assert refusal(reader, path).code == ErrorCode.POLICY_DENIED


class TestFoldersThatAreReplaced:
    def test_a_folder_that_was_created_again_is_read(self, ws: Folder) -> None:
        reader = reader_of(ws)
        write(Path(ws.root) / "a.txt", "old")
        assert read(reader, "a.txt").answer == "old"
        Path(ws.root).rename(f"{ws.root}.old")
        write(Path(ws.root) / "a.txt", "new")
        assert read(reader, "a.txt").answer == "new"

    def test_a_folder_that_became_a_link_is_refused_until_it_is_opened_again(self, ws: Folder, other: Folder) -> None:
        write(Path(other.root) / "secret.txt", "secret")
        write(Path(ws.root) / "a.txt", "text")
        inner = folder(Path(ws.root) / "pkg")
        reader = reader_of(ws, inner)
        Path(inner.root).rmdir()
        link(Path(inner.root), other.root)
        for path in (f"{inner.root}/secret.txt", f"{inner.root}/none"):
            assert refusal(reader, path).code == ErrorCode.SANDBOX_VIOLATION
        assert read(reader, "a.txt").answer == "text"
        assert read(reader_of(folder(Path(inner.root))), "secret.txt").answer == "secret"

    def test_a_folder_below_a_directory_that_became_a_link_is_refused(self, tmp_path: Path) -> None:
        deep = folder(tmp_path.resolve() / "above/ws")
        write(tmp_path / "elsewhere/ws/a.txt", "secret")
        reader = reader_of(deep)
        (tmp_path / "above").rename(tmp_path / "before")
        link(tmp_path / "above", "elsewhere")
        assert refusal(reader, "a.txt").code == ErrorCode.SANDBOX_VIOLATION

    def test_a_read_that_is_under_way_when_its_folder_is_closed_is_refused(self, ws: Folder, other: Folder) -> None:
        write(Path(ws.root) / "a.txt", "text")
        reader = reader_of(ws)
        with reader.open(Target("a.txt")) as file:
            assert file.read(text_of) == "text"
            reader.set_folders([other])
            with pytest.raises(ReadError) as caught:
                file.read(text_of)
        assert caught.value.code == ErrorCode.SANDBOX_VIOLATION


class TestBounds:
    def test_a_policy_goes_when_the_settings_it_was_made_of_do(self, ws: Folder, other: Folder) -> None:
        write(Path(ws.root) / "a.txt", "text")
        reader = reader_of(ws)
        for number in range(10):
            reader.settings.set_client({"policy": {"deny": [f"denied{number}"]}})
            read(reader, "a.txt")
        assert len(reader.policies._known) == 1
        reader.set_folders([other])
        assert reader.policies._known == {}

    def test_many_documents_that_lead_nowhere_are_looked_up_once(
        self, ws: Folder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(Path(ws.root) / "a.txt", "text")
        reader = reader_of(ws)
        for number in range(20):
            reader.documents.put(f"{ws.root}/{'x' * 300}{number}", Document("text", 1))
        assert read(reader, "a.txt").answer == "text"
        monkeypatch.setattr(os.path, "realpath", None)
        assert read(reader, "a.txt").answer == "text"
