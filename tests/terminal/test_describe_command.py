"""`forge-read describe`: a log on one screen."""

import gzip
import json
from pathlib import Path

import pytest

from forge_daemon.cli import main
from tests.terminal.test_read_command import LOG


def described(capfd: pytest.CaptureFixture[str], path: Path, *options: str) -> str:
    assert main(["describe", str(path), *options]) == 0
    return capfd.readouterr().out


def test_size_times_records_and_levels_of_a_log_are_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.log").write_text(LOG)
    shown = described(capfd, tmp_path / "app.log").splitlines()[1:]
    assert shown == [
        "size     251 bytes",
        "text     utf-8, format iso8601",
        "lines    6",
        "records  4",
        "from     2026-11-18T14:03:59.120",
        "to       2026-11-18T14:07:10.450",
        f"error    1 {'#' * 10}",
        f"warning  1 {'#' * 10}",
        f"info     2 {'#' * 20}",
    ]


def test_without_a_scan_nothing_is_counted(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.log").write_text(LOG)
    shown = described(capfd, tmp_path / "app.log", "--no-scan")
    assert "from     2026-11-18T14:03:59.120" in shown
    assert "lines" not in shown
    assert "error" not in shown


def test_a_text_without_levels_has_no_bars(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "notes").write_text("one\ntwo\n")
    assert described(capfd, tmp_path / "notes").splitlines()[1:] == [
        "size     8 bytes",
        "text     utf-8, format text",
        "lines    2",
    ]


def test_the_answer_as_json_is_that_of_the_protocol(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "app.log.gz").write_bytes(gzip.compress(LOG.encode()))
    answer = json.loads(described(capfd, tmp_path / "app.log.gz", "--json"))
    assert (answer["compression"], answer["record_count"]) == ("gzip", 4)
    assert answer["levels"] == {"info": 2, "warning": 1, "error": 1}
