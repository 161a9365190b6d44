"""Open documents answer in place of their files."""

import os
from pathlib import Path

import pytest

from forge_daemon.reading.files.document import Document
from forge_daemon.workspace.folder import Folder
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ErrorCode
from tests.workspace.readers import Found, read, reader_of, refusal
from tests.workspace.workspaces import folder, link, write


class TestDocuments:
    @pytest.fixture
    def reader(self, ws: Folder) -> Reader:
        write(Path(ws.root) / "a.txt", "saved")
        os.utime(Path(ws.root) / "a.txt", (1_000_000, 1_000_000))
        reader = reader_of(ws)
        reader.documents.put(f"{ws.root}/a.txt", Document("edited", 3))
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
                return file.read(lambda source: source.kind)

        assert (answering("a.txt"), read(reader, "a.txt", "unsaved").answer) == ("buffer", "edited")
        reader.documents.put(f"{ws.root}/a.txt", Document("saved", 4))
        assert (answering("a.txt"), read(reader, "a.txt", "unsaved").answer) == ("disk", "saved")
        (Path(ws.root) / "a.txt").write_bytes(b"\xef\xbb\xbfsaved")
        assert answering("a.txt") == "disk"
        write(Path(ws.root) / "a.txt", "changed by another program")
        assert (answering("a.txt"), read(reader, "a.txt", "unsaved").answer) == ("buffer", "saved")
        reader.documents.put(f"{ws.root}/new.txt", Document("never saved", 1))
        assert answering("new.txt") == "buffer"
        large = "x" * 3_000_000
        write(Path(ws.root) / "large.txt", large)
        reader.documents.put(f"{ws.root}/large.txt", Document(large, 1))
        assert answering("large.txt") == "disk"
        reader.documents.put(f"{ws.root}/large.txt", Document(large[:-1] + "y", 2))
        assert answering("large.txt") == "buffer"

    @pytest.mark.parametrize(("codec", "settings"), [("utf-16", ""), ("iso-2022-jp", ""), ("cp932", "shift_jis")])
    def test_what_is_on_disk_may_be_in_another_encoding(
        self, reader: Reader, ws: Folder, codec: str, settings: str
    ) -> None:
        if settings:
            write(Path(ws.root) / "forge.toml", f'[files]\nencodings = ["{settings}"]\n')
        text = "日本語\r\nテキスト\r\n"
        (Path(ws.root) / "a.txt").write_bytes(text.encode(codec))
        for document, kind in ((text, "disk"), (text + "!", "buffer")):
            reader.documents.put(f"{ws.root}/a.txt", Document(document, 4))
            with reader.open(Target("a.txt", source="unsaved")) as file:
                assert file.read(lambda source: source.kind) == kind

    def test_a_document_that_was_never_saved_is_found_by_every_path_to_it(self, reader: Reader, ws: Folder) -> None:
        (Path(ws.root) / "real").mkdir()
        link(Path(ws.root) / "alias", "real")
        reader.documents.put(f"{ws.root}/alias/new.txt", Document("new", 1))
        assert [read(reader, path).answer for path in ("alias/new.txt", "real/new.txt")] == ["new", "new"]

    def test_a_document_comes_with_the_time_of_the_file_on_disk(self, reader: Reader, ws: Folder) -> None:
        def time_of(path: str) -> int | None:
            with reader.open(Target(path)) as file:
                return file.read(lambda source: source.mtime_ms)

        reader.documents.put(f"{ws.root}/new.txt", Document("", 1))
        assert (time_of("a.txt"), time_of("new.txt")) == (1_000_000_000, None)

    def test_a_document_is_found_by_any_path_that_leads_to_its_file(self, reader: Reader, ws: Folder) -> None:
        link(Path(ws.root) / "link.txt", "a.txt")
        link(Path(ws.root) / "here", ".")
        for path in ("link.txt", "here/a.txt", "here/here/link.txt", f"{ws.root}/link.txt"):
            assert read(reader, path).answer == "edited"

    def test_a_document_opened_through_a_link_is_found_by_its_file(self, ws: Folder) -> None:
        write(Path(ws.root) / "a.txt", "saved")
        link(Path(ws.root) / "link.txt", "a.txt")
        reader = reader_of(ws)
        reader.documents.put(f"{ws.root}/link.txt", Document("edited", 1))
        assert read(reader, "a.txt").answer == "edited"
        assert read(reader, "link.txt").answer == "edited"

    def test_a_folder_opened_through_a_link_has_the_same_documents(self, tmp_path: Path, ws: Folder) -> None:
        write(Path(ws.root) / "a.txt", "saved")
        by_link = folder(link(tmp_path / "by-link", ws.root))
        reader = reader_of(by_link)
        reader.documents.put(f"{ws.root}/a.txt", Document("edited", 1))
        assert read(reader, "a.txt").answer == "edited"

    def test_the_path_asked_for_has_the_first_word(self, reader: Reader, ws: Folder) -> None:
        link(Path(ws.root) / "link.txt", "a.txt")
        reader.documents.put(f"{ws.root}/link.txt", Document("the link's own", 1))
        assert read(reader, "link.txt").answer == "the link's own"
        assert read(reader, "a.txt").answer == "edited"

    def test_a_new_document_inside_a_folder_is_served(self, reader: Reader, ws: Folder) -> None:
        reader.documents.put(f"{ws.root}/not/yet/there.txt", Document("new", 1))
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
            reader.documents.put(f"{ws.root}/{path}", Document("text", 1))
            assert refusal(reader, path).code == code
        reader.documents.put(f"{tmp_path}/outside.txt", Document("text", 1))
        assert refusal(reader, f"{tmp_path}/outside.txt").code == ErrorCode.SANDBOX_VIOLATION

    def test_a_file_that_is_not_open_has_no_buffer(self, reader: Reader, ws: Folder) -> None:
        write(Path(ws.root) / "b.txt", "b")
        error = refusal(reader, "b.txt", "buffer")
        assert (error.code, error.path) == (ErrorCode.NOT_FOUND, "b.txt")
        assert "not open" in error.reason
        assert error.hint == 'ask for source "auto" or "disk"'  # and not for the same name
        assert refusal(reader, "missing.txt", "buffer").code == ErrorCode.NOT_FOUND
