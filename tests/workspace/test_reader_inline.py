"""What is opened on the event loop, because nothing can keep it waiting, and what is not."""

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Event

import pytest

from forge_daemon.reading.sources.buffer import Buffer
from forge_daemon.reading.sources.source import no_progress
from forge_daemon.workspace.folder import Folder
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ErrorCode, ReadError
from workspace.kernel import opens_inline
from workspace.readers import read, reader_of, text_of
from workspace.workspaces import folder, link, open_descriptors, write


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
