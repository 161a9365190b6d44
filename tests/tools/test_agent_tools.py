"""Toolset `agent`: what a model sees, to the character."""

import bz2
import gzip
import re
import sys
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.tools import ReadError, ToolCatalog
from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import SettingsStore
from tests.tools.agent_calls import Call, lines


class TestRead:
    def test_a_header_and_numberedlines(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("one\n\ttwo\r\nthree")
        assert call("read", path="a.txt") == "[a.txt 1-3/3]\n1\tone\n2\t\ttwo\n3\tthree"

    def test_a_page_says_where_it_continues(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(5000))
        first = call("read", path="a.txt").split("\n")
        assert first[0] == "[a.txt 1-2277/5000, 49 kB]"
        assert first[-2:] == ["2277\tline 2277", "[more: start_line 2278]"]
        last = call("read", path="a.txt", start_line=4001).split("\n")
        assert (last[0], last[-1]) == ("[a.txt 4001-5000/5000]", "5000\tline 5000")

    def test_nothing_more_is_said_where_the_call_ends_itself(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(9))
        assert call("read", path="a.txt", start_line=2, end_line=3) == "[a.txt 2-3/9]\n2\tline 2\n3\tline 3"
        assert call("read", path="a.txt", start_line=9, limit=5) == "[a.txt 9-9/9]\n9\tline 9"

    def test_a_negative_start_line_counts_from_the_end(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(9))
        assert call("read", path="a.txt", start_line=-2) == "[a.txt 8-9/9]\n8\tline 8\n9\tline 9"
        assert call("read", path="a.txt", start_line=-99, limit=1) == "[a.txt 1-1/9]\n1\tline 1"

    def test_a_long_line_is_cut_and_can_be_continued(self, call: Call, workspace: Path) -> None:
        (workspace / "a.js").write_text("é" * 2000 + "rest of the line\nnext\n")
        cut = "… [+16 bytes: start_line 1, start_column 2001]"
        assert call("read", path="a.js") == f"[a.js 1-2/2, 4.0 kB, 1 line cut]\n1\t{'é' * 2000}{cut}\n2\tnext"
        assert call("read", path="a.js", start_line=1, start_column=2001) == "[a.js 1-1/2]\n1\trest of the line"
        assert call("read", path="a.js", start_line=1, end_line=2, start_column=3).endswith("\n2\txt")

    def test_a_line_longer_than_an_answer_is_no_flood(self, call: Call, workspace: Path) -> None:
        (workspace / "a.js").write_text("x" * 5_000_000 + "\nnext")
        answer = call("read", path="a.js")
        assert len(answer) < 2200
        assert answer.endswith("… [+4,998,000 bytes: start_line 1, start_column 2001]\n2\tnext")
        assert call("read", path="a.js", start_line=1, start_column=4_999_999) == "[a.js 1-1/2]\n1\txx"
        assert call("read", path="a.js", start_line=2) == "[a.js 2-2/2]\n2\tnext"

    def test_what_is_not_there_is_told_in_one_line(self, call: Call, workspace: Path) -> None:
        (workspace / "empty").write_text("")
        (workspace / "one").write_text("x\n")
        assert call("read", path="empty") == "[empty is empty]"
        past = "[one has 1 line: line 2 is past the end; start_line -20 shows the last lines]"
        assert call("read", path="one", start_line=2) == past
        assert call("read", path="one", start_line=1, start_column=9) == "[one 1: the line ends before column 9]"

    def test_what_was_appended_is_the_line_after_the_last_one_seen(self, call: Call, workspace: Path) -> None:
        log = workspace / "a.log"
        log.write_text(lines(3))
        with log.open("a") as file:
            file.write("new\n")
        assert call("read", path="a.log", start_line=4) == "[a.log 4-4/4]\n4\tnew"

    def test_undecodable_bytes_are_told(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_bytes(b"caf\xe9\n")
        header, text = call("read", path="a.txt").split("\n")
        assert header.startswith("[a.txt 1-1/1 1 undecodable byte, try encoding ")
        assert text == "1\tcaf\N{REPLACEMENT CHARACTER}"

    def test_another_encoding_is_suggested_and_then_named(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_bytes("日本語の文章です\n".encode("shift_jis"))
        assert "try encoding shift_jis" in call("read", path="a.txt")
        assert call("read", path="a.txt", encoding="shift_jis") == "[a.txt 1-1/1 shift_jis]\n1\t日本語の文章です"
        assert call("find", path="a.txt", pattern="文章", encoding="shift_jis") == (
            "[a.txt 1 matching line shift_jis]\n1:\t日本語の文章です"
        )
        with pytest.raises(ReadError, match="klingon"):
            call("read", path="a.txt", encoding="klingon")
        (workspace / "b.txt").write_text("wide\n", encoding="utf-16")
        assert call("read", path="b.txt") == "[b.txt 1-1/1 utf-16le]\n1\twide"

    @pytest.mark.parametrize(("cut", "failure"), [(True, "ends early"), (False, "is damaged (incorrect data check)")])
    def test_a_damaged_compressed_text_is_read_as_far_as_it_goes(
        self, call: Call, workspace: Path, cut: bool, failure: str
    ) -> None:
        packed = gzip.compress(lines(30).encode())
        (workspace / "a.gz").write_bytes(packed[:-8] if cut else packed[:-8] + bytes(4) + packed[-4:])
        ends = f"[the gzip data {failure}, after 231 bytes of text]"
        assert call("read", path="a.gz", start_line=29).split("\n") == [
            "[a.gz 29-30]",
            "29\tline 29",
            "30\tline 30",
            ends,
        ]
        assert call("read", path="a.gz", start_line=-1).split("\n") == ["[a.gz 30-30/30]", "30\tline 30", ends]
        found = call("find", path="a.gz", pattern="line 30", context=0).split("\n")
        assert found == [f"[a.gz 1 matching line; {ends[1:]}", "30:\tline 30"]
        assert call("find", path="a.gz", pattern="line 30", context=2).split("\n")[-1] == "30:\tline 30"
        assert call("find", path="a.gz", pattern="none") == f"[a.gz no match; {ends[1:]}"

    def test_a_compressed_text_of_which_only_the_header_is_there_is_no_binary_file(
        self, call: Call, workspace: Path
    ) -> None:
        (workspace / "a.gz").write_bytes(gzip.compress(b"text\n")[:10])
        with pytest.raises(ReadError, match="the gzip data ends early, after 0 bytes of text"):
            call("read", path="a.gz")
        assert call("find", path="a.gz", pattern="x").startswith("[a.gz no match; the gzip data ends early")

    def test_a_bzip2_file_is_read_as_text(self, call: Call, workspace: Path) -> None:
        (workspace / "a.log.bz2").write_bytes(bz2.compress(b"text\n"))
        assert call("read", path="a.log.bz2") == "[a.log.bz2 1-1/1]\n1\ttext"
        (workspace / "a.txt").write_text("BZh is how bzip2 files start, and ID3 starts some MP3 files\n")
        assert call("read", path="a.txt").startswith("[a.txt 1-1/1]\n")

    def test_a_compressed_text_is_unpacked(self, call: Call, workspace: Path) -> None:
        (workspace / "a.log.gz").write_bytes(gzip.compress(lines(30).encode()))
        assert call("read", path="a.log.gz", start_line=-1).endswith("\n30\tline 30")
        assert "7:\tline 7" in call("find", path="a.log.gz", pattern="line 7")
        assert call("read", path="a.log.gz").startswith("[a.log.gz 1-30/30]\n")
        packed = gzip.compress(bytes(4096))
        (workspace / "a.tar.gz").write_bytes(packed)
        assert call("read", path="a.tar.gz") == f"[a.tar.gz gzip archive, {len(packed)} bytes]"

    def test_terminal_escape_sequences_are_left_out(self, call: Call, workspace: Path) -> None:
        (workspace / "a.log").write_text("\x1b[31mred\x1b[0m and plain\n")
        assert call("read", path="a.log") == "[a.log 1-1/1]\n1\tred and plain"
        assert call("find", path="a.log", pattern="red and").endswith("1:\tred and plain")

    def test_a_folder_lists_its_names(self, call: Call, workspace: Path) -> None:
        (workspace / "src").mkdir()
        (workspace / "a.py").write_text("")
        (workspace / ".env").write_text("")
        assert call("read", path=".") == "[. 1 folder, 1 file]\na.py 0\nsrc/ 0"
        assert call("read", path="src") == "[src is an empty folder]"

    @pytest.mark.parametrize(
        ("content", "kind"),
        [
            (b"%PDF-1.7\nno NUL at all", "PDF"),
            (b"PK\x03\x04rest", "ZIP archive"),
            (b"\x7fELF\x02\x01", "ELF executable"),
            (b"\x00\x01\x02", "binary"),
        ],
    )
    def test_what_is_not_text_is_told_as_kind_and_size(
        self, call: Call, workspace: Path, content: bytes, kind: str
    ) -> None:
        (workspace / "file").write_bytes(content)
        assert call("read", path="file") == f"[file {kind}, {len(content):,} bytes]"

    @pytest.mark.parametrize(
        ("arguments", "word"),
        [
            ({"path": "a", "start_line": 0}, "start_line"),
            ({"path": "a", "start_line": -3, "end_line": 5}, "limit"),
            ({"path": "a", "start_line": 5, "end_line": 3}, "end_line"),
            ({"path": "a", "lines": 5}, "lines"),
            ({"path": ".env"}, "denied"),
            ({"path": "../a"}, "leads out"),
            ({"path": "nothing"}, "does not exist"),
        ],
    )
    def test_refusals_are_errors(self, call: Call, workspace: Path, arguments: dict[str, Any], word: str) -> None:
        (workspace / "a").write_text("x")
        with pytest.raises(ReadError, match=word):
            call("read", **arguments)

    def test_the_folders_name_is_shown_where_several_are_open(self, tmp_path: Path) -> None:
        for name in ("api", "web"):
            (tmp_path / name).mkdir()
            (tmp_path / name / "README.md").write_text(f"of {name}\n")
        folders = [folder_from_path(str(tmp_path / name)) for name in ("api", "web")]
        reader = Reader(folders, SettingsStore())
        with pytest.raises(ReadError) as ambiguous:
            ToolCatalog.call("read", {"path": "README.md"}, "agent", reader)
        assert ambiguous.value.hint == "say which: api/README.md, web/README.md"
        answer = ToolCatalog.call("read", {"path": "web/README.md"}, "agent", reader)
        assert answer == "[web/README.md 1-1/1]\n1\tof web"
        assert ToolCatalog.call("read", {"path": "."}, "agent", reader) == "[2 folders]\napi/ 1\nweb/ 1"
        assert ToolCatalog.call("read", {"path": "api"}, "agent", reader) == "[api 1 file]\nREADME.md 7"

    @pytest.mark.skipif(sys.platform != "linux", reason="only Linux proves that storage is local")
    def test_a_file_in_another_folder_is_suggested_in_a_form_that_works(self, tmp_path: Path) -> None:
        for name in ("api", "web"):
            (tmp_path / name).mkdir()
        (tmp_path / "api" / "routes.py").write_text("x\n")
        folders = [folder_from_path(str(tmp_path / name)) for name in ("api", "web")]
        reader = Reader(folders, SettingsStore())
        with pytest.raises(ReadError) as refusal:
            ToolCatalog.call("read", {"path": "web/routes.py"}, "agent", reader)
        assert refusal.value.hint == "did you mean api/routes.py?"
        answer = ToolCatalog.call("read", {"path": "api/routes.py"}, "agent", reader)
        assert answer == "[api/routes.py 1-1/1]\n1\tx"


class TestFind:
    def test_matches_with_their_context(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(20))
        assert call("find", path="a.txt", pattern="line 5", context=1) == (
            "[a.txt 1 matching line]\n4\tline 4\n5:\tline 5\n6\tline 6"
        )

    def test_groups_stand_apart_and_near_ones_together(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\na\nb\nx\n" + "\n" * 9 + "x\n")
        assert call("find", path="a.txt", pattern="x", context=1).split("\n") == [
            *("[a.txt 3 matching lines]", "1:\tx", "2\ta", "3\tb", "4:\tx", "5\t"),
            *("--", "13\t", "14:\tx"),
        ]

    def test_the_limit_says_how_many_there_are_and_where_to_continue(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(30))
        answer = call("find", path="a.txt", pattern="line", context=0, limit=2)
        assert answer == "[a.txt 2 of 30 matching lines]\n1:\tline 1\n2:\tline 2\n[more: start_line 3]"
        rest = call("find", path="a.txt", pattern="line", context=0, start_line=29)
        assert rest == "[a.txt 2 matching lines from line 29]\n29:\tline 29\n30:\tline 30"

    def test_a_match_is_never_shown_as_context(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\nx\nx\n")
        answer = call("find", path="a.txt", pattern="x", limit=1)
        assert answer == "[a.txt 1 of 3 matching lines]\n1:\tx\n[more: start_line 2]"

    def test_expressions_and_letter_case(self, call: Call, workspace: Path) -> None:
        (workspace / "a.py").write_text("class A:\n    pass\nCLASS B\n")
        assert (
            call("find", path="a.py", pattern=r"^class \w+", regex=True, context=0)
            == "[a.py 1 matching line]\n1:\tclass A:"
        )
        assert "3:\tCLASS B" in call("find", path="a.py", pattern="class", ignore_case=True, context=0)

    def test_a_match_deep_in_a_long_line_is_shown_with_what_is_around_it(self, call: Call, workspace: Path) -> None:
        (workspace / "a.js").write_text("a" * 1_000_000 + "needle" + "b" * 1_000_000)
        header, line = call("find", path="a.js", pattern="needle").split("\n")
        assert header == "[a.js 1 matching line]"
        assert line.startswith("1:\t…" + "a" * 100 + "needle" + "b" * 100)
        assert line.endswith("… [+999,606 bytes: start_line 1, start_column 1000401]")

    def test_finding_no_match_is_reported(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\n")
        assert call("find", path="a.txt", pattern="y") == "[a.txt no match]"
        assert call("find", path="a.txt", pattern="X") == "[a.txt no match; try ignore_case]"
        assert call("find", path="a.txt", pattern="y", ignore_case=True) == "[a.txt no match]"
        assert call("find", path="a.txt", pattern="38;2") == "[a.txt no match]"

    @pytest.mark.parametrize("pattern", ["x|y", r"\d+", "a.*b", "[a-z]9", "^x", "9$", r"f\(", "(ab)+", "[[:digit:]]"])
    def test_a_literal_that_would_match_as_an_expression_is_told_of_regex(
        self, call: Call, workspace: Path, pattern: str
    ) -> None:
        (workspace / "a.txt").write_text("x f(abb9\n")
        assert call("find", path="a.txt", pattern=pattern) == "[a.txt no match; try regex]"
        assert "1 matching line" in call("find", path="a.txt", pattern=pattern, regex=True)
        (workspace / "b.txt").write_text("z\n")
        assert call("find", path="b.txt", pattern=pattern) == "[b.txt no match]"

    @pytest.mark.parametrize("pattern", ["l[12]5", "line 7. of", "(line) 77", "line +77", "line [67]7 ", r"l\x{69}ne"])
    def test_any_valid_expression_that_would_match_is_told_of_regex(
        self, call: Call, workspace: Path, pattern: str
    ) -> None:
        (workspace / "a.txt").write_text("l25, line 77 of 80\n")
        assert call("find", path="a.txt", pattern=pattern) == "[a.txt no match; try regex]"
        assert call("find", pattern=pattern) == "[no match in 1 file; try regex]"

    def test_both_are_advised_where_only_both_would_match(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("Error 5\n")
        assert call("find", path="a.txt", pattern=r"error \d") == "[a.txt no match; try regex with ignore_case]"

    def test_a_pattern_over_several_lines_is_explained(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("one\ntwo\n")
        assert call("find", path="a.txt", pattern=r"one\ntwo") == "[a.txt no match; a match lies within one line]"
        for pattern, regex in [("one\ntwo", False), (r"one\ntwo", True)]:
            with pytest.raises(ReadError, match="lines are searched one by one"):
                call("find", path="a.txt", pattern=pattern, regex=regex)

    def test_what_re2_lacks_is_refused_with_what_to_do_here(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\n")
        with pytest.raises(ReadError) as refusal:
            call("find", path="a.txt", pattern="a(?=b)", regex=True)
        assert (refusal.value.hint or "").startswith("search for the part that is rarest")

    @pytest.mark.parametrize("pattern", ["f(x)", "a[i]", "1.5", "$HOME", "what?", "*", "c++", "{}"])
    def test_code_is_not_taken_for_an_expression(self, call: Call, workspace: Path, pattern: str) -> None:
        (workspace / "a.txt").write_text("z\n")
        assert "regex" not in call("find", path="a.txt", pattern=pattern)

    def test_no_match_in_undecodable_text_names_the_encoding_that_finds_it(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_bytes("日本語の文章です error\n".encode("shift_jis"))
        answer = call("find", path="a.txt", pattern="文章")
        assert answer.startswith("[a.txt no match; try encoding shift_jis")
        assert call("find", path="a.txt", pattern="none") == "[a.txt no match]"
        header = call("find", path="a.txt", pattern="error").split("\n")[0]
        assert re.fullmatch(r"\[a\.txt 1 matching line \d+ undecodable bytes, try encoding shift_jis.*\]", header)

    def test_a_search_that_starts_past_the_end_says_so(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(5))
        (workspace / "empty.txt").write_text("")
        assert call("find", path="a.txt", pattern="line", start_line=6) == (
            "[a.txt has 5 lines: line 6 is past the end; read with start_line -20 shows the last lines]"
        )
        assert call("find", path="a.txt", pattern="x", start_line=5) == "[a.txt no match from line 5]"
        assert call("find", path="empty.txt", pattern="x") == "[empty.txt is empty]"

    def test_a_missing_file_leads_to_those_that_are_there(self, call: Call) -> None:
        with pytest.raises(ReadError) as refusal:
            call("find", path="nothing-like-it.txt", pattern="x")
        assert refusal.value.hint == 'read "." lists the files'

    def test_what_is_not_text_is_refused_by_its_kind(self, call: Call, workspace: Path) -> None:
        (workspace / "a.zst").write_bytes(b"\x28\xb5\x2f\xfdtext without any NUL")
        with pytest.raises(ReadError, match="zstd archive: it has no lines to search") as refusal:
            call("find", path="a.zst", pattern="text")
        assert refusal.value.hint is not None
        assert "zstd data is damaged" in refusal.value.hint

    def test_an_answer_is_bounded(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(("x" * 400 + "\n") * 2000)
        answer = call("find", path="a.txt", pattern="x", limit=1000, context=0)
        assert len(answer) < 60_000
        shown = int(answer.split(" ")[1])
        assert answer.endswith(f"[more: start_line {shown + 1}]")


class TestReadMany:
    def test_files_one_after_the_other_and_a_bad_one_spoils_nothing(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("a\n")
        (workspace / "b.txt").write_text("1\n2\n3\n")
        files = [{"path": "a.txt"}, {"path": "none.txt"}, {"path": "b.txt", "start_line": -1}]
        missing = '[none.txt: does not exist; read "." lists the files]'
        assert call("read_many", files=files) == f"[a.txt 1-1/1]\n1\ta\n{missing}\n[b.txt 3-3/3]\n3\t3"

    @pytest.mark.parametrize(
        ("arguments", "message"),
        [
            ({"offset": 3}, "offset: unknown key; read takes path, start_line, end_line, limit, "),
            ({"limit": 0}, "limit: must be at least 1, got 0"),
            ({"wait": 1}, "wait: only the tool read can wait"),
        ],
    )
    def test_arguments_of_a_file_that_are_wrong_are_one_line(
        self, call: Call, workspace: Path, arguments: dict[str, int], message: str
    ) -> None:
        (workspace / "a.txt").write_text("a\n")
        answer = call("read_many", files=[{"path": "b.txt", **arguments}, {"path": "a.txt"}]).split("\n")
        assert answer[0].startswith(f"[b.txt: {message}")
        assert answer[1:] == ["[a.txt 1-1/1]", "1\ta"]

    def test_what_is_not_an_object_is_one_line_too(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("a\n")
        answer = call("read_many", files=["b.txt", {"path": "a.txt"}])
        assert answer == '[expected an object, got "b.txt"]\n[a.txt 1-1/1]\n1\ta'

    def test_more_than_twenty_are_refused(self, call: Call) -> None:
        with pytest.raises(ReadError, match="at most 20"):
            call("read_many", files=[{"path": "a"}] * 21)
