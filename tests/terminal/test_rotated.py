"""`--rotated` on the command line."""

import gzip
import json
import subprocess
from pathlib import Path

import pytest

from tests.terminal.commands import COMMAND, environment, run


@pytest.fixture(autouse=True)
def log(tmp_path: Path) -> Path:
    (tmp_path / "app.log.2.gz").write_bytes(gzip.compress(b"one\n"))
    (tmp_path / "app.log.1").write_text("two\nthree")
    log = tmp_path / "app.log"
    log.write_text("four\n")
    return log


@pytest.mark.parametrize(
    ("command", "output"),
    [
        ("read --rotated app.log", "one\ntwo\nthree\nfour\n"),
        ("read --rotated app.log.1 --tail 2 -n", "3| three\n4| four\n"),
        ("read --rotated app.log --filter o -n", "1| one\n2| two\n4| four\n"),
        ("read app.log.1", "two\nthree"),
        ("count --rotated app.log", "4\n"),
        ("find --rotated -n hre app.log -C 1", "2-two\n3:three\n4-four\n"),
        ("find --rotated -c o app.log", "3\n"),
    ],
)
def test_the_files_of_a_log_are_one_text(tmp_path: Path, command: str, output: str) -> None:
    outcome = run(*command.split(), at=tmp_path)
    assert (outcome.output, outcome.code, outcome.complaint) == (output, 0, "")


def test_answers_of_the_protocol_list_the_files(tmp_path: Path) -> None:
    answer = json.loads(run("read", "--json", "--rotated", "app.log", at=tmp_path).output)
    assert [member["path"] for member in answer["members"]] == ["app.log.2.gz", "app.log.1", "app.log"]
    assert json.loads(run("count", "--json", "--rotated", "app.log", at=tmp_path).output)["line_count"] == 4


def test_a_file_that_is_left_out_is_reported(tmp_path: Path) -> None:
    (tmp_path / "forge.toml").write_text('[policy]\ndeny = ["app.log.2.gz"]\n')
    outcome = run("read", "--rotated", "app.log", at=tmp_path)
    assert (outcome.output, outcome.code) == ("two\nthree\nfour\n", 0)
    assert "app.log.2.gz" in outcome.complaint
    assert "left out" in outcome.complaint
    described = run("describe", "--rotated", "app.log", at=tmp_path).output
    assert "left out app.log.2.gz" in described


def test_a_description_counts_all_files(tmp_path: Path) -> None:
    rows = run("describe", "--rotated", "app.log", at=tmp_path).output.splitlines()
    assert "files    3, from app.log.2.gz to app.log" in rows
    assert "lines    4" in rows


def test_a_follow_goes_on_over_a_rotation(tmp_path: Path, log: Path) -> None:
    command = [*COMMAND, "read", "-f", "--rotated", "--tail", "2", "app.log"]
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as follow:
        assert follow.stdout is not None
        try:
            got = [follow.stdout.readline(), follow.stdout.readline()]
            log.rename(tmp_path / "app.log.0")
            log.write_text("five\n")
            got.append(follow.stdout.readline())
        finally:
            follow.terminate()
        assert got == ["three\n", "four\n", "five\n"]
        assert follow.stderr is not None
        assert follow.stderr.read() == ""
