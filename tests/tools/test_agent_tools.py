"""Toolset `agent`: what a model sees, to the character."""

import bz2
import gzip
import re
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.tools import ReadError, ToolCatalog
from forge_daemon.workspace import suggestions
from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import SettingsStore

Call = Callable[..., str]


@pytest.fixture
def call(reader: Reader) -> Call:
    def call(tool: str, **arguments: Any) -> str:
        answer: str = ToolCatalog.call(tool, arguments, "agent", reader)
        return answer

    return call


def _lines(count: int) -> str:
    return "".join(f"line {number}\n" for number in range(1, count + 1))


class TestRead:
    def test_a_header_and_numbered_lines(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("one\n\ttwo\r\nthree")
        assert call("read", path="a.txt") == "[a.txt 1-3/3]\n1\tone\n2\t\ttwo\n3\tthree"

    def test_a_page_says_where_it_continues(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(_lines(5000))
        first = call("read", path="a.txt").split("\n")
        assert first[0] == "[a.txt 1-2000/5000]"
        assert first[-2:] == ["2000\tline 2000", "[more: start_line 2001]"]
        last = call("read", path="a.txt", start_line=4001).split("\n")
        assert (last[0], last[-1]) == ("[a.txt 4001-5000/5000]", "5000\tline 5000")

    def test_nothing_more_is_said_where_the_call_ends_itself(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(_lines(9))
        assert call("read", path="a.txt", start_line=2, end_line=3) == "[a.txt 2-3/9]\n2\tline 2\n3\tline 3"
        assert call("read", path="a.txt", start_line=9, limit=5) == "[a.txt 9-9/9]\n9\tline 9"

    def test_a_negative_start_line_counts_from_the_end(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(_lines(9))
        assert call("read", path="a.txt", start_line=-2) == "[a.txt 8-9/9]\n8\tline 8\n9\tline 9"
        assert call("read", path="a.txt", start_line=-99, limit=1) == "[a.txt 1-1/9]\n1\tline 1"

    def test_a_long_line_is_cut_and_can_be_continued(self, call: Call, workspace: Path) -> None:
        (workspace / "a.js").write_text("é" * 2000 + "rest of the line\nnext\n")
        cut = "… [+16 bytes: start_line 1, start_column 2001]"
        assert call("read", path="a.js") == f"[a.js 1-2/2]\n1\t{'é' * 2000}{cut}\n2\tnext"
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
        log.write_text(_lines(3))
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
            "[a.txt 1 match shift_jis]\n1:\t日本語の文章です"
        )
        with pytest.raises(ReadError, match="klingon"):
            call("read", path="a.txt", encoding="klingon")
        (workspace / "b.txt").write_text("wide\n", encoding="utf-16")
        assert call("read", path="b.txt") == "[b.txt 1-1/1 utf-16le]\n1\twide"

    def test_encodings_are_suggested_by_what_the_bytes_look_like(self, call: Call, workspace: Path) -> None:
        for text, codec, suggested in [
            ("Grüße aus Köln, où l'été…\n", "windows-1252", "windows-1252]"),
            ("表示能力のソフトウェア\n", "euc-jp", "encoding euc-jp or "),
            ("简体中文的文字\n", "gbk", "encoding gb18030 or "),
            ("繁體中文測試的檔案\n", "big5", "encoding big5 or "),
            ("한국어로 쓴 문서입니다\n", "euc-kr", "encoding euc-kr"),
            ("表示能力のソフトウェア\n", "shift_jis", "encoding shift_jis"),
            ("Привет, мир, как дела\n", "windows-1251", "windows-1251 or windows-1252]"),
        ]:
            (workspace / "a.txt").write_bytes(text.encode(codec))
            assert suggested in call("read", path="a.txt").split("\n")[0]
        (workspace / "a.txt.gz").write_bytes(gzip.compress("Grüße aus Köln\n".encode("windows-1252")))
        assert "try encoding windows-1252]" in call("read", path="a.txt.gz")

    @pytest.mark.parametrize(("cut", "failure"), [(True, "ends early"), (False, "is damaged (incorrect data check)")])
    def test_a_damaged_compressed_text_is_read_as_far_as_it_goes(
        self, call: Call, workspace: Path, cut: bool, failure: str
    ) -> None:
        packed = gzip.compress(_lines(30).encode())
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
        assert found == [f"[a.gz 1 match; {ends[1:]}", "30:\tline 30"]
        assert call("find", path="a.gz", pattern="line 30", context=2).split("\n")[-1] == "30:\tline 30"
        assert call("find", path="a.gz", pattern="none") == f"[a.gz no match; {ends[1:]}"

    def test_a_compressed_text_of_which_only_the_header_is_there_is_no_binary_file(
        self, call: Call, workspace: Path
    ) -> None:
        (workspace / "a.gz").write_bytes(gzip.compress(b"text\n")[:10])
        with pytest.raises(ReadError, match="the gzip data ends early, after 0 bytes of text"):
            call("read", path="a.gz")
        assert call("find", path="a.gz", pattern="x").startswith("[a.gz no match; the gzip data ends early")

    def test_other_compressions_are_told_with_what_would_help(self, call: Call, workspace: Path) -> None:
        (workspace / "a.log.bz2").write_bytes(bz2.compress(b"text\n"))
        assert "bzip2 archive, " in call("read", path="a.log.bz2")
        assert "; decompress it first (bzip2 -d); " in call("read", path="a.log.bz2")
        (workspace / "a.txt").write_text("BZh is how bzip2 files start, and ID3 starts some MP3 files\n")
        assert call("read", path="a.txt").startswith("[a.txt 1-1/1]\n")

    def test_a_compressed_text_is_unpacked(self, call: Call, workspace: Path) -> None:
        (workspace / "a.log.gz").write_bytes(gzip.compress(_lines(30).encode()))
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
        assert call("read", path=".") == "[. folder]\na.py\nsrc/"
        assert call("read", path="src") == "[src folder, nothing to read in it]"

    def test_a_folder_that_is_too_slow_to_list_is_not_said_to_be_empty(
        self, call: Call, workspace: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        (workspace / "a.py").write_text("")
        monkeypatch.setattr(suggestions, "_LOOK_SECONDS", 0.0)
        assert call("read", path=".") == "[. folder, too slow to list: name a file in it]"

    def test_a_large_folder_says_how_many_names_it_left_out(
        self, call: Call, workspace: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.setattr(suggestions, "_LOOK_SECONDS", 60)
        for number in range(45):
            (workspace / f"{number:02}.txt").write_text("")
        listed = call("read", path=".").split("\n")
        assert len(listed) == 42
        assert listed[-1] == "[5 more names]"

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

    def test_an_image_comes_along(self, reader: Reader, workspace: Path) -> None:
        picture = b"\x89PNG\r\n\x1a\n\x00"
        (workspace / "dot.png").write_bytes(picture)
        answer = ToolCatalog.tool("read", "agent")(reader, {"path": "dot.png"})
        assert answer == "[dot.png PNG image, 9 bytes]"
        assert answer.images == ((picture, "image/png"),)

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
        assert ToolCatalog.call("read", {"path": "."}, "agent", reader) == "[. folder]\napi/\nweb/"
        assert ToolCatalog.call("read", {"path": "api"}, "agent", reader) == "[api folder]\nREADME.md"

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
        (workspace / "a.txt").write_text(_lines(20))
        assert call("find", path="a.txt", pattern="line 5", context=1) == (
            "[a.txt 1 match]\n4\tline 4\n5:\tline 5\n6\tline 6"
        )

    def test_groups_stand_apart_and_near_ones_together(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\na\nb\nx\n" + "\n" * 9 + "x\n")
        assert call("find", path="a.txt", pattern="x", context=1).split("\n") == [
            *("[a.txt 3 matches]", "1:\tx", "2\ta", "3\tb", "4:\tx", "5\t"),
            *("--", "13\t", "14:\tx"),
        ]

    def test_the_limit_says_how_many_there_are_and_where_to_continue(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(_lines(30))
        answer = call("find", path="a.txt", pattern="line", context=0, limit=2)
        assert answer == "[a.txt 2 of 30 matches]\n1:\tline 1\n2:\tline 2\n[more: start_line 3]"
        rest = call("find", path="a.txt", pattern="line", context=0, start_line=29)
        assert rest == "[a.txt 2 matches from line 29]\n29:\tline 29\n30:\tline 30"

    def test_a_match_is_never_shown_as_context(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\nx\nx\n")
        answer = call("find", path="a.txt", pattern="x", limit=1)
        assert answer == "[a.txt 1 of 3 matches]\n1:\tx\n[more: start_line 2]"

    def test_expressions_and_letter_case(self, call: Call, workspace: Path) -> None:
        (workspace / "a.py").write_text("class A:\n    pass\nCLASS B\n")
        assert call("find", path="a.py", pattern=r"^class \w+", regex=True, context=0) == "[a.py 1 match]\n1:\tclass A:"
        assert "3:\tCLASS B" in call("find", path="a.py", pattern="class", ignore_case=True, context=0)

    def test_a_match_deep_in_a_long_line_is_shown_with_what_is_around_it(self, call: Call, workspace: Path) -> None:
        (workspace / "a.js").write_text("a" * 1_000_000 + "needle" + "b" * 1_000_000)
        header, line = call("find", path="a.js", pattern="needle").split("\n")
        assert header == "[a.js 1 match]"
        assert line.startswith("1:\t…" + "a" * 100 + "needle" + "b" * 100)
        assert line.endswith("… [+999,606 bytes: start_line 1, start_column 1000401]")

    def test_no_match_is_told(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x\n")
        assert call("find", path="a.txt", pattern="y") == "[a.txt no match; try ignore_case]"
        assert call("find", path="a.txt", pattern="y", ignore_case=True) == "[a.txt no match]"
        assert call("find", path="a.txt", pattern="38;2") == "[a.txt no match]"

    @pytest.mark.parametrize("pattern", ["x|y", r"\d+", "a.*b", "[a-z]9", "^x", "y$", r"f\(", "(ab)+"])
    def test_a_literal_that_looks_like_an_expression_is_told_of_regex(
        self, call: Call, workspace: Path, pattern: str
    ) -> None:
        (workspace / "a.txt").write_text("z\n")
        assert "try regex" in call("find", path="a.txt", pattern=pattern)
        assert "try regex" not in call("find", path="a.txt", pattern=pattern, regex=True)

    @pytest.mark.parametrize("pattern", ["f(x)", "a[i]", "1.5", "$HOME", "what?", "*", "c++", "{}"])
    def test_code_is_not_taken_for_an_expression(self, call: Call, workspace: Path, pattern: str) -> None:
        (workspace / "a.txt").write_text("z\n")
        assert "regex" not in call("find", path="a.txt", pattern=pattern)

    def test_no_match_in_undecodable_text_names_the_encoding_that_finds_it(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_bytes("日本語の文章です error\n".encode("shift_jis"))
        answer = call("find", path="a.txt", pattern="文章")
        assert answer.startswith("[a.txt no match; try encoding shift_jis")
        assert call("find", path="a.txt", pattern="none") == "[a.txt no match; try ignore_case]"
        header = call("find", path="a.txt", pattern="error").split("\n")[0]
        assert re.fullmatch(r"\[a\.txt 1 match \d+ undecodable bytes, try encoding shift_jis.*\]", header)

    def test_a_search_that_starts_past_the_end_says_so(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(_lines(5))
        (workspace / "empty.txt").write_text("")
        assert call("find", path="a.txt", pattern="line", start_line=6) == (
            "[a.txt has 5 lines: line 6 is past the end; read with start_line -20 shows the last lines]"
        )
        assert call("find", path="a.txt", pattern="x", start_line=5) == "[a.txt no match from line 5; try ignore_case]"
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
        assert "zstd -d" in refusal.value.hint

    def test_a_line_too_long_for_an_expression_is_passed_over_and_told(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(f"word 1\n{'word ' * 1_000_000}\nword 3\n")
        answer = call("find", path="a.txt", pattern=r"word \d", regex=True, context=0)
        note = "line 2 is longer than 4 MiB: only literals are searched for in it"
        assert answer == f"[a.txt 2 matches; {note}]\n1:\tword 1\n3:\tword 3"
        with (workspace / "a.txt").open("a") as file:
            file.write(f"{'word ' * 1_000_000}\n" * 2)
        answer = call("find", path="a.txt", pattern=r"word \d", regex=True, context=0)
        assert answer.startswith(f"[a.txt 2 matches; {note}, and 2 more lines]\n")

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

    def test_one_budget_for_all(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text("x" * 99 + "\n" + _lines(9000))
        answer = call("read_many", files=[{"path": "a.txt"}] * 20)
        assert len(answer) < 200_000
        assert answer.count("[more: start_line") == 6
        assert "[a.txt: not read, the answer is full; ask for it again]" in answer

    def test_more_than_twenty_are_refused(self, call: Call) -> None:
        with pytest.raises(ReadError, match="at most 20"):
            call("read_many", files=[{"path": "a"}] * 21)
