"""`forge-read doctor`."""

import errno
import os
import sys
from pathlib import Path

import pytest

from forge_daemon.terminal import doctor, trial
from forge_daemon.workspace import sandbox
from terminal.commands import run, run_on_terminal


def test_it_says_what_a_bug_report_needs_and_tries_the_daemon(tmp_path: Path) -> None:
    outcome = run("doctor", at=tmp_path)
    assert (outcome.code, outcome.complaint) == (0, "")
    told = {line.split(maxsplit=1)[0] for line in outcome.output.splitlines() if line}
    assert told >= {
        "forge-read",
        "python",
        "platform",
        *doctor.PACKAGES,
        "sandbox",
        "settings",
        "folder",
        "daemon",
    }
    assert outcome.output.endswith("everything works\n")


def test_faulty_settings_are_named_with_file_line_and_remedy(tmp_path: Path) -> None:
    settings = tmp_path / "home.toml"
    settings.write_text("[cache]\nmax_bytes = -1\n")
    (tmp_path / "forge.toml").write_text('[policy]\nallow = ["**"]\n')
    outcome = run("doctor", at=tmp_path, FORGE_READ_CONFIG=str(settings))
    assert outcome.code == 1
    assert f"{settings}:2: cache.max_bytes: must be at least 0" in outcome.output
    assert "-> correct it" in outcome.output
    assert "warning" in outcome.output
    assert outcome.output.endswith("something is wrong: see ->\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no file can have such a name")
def test_a_folder_s_name_gives_no_commands_to_the_terminal(tmp_path: Path) -> None:
    folder = tmp_path / "red\x1b[31m\x1b]0;title\x07\nline"
    folder.mkdir()
    outcome = run_on_terminal("doctor", at=folder)
    assert "red␛[31m␛]0;title␇␊line" in outcome.output
    assert "\x1b" not in outcome.output


def test_settings_that_only_have_no_effect_are_no_illness(tmp_path: Path) -> None:
    (tmp_path / "forge.toml").write_text("[cache]\nmax_bytes = 99999999999\n")
    outcome = run("doctor", at=tmp_path)
    assert outcome.code == 0
    assert "no effect" in outcome.output


def _open(directory: int, path: str, flags: int) -> int:
    return os.open(path, flags, dir_fd=directory)


def _forbidden(_directory: int, _path: str, _flags: int) -> int:
    raise OSError(errno.EPERM, os.strerror(errno.EPERM))


def test_the_sandbox_is_named_as_it_works_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandbox, "open_directly", _open)
    assert doctor._sandbox() == "openat2"
    monkeypatch.setattr(sandbox, "open_directly", _forbidden)
    assert doctor._sandbox().startswith("walk: ")
    assert os.strerror(errno.EPERM) in doctor._sandbox()
    monkeypatch.setattr(sandbox, "open_directly", None)
    assert doctor._sandbox().startswith("walk: ")


def test_a_missing_package_is_named_and_only_a_needed_one_is_an_illness(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert doctor._package("no-such-package-anywhere").remedy is not None
    monkeypatch.setattr(doctor, "MAY_BE_ABSENT", {"no-such-package-anywhere": "slower"})
    assert doctor._package("no-such-package-anywhere").remedy is None


_REFUSES = r"""
import sys
body = b'{"id": 1, "error": {"message": "not today"}}'
sys.stdin.buffer.read(1)
sys.stdout.buffer.write(b"Content-Length: %d\r\n\r\n%b" % (len(body), body))
"""


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("pass", "no answer|broke off"),
        ("import sys; sys.stdin.buffer.read(1); print('hello'); print()", "broke off: a header line"),
        (_REFUSES, "refused initialize: not today"),
    ],
)
def test_a_daemon_that_does_not_work_is_noticed(program: str, words: str) -> None:
    with pytest.raises(trial.TrialFailed, match=words):
        trial.try_daemon((sys.executable, "-c", program))


def test_a_daemon_that_does_not_answer_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(trial, "PATIENCE_SECONDS", 0.5)
    with pytest.raises(trial.TrialFailed, match="no answer to initialize"):
        trial.try_daemon((sys.executable, "-c", "import time; time.sleep(60)"))


_LIES = """
import sys
from forge_daemon.rpc.framing import FrameParser, frame
from forge_daemon.rpc.json_text import decode, encode
parser = FrameParser()
while data := sys.stdin.buffer.raw.read(65536):
    for body in parser.feed(data):
        message = decode(body)
        if message["method"] == "exit":
            sys.exit({code})
        if "id" in message:
            answer = {{"id": message["id"], "result": {{"content": {content!r}}}}}
            sys.stdout.buffer.write(frame(encode(answer)))
            sys.stdout.buffer.flush()
"""


@pytest.mark.parametrize(
    ("content", "code", "words"),
    [("something else\n", 0, "something else"), ("read by the daemon\n", 3, "exit code 3")],
)
def test_a_daemon_that_answers_wrongly_is_noticed(content: str, code: int, words: str) -> None:
    with pytest.raises(trial.TrialFailed, match=words):
        trial.try_daemon((sys.executable, "-c", _LIES.format(content=content, code=code)))


def test_what_the_trial_found_is_part_of_the_report(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> float:
        raise trial.TrialFailed("gave no answer to initialize")

    monkeypatch.setattr(doctor, "try_daemon", fail)
    finding = doctor._daemon()
    assert finding.words == "gave no answer to initialize"
    assert finding.remedy is not None
