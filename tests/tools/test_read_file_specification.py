"""The tool `read_file`: a test or more for each line of sections 3.1, 4, 5, 7 and 11 of its specification."""

import os
import socket
from pathlib import Path

import pytest

from forge_daemon.reading.files.document import Document
from forge_daemon.tools import TOOL_DEFINITIONS, ReadError, ToolCatalog, create_agent_toolkit
from forge_daemon.tools.read_file import MAX_FILE_BYTES
from forge_daemon.tools.toolkit import AgentToolkit
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ErrorCode
from tests.tools.refusals import code, refusal
from tests.workspace.workspaces import public_directory, without_privileges

FIVE = "alpha\nbeta\ngamma\ndelta\nepsilon\n"


@pytest.fixture(autouse=True)
def notes(workspace: Path) -> Path:
    path = workspace / "notes.txt"
    path.write_text(FIVE)
    return path


@pytest.fixture
def numbers(workspace: Path) -> list[str]:
    """The lines of `numbers.txt`."""
    lines = [f"line {number}" for number in range(1, 1001)]
    (workspace / "numbers.txt").write_text("\n".join(lines) + "\n")
    return lines


class TestMust:
    def test_B_3_1_a_file_is_read_as_utf8_text(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "日本.txt").write_text("日本語\n😀\n")
        assert toolkit.read_file("日本.txt")["content"] == "日本語\n😀"

    def test_B_3_1_200_lines_are_returned_by_default(self, toolkit: AgentToolkit, numbers: list[str]) -> None:
        assert toolkit.read_file("numbers.txt")["content"].split("\n") == numbers[:200]

    def test_B_3_1_the_window_starts_at_start_line(self, toolkit: AgentToolkit, numbers: list[str]) -> None:
        output = toolkit.read_file("numbers.txt", start_line=301, max_lines=50)
        assert output["content"].split("\n") == numbers[300:350]

    @pytest.mark.parametrize("path", ["../outside.txt", "a/../../outside.txt", "/etc/hostname", "file:///etc/hostname"])
    def test_B_3_1_a_path_outside_is_refused(self, toolkit: AgentToolkit, path: str) -> None:
        assert code(toolkit.read_file, path) == "SANDBOX_VIOLATION"

    @pytest.mark.parametrize("spelling", ["notes.txt", "./notes.txt", "folder/../notes.txt", "{root}/notes.txt"])
    def test_B_3_1_the_returned_path_is_relative(self, workspace: Path, toolkit: AgentToolkit, spelling: str) -> None:
        assert toolkit.read_file(spelling.format(root=workspace))["path"] == "notes.txt"

    def test_B_3_1_a_missing_file_a_directory_and_a_large_file_are_explicit_errors(
        self, workspace: Path, toolkit: AgentToolkit
    ) -> None:
        (workspace / "folder").mkdir()
        (workspace / "large").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
        assert code(toolkit.read_file, "missing") == "NOT_FOUND"
        assert code(toolkit.read_file, "folder") == "NOT_FILE"
        assert code(toolkit.read_file, "large") == "SIZE_LIMIT_EXCEEDED"

    def test_B_3_1_a_binary_file_is_refused(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "image.bin").write_bytes(b"\x89PNG\0")
        assert code(toolkit.read_file, "image.bin") == "BINARY_NOT_SUPPORTED"

    @pytest.mark.parametrize(
        ("max_lines", "truncated", "next_start_line"), [(4, True, 5), (5, False, None), (6, False, None)]
    )
    def test_B_3_1_truncated_and_next_start_line_go_together(
        self, toolkit: AgentToolkit, max_lines: int, truncated: bool, next_start_line: int | None
    ) -> None:
        output = toolkit.read_file("notes.txt", max_lines=max_lines)
        assert (output["truncated"], output["next_start_line"]) == (truncated, next_start_line)

    def test_B_3_1_the_same_input_gives_the_same_output(self, toolkit: AgentToolkit) -> None:
        assert toolkit.read_file("notes.txt") == toolkit.read_file("notes.txt")


class TestShould:
    def test_B_3_2_an_error_names_path_and_reason(self, toolkit: AgentToolkit) -> None:
        error = refusal(toolkit.read_file, "missing.txt")
        assert (error.path, error.reason) == ("missing.txt", "does not exist")
        assert str(error) == "missing.txt: does not exist"

    def test_B_3_2_the_size_limit_is_one_mebibyte(self) -> None:
        assert MAX_FILE_BYTES == 1024 * 1024


class TestInputAndOutput:
    @pytest.mark.parametrize("value", [0, -1, 1e30, 2.5, "1", True, 2**63])
    def test_B_4_1_start_line_is_at_least_1(self, toolkit: AgentToolkit, value: int) -> None:
        assert code(toolkit.read_file, "notes.txt", start_line=value) == "INVALID_ARGUMENT"

    @pytest.mark.parametrize("value", [0, 501, -1, 1.5, "1", False])
    def test_B_4_1_max_lines_lies_between_1_and_500(self, toolkit: AgentToolkit, value: int) -> None:
        assert code(toolkit.read_file, "notes.txt", max_lines=value) == "INVALID_ARGUMENT"

    def test_B_4_1_the_bounds_themselves_are_taken(self, toolkit: AgentToolkit, numbers: list[str]) -> None:
        assert toolkit.read_file("numbers.txt", 1, 1)["content"] == numbers[0]
        assert toolkit.read_file("numbers.txt", 1, 500)["content"].split("\n") == numbers[:500]

    def test_B_4_1_an_unknown_parameter_is_refused(self, reader: Reader) -> None:
        error = refusal(ToolCatalog.read_file, reader, {"path": "notes.txt", "end_line": 2})
        assert (error.code, error.path) == ("INVALID_ARGUMENT", "notes.txt")

    def test_B_4_2_the_output_has_exactly_these_fields(self, notes: Path, toolkit: AgentToolkit) -> None:
        assert toolkit.read_file("notes.txt", start_line=2, max_lines=2) == {
            "path": "notes.txt",
            "content": "beta\ngamma",
            "truncated": True,
            "next_start_line": 4,
            "meta": {
                "byte_length": len(FIVE),
                "line_count": 5,
                "returned_line_count": 2,
                "mtime_ms": os.stat(notes).st_mtime_ns // 1_000_000,
            },
        }

    @pytest.mark.parametrize(
        ("text", "content", "lines"),
        [
            ("", "", 0),
            ("\n", "", 1),
            ("\n\n", "\n", 2),
            ("one", "one", 1),
            ("one\n", "one", 1),
            ("one\ntwo", "one\ntwo", 2),
            ("one\n\n", "one\n", 2),
            ("\ufeffone\n", "one", 1),
            ("\ufeff", "", 0),
            ("one\rtwo\u2028three\x0cfour\n", "one\rtwo\u2028three\x0cfour", 1),
        ],
    )
    def test_B_4_2_content_is_the_lines_joined(
        self, workspace: Path, toolkit: AgentToolkit, text: str, content: str, lines: int
    ) -> None:
        (workspace / "file").write_bytes(text.encode())
        output = toolkit.read_file("file")
        assert output["content"] == content
        assert output["meta"]["returned_line_count"] == output["meta"]["line_count"] == lines
        assert lines == 0 or len(content.split("\n")) == lines

    def test_B_4_2_the_disk_is_read_and_never_unsaved_text(self, workspace: Path, reader: Reader) -> None:
        (workspace / "notes.txt").write_text("saved\n")
        reader.documents.put((workspace / "notes.txt").as_posix(), Document("unsaved\n", 1))
        reader.documents.put((workspace / "new.txt").as_posix(), Document("unsaved\n", 1))
        assert ToolCatalog.read_file(reader, {"path": "notes.txt"})["content"] == "saved"
        assert code(ToolCatalog.read_file, reader, {"path": "new.txt"}) == "NOT_FOUND"


class TestErrors:
    @pytest.mark.parametrize("path", ["", 7, None, True, ["notes.txt"], {"path": "notes.txt"}])
    def test_B_4_3_INVALID_ARGUMENT_a_path_that_is_empty_or_no_string(self, toolkit: AgentToolkit, path: str) -> None:
        error = refusal(toolkit.read_file, path)
        assert (error.code, error.path) == ("INVALID_ARGUMENT", None)

    def test_B_4_3_NOT_FOUND_with_a_name_that_was_perhaps_meant(self, toolkit: AgentToolkit) -> None:
        error = refusal(toolkit.read_file, "note.txt")
        assert error.code == "NOT_FOUND"
        assert "notes.txt" in str(error.hint)

    def test_B_4_3_NOT_FILE_a_directory(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "folder").mkdir()
        assert code(toolkit.read_file, "folder") == code(toolkit.read_file, ".") == "NOT_FILE"

    @pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no FIFOs on this system")
    def test_B_4_3_NOT_FILE_a_fifo_without_waiting_for_it(self, workspace: Path, toolkit: AgentToolkit) -> None:
        os.mkfifo(workspace / "fifo")
        assert code(toolkit.read_file, "fifo") == "NOT_FILE"

    @pytest.mark.skipif(not hasattr(socket, "AF_UNIX"), reason="no local sockets on this system")
    def test_B_4_3_NOT_FILE_a_socket(
        self, workspace: Path, toolkit: AgentToolkit, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        monkeypatch.chdir(workspace)  # the name of a socket must be short
        with socket.socket(socket.AF_UNIX) as listener:
            listener.bind("socket")
            assert code(toolkit.read_file, "socket") == "NOT_FILE"

    @pytest.mark.parametrize(("position", "binary"), [(0, True), (8191, True), (8192, False)])
    def test_B_4_3_BINARY_NOT_SUPPORTED_a_NUL_in_the_first_8_KiB(
        self, workspace: Path, toolkit: AgentToolkit, position: int, binary: bool
    ) -> None:
        (workspace / "file").write_bytes(b"x" * position + b"\0")
        if binary:
            assert code(toolkit.read_file, "file") == "BINARY_NOT_SUPPORTED"
        else:
            assert toolkit.read_file("file")["content"].endswith("\0")

    def test_B_4_3_SIZE_LIMIT_EXCEEDED_above_1_MiB_and_not_at_it(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "file").write_bytes(b"x" * MAX_FILE_BYTES)
        assert toolkit.read_file("file")["meta"]["byte_length"] == MAX_FILE_BYTES
        (workspace / "file").write_bytes(b"x" * (MAX_FILE_BYTES + 1))
        assert code(toolkit.read_file, "file") == "SIZE_LIMIT_EXCEEDED"

    def test_B_4_3_INTERNAL_what_the_operating_system_refuses(self) -> None:
        with public_directory() as directory:
            (directory / "locked.txt").touch(0)
            toolkit = create_agent_toolkit(directory)
            with without_privileges():
                error = refusal(toolkit.read_file, "locked.txt")
        assert (error.code, error.path) == ("INTERNAL", "locked.txt")
        assert "does not allow" in error.reason

    def test_B_4_3_INTERNAL_a_file_that_never_holds_still(
        self, notes: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        texts = iter(range(1, 1000))
        pread = os.pread

        def change_and_read(fd: int, length: int, offset: int) -> bytes:
            notes.write_text(f"{next(texts)}\n" * 100)
            return pread(fd, length, offset)

        monkeypatch.setattr(os, "pread", change_and_read)
        error = refusal(ToolCatalog.read_file, reader, {"path": "notes.txt"})
        assert (error.code, error.path, error.retriable) == ("INTERNAL", "notes.txt", True)
        assert "etag" not in error.data()

    def test_a_call_may_be_cancelled(self, workspace: Path, reader: Reader, numbers: list[str]) -> None:
        def stop(_done: int, _total: int) -> None:
            raise ReadError(ErrorCode.CANCELLED, "cancelled")

        assert code(ToolCatalog.read_file, reader, {"path": "numbers.txt"}, stop) == "CANCELLED"


class TestDefinition:
    def test_B_4_4_the_definition_is_the_specifications_to_the_letter(self) -> None:
        assert TOOL_DEFINITIONS["read_file"] == {
            "name": "read_file",
            "description": ("Reads a UTF-8 text file in the workspace and returns a line-limited content window."),
            "parameters": {
                "type": "object",
                "properties": {
                    "path": {
                        "type": "string",
                        "description": 'Workspace-root-relative file path to read (e.g., "src/main.ts").',
                    },
                    "start_line": {
                        "type": "number",
                        "default": 1,
                        "description": "1-based start line of the returned window (default: 1).",
                    },
                    "max_lines": {
                        "type": "number",
                        "default": 200,
                        "description": "Maximum number of lines to return (default: 200).",
                    },
                },
                "required": ["path"],
            },
        }


class TestReadingModel:
    def test_B_5_the_kind_is_checked_before_the_size(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "folder").mkdir()
        for number in range(100):
            (workspace / "folder" / f"{number:0>200}").touch()
        assert code(toolkit.read_file, "folder") == "NOT_FILE"

    def test_B_5_the_size_is_checked_before_the_content(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "large.bin").write_bytes(b"\0" * (MAX_FILE_BYTES + 1))
        assert code(toolkit.read_file, "large.bin") == "SIZE_LIMIT_EXCEEDED"

    def test_B_5_binary_is_checked_before_the_lines(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "image.bin").write_bytes(b"\0")
        assert code(toolkit.read_file, "image.bin", start_line=99) == "BINARY_NOT_SUPPORTED"

    def test_B_5_line_ends_are_normalised(self, workspace: Path, toolkit: AgentToolkit) -> None:
        (workspace / "crlf.txt").write_bytes(b"one\r\ntwo\r\nthree\r\n")
        output = toolkit.read_file("crlf.txt", max_lines=2)
        assert (output["content"], output["next_start_line"]) == ("one\ntwo", 3)
        assert output["meta"]["line_count"] == 3

    @pytest.mark.parametrize("start_line", [6, 7, 2**63 - 1])
    def test_B_5_past_the_end_there_is_nothing(self, toolkit: AgentToolkit, start_line: int) -> None:
        output = toolkit.read_file("notes.txt", start_line=start_line)
        assert (output["content"], output["truncated"], output["next_start_line"]) == ("", False, None)
        assert (output["meta"]["line_count"], output["meta"]["returned_line_count"]) == (5, 0)

    def test_B_7_policy_is_judged_before_the_sandbox(
        self, workspace: Path, tmp_path: Path, toolkit: AgentToolkit
    ) -> None:
        (workspace / ".env").symlink_to(tmp_path)
        assert code(toolkit.read_file, ".env") == "POLICY_DENIED"


class TestAcceptance:
    def test_B_11_a_text_file_gives_content_and_meta(self, toolkit: AgentToolkit) -> None:
        output = toolkit.read_file("notes.txt")
        assert output["content"] == FIVE.removesuffix("\n")
        assert output["meta"]["line_count"] == 5

    def test_B_11_without_max_lines_it_ends_after_200_lines(self, toolkit: AgentToolkit, numbers: list[str]) -> None:
        output = toolkit.read_file("numbers.txt")
        assert (output["truncated"], output["next_start_line"]) == (True, 201)

    @pytest.mark.parametrize(("start_line", "returned"), [(1, 300), (701, 300), (702, 299), (1000, 1), (1001, 0)])
    def test_B_11_never_more_than_max_lines(
        self, toolkit: AgentToolkit, numbers: list[str], start_line: int, returned: int
    ) -> None:
        output = toolkit.read_file("numbers.txt", start_line=start_line, max_lines=300)
        assert output["meta"]["returned_line_count"] == returned

    def test_B_11_the_sandbox_refuses_a_path_outside(
        self, workspace: Path, tmp_path: Path, toolkit: AgentToolkit
    ) -> None:
        (tmp_path / "outside.txt").touch()
        (workspace / "link").symlink_to("../outside.txt")
        assert code(toolkit.read_file, "link") == "SANDBOX_VIOLATION"
        assert refusal(toolkit.read_file, str(tmp_path / "outside.txt")).path is None

    def test_B_11_line_count_and_byte_length_are_those_of_the_file(
        self, workspace: Path, toolkit: AgentToolkit
    ) -> None:
        (workspace / "file").write_bytes("é\r\n\r\nlast".encode())
        meta = toolkit.read_file("file", max_lines=1)["meta"]
        assert (meta["line_count"], meta["returned_line_count"], meta["byte_length"]) == (3, 1, 10)

    def test_B_11_windows_put_together_are_the_file(self, toolkit: AgentToolkit, numbers: list[str]) -> None:
        line: int | None = 1
        collected: list[str] = []
        while line is not None:
            output = toolkit.read_file("numbers.txt", start_line=line, max_lines=77)
            collected += output["content"].split("\n")
            line = output["next_start_line"]
        assert collected == numbers

    def test_B_11_no_output_holds_an_absolute_path(self, workspace: Path, toolkit: AgentToolkit) -> None:
        assert str(workspace) not in str(toolkit.read_file(str(workspace / "notes.txt")))

    def test_B_11_catalog_and_definitions_have_read_file(self) -> None:
        assert ToolCatalog.read_file.name == "read_file"
        assert ToolCatalog.read_file.definition is TOOL_DEFINITIONS["read_file"]


@pytest.mark.skipif(not hasattr(os, "O_PATH"), reason="the system cannot name a file without opening it")
def test_kind_and_size_are_judged_before_permission() -> None:
    with public_directory() as directory:
        (directory / "folder").mkdir(mode=0)
        for name, size in (("small", 1), ("large", MAX_FILE_BYTES + 1)):
            (directory / name).write_bytes(b"x" * size)
            (directory / name).chmod(0)
        toolkit = create_agent_toolkit(str(directory))
        with without_privileges():
            codes = {name: code(toolkit.read_file, name) for name in ("folder", "small", "large")}
        (directory / "folder").chmod(0o700)
    assert codes == {"folder": "NOT_FILE", "small": "INTERNAL", "large": "SIZE_LIMIT_EXCEEDED"}
