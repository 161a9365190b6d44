"""`forge-read read --follow` prints what is appended as it comes, and says what becomes of the file."""

import os
import signal
import subprocess
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from terminal.commands import COMMAND, environment


class Follow:
    """The command at work, with what it printed so far."""

    def __init__(self, directory: Path, *arguments: str) -> None:
        self.process = subprocess.Popen(
            [*COMMAND, "read", *arguments],
            cwd=directory,
            env=environment(),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
        )
        assert self.process.stdout is not None
        assert self.process.stderr is not None
        self.output, self.complaints = self.process.stdout, self.process.stderr
        os.set_blocking(self.output.fileno(), False)
        os.set_blocking(self.complaints.fileno(), False)
        self._printed = {self.output.fileno(): "", self.complaints.fileno(): ""}

    def wait_for(self, text: str) -> None:
        self._wait(self.output.fileno(), text)

    def wait_for_word(self, text: str) -> None:
        self._wait(self.complaints.fileno(), text)

    def _wait(self, fd: int, text: str) -> None:
        deadline = time.monotonic() + 30
        while text not in self._printed[fd]:
            assert time.monotonic() < deadline, f"{text!r} is not in {self._printed}"
            try:
                self._printed[fd] += os.read(fd, 65536).decode()
            except BlockingIOError:
                time.sleep(0.02)

    @property
    def printed(self) -> str:
        return self._printed[self.output.fileno()]


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
    follow.process.kill()
    follow.process.communicate()


def append(log: Path, text: str) -> None:
    with log.open("a") as file:
        file.write(text)


def test_what_is_appended_is_printed_and_what_happens_to_the_file_is_said(follow: Follow, log: Path) -> None:
    append(log, "line 31\n")
    follow.wait_for("line 31\n")
    new = log.with_suffix(".new")
    new.write_text("rotated\n")
    append(log, "line 32\n")
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
    assert follow.printed == "line 29\nline 30\nline 31\nline 32\nrotated\nagain\n"


def test_it_ends_when_it_is_interrupted(follow: Follow) -> None:
    follow.process.send_signal(signal.SIGINT)
    assert follow.process.wait(30) == 130
    assert follow.complaints.read() in (None, b"")


def test_it_ends_when_nobody_reads_what_it_prints(follow: Follow) -> None:
    follow.output.close()
    assert follow.process.wait(30) == 0


def test_without_a_selector_it_starts_with_the_last_ten_lines(log: Path) -> None:
    follow = Follow(log.parent, "--follow", "app.log")
    follow.wait_for("line 30\n")
    printed = follow.printed
    follow.process.kill()
    follow.process.communicate()
    assert printed == "".join(f"line {number}\n" for number in range(21, 31))


def test_a_missing_file_is_an_error_at_once(tmp_path: Path) -> None:
    done = subprocess.run([*COMMAND, "read", "-f", "app.log"], cwd=tmp_path, env=environment(), capture_output=True)
    assert done.returncode == 3


def test_only_lines_that_match_are_printed_in_the_encoding_that_is_given(tmp_path: Path) -> None:
    log = tmp_path / "latin.log"
    log.write_bytes("maß\nall\n".encode("latin-1"))
    follow = Follow(tmp_path, "-f", "latin.log", "--filter", "ß", "--encoding", "latin1", "--line-numbers")
    follow.wait_for("1| maß\n")
    with log.open("ab") as file:
        file.write("nothing\nspaß\n".encode("latin-1"))
    follow.wait_for("4| spaß\n")
    printed = follow.printed
    follow.process.kill()
    follow.process.communicate()
    assert printed == "1| maß\n4| spaß\n"
