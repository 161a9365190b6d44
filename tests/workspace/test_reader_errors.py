"""What a refusal tells, what becomes of files that change or cannot be read, and what is kept of them."""

import errno
import itertools
import os
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from forge_daemon.reading.files import disk
from forge_daemon.reading.files.file_bytes import FileBytes
from forge_daemon.workspace.folder import Folder
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Target
from forge_protocol.errors import ErrorCode, ReadError
from tests.workspace.readers import read, reader_of, refusal, text_of
from tests.workspace.workspaces import folder, open_descriptors, public_directory, without_privileges, write


def error_of(act: Callable[[], object]) -> ReadError:
    with pytest.raises(ReadError) as caught:
        act()
    return caught.value


class TestNotFound:
    def test_close_names_are_suggested(self, ws: Folder) -> None:
        write(Path(ws.root) / "src" / "reader.py", "")
        error = refusal(reader_of(ws), "src/raeder.py")
        assert error.hint == "did you mean src/reader.py?"
        assert refusal(reader_of(ws), "src/entirely-different").hint is None

    def test_a_name_that_an_enclosing_folders_policy_denies_is_not_told(self, tmp_path: Path) -> None:
        outer, inner = folder(tmp_path / "outer"), folder(tmp_path / "outer/inner")
        write(tmp_path / "outer/inner/customer-list.txt", "")
        write(tmp_path / "outer/forge.toml", '[policy]\ndeny = ["inner/customer-list.txt"]\n')
        reader = reader_of(outer, inner)
        assert refusal(reader, "customer-lis.txt").hint is None
        assert refusal(reader, "inner/customer-lis.txt").hint is None
        assert refusal(reader, "x/customer-list.txt").hint is None

    def test_suggestions_come_from_every_folder_that_was_searched(self, ws: Folder, other: Folder) -> None:
        write(Path(other.root) / "reader.py", "")
        assert refusal(reader_of(ws, other), "raeder.py").hint == "did you mean other/reader.py?"
        for number in range(4):
            write(Path(ws.root) / f"reader{number}.py", "")
        hint = refusal(reader_of(ws, other), "raeder.py").hint
        assert hint is not None
        assert hint.count(",") == 2

    def test_nothing_denied_is_suggested(self, ws: Folder) -> None:
        write(Path(ws.root) / "server.pem", "-----BEGIN PRIVATE KEY-----\n")
        write(Path(ws.root) / "forge.toml", '[policy]\ndeny = ["hidden.txt"]\n')
        write(Path(ws.root) / "hidden.txt", "secret")
        for path in ("server.per", "hiden.txt"):
            error = refusal(reader_of(ws), path)
            assert (error.code, error.hint) == (ErrorCode.NOT_FOUND, None)

    def test_a_folder_that_is_gone_says_so(self, ws: Folder) -> None:
        reader = reader_of(ws)
        Path(ws.root).rmdir()
        error = refusal(reader, "a.txt")
        assert error.code == ErrorCode.NOT_FOUND
        assert "workspace folder no longer exists" in error.reason


class TestFilesThatChange:
    """Large ones, which are read as they are worked with."""

    SIZE = disk.HELD_BYTES + 10

    @pytest.fixture
    def path(self, ws: Folder) -> Path:
        return write(Path(ws.root) / "log.txt", "x" * self.SIZE)

    @pytest.fixture
    def file(self, ws: Folder, path: Path) -> Iterator[OpenFile]:
        with reader_of(ws).open(Target(path.name)) as file:
            yield file

    def overwrite(self, path: Path, text: str, offset: int = 0) -> None:
        with open(path, "r+") as file:
            file.seek(offset)
            file.write(text)

    def test_a_file_that_only_grows_is_answered_as_it_was(self, file: OpenFile, path: Path) -> None:
        calls = 0

        def use(source: FileBytes) -> tuple[int, bytes]:
            nonlocal calls
            calls += 1
            with open(path, "a") as log:
                log.write("more\n")
            return source.size, source.read_at(source.size - 2, 100)

        assert file.read(use) == (self.SIZE, b"xx")
        assert calls == 1

    @pytest.mark.parametrize("changes", [1, 2])
    def test_a_file_that_stops_changing_in_time_is_read_as_it_is_then(
        self, file: OpenFile, path: Path, changes: int
    ) -> None:
        left = changes

        def use(source: FileBytes) -> bytes:
            nonlocal left
            if left:
                left -= 1
                self.overwrite(path, f"{left} left")
            return source.read_at(0, 6)

        assert file.read(use) == b"0 left"

    def test_a_file_that_never_stops_changing_is_given_up_with_its_new_etag(
        self, ws: Folder, file: OpenFile, path: Path
    ) -> None:
        calls = 0

        def use(source: FileBytes) -> None:
            nonlocal calls
            calls += 1
            self.overwrite(path, str(calls))

        error = error_of(lambda: file.read(use))
        assert (error.code, error.path, error.retriable) == (ErrorCode.CONTENT_MODIFIED, "log.txt", True)
        assert calls == 3
        with reader_of(ws).open(Target("log.txt")) as again:
            assert error.etag == again.read(lambda source: source.etag)

    def test_a_file_that_grows_and_is_changed_at_its_start_or_end_is_read_again(
        self, file: OpenFile, path: Path
    ) -> None:
        for offset in (0, self.SIZE - 1):
            changed = False

            def use(source: FileBytes, offset: int = offset) -> bytes:
                nonlocal changed
                if not changed:
                    changed = True
                    self.overwrite(path, "y", offset)
                    self.overwrite(path, "z", source.size)
                return source.read_at(offset, 1)

            assert file.read(use) == b"y"

    def test_a_file_that_changes_while_its_etag_is_taken_is_given_up_without_one(
        self, file: OpenFile, path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(disk, "HELD_BYTES", 1 << 30)
        pread, count = os.pread, itertools.count()

        def read_and_change(fd: int, length: int, offset: int) -> bytes:
            self.overwrite(path, str(next(count)))
            return pread(fd, length, offset)

        monkeypatch.setattr(os, "pread", read_and_change)
        error = error_of(lambda: file.read(text_of))
        assert (error.code, error.path, error.etag) == (ErrorCode.CONTENT_MODIFIED, "log.txt", None)
        assert error.retriable

    def test_a_file_that_is_replaced_or_removed_meanwhile_is_read_as_it_was_when_it_was_opened(
        self, file: OpenFile, path: Path
    ) -> None:
        def replace(source: FileBytes) -> int:
            write(path.with_suffix(".new"), "new").replace(path)
            return source.size

        assert file.read(replace) == self.SIZE
        path.unlink()
        assert file.read(lambda source: source.size) == self.SIZE


class TestWhatAnErrorTells:
    @pytest.mark.parametrize("number", [errno.EIO, errno.ESTALE, errno.ENOMEM])
    def test_an_error_of_the_system_names_no_absolute_path(
        self, ws: Folder, other: Folder, monkeypatch: pytest.MonkeyPatch, number: int
    ) -> None:
        write(Path(ws.root) / "a.txt", "a")
        reader = reader_of(ws, other)

        def fail(*_: object) -> bytes:
            raise OSError(number, os.strerror(number), f"{ws.root}/a.txt")

        for call in ("pread", "fstat"):
            before = open_descriptors()
            with monkeypatch.context() as patched:
                patched.setattr(os, call, fail)
                error = refusal(reader, "a.txt")
            assert (error.code, error.path, error.retriable) == (ErrorCode.INTERNAL, "a.txt", True)
            assert os.strerror(number) in error.reason or "out of memory" in error.reason
            assert ws.root not in str(error.data())
            assert open_descriptors() == before

    def test_what_may_not_be_read_is_permission_denied(self) -> None:
        with public_directory() as directory:
            workspace = folder(directory / "ws")
            os.chmod(workspace.root, 0o755)
            os.chmod(write(directory / "ws" / "a.txt", "a"), 0)
            reader = reader_of(workspace)
            with without_privileges():
                error = refusal(reader, "a.txt")
        assert (error.code, error.path) == (ErrorCode.PERMISSION_DENIED, "a.txt")

    def test_an_error_of_whoever_reads_gets_the_path(self, ws: Folder) -> None:
        write(Path(ws.root) / "a.txt", "a")

        def use(_source: FileBytes) -> None:
            raise ReadError(ErrorCode.CANCELLED, "stopped")

        reader = reader_of(ws)
        with reader.open(Target("a.txt")) as file:
            error = error_of(lambda: file.read(use))
        assert (error.code, error.path) == (ErrorCode.CANCELLED, "a.txt")

    def test_nothing_outside_is_ever_named(self, ws: Folder, tmp_path: Path) -> None:
        reader = reader_of(ws)
        outside = str(write(tmp_path / "outside.txt", "x"))
        assert reader.name_of(outside) is None
        assert reader.name_of(f"file://{outside}") is None
        assert reader.name_of(f"{ws.root}/../outside.txt") is None
        assert reader.name_of(f"{ws.root}-twin/a") is None
        assert reader.name_of("") is None
        assert reader.name_of("a\0b") is None
        assert reader.name_of(f"{ws.root}/x/../a.txt") == "a.txt"
        assert reader.name_of("x/../a.txt") == "a.txt"
        assert reader.name_of("../outside.txt") == "../outside.txt"
        for path in (outside, "../outside.txt"):
            error = refusal(reader, path)
            assert error.code == ErrorCode.SANDBOX_VIOLATION
            assert str(tmp_path) not in str(error.data())


class TestCaches:
    def test_each_folder_has_its_own(self, ws: Folder, other: Folder) -> None:
        write(Path(ws.root) / "a.txt", "a")
        write(Path(other.root) / "b.txt", "b")
        reader = reader_of(ws, other)
        for path in ("a.txt", "a.txt", "b.txt"):
            read(reader, path)
        figures = dict(reader.cache_figures())
        assert (figures["ws"].hits, figures["ws"].misses, figures["ws"].entries) == (1, 1, 1)
        assert (figures["other"].hits, figures["other"].misses, figures["other"].entries) == (0, 1, 1)
        reader.clear_cache("ws")
        assert [each.entries for _, each in reader.cache_figures()] == [0, 1]
        reader.clear_cache(None)
        assert [each.entries for _, each in reader.cache_figures()] == [0, 0]
        assert error_of(lambda: reader.clear_cache("no such folder")).code == ErrorCode.INVALID_ARGUMENT

    def test_the_size_of_caches_follows_the_settings(self, ws: Folder) -> None:
        write(Path(ws.root) / "a.txt", "a")
        reader = reader_of(ws)
        read(reader, "a.txt")
        reader.settings.set_client({"cache": {"max_bytes": 0}})
        reader.refresh_settings()
        assert read(reader, "a.txt").answer == "a"
        assert [figures.entries for _, figures in reader.cache_figures()] == [0]

    def test_policies_are_built_once_for_the_same_settings(self, ws: Folder) -> None:
        write(Path(ws.root) / "a.log", "a")
        reader = reader_of(ws)
        assert read(reader, "a.log").answer == "a"
        reader.settings.set_client({"policy": {"deny": ["*.log"]}})
        assert refusal(reader, "a.log").code == ErrorCode.POLICY_DENIED
        reader.settings.set_client(None)
        assert read(reader, "a.log").answer == "a"
