"""The tool `Read`, one test or more for each numbered line of its specification."""

import base64
import os
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.tools import TOOL_DEFINITIONS, ToolCatalog
from forge_daemon.tools.toolkit import AgentToolkit
from forge_daemon.workspace.reader import Reader
from tests.tools.refusals import code, refusal

FIVE = "alpha\nbeta\ngamma\ndelta\nepsilon\n"


@pytest.fixture(autouse=True)
def notes(workspace: Path) -> Path:
    path = workspace / "notes.txt"
    path.write_text(FIVE)
    return path


class TestVerification:
    def test_T_RD_01_reads_a_full_file(self, toolkit: AgentToolkit) -> None:
        answer = toolkit.read("notes.txt")
        assert answer["content"] == "1| alpha\n2| beta\n3| gamma\n4| delta\n5| epsilon\n"
        assert (answer["truncated"], answer["next_start_line"]) == (False, None)

    def test_T_RD_01_reads_an_empty_file_as_nothing(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "empty").touch()
        answer = toolkit.read("empty")
        assert (answer["content"], answer["meta"]["line_count"]) == ("", 0)

    def test_T_RD_02_reads_a_line_range(self, toolkit: AgentToolkit) -> None:
        assert toolkit.read("notes.txt", start_line=2, end_line=4)["content"] == "2| beta\n3| gamma\n4| delta\n"

    @pytest.mark.parametrize("other", ["start_line", "end_line", "limit"])
    @pytest.mark.parametrize("convenience", ["head", "tail"])
    def test_T_RD_03_head_and_tail_are_exclusive(self, toolkit: AgentToolkit, convenience: str, other: str) -> None:
        error = refusal(toolkit.read, "notes.txt", **{convenience: 2, other: 2})
        assert (error.code, error.path) == ("INVALID_ARGUMENT", "notes.txt")
        assert convenience in error.reason
        assert other in error.reason

    def test_T_RD_04_a_binary_file_is_returned_as_base64(self, workspace: Path, toolkit: AgentToolkit) -> None:
        data = bytes(range(256)) * 5
        (workspace / "image.bin").write_bytes(data)
        answer = toolkit.read("image.bin")
        assert base64.b64decode(answer["binary"]["data"], validate=True) == data
        assert answer["content"] == ""


class TestInterface:
    @pytest.mark.parametrize("name", ["Read", "read", "read_file", "read-file", "ReadFile"])
    def test_FR_RD_01_answers_to_its_name_and_its_aliases(self, reader: Reader, name: str) -> None:
        assert ToolCatalog.call(name, {"path": "notes.txt", "head": 1}, "forge", reader)["content"] == "1| alpha\n"

    def test_FR_RD_02_the_schema_has_exactly_these_parameters(self) -> None:
        schema = TOOL_DEFINITIONS["Read"]["parameters"]
        types = {name: field["type"] for name, field in schema["properties"].items()}
        assert types == {
            "path": "string",
            "start_line": "integer",
            "end_line": "integer",
            "limit": "integer",
            "head": "integer",
            "tail": "integer",
            "show_line_numbers": "boolean",
            "cursor": "string",
        }
        assert schema["required"] == ["path"]
        assert schema["properties"]["show_line_numbers"]["default"] is True

    def test_FR_RD_02_lines_are_numbered_unless_told_otherwise(self, toolkit: AgentToolkit) -> None:
        assert toolkit.read("notes.txt", limit=1)["content"] == "1| alpha\n"
        assert toolkit.read("notes.txt", limit=1, show_line_numbers=False)["content"] == "alpha\n"

    @pytest.mark.parametrize(
        ("selectors", "lines"),
        [
            ({"start_line": 4}, "delta\nepsilon\n"),
            ({"end_line": 2}, "alpha\nbeta\n"),
            ({"limit": 2}, "alpha\nbeta\n"),
            ({"start_line": 3, "limit": 2}, "gamma\ndelta\n"),
            ({"start_line": 2, "end_line": 4, "limit": 2}, "beta\ngamma\n"),
            ({"start_line": 2, "end_line": 3, "limit": 9}, "beta\ngamma\n"),
            ({"head": 2}, "alpha\nbeta\n"),
            ({"head": 99}, FIVE),
            ({"tail": 2}, "delta\nepsilon\n"),
            ({"tail": 99}, FIVE),
            ({"start_line": 6}, ""),
            ({"start_line": 2**63 - 1, "limit": 2**63 - 1}, ""),
        ],
    )
    def test_FR_RD_02_every_selector_selects(
        self, toolkit: AgentToolkit, selectors: dict[str, Any], lines: str
    ) -> None:
        answer = toolkit.read("notes.txt", show_line_numbers=False, **selectors)
        assert answer["content"] == lines
        assert (answer["truncated"], answer["next_start_line"]) == (False, None)

    @pytest.mark.parametrize("name", ["start_line", "end_line", "limit", "head", "tail"])
    @pytest.mark.parametrize("value", [0, -1, 1.5, "1", True, 2**63])
    def test_FR_RD_02_a_line_number_is_a_positive_integer(
        self, toolkit: AgentToolkit, name: str, value: object
    ) -> None:
        error = refusal(toolkit.read, "notes.txt", **{name: value})
        assert error.code == "INVALID_ARGUMENT"
        assert error.reason.startswith(f"{name}: ")

    def test_FR_RD_02_a_range_does_not_end_before_it_starts(self, toolkit: AgentToolkit) -> None:
        assert code(toolkit.read, "notes.txt", start_line=3, end_line=2) == "INVALID_ARGUMENT"

    @pytest.mark.parametrize("arguments", [None, [], "notes.txt", {}, {"path": None}, {"path": 7}, {"path": ""}])
    def test_FR_RD_02_a_path_is_required(self, reader: Reader, arguments: object) -> None:
        error = refusal(ToolCatalog.read, reader, arguments)
        assert (error.code, error.path) == ("INVALID_ARGUMENT", None)

    def test_FR_RD_02_an_unknown_parameter_is_refused_by_name(self, reader: Reader) -> None:
        error = refusal(ToolCatalog.read, reader, {"path": "notes.txt", "offset": 3})
        assert (error.code, error.path, error.reason) == (
            "INVALID_ARGUMENT",
            "notes.txt",
            "offset: unknown key",
        )

    def test_FR_RD_03_head_and_tail_exclude_each_other(self, toolkit: AgentToolkit) -> None:
        assert code(toolkit.read, "notes.txt", head=1, tail=1) == "INVALID_ARGUMENT"


class TestOutput:
    def test_FR_RD_04_numbers_are_right_aligned_to_the_widest_shown(
        self, workspace: Path, toolkit: AgentToolkit
    ) -> None:
        (workspace / "long.txt").write_text("x\n" * 1000)
        assert toolkit.read("long.txt", start_line=8, end_line=10)["content"] == " 8| x\n 9| x\n10| x\n"
        assert toolkit.read("long.txt", tail=2)["content"] == " 999| x\n1000| x\n"

    def test_FR_RD_04_a_last_line_without_newline_gets_none(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "open.txt").write_text("one\ntwo")
        assert toolkit.read("open.txt")["content"] == "1| one\n2| two"

    def test_FR_RD_04_the_output_says_what_was_read(self, notes: Path, toolkit: AgentToolkit) -> None:
        answer = toolkit.read("notes.txt", start_line=2, limit=1)
        meta = answer["meta"]
        assert (answer["path"], answer["workspace_folder"]) == ("notes.txt", "workspace")
        assert (meta["line_count"], meta["returned_line_count"], meta["start_line"]) == (5, 1, 2)
        assert (meta["byte_length"], meta["mtime_ms"]) == (len(FIVE), os.stat(notes).st_mtime_ns // 1_000_000)
        assert (answer["binary"], answer["next_cursor"], answer["source"]) == (None, None, "disk")

    def test_FR_RD_04_malformed_text_is_shown_and_counted(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "latin.txt").write_bytes(b"caf\xe9\r\n")
        answer = toolkit.read("latin.txt")
        assert answer["content"] == "1| caf\ufffd\n"
        assert (answer["meta"]["decode_errors"], answer["meta"]["eol"]) == (1, "crlf")

    def test_FR_RD_05_binary_status_is_indicated(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "image.bin").write_bytes(b"\x89PNG\0")
        answer = toolkit.read("image.bin")
        assert (answer["meta"]["encoding"], answer["meta"]["line_count"]) == ("binary", None)
        assert answer["binary"] == {
            "encoding": "base64",
            "data": "iVBORwA=",
            "byte_offset": 0,
            "byte_count": 5,
        }

    @pytest.mark.parametrize("selector", ["start_line", "end_line", "limit", "head", "tail"])
    def test_FR_RD_05_a_selector_changes_nothing_about_a_binary_file(
        self, workspace: Path, toolkit: AgentToolkit, selector: str
    ) -> None:
        (workspace / "image.bin").write_bytes(b"a\0b")
        assert toolkit.call("Read", {"path": "image.bin", selector: 1}) == toolkit.read("image.bin")


class TestSecurity:
    def test_NFR_RD_SEC_01_a_path_that_leads_out_is_refused(self, tmp_path: Path, toolkit: AgentToolkit) -> None:
        (tmp_path / "secret.txt").write_text("secret")
        error = refusal(toolkit.read, "../secret.txt")
        assert (error.code, error.path) == ("SANDBOX_VIOLATION", "../secret.txt")

    def test_NFR_RD_SEC_01_nothing_outside_is_revealed(self, tmp_path: Path, toolkit: AgentToolkit) -> None:
        there = tmp_path / "there.txt"
        there.touch()
        absent = tmp_path / "absent.txt"
        assert refusal(toolkit.read, str(there)).data() == refusal(toolkit.read, str(absent)).data()
        assert str(tmp_path) not in str(refusal(toolkit.read, str(there)).data())

    def test_NFR_RD_SEC_01_a_link_that_leads_out_is_refused(
        self, tmp_path: Path, workspace: Path, toolkit: AgentToolkit
    ) -> None:
        (tmp_path / "secret.txt").write_text("secret")
        (workspace / "link.txt").symlink_to(tmp_path / "secret.txt")
        assert code(toolkit.read, "link.txt") == "SANDBOX_VIOLATION"

    def test_NFR_RD_SEC_01_an_absolute_path_inside_is_read(self, workspace: Path, toolkit: AgentToolkit) -> None:
        assert toolkit.read(str(workspace / "notes.txt"))["path"] == "notes.txt"

    def test_NFR_RD_SEC_01_secrets_are_denied(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / ".env").write_text("TOKEN=1")
        assert code(toolkit.read, ".env") == "POLICY_DENIED"
