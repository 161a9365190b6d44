"""Settings files are read each time, and only if they are plain files that can be trusted to end."""

import os
import socket
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from forge_daemon import daemon_threads
from forge_daemon.workspace import settings as settings_module
from forge_daemon.workspace import settings_parsing
from forge_daemon.workspace.settings import (
    MAX_FILE_BYTES,
    Parsed,
    Settings,
    SettingsStore,
    is_being_saved,
    not_understood,
    read_settings,
)
from tests.workspace.workspaces import without_privileges

NOT_REGULAR = ("not a regular file", "cannot be read: No such device or address")
"""The second on macOS, where a FIFO or a socket cannot be named without opening it."""

posix_only = pytest.mark.skipif(sys.platform == "win32", reason="POSIX file kinds and permissions")


@pytest.fixture
def base() -> Iterator[Path]:
    """A directory that another user may enter, unlike pytest's own."""
    # Wine does not see, nor remove, links that lead nowhere.
    with tempfile.TemporaryDirectory(ignore_cleanup_errors=sys.platform == "win32") as directory:
        os.chmod(directory, 0o755)
        yield Path(directory)


@pytest.fixture
def user(base: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = base / "user.toml"
    monkeypatch.setenv("FORGE_READ_CONFIG", str(path))
    return path


@pytest.fixture
def root(base: Path, user: Path) -> Path:
    path = base / "workspace"
    path.mkdir()
    return path


def refusal(root: Path) -> str:
    """What a folder's store says of its forge.toml, which closes the folder."""
    store = SettingsStore()
    in_force = store.for_folder(str(root))
    assert in_force == Settings(closed_by=in_force.closed_by)
    assert in_force.closed_by is not None
    [problem] = store.problems()
    assert problem[:4] == ("forge.toml", str(root / "forge.toml"), None, None)
    assert problem.severity == "error"
    return problem.message


def test_a_link_is_not_followed(root: Path, tmp_path: Path) -> None:
    target = tmp_path / "elsewhere.toml"
    target.write_text("cache.max_bytes = 5")
    (root / "forge.toml").symlink_to(target)
    assert refusal(root) == "a symbolic link, which is not followed"
    target.unlink()
    assert refusal(root) == "a symbolic link, which is not followed"


def test_whether_a_file_of_yours_is_being_saved_is_judged_where_its_link_leads(
    root: Path, user: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    target = tmp_path.resolve() / "dotfiles.toml"
    target.write_text("[policy]\ndeny = ['a']")
    user.symlink_to(target)
    store = SettingsStore()
    before = store.for_folder(str(root))
    asked: list[str] = []

    def is_saved(place: str) -> bool:
        asked.append(place)
        return True

    monkeypatch.setattr(settings_module, "is_being_saved", is_saved)
    target.unlink()
    assert store.for_folder(str(root)) == before
    assert asked == [str(target)]


@posix_only
def test_a_link_in_the_place_of_a_policy_is_as_old_as_itself(root: Path) -> None:
    toml = root / "forge.toml"
    toml.symlink_to(os.path.realpath(sys.executable))  # older than a moment
    assert is_being_saved(str(toml))


def test_the_users_own_file_may_be_a_link(root: Path, user: Path, tmp_path: Path) -> None:
    target = tmp_path / "dotfiles.toml"
    target.write_text("cache.max_bytes = 5")
    user.symlink_to(target)
    store = SettingsStore()
    assert store.for_folder(str(root)).cache_max_bytes == 5
    target.write_text("cache.max_bytes = 6")
    assert store.for_folder(str(root)).cache_max_bytes == 6


def test_a_directory_is_not_read_as_settings(root: Path) -> None:
    (root / "forge.toml").mkdir()
    assert refusal(root) == "not a regular file"


@posix_only
def test_a_fifo_or_a_socket_is_not_read(root: Path) -> None:
    toml = root / "forge.toml"
    os.mkfifo(toml)
    assert refusal(root) in NOT_REGULAR
    toml.unlink()
    with socket.socket(socket.AF_UNIX) as listening:
        listening.bind(str(toml))
        assert refusal(root) in NOT_REGULAR


@posix_only
def test_a_file_that_turns_into_something_else_before_it_is_opened_is_refused(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    regular = root / "regular"
    regular.write_text("cache.max_bytes = 5")
    seen = os.stat(regular)
    fifo = root / "fifo"
    os.mkfifo(fifo)
    link = root / "link"
    link.symlink_to(regular)
    monkeypatch.setattr(os, "stat", lambda _path, **_: seen)
    assert read_settings(str(fifo), follow_links=False) in [not_understood(each) for each in NOT_REGULAR]
    assert read_settings(str(fifo), follow_links=True) == not_understood("not a regular file")
    assert read_settings(str(link), follow_links=False) == not_understood("a symbolic link, which is not followed")


def test_a_link_to_nowhere_in_the_place_of_no_file_is_noticed(root: Path) -> None:
    store = SettingsStore()
    store.for_folder(str(root))
    (root / "forge.toml").symlink_to("nowhere")
    store.for_folder(str(root))
    assert [problem.message for problem in store.problems()] == ["a symbolic link, which is not followed"]


def test_a_file_of_the_largest_size_is_read_and_no_byte_more(root: Path) -> None:
    toml = root / "forge.toml"
    settings = b"cache.max_bytes = 5\n#"
    assert MAX_FILE_BYTES == 256 * 1024
    toml.write_bytes(settings.ljust(MAX_FILE_BYTES, b"x"))
    assert SettingsStore().for_folder(str(root)).cache_max_bytes == 5
    toml.write_bytes(settings.ljust(MAX_FILE_BYTES + 1, b"x"))
    assert refusal(root) == "larger than 256 KiB"


@posix_only
def test_a_file_that_may_not_be_read_is_a_problem(root: Path) -> None:
    toml = root / "forge.toml"
    toml.write_text("cache.max_bytes = 5")
    toml.chmod(0)
    with without_privileges():
        assert refusal(root) == "cannot be read: Permission denied"


@posix_only
def test_a_folder_that_may_not_be_entered_is_a_problem(root: Path) -> None:
    locked = root / "locked"
    locked.mkdir(mode=0)
    with without_privileges():
        assert refusal(locked) == "cannot be read: Permission denied"


def test_a_root_that_is_no_directory_or_not_there_has_no_settings(root: Path) -> None:
    (root / "file").touch()
    store = SettingsStore()
    assert store.for_folder(str(root / "file")) == Settings()
    assert store.for_folder(str(root / "gone")) == Settings()
    assert store.problems() == []


def test_a_file_that_becomes_unreadable_stays_in_force_as_it_was(root: Path) -> None:
    toml = root / "forge.toml"
    toml.write_text("cache.max_bytes = 5")
    store = SettingsStore()
    store.for_folder(str(root))
    toml.unlink()
    toml.mkdir()
    assert store.for_folder(str(root)).cache_max_bytes == 5
    assert len(store.problems()) == 1


@posix_only
def test_a_failure_to_open_is_tried_again(root: Path) -> None:
    import resource

    (root / "forge.toml").write_text("[cache]\nmax_bytes = 5")
    store = SettingsStore()
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    resource.setrlimit(resource.RLIMIT_NOFILE, (0, hard))
    try:
        assert store.for_folder(str(root)).closed_by == "forge.toml: cannot be read: Too many open files"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert [problem.message for problem in store.problems()] == ["cannot be read: Too many open files"]
    assert store.for_folder(str(root)).cache_max_bytes == 5
    assert store.problems() == []


def test_changes_in_one_tick_of_the_clock_are_seen(root: Path) -> None:
    toml = root / "forge.toml"
    store = SettingsStore()
    for number in range(200):
        value = number % 10
        toml.write_text(f"cache.max_bytes = {value}")
        os.utime(toml, ns=(10**18, 10**18))
        assert store.for_folder(str(root)).cache_max_bytes == value


def test_a_file_replaced_by_another_of_the_same_age_is_seen(root: Path) -> None:
    toml, other = root / "forge.toml", root / "other"
    toml.write_text("cache.max_bytes = 5")
    other.write_text("cache.max_bytes = 6")
    for path in (toml, other):
        os.utime(path, ns=(10**18, 10**18))
    store = SettingsStore()
    assert store.for_folder(str(root)).cache_max_bytes == 5
    other.replace(toml)
    assert store.for_folder(str(root)).cache_max_bytes == 6


def test_threads_that_ask_while_files_change_get_one_version_or_the_other(root: Path, user: Path) -> None:
    toml, draft = root / "forge.toml", root / "draft"
    toml.write_text("cache.max_bytes = 0\ntools.read_file.max_scan_bytes = 1")
    store = SettingsStore()
    done = threading.Event()
    seen: set[tuple[int, int]] = set()
    failures: list[BaseException] = []

    def ask() -> None:
        try:
            while not done.is_set():
                in_force = store.for_folder(str(root))
                seen.add((in_force.cache_max_bytes, in_force.max_scan_bytes))
                store.problems()
        except BaseException as error:
            failures.append(error)

    threads = [threading.Thread(target=ask) for _ in range(4)]
    for thread in threads:
        thread.start()
    for number in range(100):
        draft.write_text(f"cache.max_bytes = {number}\ntools.read_file.max_scan_bytes = {number + 1}")
        draft.replace(toml)
        store.set_client({"policy": {"deny": [f"*.{number}"]}})
        store.forget(str(root / "elsewhere"))
        store.for_folder(str(root / "elsewhere"))
    done.set()
    for thread in threads:
        thread.join()
    assert failures == []
    assert {limit - cache for cache, limit in seen} == {1}
    final = store.for_folder(str(root))
    assert (final.cache_max_bytes, final.max_scan_bytes, final.deny) == (99, 100, ("*.99",))


class DeadStorage:
    """A stand-in for storage that can stop answering. The user's file lies on it."""

    def __init__(self, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
        self.answers = threading.Event()
        self.answers.set()
        monkeypatch.setattr(settings_module, "MAX_WAIT_SECONDS", 0.05)

        def waiting(path: str, *, follow_links: bool) -> bytes | Parsed:
            if path == str(user):
                self.answers.wait()
            return read_settings(path, follow_links=follow_links)

        monkeypatch.setattr(settings_module, "read_settings", waiting)


@pytest.fixture
def storage(user: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[DeadStorage]:
    storage = DeadStorage(user, monkeypatch)
    yield storage
    storage.answers.set()


def eventually(wanted: Callable[[], bool]) -> None:
    for _ in range(1000):
        if wanted():
            return
        time.sleep(0.01)
    raise AssertionError("it never happened")


def test_your_settings_on_storage_that_dies_stay_as_they_were(root: Path, user: Path, storage: DeadStorage) -> None:
    user.write_text("policy.deny = ['a']")
    store = SettingsStore()
    before = store.for_folder(str(root))
    assert before == Settings(deny=("a",))
    storage.answers.clear()
    user.write_text("policy.deny = ['b']")
    assert store.for_folder(str(root)) == before
    assert store.problems() == []
    storage.answers.set()
    eventually(lambda: store.for_folder(str(root)).deny == ("b",))


def test_your_settings_that_were_never_seen_are_reported_and_close_nothing(
    root: Path, user: Path, storage: DeadStorage
) -> None:
    storage.answers.clear()
    store = SettingsStore()
    assert store.for_folder(str(root)) == Settings()
    assert [problem.message for problem in store.problems()] == ["cannot be read: its storage does not answer"]
    assert store.for_folder(str(root)) == Settings()
    storage.answers.set()
    eventually(lambda: store.for_folder(str(root)) == Settings() and store.problems() == [])


def test_no_more_than_one_thread_waits_for_your_file(root: Path, user: Path, storage: DeadStorage) -> None:
    storage.answers.clear()
    store = SettingsStore()
    for _ in range(10):
        store.for_folder(str(root))
    assert daemon_threads._unanswered == {str(user)}


@posix_only
def test_a_home_directory_that_may_not_be_entered_closes_nothing(root: Path, user: Path) -> None:
    locked = root / "locked"
    locked.mkdir(mode=0)
    os.environ["FORGE_READ_CONFIG"] = str(locked / "forge.toml")
    with without_privileges():
        store = SettingsStore()
        assert store.for_folder(str(root)) == Settings()
    assert [problem.message for problem in store.problems()] == ["cannot be read: Permission denied"]


@posix_only
def test_a_file_of_yours_that_may_not_be_read_closes_every_folder(root: Path, user: Path) -> None:
    user.write_text("")
    user.chmod(0)
    with without_privileges():
        closed_by = SettingsStore().for_folder(str(root)).closed_by
    assert closed_by == "the user's user.toml: cannot be read: Permission denied"


def test_no_folder_waits_while_the_file_of_another_is_being_understood(
    root: Path, base: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    other = base / "other"
    other.mkdir()
    (root / "forge.toml").write_text("[cache]\nmax_bytes = 1\n")
    store = SettingsStore()
    settings = store.for_folder(str(root))
    (other / "forge.toml").write_text("[cache]\nmax_bytes = 2\n")
    is_parsing, may_go_on = threading.Event(), threading.Event()

    def slowly(contents: bytes, *, is_trusted: bool) -> Parsed:
        is_parsing.set()
        may_go_on.wait()
        return parse_file(contents, is_trusted=is_trusted)

    parse_file = settings_parsing.parse_file
    monkeypatch.setattr(settings_parsing, "parse_file", slowly)
    with ThreadPoolExecutor() as threads:
        slow = threads.submit(store.for_folder, str(other))
        assert is_parsing.wait(10)
        try:
            assert threads.submit(store.for_folder, str(root)).result(10) == settings
            assert threads.submit(store.problems).result(10) == []
        finally:
            may_go_on.set()
        assert slow.result().cache_max_bytes == 2


def test_the_users_own_file_is_checked_once_in_a_while(root: Path, user: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = SettingsStore()
    assert store.for_folder(str(root)) == Settings()
    user.write_text("cache.max_bytes = 5")
    monkeypatch.setattr(settings_module, "USER_CHECK_SECONDS", 60.0)
    assert store.for_folder(str(root)) == Settings()
    monkeypatch.setattr(settings_module, "USER_CHECK_SECONDS", 0.0)
    assert store.for_folder(str(root)).cache_max_bytes == 5
