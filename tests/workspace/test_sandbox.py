"""What is opened, what is refused, and what a rename at the wrong moment does."""

import errno
import os
import select
import socket
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from forge_daemon.reading.files.disk import read_small
from forge_daemon.workspace.folder import Folder, Place, folder_from_path
from forge_daemon.workspace.sandbox import open_place, open_unlinked, require_regular_file
from forge_protocol.errors import ErrorCode, ReadError
from tests.lsp.raw_client import wait_until
from tests.workspace.workspaces import (
    all_descriptors_left,
    code,
    folder,
    link,
    open_descriptors,
    public_directory,
    read,
    refusal,
    without_privileges,
    write,
)


@pytest.fixture(autouse=True)
def _no_descriptor_is_left_open() -> Iterator[None]:
    before = open_descriptors()
    yield
    assert open_descriptors() == before, "a descriptor was left open"


@pytest.fixture
def inside(ws: Folder) -> Path:
    return Path(ws.root)


@pytest.fixture
def outside(tmp_path: Path) -> Path:
    """Not open, beside the workspace, with a secret in it."""
    write(tmp_path / "outside" / "secret.txt", "SECRET")
    return tmp_path / "outside"


class TestFiles:
    def test_a_file_is_opened_and_no_link_was_met(self, ws: Folder, inside: Path) -> None:
        write(inside / "a/b/c.txt", "hello")
        assert read(Place(ws, "a/b/c.txt")) == ("hello", None)

    def test_a_descriptor_is_not_inherited(self, ws: Folder, inside: Path) -> None:
        write(inside / "a", "")
        fd, _ = open_place(Place(ws, "a"), [ws])
        try:
            assert not os.get_inheritable(fd)
        finally:
            os.close(fd)

    def test_a_name_of_any_bytes_is_opened(self, ws: Folder, inside: Path) -> None:
        for name in ("sp ace", "new\nline", "back\\slash", "ü", "-x", "a%20b"):
            write(inside / name, name)
            assert read(Place(ws, name)) == (name, None)
        if sys.platform == "linux":
            write(inside / os.fsdecode(b"\xff"), "raw")
            assert read(Place(ws, "\udcff")) == ("raw", None)

    def test_a_hard_link_is_the_file_it_shares(self, ws: Folder, inside: Path, outside: Path) -> None:
        os.link(outside / "secret.txt", inside / "hard")
        assert read(Place(ws, "hard")) == ("SECRET", None)

    def test_a_path_deeper_than_the_system_takes_at_once_is_opened(self, ws: Folder, inside: Path) -> None:
        names = ["d" * 200] * 25
        here = os.open(inside, os.O_RDONLY)
        for name in names:
            os.mkdir(name, dir_fd=here)
            below = os.open(name, os.O_RDONLY, dir_fd=here)
            os.close(here)
            here = below
        os.close(os.open("leaf", os.O_CREAT | os.O_WRONLY, dir_fd=here))
        os.close(here)
        assert read(Place(ws, "/".join([*names, "leaf"]))) == ("", None)

    def test_a_root_that_is_a_link_is_the_users_own_choice(self, tmp_path: Path, inside: Path) -> None:
        write(inside / "a", "hello")
        by_link = folder_from_path(str(link(tmp_path / "alias", inside)))
        assert read(Place(by_link, "a")) == ("hello", None)


class TestLinks:
    @pytest.mark.parametrize(
        ("name", "target", "leads_to"),
        [
            ("near", "real.txt", "real.txt"),
            ("dir/up", "../real.txt", "real.txt"),
            ("dir/roundabout", "../dir/.././real.txt", "real.txt"),
            ("deep", "dir/sub/leaf.txt", "dir/sub/leaf.txt"),
            ("dir/sub/far", "../../dir/sub/leaf.txt", "dir/sub/leaf.txt"),
            ("out-and-in", "../ws/real.txt", "real.txt"),
            ("dir/far-out-and-in", "../../../{parent}/ws/real.txt", "real.txt"),
            ("absolute", "{ws}/real.txt", "real.txt"),
            ("absolute-with-dots", "{ws}/dir/../real.txt", "real.txt"),
            ("absolute-out-and-in", "{ws}/../.././{parent}/ws/real.txt", "real.txt"),
        ],
    )
    def test_links_that_stay_inside_are_followed(
        self, ws: Folder, inside: Path, name: str, target: str, leads_to: str
    ) -> None:
        write(inside / "real.txt", "real.txt")
        write(inside / "dir/sub/leaf.txt", "dir/sub/leaf.txt")
        link(inside / name, target.format(ws=inside, parent=inside.parent.name))
        assert read(Place(ws, name)) == (leads_to, Place(ws, leads_to))

    def test_links_to_a_directory_are_followed(self, ws: Folder, inside: Path) -> None:
        write(inside / "real/sub/a.txt", "a")
        link(inside / "alias", "real")
        link(inside / "real/back", "../alias/sub/")
        assert read(Place(ws, "alias/back/a.txt")) == ("a", Place(ws, "real/sub/a.txt"))

    def test_climb_from_where_they_lead_not_from_where_they_are_written(self, ws: Folder, inside: Path) -> None:
        write(inside / "there/x", "there")
        write(inside / "x", "here")
        (inside / "there/sub").mkdir()
        link(inside / "sub", "there/sub")
        link(inside / "a", "sub/../x")
        assert read(Place(ws, "a")) == ("there", Place(ws, "there/x"))

    @pytest.mark.parametrize(
        "target",
        [
            "{outside}/secret.txt",
            "../outside/secret.txt",
            "dir/../../outside/secret.txt",
            "{ws}/../outside/secret.txt",
            "{ws}-evil/secret.txt",
            "../ws-evil/secret.txt",
            "../../../../../../../../../../etc/passwd",
            "/etc/passwd",
            "/",
            "..",
            "/proc/self/root/etc/passwd",
            "/proc/self/fd/0",
            "{outside}/does-not-exist",
            "../outside/../ws/dir/x",
            "{outside}/../ws/dir/x",
        ],
    )
    def test_links_that_lead_out_are_refused_whether_anything_is_there_or_not(
        self, ws: Folder, inside: Path, outside: Path, target: str
    ) -> None:
        write(inside / "dir/x", "")
        write(Path(f"{inside}-evil/secret.txt"), "SECRET")
        link(inside / "trap", target.format(ws=inside, outside=outside))
        error = refusal(Place(ws, "trap"))
        assert (error.code, error.path) == (ErrorCode.SANDBOX_VIOLATION, "trap")
        assert str(inside.parent) not in str(error.data())

    def test_links_to_a_directory_that_lead_out_are_refused(self, ws: Folder, inside: Path, outside: Path) -> None:
        link(inside / "trap", outside)
        reasons = {refusal(Place(ws, f"trap/{name}")).reason for name in ("secret.txt", "none", "a/b")}
        assert code(Place(ws, "trap/secret.txt")) == ErrorCode.SANDBOX_VIOLATION
        assert len(reasons) == 1

    def test_links_that_lead_out_through_another_link_are_refused(
        self, ws: Folder, inside: Path, outside: Path
    ) -> None:
        link(inside / "one", "two")
        link(inside / "two", "dir/three")
        link(inside / "dir/three", outside / "secret.txt")
        assert code(Place(ws, "one")) == ErrorCode.SANDBOX_VIOLATION

    def test_into_another_open_folder_are_followed(self, tmp_path: Path, ws: Folder, inside: Path) -> None:
        other = folder(tmp_path / "other")
        write(tmp_path / "other/dir/x", "x")
        link(inside / "absolute", tmp_path / "other/dir/x")
        link(inside / "relative", "../other/dir")
        assert read(Place(ws, "absolute"), ws, other) == ("x", Place(other, "dir/x"))
        assert read(Place(ws, "relative/x"), ws, other) == ("x", Place(other, "dir/x"))
        assert code(Place(ws, "absolute"), ws) == ErrorCode.SANDBOX_VIOLATION

    def test_lead_to_the_innermost_folder(self, tmp_path: Path, inside: Path) -> None:
        outer, inner = folder(tmp_path), folder(inside)
        write(inside / "x", "x")
        link(tmp_path / "absolute", inside / "x")
        link(tmp_path / "relative", "ws/x")
        assert read(Place(outer, "absolute"), outer, inner) == ("x", Place(inner, "x"))
        assert read(Place(outer, "relative"), outer, inner) == ("x", Place(inner, "x"))

    def test_links_to_a_folders_real_root_are_followed(self, tmp_path: Path, inside: Path) -> None:
        write(inside / "x", "x")
        link(inside / "absolute", inside / "x")
        link(inside / "relative", "../ws/x")
        by_link = folder_from_path(str(link(tmp_path / "far/alias", inside)))
        assert read(Place(by_link, "absolute")) == ("x", Place(by_link, "x"))
        assert read(Place(by_link, "relative")) == ("x", Place(by_link, "x"))

    def test_links_in_a_chain_are_followed_as_far_as_the_kernel_does(self, ws: Folder, inside: Path) -> None:
        write(inside / "0", "end")
        for number in range(1, 42):
            link(inside / str(number), str(number - 1))
        assert read(Place(ws, "40")) == ("end", Place(ws, "0"))
        assert (inside / "40").read_text() == "end"
        assert code(Place(ws, "41")) == ErrorCode.NOT_FOUND
        with pytest.raises(OSError, match="symbolic links"):
            (inside / "41").read_text()

    @pytest.mark.parametrize("target", ["loop", "./loop", "sub/../loop", "{ws}/loop", "loop/x"])
    def test_links_that_lead_in_a_circle_end_nowhere(self, ws: Folder, inside: Path, target: str) -> None:
        (inside / "sub").mkdir()
        link(inside / "loop", target.format(ws=inside))
        error = refusal(Place(ws, "loop"))
        assert error.code == ErrorCode.NOT_FOUND
        assert "circle" in error.reason

    def test_links_cannot_make_a_walk_endless(self, ws: Folder, inside: Path) -> None:
        deep = "/".join(["d"] * 100)
        (inside / deep).mkdir(parents=True)
        write(inside / deep / "x", "x")
        link(inside / deep / "zigzag", "../d/" * 500 + "x")
        link(inside / "outside-and-back", "../ws/" * 500 + deep + "/zigzag")
        assert code(Place(ws, "outside-and-back")) == ErrorCode.NOT_FOUND

    def test_links_that_lead_nowhere_are_not_found(self, ws: Folder, inside: Path) -> None:
        link(inside / "dangling", "nothing/here")
        assert code(Place(ws, "dangling")) == ErrorCode.NOT_FOUND

    def test_links_to_a_file_with_a_slash_after_it_are_not_found(self, ws: Folder, inside: Path) -> None:
        write(inside / "file", "")
        for number, target in enumerate(("file/", "file/.", "file/..", "file/x")):
            link(inside / f"link{number}", target)
            assert code(Place(ws, f"link{number}")) == ErrorCode.NOT_FOUND

    def test_links_to_a_folder_itself_are_directories(self, ws: Folder, inside: Path) -> None:
        (inside / "dir").mkdir()
        targets: tuple[Path | str, ...] = (inside, ".", "dir/..", "dir/")
        for number, target in enumerate(targets):
            place = Place(ws, link(inside / f"link{number}", target).name)
            fd, leads_to = open_place(place, [ws])
            with pytest.raises(ReadError, match="is a directory"):
                require_regular_file(os.fstat(fd), place)
            os.close(fd)
            assert leads_to == Place(ws, "dir" if target == "dir/" else "")

    def test_beneath_the_root_of_the_machine_all_stay_inside(self, inside: Path) -> None:
        write(inside / "x", "x")
        link(inside / "link", f"{'../' * 40}{str(inside)[1:]}/x")
        machine = folder_from_path("/")
        relative = os.path.realpath(inside)[1:]
        assert read(Place(machine, f"{relative}/link")) == ("x", Place(machine, f"{relative}/x"))


class TestKinds:
    def kind(self, place: Place) -> ReadError:
        return refusal(place)

    @pytest.mark.parametrize("relative", ["", "dir"])
    def test_a_directory_is_no_file(self, ws: Folder, inside: Path, relative: str) -> None:
        (inside / "dir").mkdir()
        for must_be_directory in (False, True):
            error = self.kind(Place(ws, relative, must_be_directory))
            assert (error.code, error.reason) == (ErrorCode.NOT_FILE, "is a directory")

    def test_a_fifo_is_no_file_and_nobody_waits_for_it(self, ws: Folder, inside: Path) -> None:
        os.mkfifo(inside / "fifo")
        link(inside / "link", "fifo")
        for name in ("fifo", "link"):
            assert self.kind(Place(ws, name)).reason == "is a FIFO"

    @pytest.mark.skipif(sys.platform == "win32", reason="has no FIFOs")
    def test_what_was_listed_and_is_a_link_or_a_fifo_by_now_is_neither_followed_nor_waited_for(
        self, ws: Folder, inside: Path, outside: Path
    ) -> None:
        link(inside / "link", outside / "secret.txt")
        os.mkfifo(inside / "fifo")
        directory = os.open(inside, os.O_RDONLY)
        with pytest.raises(OSError, match=os.strerror(errno.ELOOP)):
            open_unlinked("link", directory)
        opened = open_unlinked("fifo", directory)
        assert read_small(opened) is None
        os.close(opened)
        os.close(directory)

    @pytest.mark.skipif(sys.platform == "win32", reason="has no FIFOs")
    def test_a_fifo_s_waiting_writer_is_left_for_its_reader(self, ws: Folder, inside: Path) -> None:
        """To open the FIFO would let it continue, and it would die of writing without a reader."""
        os.mkfifo(inside / "fifo")
        script = "import os, sys; print('begins', flush=True); os.write(os.open(sys.argv[1], os.O_WRONLY), b'record')"
        with subprocess.Popen([sys.executable, "-c", script, inside / "fifo"], stdout=subprocess.PIPE) as writer:
            assert writer.stdout is not None
            writer.stdout.readline()
            wait_until(lambda: _waits(writer.pid))
            for _ in range(20):
                refusal(Place(ws, "fifo"))
            assert writer.poll() is None
            reader = os.open(inside / "fifo", os.O_RDONLY | os.O_NONBLOCK)
            try:
                assert select.select([reader], [], [], 60)[0]
                assert os.read(reader, 100) == b"record"
            finally:
                os.close(reader)
        assert writer.returncode == 0

    def test_a_socket_is_no_file(self, ws: Folder, inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        monkeypatch.chdir(inside)
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("socket")
            error = refusal(Place(ws, "socket"))
        assert error.code == ErrorCode.NOT_FILE
        assert "socket" in error.reason

    def test_a_device_is_no_file(self) -> None:
        error = self.kind(Place(folder_from_path("/dev"), "null"))
        assert (error.code, error.reason) == (ErrorCode.NOT_FILE, "is a character device")

    def test_a_device_without_a_driver_is_no_file(self, ws: Folder, inside: Path) -> None:
        try:
            os.mknod(inside / "device", stat.S_IFCHR | 0o600, os.makedev(0, 7))
        except PermissionError:
            pytest.skip("only root makes devices")
        assert code(Place(ws, "device")) == ErrorCode.NOT_FILE

    def test_a_file_asked_for_as_a_directory_is_not_found(self, ws: Folder, inside: Path) -> None:
        write(inside / "ok.txt", "")
        link(inside / "link", "ok.txt")
        for name in ("ok.txt", "link"):
            assert code(Place(ws, name, must_be_directory=True)) == ErrorCode.NOT_FOUND
        fd, _ = open_place(Place(ws, "ok.txt"), [ws])
        with pytest.raises(ReadError) as caught:
            require_regular_file(os.fstat(fd), Place(ws, "ok.txt", must_be_directory=True))
        os.close(fd)
        assert caught.value.code == ErrorCode.NOT_FOUND


class TestRefusals:
    @pytest.mark.parametrize("relative", ["none", "none/x", "dir/none", "file/x", "x" * 300, "dir/" + "y" * 300])
    def test_what_is_not_there_is_not_found(self, ws: Folder, inside: Path, relative: str) -> None:
        write(inside / "file", "")
        (inside / "dir").mkdir()
        error = refusal(Place(ws, relative))
        assert (error.code, error.path, error.retriable) == (ErrorCode.NOT_FOUND, relative, False)

    def test_a_folder_that_is_gone_is_said_to_be(self, ws: Folder, inside: Path) -> None:
        inside.rmdir()
        assert "folder no longer exists" in refusal(Place(ws, "a")).reason
        write(inside, "no directory any more")
        error = refusal(Place(ws, "a"))
        assert (error.code, error.path) == (ErrorCode.NOT_FOUND, "a")
        assert "folder no longer exists" in error.reason

    def test_a_folder_that_is_replaced_is_never_stale(self, ws: Folder, inside: Path) -> None:
        write(inside / "a", "old")
        assert read(Place(ws, "a")) == ("old", None)
        inside.rename(inside.with_name("away"))
        write(inside / "a", "new")
        assert read(Place(ws, "a")) == ("new", None)

    def test_what_the_system_forbids_is_permission_denied(self) -> None:
        with public_directory() as directory:
            ws = folder(directory / "ws")
            write(directory / "ws/file", "").chmod(0)
            write(directory / "ws/closed/file", "")
            link(directory / "ws/link", "file")
            (directory / "ws/closed").chmod(0)
            with without_privileges():
                codes = [code(Place(ws, relative)) for relative in ("file", "closed/file", "link")]
            assert codes == [ErrorCode.PERMISSION_DENIED] * 3

    def test_a_directory_that_may_be_passed_but_not_listed_is_passed(self) -> None:
        with public_directory() as directory:
            ws = folder(directory / "ws")
            names = ["file", "naïve.txt", "backup~1.txt"]
            for name in names:
                write(directory / "ws/passage" / name, "hello")
            link(directory / "ws/link", "passage/file")
            (directory / "ws/passage").chmod(0o711)
            with without_privileges():
                for name in names:
                    assert read(Place(ws, f"passage/{name}"))[0] == "hello"
                assert read(Place(ws, "link"))[0] == "hello"

    def test_a_folder_that_may_not_be_entered_is_permission_denied(self) -> None:
        with public_directory() as directory:
            ws = folder(directory / "closed/ws")
            (directory / "closed").chmod(0)
            with without_privileges():
                assert code(Place(ws, "a")) == ErrorCode.PERMISSION_DENIED

    def test_too_many_open_files_may_pass(self, ws: Folder, inside: Path) -> None:
        write(inside / "a/b/c", "")
        import resource

        soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
        held = all_descriptors_left(inside)
        try:
            errors = [refusal(Place(ws, "a/b/c"))]
            os.close(held.pop())
            errors.append(refusal(Place(ws, "a/b/c")))
        finally:
            for fd in held:
                os.close(fd)
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
        assert [(error.code, error.retriable) for error in errors] == [(ErrorCode.INTERNAL, True)] * 2

    def test_any_other_fault_is_internal_and_names_no_path(
        self, ws: Folder, inside: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        def broken(path: str, *_: object, **__: object) -> int:
            raise OSError(errno.EIO, os.strerror(errno.EIO), path)

        write(inside / "a", "")
        monkeypatch.setattr(os, "open", broken)
        error = refusal(Place(ws, "a"))
        monkeypatch.undo()
        assert (error.code, error.reason) == (ErrorCode.INTERNAL, os.strerror(errno.EIO))
        assert str(inside) not in str(error.data())


def _waits(process: int) -> bool:
    """Whether it sleeps; where that cannot be told, it may."""
    try:
        return Path(f"/proc/{process}/stat").read_text().rpartition(")")[2].split()[0] == "S"
    except OSError:
        return True
