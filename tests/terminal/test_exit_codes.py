"""Every way to fail has a number, a reason on stderr, and nothing on stdout."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from forge_daemon import cli
from forge_daemon.terminal import doctor
from forge_daemon.terminal.errors import EXIT_CODES, EXIT_CODES_HELP, NO_MATCH
from forge_protocol.errors import ErrorCode
from tests.terminal.commands import COMMAND, PATIENCE, environment, run
from tests.workspace.workspaces import NOBODY, public_directory


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "folder"
    (folder / "directory").mkdir(parents=True)
    (folder / "image.bin").write_bytes(b"\0")
    (folder / ".env").touch()
    (folder / "text").write_text("text\n")
    (tmp_path / "outside").touch()
    (folder / "link").symlink_to("../outside")
    return folder


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["read", "text", "--cursor", "no"], 2, "text: cursor: not a cursor"),
        (["read", ""], 2, "the path is empty"),
        (["find", "x", ""], 2, "the path is empty"),
        (["list", ""], 2, "the path is empty"),
        (["read", "nothing"], 3, "nothing: does not exist"),
        (["read", "text/"], 3, "text/: does not exist"),
        (["read", "nowhere/text"], 3, "nowhere/text: does not exist"),
        (["read", "../nowhere/text"], 3, "../nowhere/text: does not exist, nor does its directory"),
        (["count", "nothing"], 3, "nothing: does not exist"),
        (["list", "/nowhere/folder"], 3, "/nowhere/folder: does not exist"),
        (["read", "text", "--since", "yesterday"], 2, "text: since: not a time: 'yesterday'"),
        (["read", "directory"], 4, "directory: is a directory\nforge-read list prints"),
        (["read", "."], 4, ".: is a directory"),
        (["read", "/"], 4, "/: is a directory"),
        (["read", ".env"], 6, ".env: reading it is denied by the pattern '.env'"),
        (["read", "link"], 7, "link: a link leads out"),
        (["read", "image.bin"], 8, "image.bin: is a binary file"),
        (["read", "image.bin", "--head", "1"], 8, "image.bin: is a binary file"),
        (["count", "image.bin"], 8, "image.bin: is a binary file"),
    ],
)
def test_each_failure_has_its_code_and_says_why(folder: Path, arguments: list[str], code: int, reason: str) -> None:
    outcome = run(*arguments, at=folder)
    assert (outcome.code, outcome.output) == (code, "")
    assert outcome.complaint.startswith("forge-read: ")
    assert reason in outcome.complaint
    assert "Traceback" not in outcome.complaint


_NOT_POSITIVE = "is not a whole number from 1 on"


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["read"], "the following arguments are required: PATH"),
        (["read", "text", "--head", "1", "--tail", "1"], "--head cannot be combined with --tail"),
        (["read", "text", "--tail", "1", "--limit", "1"], "--tail cannot be combined with --limit"),
        (["read", "text", "--start-line", "3", "--end-line", "2"], "--end-line 2 is before --start-line 3"),
        (["read", "text:1", "--tail", "1"], "--tail cannot be combined with 'text:1'"),
        (["read", "text:1", "--around", "1"], "--around cannot be combined with 'text:1'"),
        (["read", "text", "--head"], "argument --head: expected one argument"),
        (["read", "text", "--head", "0"], f"argument --head: '0' {_NOT_POSITIVE}"),
        (["read", "text", "--head", "-1"], f"argument --head: '-1' {_NOT_POSITIVE}"),
        (["read", "text", "--head", "1.0"], f"argument --head: '1.0' {_NOT_POSITIVE}"),
        (["read", "text", "--head", "٣"], f"argument --head: '٣' {_NOT_POSITIVE}"),
        (["read", "text", "--head", str(2**63)], f"argument --head: '{2**63}' {_NOT_POSITIVE}"),
        (["read", "text", "--hea", "1"], "unknown option '--hea'; did you mean --head?"),
        (["read", "-f", "-"], "(standard input) cannot be followed"),
        (["read", "\x1b[2J", "--\x1b[2J"], "unknown option '--\\x1b[2J'; put -- before"),
        (["find"], "the following arguments are required: PATTERN"),
        (["list", "one", "two"], "unexpected argument 'two'"),
        (["list", "--depth", "0"], "argument --depth: '0' is not a whole number from 1 on"),
        (["find", "x", "text", "--context", "-1"], "argument -C/--context: '-1' is not a whole number from 0 on"),
        (["find", "x", "text", "-cA1"], "context cannot be combined with -c, -l or -o"),
        (["serve", "more"], "unexpected argument 'more'"),
        (["serve", "--log-level", "loud"], "argument --log-level: invalid choice: 'loud'"),
        (["completion", "tcsh"], "argument SHELL: invalid choice: 'tcsh'"),
    ],
)
def test_wrong_usage_is_2_and_says_what_is_wrong(folder: Path, arguments: list[str], reason: str) -> None:
    outcome = run(*arguments, at=folder)
    assert (outcome.code, outcome.output) == (2, "")
    usage, complaint = outcome.complaint.splitlines()
    assert usage.startswith(f"usage: forge-read {arguments[0]} [OPTIONS]")
    assert complaint.startswith(f"forge-read {arguments[0]}: error: {reason}")


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        (["cuont", "text"], "unknown command 'cuont'; did you mean count?"),
        (["\x1b[2J"], "unknown command '\\x1b[2J'; forge-read --help lists the commands"),
        (["help"], "unknown command 'help'; forge-read --help lists the commands"),
        (["--none"], "unknown option '--none'"),
        (["--\x1b[2J"], "unknown option '--\\x1b[2J'"),
    ],
)
def test_an_unknown_command_is_2_and_the_nearest_is_named(folder: Path, arguments: list[str], reason: str) -> None:
    outcome = run(*arguments, at=folder)
    assert (outcome.code, outcome.output) == (2, "")
    assert outcome.complaint == f"usage: forge-read COMMAND [OPTIONS]\nforge-read: error: {reason}\n"


def test_a_file_that_fails_keeps_no_other_from_being_read(folder: Path) -> None:
    outcome = run("read", "nothing", "text", ".env", "text", at=folder)
    assert (outcome.code, outcome.output) == (3, "==> text <==\ntext\n\n==> text <==\ntext\n")
    assert outcome.complaint.startswith("forge-read: nothing: does not exist\nforge-read: .env: reading it is denied")
    found = run("find", "x", "text", "image.bin", "text", at=folder)
    assert (found.code, found.output) == (8, "text:text\ntext:text\n")


def test_what_the_operating_system_refuses_is_5() -> None:
    # Permissions do not bind root, so root steps down once everything that is needed is imported: where only root may
    # enter the directory of the program itself, nothing can be imported afterwards.
    program = (
        "import os, sys; from forge_daemon.cli import main; main(['read', 'open']); main(['read', 'nothing'])\n"
        f"if os.geteuid() == 0: os.seteuid({NOBODY})\n"
        "sys.exit(main(['read', 'locked']))"
    )
    with public_directory() as directory:
        (directory / "open").touch()
        (directory / "locked").touch(0)
        done = subprocess.run(
            [sys.executable, "-c", program], cwd=directory, env=environment(), capture_output=True, timeout=PATIENCE
        )
    assert (done.returncode, done.stdout) == (5, b"")
    assert b"locked: the operating system does not allow reading it" in done.stderr


def test_a_log_file_that_cannot_be_written_is_70(folder: Path) -> None:
    outcome = run("serve", "--log-file", str(folder / "nowhere" / "log"), at=folder)
    assert (outcome.code, outcome.output) == (70, "")
    assert "No such file or directory" in outcome.complaint


def test_from_a_directory_that_is_gone_only_absolute_paths_are_read(tmp_path: Path) -> None:
    (tmp_path / "text").write_text("one\n")

    def read(path: str) -> "subprocess.CompletedProcess[bytes]":
        command = f"mkdir gone && cd gone && rmdir ../gone && '{COMMAND[0]}' -m forge_daemon read '{path}'"
        return subprocess.run(
            command, shell=True, cwd=tmp_path, env=environment(), capture_output=True, timeout=PATIENCE
        )

    assert read("text").returncode == 3
    assert read("text").stderr == b"forge-read: text: the working directory no longer exists\n"
    assert (read(f"{tmp_path}/text").returncode, read(f"{tmp_path}/text").stdout) == (0, b"one\n")


def test_an_unexpected_error_is_70_and_printed_in_full(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(doctor, "doctor", lambda _: [0][1])
    assert cli.main(["doctor"]) == 70
    assert "IndexError" in capsys.readouterr().err


@pytest.mark.skipif(sys.platform != "linux", reason="needs /dev/full")
def test_the_code_is_the_same_if_stderr_cannot_be_written(folder: Path) -> None:
    for arguments, code in (("read none", 3), ("find x none", 3), ("read .env", 6), ("read", 2)):
        command = f"'{COMMAND[0]}' -m forge_daemon {arguments} 2>/dev/full"
        done = subprocess.run(command, shell=True, cwd=folder, env=environment(), timeout=PATIENCE)
        assert done.returncode == code


def test_every_error_has_a_code_and_every_code_is_documented() -> None:
    assert set(EXIT_CODES) == set(ErrorCode)
    documented = {int(number) for number in re.findall(r"(?<!\S)\d+(?=  )", EXIT_CODES_HELP)}
    assert documented == {0, NO_MATCH, *EXIT_CODES.values()}
