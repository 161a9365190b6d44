"""How much of a file one answer of `Read` holds, and how far into a file its line selectors reach."""

import base64
import json
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.reading.files.document import Document
from forge_daemon.tools import ReadError, ToolCatalog, create_agent_toolkit
from forge_daemon.tools.toolkit import AgentToolkit
from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.settings import Settings, SettingsStore
from forge_protocol.errors import ErrorCode
from tests.tools.refusals import code, refusal

READ_BYTES = Settings().max_file_read_bytes
SCAN_BYTES = Settings().max_scan_bytes
TEN = "".join(f"line {number}\n" for number in range(10))


def limited(workspace: Path, **limits: int) -> AgentToolkit:
    lines = (f"{name} = {value}\n" for name, value in limits.items())
    (workspace / "forge.toml").write_text("[tools.read_file]\n" + "".join(lines))
    return create_agent_toolkit(workspace)


def plain(toolkit: AgentToolkit, path: str, **selectors: Any) -> dict[str, Any]:
    return toolkit.read(path, show_line_numbers=False, **selectors)


def called(toolkit: AgentToolkit, hint: str | None) -> dict[str, Any]:
    """What the call in a hint gives, taken literally."""
    assert hint is not None
    name, _, arguments = hint.partition(" ")
    assert name == "Read"
    return toolkit.read(**json.loads(arguments))


class TestMaxFileReadBytes:
    def test_FR_RD_06_the_built_in_limits_are_those_of_the_specification(self) -> None:
        assert (READ_BYTES, SCAN_BYTES, Settings().show_line_numbers) == (204800, 2097152, True)

    @pytest.mark.parametrize(("lines", "truncated"), [(READ_BYTES // 8, False), (READ_BYTES // 8 + 1, True)])
    def test_FR_RD_06_an_answer_holds_so_many_bytes_and_no_more(
        self, workspace: Path, toolkit: AgentToolkit, lines: int, truncated: bool
    ) -> None:
        (workspace / "file").write_text("1234567\n" * lines)
        answer = plain(toolkit, "file")
        assert len(answer["content"]) == READ_BYTES
        assert answer["truncated"] is truncated
        assert answer["next_start_line"] == (READ_BYTES // 8 + 1 if truncated else None)
        assert answer["truncated_by"] == ("bytes" if truncated else None)

    def test_FR_RD_06_an_answer_ends_on_a_whole_line_whatever_the_limit(self, workspace: Path) -> None:
        (workspace / "file").write_text(TEN)
        for limit in range(1, len(TEN) + 2):
            answer = plain(limited(workspace, max_file_read_bytes=limit), "file")
            whole = TEN[: TEN[:limit].rfind("\n") + 1]
            assert answer["content"] == (whole or TEN[:limit])
            assert answer["truncated"] is (limit < len(TEN))
            next_line = whole.count("\n") + 1 if whole and limit < len(TEN) else None
            assert answer["next_start_line"] == next_line
            assert (answer["next_cursor"] is not None) is answer["truncated"]

    def test_FR_RD_06_bytes_are_those_of_the_file_before_numbering(self, workspace: Path) -> None:
        (workspace / "file").write_bytes(b"a\r\nb\r\nc\r\n")
        toolkit = limited(workspace, max_file_read_bytes=6)
        assert toolkit.read("file")["content"] == "1| a\n2| b\n"
        (workspace / "file").write_bytes(b"\xff\xff\n\xff\xff\n")
        assert toolkit.read("file")["content"] == "1| \ufffd\ufffd\n2| \ufffd\ufffd\n"

    @pytest.mark.parametrize("character", ["a", "é", "日", "😀"])
    def test_FR_RD_06_at_least_one_character_is_returned(self, workspace: Path, character: str) -> None:
        (workspace / "file").write_text(character * 3 + "\nnext\n")
        toolkit = limited(workspace, max_file_read_bytes=1)
        answer = plain(toolkit, "file")
        assert (answer["content"], answer["truncated"], answer["next_start_line"]) == (character, True, None)
        assert plain(toolkit, "file", cursor=answer["next_cursor"])["content"] == character

    def test_FR_RD_06_following_next_start_line_reads_the_whole_file(self, workspace: Path) -> None:
        (workspace / "file").write_text(TEN)
        toolkit = limited(workspace, max_file_read_bytes=16)
        content, line = "", 1
        while line is not None:
            answer = plain(toolkit, "file", start_line=line)
            content, line = content + answer["content"], answer["next_start_line"]
        assert content == TEN

    def test_FR_RD_06_a_selection_is_cut_as_well(self, workspace: Path) -> None:
        (workspace / "file").write_text(TEN)
        toolkit = limited(workspace, max_file_read_bytes=16)
        answer = plain(toolkit, "file", start_line=3, end_line=6)
        assert (answer["content"], answer["next_start_line"]) == ("line 2\nline 3\n", 5)
        exact = plain(toolkit, "file", start_line=3, end_line=4)
        assert (exact["content"], exact["truncated"]) == ("line 2\nline 3\n", False)

    @pytest.mark.parametrize(("size", "truncated"), [(12, False), (13, True)])
    def test_FR_RD_06_a_binary_file_is_cut_at_the_byte(self, workspace: Path, size: int, truncated: bool) -> None:
        data = bytes(range(size))
        (workspace / "image.bin").write_bytes(data)
        answer = limited(workspace, max_file_read_bytes=12).read("image.bin")
        assert base64.b64decode(answer["binary"]["data"]) == data[:12]
        assert (answer["truncated"], answer["binary"]["byte_count"]) == (truncated, 12)
        assert answer["next_start_line"] is None
        assert (answer["next_cursor"] is not None) is truncated


class TestMaxScanBytes:
    @pytest.mark.parametrize(("extra", "line_count"), [(0, SCAN_BYTES // 8), (1, None)])
    def test_FR_RD_06_lines_are_counted_up_to_the_limit(
        self, workspace: Path, toolkit: AgentToolkit, extra: int, line_count: int | None
    ) -> None:
        (workspace / "file").write_bytes(b"1234567\n" * (SCAN_BYTES // 8) + b"x" * extra)
        assert toolkit.read("file", head=1)["meta"]["line_count"] == line_count

    @pytest.mark.parametrize("line", range(1, 13))
    def test_FR_RD_06_a_selection_may_start_before_the_limit_and_not_on_it(self, workspace: Path, line: int) -> None:
        (workspace / "file").write_text(TEN)
        start = (line - 1) * 7
        for scan in range(start + 1, len(TEN)):
            answer = plain(limited(workspace, max_scan_bytes=scan), "file", start_line=line)
            reached = TEN[start:scan]
            assert answer["content"] == (reached[: reached.rfind("\n") + 1] or reached)
            assert answer["truncated"] is True
            at_limit = start + len(answer["content"]) == scan
            next_line = None if at_limit or not answer["content"].endswith("\n") else line + reached.count("\n")
            assert answer["next_start_line"] == next_line
            rest = plain(limited(workspace, max_scan_bytes=scan), "file", cursor=answer["next_cursor"])
            assert answer["content"] + rest["content"] == TEN[start:]
        for scan in range(1, min(start + 1, len(TEN))):
            toolkit = limited(workspace, max_scan_bytes=scan)
            error = refusal(toolkit.read, "file", start_line=line)
            assert (error.code, error.path) == ("SCAN_LIMIT_EXCEEDED", "file")
            assert f"{scan} bytes" in error.reason
            assert f"{scan // 7} lines" in error.reason
            assert called(toolkit, error.hint)["content"]

    def test_FR_RD_06_a_file_as_large_as_the_limit_is_read_to_its_end(self, workspace: Path) -> None:
        (workspace / "file").write_text(TEN)
        toolkit = limited(workspace, max_scan_bytes=len(TEN))
        assert plain(toolkit, "file", start_line=10)["content"] == "line 9\n"
        past = plain(toolkit, "file", start_line=11)
        assert (past["content"], past["truncated"]) == ("", False)

    def test_FR_RD_06_a_selection_that_ends_before_the_limit_is_whole(self, workspace: Path) -> None:
        (workspace / "file").write_text(TEN)
        answer = plain(limited(workspace, max_scan_bytes=21), "file", head=3)
        assert (answer["content"], answer["truncated"]) == ("line 0\nline 1\nline 2\n", False)

    def test_FR_RD_06_without_a_selector_only_the_first_limit_counts(self, workspace: Path) -> None:
        (workspace / "file").write_text(TEN)
        answer = plain(limited(workspace, max_scan_bytes=1), "file")
        assert (answer["content"], answer["truncated"], answer["meta"]["line_count"]) == (TEN, False, None)

    def test_FR_RD_06_a_byte_order_mark_does_not_put_the_first_line_out_of_reach(self, workspace: Path) -> None:
        (workspace / "file").write_bytes(b"\xef\xbb\xbfalpha\nbeta\n")
        toolkit = limited(workspace, max_scan_bytes=2)
        answer = plain(toolkit, "file", head=1)
        assert (answer["content"], answer["truncated"], answer["next_start_line"]) == ("al", True, None)
        assert called(toolkit, refusal(toolkit.read, "file", start_line=2).hint)["content"] == "1| al"

    def test_FR_RD_06_the_limit_says_where_the_reach_ends_in_a_large_file(
        self, workspace: Path, toolkit: AgentToolkit
    ) -> None:
        (workspace / "big log.txt").write_bytes(b"1234567\n" * 1_000_000)
        last = SCAN_BYTES // 8
        assert plain(toolkit, "big log.txt", start_line=last)["content"] == "1234567\n"
        error = refusal(toolkit.read, "big log.txt", start_line=last + 1)
        assert error.hint == f'Read {{"path": "big log.txt", "start_line": {last}}}'
        assert called(toolkit, error.hint)["meta"]["start_line"] == last

    def test_FR_RD_06_an_answer_does_not_depend_on_what_was_read_before(self, workspace: Path) -> None:
        (workspace / "file").write_text(TEN)
        toolkit = limited(workspace, max_scan_bytes=20)
        before = refusal(toolkit.read, "file", start_line=4).data()
        toolkit.read_file("file")
        assert refusal(toolkit.read, "file", start_line=4).data() == before

    def test_FR_RD_06_a_hint_names_the_path_as_asked_where_several_folders_are_open(
        self, workspace: Path, tmp_path: Path
    ) -> None:
        limited(workspace, max_scan_bytes=20)
        (tmp_path / "other").mkdir()
        for folder in ("workspace", "other"):
            (tmp_path / folder / "file").write_text(TEN)
        folders = [folder_from_path(str(tmp_path / name)) for name in ("workspace", "other")]
        reader = Reader(folders, SettingsStore())
        error = refusal(ToolCatalog.read, reader, {"path": str(workspace / "file"), "start_line": 9})
        arguments = json.loads(str(error.hint).removeprefix("Read "))
        assert ToolCatalog.read(reader, arguments)["workspace_folder"] == "workspace"


class TestTail:
    @pytest.mark.parametrize("tail", range(1, 12))
    def test_FR_RD_06_the_last_lines_are_reached_from_the_end(self, workspace: Path, tail: int) -> None:
        (workspace / "file").write_text(TEN)
        wanted = min(tail, 10)
        for scan in range(wanted * 7, len(TEN)):
            answer = plain(limited(workspace, max_scan_bytes=scan), "file", tail=tail)
            assert answer["content"] == TEN[-7 * wanted :]
            assert (answer["meta"]["start_line"], answer["truncated"]) == (-wanted, False)
        for scan in range(7, wanted * 7):
            fits = scan // 7
            answer = plain(limited(workspace, max_scan_bytes=scan), "file", tail=tail)
            assert answer["content"] == TEN[-7 * fits :]
            assert (answer["truncated"], answer["omitted_lines"]) == (True, wanted - fits)
            assert (answer["next_start_line"], answer["next_cursor"]) == (None, None)

    def test_FR_RD_06_a_large_file_is_numbered_from_its_end(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "big.log").write_bytes(b"1234567\n" * (SCAN_BYTES // 8) + b"one\ntwo\nthree\n")
        answer = toolkit.read("big.log", tail=3)
        assert answer["content"] == "-3| one\n-2| two\n-1| three\n"
        assert (answer["meta"]["start_line"], answer["meta"]["line_count"]) == (-3, None)
        ten = toolkit.read("big.log", tail=10)["content"]
        assert ten.startswith("-10| 1234567\n -9| ")

    def test_FR_RD_06_a_small_file_is_numbered_from_its_start(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "file").write_text(TEN)
        assert toolkit.read("file", tail=2)["content"] == " 9| line 8\n10| line 9\n"

    def test_FR_RD_06_a_last_line_without_newline_counts(self, workspace: Path) -> None:
        (workspace / "file").write_text(TEN + "open")
        toolkit = limited(workspace, max_scan_bytes=11)
        assert toolkit.read("file", tail=2)["content"] == "-2| line 9\n-1| open"
        three = toolkit.read("file", tail=3)
        assert (three["content"], three["omitted_lines"]) == ("-2| line 9\n-1| open", 1)

    def test_FR_RD_06_a_tail_larger_than_an_answer_keeps_its_end(self, workspace: Path) -> None:
        (workspace / "file").write_text(TEN)
        toolkit = limited(workspace, max_file_read_bytes=16, max_scan_bytes=60)
        answer = toolkit.read("file", tail=5)
        assert answer["content"] == "-2| line 8\n-1| line 9\n"
        assert (answer["truncated"], answer["truncated_by"], answer["omitted_lines"]) == (True, "bytes", 3)
        counted = limited(workspace, max_file_read_bytes=16).read("file", tail=50)
        assert (counted["content"], counted["omitted_lines"]) == (" 9| line 8\n10| line 9\n", 8)

    @pytest.mark.parametrize("before", ["", "short\n"])
    def test_FR_RD_06_a_last_line_longer_than_an_answer_comes_from_its_beginning(
        self, workspace: Path, before: str
    ) -> None:
        (workspace / "file").write_text(before + "x" * 99 + "y")
        toolkit = limited(workspace, max_scan_bytes=20, max_file_read_bytes=60)
        answer = plain(toolkit, "file", tail=1)
        assert (answer["content"], answer["truncated"], answer["omitted_lines"]) == ("x" * 60, True, 0)
        assert plain(toolkit, "file", cursor=answer["next_cursor"])["content"] == "x" * 39 + "y"

    def test_FR_RD_06_a_file_without_lines_has_no_last_ones(self, workspace: Path, toolkit: AgentToolkit) -> None:
        for content in (b"", b"\xef\xbb\xbf"):
            (workspace / "file").write_bytes(content)
            answer = toolkit.read("file", tail=3)
            assert (answer["content"], answer["truncated"], answer["omitted_lines"]) == ("", False, 0)


class TestSettings:
    def test_the_users_settings_may_loosen_a_limit(
        self, workspace: Path, user_settings: Path, toolkit: AgentToolkit
    ) -> None:
        (workspace / "file").write_bytes(b"x" * (READ_BYTES + 1))
        assert toolkit.read("file")["truncated"] is True
        user_settings.write_text(f"[tools.read_file]\nmax_file_read_bytes = {READ_BYTES + 1}\n")
        assert toolkit.read("file")["truncated"] is False

    def test_a_workspace_may_not_raise_a_limit(self, workspace: Path) -> None:
        (workspace / "file").write_bytes(b"x" * (READ_BYTES + 1))
        assert limited(workspace, max_file_read_bytes=READ_BYTES + 1).read("file")["truncated"] is True

    def test_the_default_of_line_numbers_can_be_set_and_the_call_has_the_last_word(
        self, workspace: Path, user_settings: Path, toolkit: AgentToolkit
    ) -> None:
        (workspace / "file").write_text("one\n")
        user_settings.write_text("[tools.read_file]\nshow_line_numbers = false\n")
        assert toolkit.read("file")["content"] == "one\n"
        assert toolkit.read("file", show_line_numbers=True)["content"] == "1| one\n"

    def test_the_users_allow_pattern_lets_a_denied_file_be_read(
        self, workspace: Path, user_settings: Path, toolkit: AgentToolkit
    ) -> None:
        (workspace / ".env").write_text("TOKEN=1\n")
        user_settings.write_text('[policy]\nallow = ["/.env"]\n')
        assert toolkit.read(".env")["content"] == "1| TOKEN=1\n"


def test_a_scan_can_be_stopped(workspace: Path, reader: Reader) -> None:
    (workspace / "file").write_bytes(b"1234567\n" * 200_000)

    def stop(_done: int, _total: int) -> None:
        raise ReadError(ErrorCode.CANCELLED, "cancelled")

    assert code(ToolCatalog.read, reader, {"path": "file", "start_line": 150_000}, stop) == "CANCELLED"


def test_the_open_document_is_read_and_limited_like_a_file(workspace: Path, reader: Reader) -> None:
    limited(workspace, max_file_read_bytes=8)
    (workspace / "file").write_text("on disk\n")
    reader.documents.put((workspace / "file").as_posix(), Document("in the\neditor\n", 3))
    answer = ToolCatalog.read(reader, {"path": "file"})
    assert (answer["content"], answer["truncated"], answer["document_version"]) == ("1| in the\n", True, 3)
