"""`forge-read doctor`."""

import sys
from pathlib import Path

import pytest

from forge_daemon.terminal import doctor
from tests.terminal.commands import run, run_on_terminal


def test_doctor_prints_what_a_bug_report_needs_and_tests_the_daemon(tmp_path: Path) -> None:
    outcome = run("doctor", at=tmp_path)
    assert (outcome.code, outcome.complaint) == (0, "")
    told = {line.split(maxsplit=1)[0] for line in outcome.output.splitlines() if line}
    assert told >= {
        "forge-read",
        "python",
        "platform",
        *doctor.PACKAGES,
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
    assert "-> fix this setting" in outcome.output
    assert "warning" in outcome.output
    assert outcome.output.endswith("problems found, see the lines marked ->\n")


@pytest.mark.skipif(sys.platform == "win32", reason="no file can have such a name")
def test_control_characters_in_a_folder_name_are_escaped(tmp_path: Path) -> None:
    folder = tmp_path / "red\x1b[31m\x1b]0;title\x07\nline"
    folder.mkdir()
    outcome = run_on_terminal("doctor", at=folder)
    assert "red␛[31m␛]0;title␇␊line" in outcome.output
    assert "\x1b" not in outcome.output


def test_settings_of_a_workspace_that_are_ignored_are_only_warnings(tmp_path: Path) -> None:
    (tmp_path / "forge.toml").write_text("[policy]\nallow = ['x']\n")
    outcome = run("doctor", at=tmp_path)
    assert outcome.code == 0
    assert "policy.allow: ignored" in outcome.output


def test_a_missing_package_is_a_problem_only_if_it_is_needed(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    assert doctor._package("no-such-package-anywhere").remedy is not None
    monkeypatch.setattr(doctor, "MAY_BE_ABSENT", {"no-such-package-anywhere": "slower"})
    assert doctor._package("no-such-package-anywhere").remedy is None


@pytest.mark.parametrize(
    ("program", "words"),
    [
        ("pass", "did not read a file, exit code 0"),
        ("import sys; sys.stdin.read(); sys.exit(3)", "did not read a file, exit code 3"),
        ("import time; time.sleep(60)", "timed out"),
    ],
)
def test_a_daemon_that_does_not_work_is_noticed(program: str, words: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "TIMEOUT_SECONDS", 0.5 if "sleep" in program else 60.0)
    finding = doctor._daemon((sys.executable, "-c", program))
    assert words in finding.words
    assert finding.remedy is not None


def test_a_daemon_that_cannot_be_started_is_noticed(tmp_path: Path) -> None:
    assert doctor._daemon((str(tmp_path / "missing"),)).remedy is not None
