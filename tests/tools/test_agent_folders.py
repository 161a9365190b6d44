"""The tools `find` and `list` of toolset `agent` over folders."""

import bz2
import gzip
import lzma
import os
import sys
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.requests import tree_search
from forge_daemon.tools import ToolCatalog
from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import SettingsStore
from forge_protocol.errors import ErrorCode, ReadError
from tests.requests.trees import make_packages, write_files


def call(reader: Reader, name: str, **arguments: Any) -> str:
    return str(ToolCatalog.call(name, arguments, "agent", reader))


def refusal(reader: Reader, name: str, **arguments: Any) -> ReadError:
    with pytest.raises(ReadError) as caught:
        call(reader, name, **arguments)
    return caught.value


class TestFind:
    def test_lines_are_grouped_by_file(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"src/b.py": "one\n\tword\nword\n", "a.py": "word", "x": "word\0", ".env": "word"})
        assert call(reader, "find", pattern="word").split("\n") == [
            "[3 lines in 2 of 2 files]",
            "a.py",
            "1:\tword",
            "src/b.py",
            "2:\t\tword",
            "3:\tword",
            "[skipped: 1 binary, 1 denied]",
        ]
        assert call(reader, "find", pattern="word", path="src").startswith("[2 lines in 1 of 1 file]\nsrc/b.py\n")

    def test_context_is_shown_if_it_is_asked_for(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"a.py": "1\n2\nword\nword\n5\n6\n7\n8\nword\n"})
        assert call(reader, "find", pattern="word", context=1, path=".").split("\n")[1:] == [
            "a.py",
            "2\t2",
            "3:\tword",
            "4:\tword",
            "5\t5",
            "--",
            "8\t8",
            "9:\tword",
        ]

    def test_the_limit_ends_inside_a_file_and_says_how_to_continue(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"a": "word\n" * 3, "b": "word\n" * 3, "c": "word\n"})
        assert call(reader, "find", pattern="word", limit=5).split("\n")[-2:] == [
            "[1 more in b]",
            "[more: start_after b]",
        ]
        assert call(reader, "find", pattern="word", limit=5, start_after="b") == (
            "[1 line in 1 of 1 file after b]\nc\n1:\tword"
        )
        full = call(reader, "find", pattern="word", limit=6)
        assert full.startswith("[7 lines in 3 of 3 files]\n")
        assert full.endswith("3:\tword\n[more: start_after b]")

    def test_a_file_shows_at_most_twenty_lines(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"a": "word\n" * 31, "b": "word\n"})
        found = call(reader, "find", pattern="word").split("\n")
        assert found[0] == "[32 lines in 2 of 2 files]"
        assert found[-4:] == ["20:\tword", "b", "1:\tword", "[11 more in a]"]

    def test_following_start_after_shows_each_file_once(self, reader: Reader, workspace: Path) -> None:
        make_packages(workspace, 100)
        names: list[str] = []
        after: dict[str, str] = {}
        while True:
            lines = call(reader, "find", pattern="module", limit=7, **after).split("\n")
            names += [line for line in lines if not line.startswith(("[", "1", "2"))]
            if not lines[-1].startswith("[more: start_after "):
                break
            after = {"start_after": lines[-1].removeprefix("[more: start_after ").removesuffix("]")}
        assert names == sorted(str(file.relative_to(workspace).as_posix()) for file in workspace.rglob("index.js"))

    def test_an_answer_fits_the_setting(self, workspace: Path) -> None:
        settings = SettingsStore()
        settings.set_client({"tools": {"agent": {"max_chars": 4000}}})
        reader = Reader([folder_from_path(str(workspace))], settings)
        make_packages(workspace, 200)
        for arguments in ({"limit": 1000}, {"limit": 1000, "context": 20}):
            answer = call(reader, "find", pattern="e", **arguments)
            assert 3000 < len(answer) <= 4000
            assert answer.split("\n")[-1].startswith("[more: start_after ")
        answer = call(reader, "list", depth=9, limit=1000)
        assert 3000 < len(answer) <= 4000
        assert answer.split("\n")[-1].startswith("[more: start_after ")

    def test_a_glob_selects_files(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, dict.fromkeys(["a.py", "src/b.py", "src/c.ts", "src/sub/d.py", "[x].py"], "word\n"))
        for glob, number in {"*.py": 4, "src/*.py": 1, "src/**/*.py": 2, "src/**/*.{ts,py}": 3, "**/none*": 0}.items():
            files = call(reader, "find", pattern="word", path=glob).split("]")[0]
            assert files == (
                f"[{number} line{'s' * (number != 1)} in {number} of {number} file{'s' * (number != 1)}"
                if number
                else "[no match in 0 files"
            )
        assert call(reader, "find", pattern="word", path="[x].py").startswith("[[x].py 1 matching line]")

    def test_no_match_names_what_was_ignored(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {".gitignore": "build\n", "build/x": "word\n"})
        assert call(reader, "find", pattern="word") == (
            "[no match in 1 file; 1 ignored name left out: name one to search it]"
        )
        assert call(reader, "find", pattern="word", path="build") == "[1 line in 1 of 1 file]\nbuild/x\n1:\tword"

    @pytest.mark.parametrize(
        ("pattern", "hint"),
        [
            ("httpserver", "; try ignore_case"),
            ("Http[A-Z]", "; try regex"),
            ("http[a-z]erver", "; try regex with ignore_case"),
            ("http[", ""),
            ("ftpserver", ""),
        ],
    )
    def test_no_match_names_what_would_match(self, reader: Reader, workspace: Path, pattern: str, hint: str) -> None:
        write_files(workspace, {"a": "none\n", "b": "class HttpServer:\n"})
        assert call(reader, "find", pattern=pattern) == f"[no match in 2 files{hint}]"

    def test_a_hint_is_given_only_if_nothing_matches(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"a": "word\n", "b": "WORD\n"})
        assert call(reader, "find", pattern="WORD") == "[1 line in 1 of 2 files]\nb\n1:\tWORD"

    def test_files_that_are_not_shown_are_counted(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"a": "word\n" * 3, "b": "word\r\nword", "c": "word\n\nword\nx\n", "d": "x\n"})
        write_files(workspace, {"utf16": "word\n".encode("utf-16")})
        for regex in (False, True):
            answer = call(reader, "find", pattern="word", regex=regex, limit=1)
            assert answer.split("\n") == [
                "[8 lines in 4 of 5 files]",
                "a",
                "1:\tword",
                "[2 more in a]",
                "[more: start_after a]",
            ]

    @pytest.mark.parametrize("module", [gzip, bz2, lzma], ids=lambda module: module.__name__)
    def test_compressed_files_are_not_taken_for_binary_ones(self, reader: Reader, workspace: Path, module: Any) -> None:
        write_files(workspace, {"a.log": "word\n", "a.log.1.z": module.compress(b"word\n"), "b": b"\0word"})
        assert call(reader, "find", pattern="word", path="*") == (
            "[1 line in 1 of 1 file]\na.log\n1:\tword\n[skipped: 1 binary, 1 compressed: name one to search it]"
        )
        assert "1:\tword" in call(reader, "find", pattern="word", path="a.log.1.z")

    @pytest.mark.parametrize("start", ["%PDF-1.4", "GIF89a"])
    def test_what_is_refused_alone_is_skipped_as_binary(self, reader: Reader, workspace: Path, start: str) -> None:
        write_files(workspace, {"a": f"{start}\nword\n", "b": "word\n"})
        assert "no lines to search" in refusal(reader, "find", pattern="word", path="a").reason
        assert call(reader, "find", pattern="word") == "[1 line in 1 of 1 file]\nb\n1:\tword\n[skipped: 1 binary]"

    def test_lines_of_a_notebook_are_told_to_be_those_of_its_json(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"a.ipynb": '{"cells": []}\n'})
        answer = call(reader, "find", pattern="cells")
        assert answer.split("\n")[1:] == ["a.ipynb (lines of its JSON: encoding raw)", '1:\t{"cells": []}']
        assert call(reader, "read", path="a.ipynb", encoding="raw").endswith('1\t{"cells": []}')

    @pytest.mark.parametrize("path", ["none/*.py", "none/none"])
    def test_a_folder_that_does_not_exist_is_no_dead_end(self, reader: Reader, path: str) -> None:
        for tool, arguments in (("find", {"pattern": "x"}), ("list", {})):
            with pytest.raises(ReadError) as refusal:
                call(reader, tool, path=path, **arguments)
            assert refusal.value.hint == 'read "." lists the files'

    def test_what_would_match_after_a_file_is_what_counts(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"a": "Word\n", "b": "none\n"})
        assert call(reader, "find", pattern="word", start_after="a") == "[no match in 1 file after a]"

    def test_without_time_for_everything_the_answer_says_how_to_continue(
        self, reader: Reader, workspace: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_files(workspace, {"a": "word\n", "b": "word\n"})
        monkeypatch.setattr(tree_search, "MAX_SECONDS", 0.0)
        assert call(reader, "find", pattern="word") == (
            "[at least 1 line in 1 of 1 file]\na\n1:\tword\n[stopped after 10 s]\n[more: start_after a]"
        )
        assert call(reader, "find", pattern="none").endswith("[more: start_after a]")

    def test_long_lines_are_cut_around_the_match_and_say_how_to_continue(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"a": "x" * 100_000 + "word" + "y" * 100_000 + "\n"})
        line = call(reader, "find", pattern="word").split("\n")[2]
        assert line.startswith("1:\t…xxx")
        assert "word" in line
        assert line.endswith("yyy… [+99,604 bytes: start_line 1, start_column 100401]")
        assert len(line) < 560

    def test_several_folders_are_searched_and_named(self, tmp_path: Path) -> None:
        write_files(tmp_path, {"api/x.py": "word\n", "web/x.py": "word\n", "web/y.py": "word\n"})
        folders = [folder_from_path(str(tmp_path / name)) for name in ("api", "web")]
        reader = Reader(folders, SettingsStore())
        found = call(reader, "find", pattern="word", limit=2)
        assert found.split("\n")[1:] == ["api/x.py", "1:\tword", "web/x.py", "1:\tword", "[more: start_after web/x.py]"]
        assert call(reader, "find", pattern="word", start_after="web/x.py").split("\n")[1:] == ["web/y.py", "1:\tword"]
        assert call(reader, "find", pattern="word", path="web").startswith("[2 lines in 1 of 1 file") is False
        assert call(reader, "list") == "[2 folders]\napi/ 1\nweb/ 2"
        page = call(reader, "list", path="**/*.py", limit=2)
        assert page == "[**/*.py]\napi/x.py 5\nweb/x.py 5\n[more: start_after web/x.py]"
        assert call(reader, "list", path="**/*.py", start_after="web/x.py") == "[**/*.py]\nweb/y.py 5"

    def test_a_folder_that_is_not_there_is_refused(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {".ssh/config": "word\n"})
        assert refusal(reader, "find", pattern="word", path="missing").code is ErrorCode.NOT_FOUND
        assert refusal(reader, "find", pattern="word", path=".ssh").code is ErrorCode.POLICY_DENIED
        assert refusal(reader, "find", pattern="word", path="missing/*.py").code is ErrorCode.NOT_FOUND
        assert refusal(reader, "find", pattern="(", regex=True).code is ErrorCode.INVALID_ARGUMENT


class TestList:
    def test_names_come_with_sizes_and_counts(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"src/api/x.py": "", "src/server.py": "x" * 12_345, ".env": "", ".gitignore": "src\n"})
        assert call(reader, "list") == "[. 1 folder, 1 file]\n.gitignore 4\nsrc/ 2"
        assert call(reader, "list", path="src") == "[src 1 folder, 1 file]\napi/ 1\nserver.py 12k"
        assert call(reader, "list", path="src", depth=2) == (
            "[src 1 folder, 1 file]\napi/ 1\napi/x.py 0\nserver.py 12k"
        )
        assert call(reader, "read", path="src") == call(reader, "list", path="src")

    def test_pages_continue_after_a_name(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, dict.fromkeys(["a", "b/x", "c", "d"], ""))
        assert call(reader, "list", limit=2) == "[. 1 folder, 3 files]\na 0\nb/ 1\n[more: start_after b/]"
        assert call(reader, "list", limit=2, start_after="b/") == "[. 1 folder, 3 files]\nc 0\nd 0"
        assert call(reader, "list", start_after="z") == "[. 1 folder, 3 files; none after z]"

    def test_list_continues_after_a_name_in_the_folder_and_after_a_whole_path(
        self, reader: Reader, workspace: Path
    ) -> None:
        write_files(workspace, {"a/a/x": "", "a/b": "", "a/c": ""})
        assert call(reader, "list", path="a", depth=2, limit=2).split("\n")[1:] == [
            "a/ 1",
            "a/x 0",
            "[more: start_after a/a/x]",
        ]
        for after in ("a/a/x", "a/a/", "b", "a/b"):
            listed = call(reader, "list", path="a", depth=2, start_after=after).split("\n")[1:]
            assert listed == {"a/a/x": ["b 0", "c 0"], "a/a/": ["a/x 0", "b 0", "c 0"]}.get(after, ["c 0"])

    def test_what_a_glob_matches_is_listed_by_whole_paths(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"src/a/x.py": "", "src/b/x.py": ""})
        listed = call(reader, "list", path="src/**/*.py", limit=1)
        assert listed == "[src/**/*.py]\nsrc/a/x.py 0\n[more: start_after src/a/x.py]"
        assert call(reader, "list", path="src/**/*.py", start_after="src/a/x.py") == "[src/**/*.py]\nsrc/b/x.py 0"

    def test_a_glob_lists_what_matches(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, dict.fromkeys(["a.py", "src/b.py", "src/sub/c.py"], ""))
        assert call(reader, "list", path="**/*.py") == "[**/*.py]\na.py 0\nsrc/b.py 0\nsrc/sub/c.py 0"
        assert call(reader, "list", path="src/*") == "[src/*]\nsrc/b.py 0\nsrc/sub/ 1"
        assert call(reader, "list", path="*.rs") == "[*.rs no match]"

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names, or no such links")
    def test_links_and_odd_names(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"x.py": "", "new\nline": ""})
        (workspace / "link.py").symlink_to("x.py")
        (workspace / "out").symlink_to("/etc")
        assert call(reader, "list") == (
            '[. 2 files, 2 links]\nlink.py -> x.py\n"new\\nline" 0\nout -> (not readable)\nx.py 0'
        )

    def test_a_folder_that_is_read_says_which_call_continues(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {f"many/f{number:03}": "" for number in range(205)})
        names = call(reader, "read", path="many").split("\n")
        assert names[-1] == "[more: list with start_after many/f199]"
        rest = call(reader, "list", path="many", start_after="many/f199")
        assert rest == "\n".join(["[many 205 files]", *(f"f{number} 0" for number in range(200, 205))])

    def test_reading_a_folder_takes_a_limit_and_says_that_lines_are_of_files(
        self, reader: Reader, workspace: Path
    ) -> None:
        write_files(workspace, dict.fromkeys("abc", ""))
        assert call(reader, "read", path=".", limit=2) == "[. 3 files]\na 0\nb 0\n[more: list with start_after b]"
        assert call(reader, "read", path=".", limit=5000).endswith("c 0")
        for arguments in ({"start_line": 3}, {"end_line": 3}):
            answer = call(reader, "read", path=".", **arguments)
            assert answer == "[. 3 files]\n[start_line and end_line: only in a file]\na 0\nb 0\nc 0"

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names")
    def test_a_name_is_understood_as_it_was_shown(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, dict.fromkeys(["c/a", "c/tab\there", 'c/"z"'], "word\n"))
        for tool, arguments in (("list", {"path": "c"}), ("find", {"path": "c", "pattern": "word"})):
            seen: list[str] = []
            after: dict[str, str] = {}
            for _ in range(3):
                answer = call(reader, tool, limit=1, **arguments, **after).split("\n")
                seen.append(answer[1].removeprefix("c/"))
                after = {"start_after": answer[-1].removeprefix("[more: start_after ").removesuffix("]")}
            assert len(set(seen)) == 3
        assert call(reader, "read", path='"c/tab\\there"').endswith("1\tword")
        assert call(reader, "read", path='c/"z"').endswith("1\tword")

    @pytest.mark.skipif(sys.platform == "win32", reason="Windows has no FIFOs in directories")
    def test_what_is_no_file_folder_or_link_is_counted(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"a/x": ""})
        os.mkfifo(workspace / "a/fifo")
        (workspace / "b").mkdir()
        os.mkfifo(workspace / "b/fifo")
        assert call(reader, "list", path="a") == "[a 1 file, 1 not listed (FIFO, socket or device)]\nx 0"
        assert call(reader, "list", path="b") == "[b 1 not listed (FIFO, socket or device)]"

    def test_a_folder_of_denied_files_is_not_called_empty(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"secret/.env": "", "secret/id_rsa": ""})
        (workspace / "empty").mkdir()
        assert call(reader, "list", path="secret") == "[secret has only what is denied]"
        assert call(reader, "list", path="empty") == "[empty is an empty folder]"

    def test_what_is_not_a_folder_is_refused(self, reader: Reader, workspace: Path) -> None:
        write_files(workspace, {"notes.txt": ""})
        assert str(refusal(reader, "list", path="notes.txt")) == "notes.txt: is a file, not a folder; read it"
        missing = refusal(reader, "list", path="note.txt")
        assert (missing.code, missing.hint) == (ErrorCode.NOT_FOUND, "did you mean notes.txt?")
