"""`forge-read find` over folders, and `forge-read list`."""

import json
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.requests.trees import make_packages, write_files
from tests.terminal.commands import Outcome, run, run_on_terminal


def printed(at: Path, *arguments: str) -> list[str]:
    outcome = run(*arguments, at=at)
    assert (outcome.code, outcome.complaint) == (0, "")
    return outcome.output.splitlines()


def _without_separators(lines: list[str]) -> list[str]:
    """In an order of their own, and without the counts of files that grep takes for binary."""
    return sorted(line for line in lines if line != "--" and not line.endswith(":0"))


class TestFind:
    def test_the_files_of_a_folder_are_searched_and_named(self, tmp_path: Path) -> None:
        write_files(tmp_path, {"a/x.txt": "no\nword\n", "b.txt": "word\n", ".env": "word\n", "bin": b"word\0"})
        write_files(tmp_path, {".gitignore": "ignored\n", "ignored": "word\n"})
        assert printed(tmp_path, "find", "word") == ["a/x.txt:word", "b.txt:word"]
        assert printed(tmp_path, "find", "-n", "word", "a") == ["a/x.txt:2:word"]
        assert printed(tmp_path, "find", "-rn", "word", "a") == ["a/x.txt:2:word"]
        assert printed(tmp_path, "find", "word", "a/", "b.txt") == ["a/x.txt:word", "b.txt:word"]
        assert printed(tmp_path, "find", "word", str(tmp_path / "a")) == [f"{tmp_path / 'a'}/x.txt:word"]

    @pytest.mark.skipif(sys.platform == "win32" or shutil.which("grep") is None, reason="grep is missing")
    @pytest.mark.parametrize(
        "letters",
        [["-i"], ["-v"], ["-w"], ["-c"], ["-l"], ["-n"], ["-o"], ["-nA1"], ["-nB1"], ["-nC2"], ["-E"], ["-ino"]],
    )
    def test_the_letters_mean_what_they_mean_for_grep(self, tmp_path: Path, letters: list[str]) -> None:
        make_packages(tmp_path, 16)
        for file in tmp_path.rglob("index.js"):
            file.write_text(file.read_text().replace("\r", "") + "\n")
        fixed = [] if "-E" in letters else ["-F"]
        grep = subprocess.run(
            ["grep", "-rI", *fixed, *letters, "require", "."], cwd=tmp_path, capture_output=True, text=True, check=True
        )
        ours = printed(tmp_path, "find", *letters, "require", ".")
        assert _without_separators(ours) == _without_separators(grep.stdout.splitlines())

    def test_a_folder_without_a_match_is_exit_code_1(self, tmp_path: Path) -> None:
        write_files(tmp_path, {"a/x.txt": "no\n"})
        assert run("find", "word", "a", at=tmp_path) == Outcome(1, "", "")

    def test_skipped_files_are_reported_on_a_terminal(self, tmp_path: Path) -> None:
        write_files(tmp_path, {"x.txt": "word\n", ".env": "word\n"})
        outcome = run_on_terminal("find", "word", at=tmp_path)
        assert "skipped: 1 denied" in str(outcome)


class TestList:
    def test_names_are_printed_one_a_line_in_a_pipe(self, tmp_path: Path) -> None:
        write_files(tmp_path, {"src/x.py": "", "src/sub/y.py": "", "a.txt": "", ".env": ""})
        assert printed(tmp_path, "list") == ["a.txt", "src/"]
        assert printed(tmp_path, "list", "src", "--depth", "2") == ["sub/", "sub/y.py", "x.py"]
        assert printed(tmp_path, "list", "--glob", "**/*.py") == ["src/sub/y.py", "src/x.py"]

    def test_sizes_and_counts_are_printed_on_a_terminal(self, tmp_path: Path) -> None:
        write_files(tmp_path, {"src/x.py": "", "a.txt": "12345"})
        shown = str(run_on_terminal("list", "--depth", "1", at=tmp_path, NO_COLOR="1"))
        assert "a.txt 5" in shown
        assert "src/ 1" in shown

    def test_json_is_the_answer_of_the_protocol(self, tmp_path: Path) -> None:
        write_files(tmp_path, {"a.txt": "12345"})
        (line,) = printed(tmp_path, "list", "--json")
        (entry,) = json.loads(line)["entries"]
        assert (entry["path"], entry["kind"], entry["byte_length"]) == ("a.txt", "file", 5)

    def test_what_is_not_a_folder_is_refused(self, tmp_path: Path) -> None:
        write_files(tmp_path, {"a.txt": ""})
        outcome = run("list", "a.txt", at=tmp_path)
        assert outcome.code != 0
        assert "is a file, not a folder" in outcome.complaint
        assert run("list", "missing", at=tmp_path).code != 0
