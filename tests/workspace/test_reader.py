"""From path to file: the order of checks, which file is meant, and when an open document answers."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event
from typing import Any

import pytest

from forge_daemon.reading.selection import Lines
from forge_daemon.reading.sources.buffer import Buffer
from forge_daemon.reading.sources.source import no_progress
from forge_daemon.reading.windows.read import read_window
from forge_daemon.reading.windows.window import WindowRequest
from forge_daemon.workspace.folder import Folder, Place
from forge_daemon.workspace.location import locate
from forge_daemon.workspace.reader import Reader, Target
from forge_daemon.workspace.storage import is_local
from forge_protocol.errors import ErrorCode, ReadError
from workspace.kernel import opens_inline
from workspace.readers import Found, read, reader_of, refusal, text_of
from workspace.workspaces import folder, link, open_descriptors, write


@pytest.fixture
def ws(tmp_path: Path) -> Folder:
    return folder(tmp_path.resolve() / "ws")


@pytest.fixture
def other(tmp_path: Path) -> Folder:
    return folder(tmp_path.resolve() / "other")


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
        reader.documents.put(f"{ws.root}/a.txt", Buffer("buffer", 1))
        reader.documents.put(f"{ws.root}/new.txt", Buffer("buffer", 1))
        for path in ("a.txt/", "a.txt/.", "a.txt/b", "new.txt/"):
            assert refusal(reader, path).code == ErrorCode.NOT_FOUND

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

    def test_only_regular_files_that_may_be_read_make_it_ambiguous(self, ws: Folder, other: Folder) -> None:
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
        reader.documents.put(f"{other.root}/new.txt", Buffer("unsaved", 1))
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


class TestDocuments:
    @pytest.fixture
    def reader(self, ws: Folder) -> Reader:
        write(Path(ws.root) / "a.txt", "saved")
        os.utime(Path(ws.root) / "a.txt", (1_000_000, 1_000_000))
        reader = reader_of(ws)
        reader.documents.put(f"{ws.root}/a.txt", Buffer("edited", 3))
        return reader

    def test_the_open_document_is_read_unless_the_disk_is_asked_for(self, reader: Reader) -> None:
        assert [read(reader, "a.txt", source).answer for source in ("auto", "buffer", "disk")] == [
            "edited",
            "edited",
            "saved",
        ]

    def test_unsaved_means_the_document_only_while_it_differs_from_the_disk(self, reader: Reader, ws: Folder) -> None:
        def answering(path: str) -> str:
            with reader.open(Target(path, source="unsaved")) as file:
                return file.source.kind

        assert (answering("a.txt"), read(reader, "a.txt", "unsaved").answer) == ("buffer", "edited")
        reader.documents.put(f"{ws.root}/a.txt", Buffer("saved", 4))
        assert (answering("a.txt"), read(reader, "a.txt", "unsaved").answer) == ("disk", "saved")
        (Path(ws.root) / "a.txt").write_bytes(b"\xef\xbb\xbfsaved")
        assert answering("a.txt") == "disk"
        write(Path(ws.root) / "a.txt", "changed by another program")
        assert (answering("a.txt"), read(reader, "a.txt", "unsaved").answer) == ("buffer", "saved")
        reader.documents.put(f"{ws.root}/new.txt", Buffer("never saved", 1))
        assert answering("new.txt") == "buffer"
        large = "x" * 3_000_000
        write(Path(ws.root) / "large.txt", large)
        reader.documents.put(f"{ws.root}/large.txt", Buffer(large, 1))
        assert answering("large.txt") == "disk"
        reader.documents.put(f"{ws.root}/large.txt", Buffer(large[:-1] + "y", 2))
        assert answering("large.txt") == "buffer"

    def test_it_comes_with_the_time_of_the_file_on_disk(self, reader: Reader, ws: Folder) -> None:
        def time_of(path: str) -> int | None:
            with reader.open(Target(path)) as file:
                return file.source.mtime_ms

        reader.documents.put(f"{ws.root}/new.txt", Buffer("", 1))
        assert (time_of("a.txt"), time_of("new.txt")) == (1_000_000_000, None)

    def test_it_is_found_by_any_path_that_leads_to_its_file(self, reader: Reader, ws: Folder) -> None:
        link(Path(ws.root) / "link.txt", "a.txt")
        link(Path(ws.root) / "here", ".")
        for path in ("link.txt", "here/a.txt", "here/here/link.txt", f"{ws.root}/link.txt"):
            assert read(reader, path).answer == "edited"

    def test_a_document_opened_through_a_link_is_found_by_its_file(self, ws: Folder) -> None:
        write(Path(ws.root) / "a.txt", "saved")
        link(Path(ws.root) / "link.txt", "a.txt")
        reader = reader_of(ws)
        reader.documents.put(f"{ws.root}/link.txt", Buffer("edited", 1))
        assert read(reader, "a.txt").answer == "edited"
        assert read(reader, "link.txt").answer == "edited"

    def test_a_folder_opened_through_a_link_has_the_same_documents(self, tmp_path: Path, ws: Folder) -> None:
        write(Path(ws.root) / "a.txt", "saved")
        by_link = folder(link(tmp_path / "by-link", ws.root))
        reader = reader_of(by_link)
        reader.documents.put(f"{ws.root}/a.txt", Buffer("edited", 1))
        assert read(reader, "a.txt").answer == "edited"

    def test_the_path_asked_for_has_the_first_word(self, reader: Reader, ws: Folder) -> None:
        link(Path(ws.root) / "link.txt", "a.txt")
        reader.documents.put(f"{ws.root}/link.txt", Buffer("the link's own", 1))
        assert read(reader, "link.txt").answer == "the link's own"
        assert read(reader, "a.txt").answer == "edited"

    def test_a_new_document_inside_a_folder_is_served(self, reader: Reader, ws: Folder) -> None:
        reader.documents.put(f"{ws.root}/not/yet/there.txt", Buffer("new", 1))
        assert read(reader, "not/yet/there.txt") == Found("not/yet/there.txt", "ws", "new")
        assert read(reader, "not/yet/there.txt", "buffer").answer == "new"
        assert refusal(reader, "not/yet/there.txt", "disk").code == ErrorCode.NOT_FOUND

    def test_no_document_gets_around_policy_or_sandbox(self, reader: Reader, ws: Folder, tmp_path: Path) -> None:
        write(Path(ws.root) / ".env", "secret")
        link(Path(ws.root) / "out.txt", write(tmp_path / "outside.txt", "outside"))
        link(Path(ws.root) / "denied.txt", ".env")
        for path, code in (
            (".env", ErrorCode.POLICY_DENIED),
            ("new.p12", ErrorCode.POLICY_DENIED),
            ("denied.txt", ErrorCode.POLICY_DENIED),
            ("out.txt", ErrorCode.SANDBOX_VIOLATION),
        ):
            reader.documents.put(f"{ws.root}/{path}", Buffer("text", 1))
            assert refusal(reader, path).code == code
        reader.documents.put(f"{tmp_path}/outside.txt", Buffer("text", 1))
        assert refusal(reader, f"{tmp_path}/outside.txt").code == ErrorCode.SANDBOX_VIOLATION

    def test_a_file_that_is_not_open_has_no_buffer(self, reader: Reader, ws: Folder) -> None:
        write(Path(ws.root) / "b.txt", "b")
        error = refusal(reader, "b.txt", "buffer")
        assert (error.code, error.path) == (ErrorCode.NOT_FOUND, "b.txt")
        assert "not open" in error.reason
        assert refusal(reader, "missing.txt", "buffer").code == ErrorCode.NOT_FOUND


@opens_inline
class TestInline:
    """Opening inline gives the same file, or leaves it to a worker."""

    @pytest.fixture
    def memory(self) -> Iterator[Folder]:
        """A folder that is certain to be on local storage."""
        if not os.access("/dev/shm", os.W_OK):
            pytest.skip("this system has no such storage")
        with TemporaryDirectory(dir="/dev/shm") as directory:
            yield folder(Path(directory) / "memory")

    def opened(self, reader: Reader, path: str) -> str | None:
        file = reader.open_inline(Target(path))
        if file is None:
            return None
        with file:
            return file.read(text_of, no_progress)

    def test_a_plain_file_is_opened(self, memory: Folder) -> None:
        write(Path(memory.root) / "src" / "a.txt", "text")
        reader = reader_of(memory)
        assert self.opened(reader, "src/a.txt") == "text"
        assert self.opened(reader, f"{memory.root}/src/a.txt") == "text"
        reader.documents.put(f"{memory.root}/src/a.txt", Buffer("edited", 1))
        assert read(reader, "src/a.txt").answer == "edited"

    def test_policy_is_asked_first(self, memory: Folder) -> None:
        write(Path(memory.root) / ".env", "secret")
        with pytest.raises(ReadError) as caught:
            reader_of(memory).open_inline(Target(".env"))
        assert (caught.value.code, caught.value.path) == (ErrorCode.POLICY_DENIED, ".env")

    def test_links_and_what_is_not_there_are_left_to_others(self, memory: Folder) -> None:
        write(Path(memory.root) / "a.txt", "text")
        link(Path(memory.root) / "link.txt", "a.txt")
        for path in ("link.txt", "missing.txt"):
            assert reader_of(memory).open_inline(Target(path)) is None

    def test_a_document_whose_links_are_not_known_yet_is_left_to_others(self, memory: Folder) -> None:
        write(Path(memory.root) / "a.txt", "text")
        reader = reader_of(memory)
        reader.documents.put(f"{memory.root}/b.txt", Buffer("edited", 1))
        before = open_descriptors()
        assert reader.open_inline(Target("a.txt")) is None
        assert open_descriptors() == before
        assert read(reader, "a.txt").answer == "text"
        assert self.opened(reader, "a.txt") == "text"

    def test_a_folder_on_unknown_storage_is_left_to_others(self, ws: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
        write(Path(ws.root) / "a.txt", "text")
        monkeypatch.setattr("forge_daemon.workspace.reader.local_now", lambda: lambda _root: False)
        reader = reader_of(ws)
        assert read(reader, "a.txt").answer == "text"
        assert reader.open_inline(Target("a.txt")) is None

    def test_a_folder_whose_storage_does_not_answer_delays_only_what_may_lie_in_it(
        self, memory: Folder, ws: Folder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        answers = Event()

        def real_path(root: str) -> str:
            answers.wait()
            return root

        write(Path(memory.root) / "a.txt", "text")
        reader = reader_of(memory)
        monkeypatch.setattr("forge_daemon.workspace.reader.is_local", lambda root: root == memory.root)
        monkeypatch.setattr("forge_daemon.workspace.folder.real_path", real_path)
        monkeypatch.setattr("forge_daemon.workspace.folder.PATIENCE_SECONDS", 0.0)
        reader.set_folders([memory, Folder("slow", ws.root, ws.uri)])
        assert self.opened(reader, f"{memory.root}/a.txt") == "text"
        assert self.opened(reader, "/elsewhere/a.txt") is None
        assert self.opened(reader, f"{memory.root}/../a.txt") is None
        answers.set()

    def test_it_knows_the_folders_of_the_moment(self, memory: Folder, ws: Folder) -> None:
        write(Path(memory.root) / "a.txt", "text")
        write(Path(memory.root) / "other" / "a.txt", "other text")
        reader = reader_of(memory)
        assert self.opened(reader, "a.txt") == "text"
        reader.set_folders([folder(Path(memory.root) / "other")])
        assert self.opened(reader, "a.txt") == "other text"

    def test_one_that_is_never_read_is_closed_all_the_same(self, memory: Folder) -> None:
        write(Path(memory.root) / "a.txt", "text")
        before = open_descriptors()
        file = reader_of(memory).open_inline(Target("a.txt"))
        assert open_descriptors() != before
        del file
        assert open_descriptors() == before


class TestFilesThatGrew:
    def test_their_lines_are_counted_again_when_there_is_time(self, ws: Folder) -> None:
        """A change in the middle of a file that also grows is not seen at first: both its ends are as before."""
        path = write(Path(ws.root) / "app.log", "".join(f"line {number}\n" for number in range(1, 300_001)))
        reader = reader_of(ws)

        def line(number: int) -> str:
            request = WindowRequest(Lines(number, number))
            with reader.open(Target("app.log")) as file:
                return file.read(lambda source: read_window(source, request, no_progress), no_progress).content

        assert line(250_000) == "line 250000\n"
        assert not reader.has_grown_files
        with open(path, "r+b") as log:
            log.seek(1_000_000)
            log.write(b"\n" * 10)
            log.seek(0, os.SEEK_END)
            log.write(b"line 300001\n")
        line(250_000)
        assert reader.has_grown_files
        reader.recount_grown_files(no_progress)
        assert not reader.has_grown_files
        assert line(250_000) == path.read_text().split("\n")[249_999] + "\n"


class TestWhatAPathMeans:
    def test_it_is_asked_anew_when_folders_come_and_go(self, ws: Folder, other: Folder) -> None:
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

    def test_any_number_of_paths_may_be_asked_for(self, ws: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
        """More than are remembered."""
        monkeypatch.setattr("forge_daemon.workspace.reader._REMEMBERED_BYTES", 50_000)
        reader = reader_of(ws)
        for number in range(500):
            assert refusal(reader, f"{number}.txt").path == f"{number}.txt"


def test_a_file_in_nested_folders_must_be_allowed_by_each(ws: Folder) -> None:
    inner = folder(Path(ws.root) / "inner")
    write(Path(inner.root) / "forge.toml", '[policy]\ndeny = ["private.txt"]\n')
    write(Path(inner.root) / "private.txt", "for nobody\n")
    reader = reader_of(ws, inner)
    for path in ("inner/private.txt", f"{inner.root}/private.txt"):
        assert refusal(reader, path).code == ErrorCode.POLICY_DENIED


PRIVATE_KEY = "-----BEGIN PRIVATE KEY-----\nMC4C\n"


class TestSecrets:
    def test_a_private_key_is_denied_under_any_name_and_however_it_is_reached(self, ws: Folder) -> None:
        root = Path(ws.root)
        write(root / "notes.txt", PRIVATE_KEY)
        link(root / "alias", "notes.txt")
        write(root / "tls/site.crt", "-----BEGIN CERTIFICATE-----\n" * 50 + PRIVATE_KEY)
        write(root / "tls/cert.pem", "-----BEGIN CERTIFICATE-----\n")
        reader = reader_of(ws)
        for path in ("notes.txt", "alias", "tls/site.crt"):
            error = refusal(reader, path)
            assert (error.code, error.path) == (ErrorCode.POLICY_DENIED, path)
        assert read(reader, "tls/cert.pem").answer.startswith("-----BEGIN CERTIFICATE")
        reader.settings.set_client({"policy": {"allow": ["/notes.txt"]}})
        assert read(reader, "notes.txt").answer == PRIVATE_KEY

    def test_so_is_one_in_an_open_document_or_in_a_file_that_becomes_one(self, ws: Folder) -> None:
        path = write(Path(ws.root) / "a.txt", "text")
        reader = reader_of(ws)
        with reader.open(Target("a.txt")) as file:
            path.write_text(PRIVATE_KEY)
            with pytest.raises(ReadError) as caught:
                file.read(text_of, no_progress)
        assert caught.value.code == ErrorCode.POLICY_DENIED
        for name in ("a.txt", "new.txt"):
            reader.documents.put(f"{ws.root}/{name}", Buffer(PRIVATE_KEY, 1))
            assert refusal(reader, name).code == ErrorCode.POLICY_DENIED

    def test_a_folder_in_a_secret_place_gives_nothing_away(self, tmp_path: Path) -> None:
        aws = tmp_path.resolve() / ".aws"
        write(aws / "credentials", "secret")
        write(aws / "notes.txt", "text")
        link(tmp_path / "alias", aws)
        for root in (aws, tmp_path / "alias"):
            reader = reader_of(folder(root))
            assert refusal(reader, "credentials").code == ErrorCode.POLICY_DENIED
            assert read(reader, "notes.txt").answer == "text"

    def test_where_the_policy_is_not_understood_nothing_is_read(self, ws: Folder) -> None:
        write(Path(ws.root) / "a.txt", "text")
        toml = write(Path(ws.root) / "forge.toml", "[policy]\ndney = ['a.txt']\n")
        reader = reader_of(ws)
        reader.documents.put(f"{ws.root}/new.txt", Buffer("text", 1))
        for path in ("a.txt", "new.txt", "forge.toml"):
            error = refusal(reader, path)
            assert error.code == ErrorCode.POLICY_DENIED
            assert "forge.toml, line 2: policy.dney: unknown key" in error.reason
        toml.write_text("[policy]\ndeny = ['a.txt']\n")
        assert refusal(reader, "a.txt").reason == "reading it is denied by the pattern 'a.txt'"
        assert read(reader, "new.txt").answer == "text"

    def test_an_unsaved_document_is_judged_by_where_its_links_lead(self, ws: Folder) -> None:
        root = Path(ws.root)
        (root / ".ssh").mkdir()
        (root / "real").mkdir()
        link(root / "keys", ".ssh")
        link(root / "config", ".env")
        link(root / "alias", "real/new.txt")
        reader = reader_of(ws)
        for path in ("keys/new.txt", "keys/deeper/new.txt", "config", "alias", "real/none/new.txt"):
            reader.documents.put(f"{ws.root}/{path}", Buffer("text", 1))
        for path in ("keys/new.txt", "keys/deeper/new.txt", "config"):
            error = refusal(reader, path)
            assert (error.code, error.path) == (ErrorCode.POLICY_DENIED, path)
        assert read(reader, "alias").answer == "text"
        assert read(reader, "real/none/new.txt").answer == "text"

    def test_a_hint_names_nothing_that_another_folder_denies(self, tmp_path: Path) -> None:
        outer = folder(tmp_path.resolve() / "outer")
        write(Path(outer.root) / "in/customer-list.txt", "secret")
        write(Path(outer.root) / "in/key-of-site.txt", PRIVATE_KEY)
        write(Path(outer.root) / "forge.toml", '[policy]\ndeny = ["in/customer-list.txt"]\n')
        reader = reader_of(outer, folder(Path(outer.root) / "in"))
        for path in ("customer-lis.txt", "key-of-sit.txt", "."):
            error = refusal(reader, f"{outer.root}/in/{path}")
            assert "customer-list" not in str(error.data())
            assert "key-of-site" not in str(error.data())


class TestFoldersThatAreReplaced:
    def test_one_that_was_made_anew_is_read(self, ws: Folder) -> None:
        reader = reader_of(ws)
        write(Path(ws.root) / "a.txt", "old")
        assert read(reader, "a.txt").answer == "old"
        Path(ws.root).rename(f"{ws.root}.old")
        write(Path(ws.root) / "a.txt", "new")
        assert read(reader, "a.txt").answer == "new"

    def test_one_that_became_a_link_is_refused_until_it_is_opened_again(self, ws: Folder, other: Folder) -> None:
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

    def test_so_is_one_above_which_a_directory_became_a_link(self, tmp_path: Path) -> None:
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
            assert file.read(text_of, no_progress) == "text"
            reader.set_folders([other])
            with pytest.raises(ReadError) as caught:
                file.read(text_of, no_progress)
        assert caught.value.code == ErrorCode.SANDBOX_VIOLATION


class TestBounds:
    def test_long_paths_are_not_remembered(self, ws: Folder) -> None:
        reader = reader_of(ws)
        for number in range(5):
            assert refusal(reader, "x/" * 10_000 + str(number)).code == ErrorCode.NOT_FOUND
        assert sum(map(len, reader._located)) < 10_000

    @pytest.mark.skipif(sys.platform != "linux", reason="nothing is opened where others wait")
    def test_long_paths_are_not_judged_where_others_wait(self, ws: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
        reader = reader_of(ws)
        if not is_local(ws.root):
            pytest.skip("the temporary folder is not on storage that is proved local")
        judged: list[Place] = []
        monkeypatch.setattr(reader._policies, "check", lambda place, **_: judged.append(place))
        for path in ("x/" * 10_000, "short"):
            assert reader.open_inline(Target(path)) is None
        assert [place.relative for place in judged] == ["short"]

    def test_a_policy_goes_when_the_settings_it_was_made_of_do(self, ws: Folder, other: Folder) -> None:
        write(Path(ws.root) / "a.txt", "text")
        reader = reader_of(ws)
        for number in range(10):
            reader.settings.set_client({"policy": {"deny": [f"denied{number}"]}})
            read(reader, "a.txt")
        assert len(reader._policies._known) == 1
        reader.set_folders([other])
        assert reader._policies._known == {}

    def test_many_documents_that_lead_nowhere_are_looked_up_once(
        self, ws: Folder, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write(Path(ws.root) / "a.txt", "text")
        reader = reader_of(ws)
        for number in range(20):
            reader.documents.put(f"{ws.root}/{'x' * 300}{number}", Buffer("text", 1))
        assert read(reader, "a.txt").answer == "text"
        monkeypatch.setattr(os.path, "realpath", None)
        assert read(reader, "a.txt").answer == "text"
