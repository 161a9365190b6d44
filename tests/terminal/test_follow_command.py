"""`forge-read read --follow` prints what is appended as it comes, and says what becomes of the file."""

import os
import signal
import subprocess
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import IO

import pytest

from tests.terminal.commands import COMMAND, INTERRUPTED, PATIENCE, environment, environment_of_interrupted, run


def started(directory: Path, *arguments: str, env: dict[str, str] | None = None) -> "subprocess.Popen[bytes]":
    return subprocess.Popen(
        [*COMMAND, "read", *arguments],
        cwd=directory,
        env=env or environment(),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )


class Follow:
    """The command at work, with what it printed so far."""

    def __init__(self, directory: Path, *arguments: str, env: dict[str, str] | None = None) -> None:
        self.process = started(directory, *arguments, env=env)
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self._output, self._complaints = _Printed(self.process.stdout), _Printed(self.process.stderr)

    def wait_for(self, text: str) -> None:
        self._output.wait_for(text)

    def wait_for_word(self, text: str) -> None:
        self._complaints.wait_for(text)

    def end(self) -> None:
        self.process.kill()
        self.process.wait()
        self._output.end()
        self._complaints.end()

    @property
    def printed(self) -> str:
        return self._output.text

    @property
    def complained(self) -> str:
        return self._complaints.text


class _Printed:
    """What comes out of a pipe, taken by a thread: nothing else waits for a pipe on every system."""

    def __init__(self, pipe: IO[bytes]) -> None:
        self._pipe = pipe
        self._bytes = b""
        self._more = threading.Condition()
        self._thread = threading.Thread(target=self._take, daemon=True)
        self._thread.start()

    def _take(self) -> None:
        while data := os.read(self._pipe.fileno(), 65536):
            with self._more:
                self._bytes += data
                self._more.notify_all()

    @property
    def text(self) -> str:
        return self._bytes.decode()

    def wait_for(self, text: str) -> None:
        with self._more:
            assert self._more.wait_for(lambda: text in self.text, PATIENCE), f"{text!r} is not in {self.text!r}"

    def end(self) -> None:
        self._thread.join()
        self._pipe.close()


@pytest.fixture
def log(tmp_path: Path) -> Path:
    log = tmp_path / "app.log"
    log.write_text("".join(f"line {number}\n" for number in range(1, 31)))
    return log


@pytest.fixture
def follow(log: Path) -> Iterator[Follow]:
    follow = Follow(log.parent, "-f", "app.log", "--tail", "2")
    follow.wait_for("line 30\n")
    yield follow
    follow.end()


def append(log: Path, text: str) -> None:
    with log.open("a", newline="\n") as file:
        file.write(text)


@pytest.mark.parametrize("option", ["--head", "--limit", "--end-line", "--around"])
def test_what_has_an_end_cannot_be_followed(log: Path, option: str) -> None:
    outcome = run("read", "-f", "app.log", option, "3", at=log.parent)
    assert (outcome.code, outcome.output) == (2, "")
    assert option in outcome.complaint


def test_what_is_appended_is_printed(follow: Follow, log: Path) -> None:
    append(log, "line 31\n")
    follow.wait_for("line 31\n")
    append(log, "line 32\nline 33\n")
    follow.wait_for("line 33\n")
    assert follow.printed == "line 29\nline 30\nline 31\nline 32\nline 33\n"


def test_what_happens_to_the_file_is_reported(follow: Follow, log: Path) -> None:
    new = log.with_suffix(".new")
    new.write_text("rotated\n")
    append(log, "line 31\n")
    os.replace(new, log)  # in one step, so that it is never seen to be missing
    follow.wait_for("rotated\n")
    follow.wait_for_word("app.log: was replaced (rotated)")
    os.truncate(log, 0)
    follow.wait_for_word("app.log: was truncated")
    log.unlink()
    follow.wait_for_word("app.log: was removed")
    log.write_text("again\n")
    follow.wait_for_word("app.log: is there again")
    follow.wait_for("again\n")
    assert follow.printed == "line 29\nline 30\nline 31\nrotated\nagain\n"


def test_a_file_that_is_emptied_is_followed_from_its_start(follow: Follow, log: Path) -> None:
    os.truncate(log, 0)
    follow.wait_for_word("app.log: was truncated")
    append(log, "first\n")
    follow.wait_for("first\n")
    assert follow.printed == "line 29\nline 30\nfirst\n"


def test_an_interrupt_ends_following(log: Path) -> None:
    follow = Follow(log.parent, "-f", "app.log", "--tail", "2", env=environment_of_interrupted())
    follow.wait_for("line 30\n")
    follow.process.send_signal(signal.SIGINT)
    assert follow.process.wait(PATIENCE) == INTERRUPTED
    follow.end()
    assert follow.complained == ""


def test_a_reader_that_closes_the_pipe_ends_following(log: Path) -> None:
    with started(log.parent, "-f", "app.log", "--tail", "1") as follow:
        assert follow.stdout is not None
        assert follow.stdout.readline() == b"line 30\n"
        follow.stdout.close()
        assert follow.wait(PATIENCE) == 0


def test_following_without_a_selector_starts_with_the_last_ten_lines(log: Path) -> None:
    follow = Follow(log.parent, "--follow", "app.log")
    follow.wait_for("line 30\n")
    follow.end()
    assert follow.printed == "".join(f"line {number}\n" for number in range(21, 31))


def test_a_missing_file_is_an_error_at_once(tmp_path: Path) -> None:
    done = subprocess.run([*COMMAND, "read", "-f", "app.log"], cwd=tmp_path, env=environment(), capture_output=True)
    assert done.returncode == 3


def test_lines_are_filtered_in_the_given_encoding(tmp_path: Path) -> None:
    log = tmp_path / "latin.log"
    log.write_bytes("maß\nall\n".encode("latin-1"))
    follow = Follow(tmp_path, "-f", "latin.log", "--filter", "ß", "--encoding", "latin1", "--line-numbers")
    follow.wait_for("1| maß\n")
    with log.open("ab") as file:
        file.write("nothing\nspaß\n".encode("latin-1"))
    follow.wait_for("4| spaß\n")
    follow.end()
    assert follow.printed == "1| maß\n4| spaß\n"


class TestSeveralFiles:
    @pytest.fixture
    def other(self, log: Path) -> Path:
        other = log.with_name("other.log")
        other.write_text("other 1\n")
        return other

    def test_a_header_says_where_another_file_continues(self, log: Path, other: Path) -> None:
        follow = Follow(log.parent, "-f", "app.log", "other.log", "--tail", "1")
        follow.wait_for("other 1\n")
        append(other, "other 2\n")
        follow.wait_for("other 2\n")
        append(log, "line 31\n")
        follow.wait_for("line 31\n")
        append(other, "other 3\n")
        follow.wait_for("other 3\n")
        follow.end()
        assert follow.printed == (
            "==> app.log <==\nline 30\n\n==> other.log <==\nother 1\nother 2\n"
            "\n==> app.log <==\nline 31\n\n==> other.log <==\nother 3\n"
        )

    def test_a_missing_file_is_reported_and_the_others_are_followed(self, log: Path, other: Path) -> None:
        follow = Follow(log.parent, "-f", "missing", "other.log")
        follow.wait_for("other 1\n")
        follow.wait_for_word("missing: does not exist")
        append(other, "other 2\n")
        follow.wait_for("other 2\n")
        follow.end()

    def test_following_ends_when_no_file_may_be_read_any_longer(self, log: Path, other: Path) -> None:
        follow = Follow(log.parent, "-f", "app.log", "other.log", "--tail", "1")
        follow.wait_for("other 1\n")
        other.unlink()
        other.symlink_to("/etc/passwd")
        follow.wait_for_word("other.log: a link leads out")
        append(log, "line 31\n")
        follow.wait_for("line 31\n")
        (log.parent / "forge.toml").write_text('[policy]\ndeny = ["*.log"]\n')
        os.utime(log)
        assert follow.process.wait(PATIENCE) == 7
        follow.end()
        assert "app.log: reading it is denied" in follow.complained
