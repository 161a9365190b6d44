"""`forge/readFile` from parameters to result, over real files."""

import base64
import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading.files import disk
from forge_daemon.reading.files.document import Document
from forge_daemon.reading.files.same_file import Identity
from forge_daemon.reading.window.window import MAX_CONTENT_BYTES
from forge_daemon.requests.read_file import read_file
from forge_daemon.workspace.reader import Reader
from forge_protocol.conversion import structure, unstructure
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.read_file import ReadFileParams, ReadFileResult
from tests.reading.sources import BOM, lines_of, no_progress, normalised
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder


class Workspace:
    def __init__(self, path: Path) -> None:
        self.folder = folder(path)
        self.root = path
        self.reader: Reader = reader_of(self.folder)

    def write(self, name: str, data: bytes) -> None:
        (self.root / name).write_bytes(data)
        os.utime(self.root / name, (1_700_000_000, 1_700_000_000))

    def read(self, path: str, **params: Any) -> ReadFileResult:
        return read_file(self.reader, structure({"path": path, **params}, ReadFileParams), no_progress)

    def refusal(self, path: str, **params: Any) -> ReadError:
        with pytest.raises(ReadError) as caught:
            self.read(path, **params)
        return caught.value


@pytest.fixture
def ws(tmp_path: Path) -> Workspace:
    return Workspace(tmp_path.resolve() / "ws")


TEN = "".join(f"line {number}\n" for number in range(1, 11))


def test_the_result_has_every_field_of_the_contract(ws: Workspace) -> None:
    ws.write("a.txt", BOM + b"one\r\ntwo")
    result = unstructure(ws.read("./a.txt"))
    etag, end_cursor = result.pop("etag"), result["end_cursor"]
    assert isinstance(etag, str)
    assert f".{etag}." in end_cursor
    assert result == {
        "path": "a.txt",
        "workspace_folder": "ws",
        "content": "one\ntwo",
        "truncated": False,
        "next_start_line": None,
        "meta": {
            "byte_length": 11,
            "line_count": 2,
            "returned_line_count": 2,
            "mtime_ms": 1_700_000_000_000,
            "start_line": 1,
            "encoding": "utf-8",
            "bom": True,
            "ends_with_newline": False,
            "eol": "crlf",
            "decode_errors": 0,
            "compression": None,
            "text_byte_length": None,
        },
        "truncated_by": None,
        "next_cursor": None,
        "end_cursor": end_cursor,
        "source": "disk",
        "document_version": None,
        "clipped_lines": None,
        "context_lines": None,
        "members": None,
        "line_numbers": None,
        "binary": None,
        "not_modified": False,
    }


@pytest.mark.parametrize(
    ("params", "first", "last", "next_start_line"),
    [
        ({}, 1, 10, None),
        ({"max_lines": 4}, 1, 4, 5),
        ({"start_line": 9}, 9, 10, None),
        ({"start_line": 3, "end_line": 5}, 3, 5, None),
        ({"end_line": 2}, 1, 2, None),
        ({"start_line": 3, "end_line": 9, "limit": 2}, 3, 4, None),
        ({"limit": 3}, 1, 3, None),
        ({"limit": 5, "max_lines": 3}, 1, 3, 4),
        ({"head": 2}, 1, 2, None),
        ({"head": 20}, 1, 10, None),
        ({"tail": 3}, 8, 10, None),
        ({"tail": 5, "max_lines": 2}, 6, 7, 8),
        ({"around": {"line": 5, "before": 1, "after": 2}}, 4, 7, None),
        ({"around": {"line": 5}}, 1, 10, None),
        ({"around": {"line": 9, "before": 0}, "max_lines": 11}, 9, 10, None),
        ({"start_line": 11}, 11, 10, None),
        ({"start_line": None, "cursor": None, "around": None}, 1, 10, None),
    ],
)
def test_each_selector_selects_its_lines(
    ws: Workspace, params: dict[str, Any], first: int, last: int, next_start_line: int | None
) -> None:
    ws.write("ten.txt", TEN.encode())
    result = ws.read("ten.txt", **params)
    assert result.content == "".join(lines_of(TEN)[first - 1 : last])
    assert (result.meta.start_line, result.meta.returned_line_count) == (first, last - first + 1)
    assert (result.next_start_line, result.truncated) == (next_start_line, next_start_line is not None)
    assert (result.truncated_by, result.next_cursor is None) == (("lines", False) if next_start_line else (None, True))


@pytest.mark.parametrize(
    "params",
    [
        {"start_line": 0},
        {"start_line": 1.5},
        {"start_line": True},
        {"start_line": 2**63},
        {"start_line": 3, "end_line": 2},
        {"head": 1, "tail": 1},
        {"head": 1, "limit": 1},
        {"around": {"line": 1}, "start_line": 1},
        {"around": {"line": 100}, "max_lines": 20},
        {"around": {}},
        {"cursor": "nonsense"},
        {"max_lines": 0},
        {"max_lines": 10_001},
        {"on_binary": "hex"},
        {"source": "cache"},
        {"unknown": 1},
    ],
)
def test_faulty_arguments_are_refused_before_anything_is_looked_up(ws: Workspace, params: dict[str, Any]) -> None:
    error = ws.refusal("../../nowhere/.env", **params)
    assert error.code == ErrorCode.INVALID_ARGUMENT


def test_lines_are_numbered_on_demand(ws: Workspace) -> None:
    ws.write("ten.txt", TEN.encode())
    assert ws.read("ten.txt", tail=2, show_line_numbers=True).content == " 9| line 9\n10| line 10\n"
    assert ws.read("ten.txt", start_line=11, show_line_numbers=True).content == ""


def test_inside_a_long_line_its_number_is_repeated(ws: Workspace) -> None:
    ws.write("long.txt", b"first\n" + b"x" * (MAX_CONTENT_BYTES + 5) + b"\nlast\n")
    first = ws.read("long.txt", start_line=2, show_line_numbers=True)
    assert (first.truncated_by, first.next_start_line) == ("bytes", 3)
    assert len(first.content) == MAX_CONTENT_BYTES + len("2| ")
    rest = ws.read("long.txt", cursor=first.next_cursor, show_line_numbers=True)
    assert (rest.content, rest.meta.start_line) == ("2| xxxxx\n3| last\n", 2)


def test_a_binary_file_comes_in_pages_of_base64(ws: Workspace) -> None:
    data = os.urandom(MAX_CONTENT_BYTES) + b"\0" * 10
    ws.write("image", b"\0" + data)
    first = ws.read("image")
    assert first.binary is not None
    assert (first.binary.encoding, first.binary.byte_offset) == ("base64", 0)
    assert (first.binary.byte_count, first.content) == (MAX_CONTENT_BYTES, "")
    assert (first.meta.line_count, first.next_start_line, first.meta.encoding) == (None, None, "binary")
    second = ws.read("image", cursor=first.next_cursor)
    assert second.binary is not None
    assert base64.b64decode(first.binary.data) + base64.b64decode(second.binary.data) == b"\0" + data
    assert (second.binary.byte_offset, second.truncated) == (MAX_CONTENT_BYTES, False)


def test_a_binary_file_can_be_refused_and_has_no_lines(ws: Workspace) -> None:
    ws.write("image", b"\0")
    error = ws.refusal("image", on_binary="refuse")
    assert (error.code, error.path) == (ErrorCode.BINARY_NOT_SUPPORTED, "image")
    for selector in ({"start_line": 1}, {"head": 1}, {"tail": 1}, {"limit": 1}, {"around": {"line": 1}}):
        error = ws.refusal("image", **selector)
        assert (error.code, error.path) == (ErrorCode.INVALID_ARGUMENT, "image")


def test_if_none_match_leaves_the_content_out_until_the_file_changes(ws: Workspace) -> None:
    ws.write("a.txt", b"one\ntwo\n")
    etag = ws.read("a.txt").etag
    same = ws.read("a.txt", if_none_match=etag, start_line=2)
    assert (same.not_modified, same.content, same.truncated, same.binary) == (True, "", False, None)
    assert (same.meta.line_count, same.meta.returned_line_count, same.meta.start_line) == (2, 0, 2)
    ws.write("a.txt", b"one\nTWO\n")
    changed = ws.read("a.txt", if_none_match=etag)
    assert (changed.not_modified, changed.content) == (False, "one\nTWO\n")
    assert changed.etag != etag


def test_a_cursor_of_a_changed_or_another_file_is_content_modified(ws: Workspace) -> None:
    ws.write("a.txt", TEN.encode())
    ws.write("b.txt", TEN.encode())
    cursor = ws.read("a.txt", max_lines=3).next_cursor
    assert ws.read("a.txt", cursor=cursor, max_lines=1).content == "line 4\n"
    error = ws.refusal("b.txt", cursor=cursor)
    assert (error.code, error.path) == (ErrorCode.CONTENT_MODIFIED, "b.txt")
    ws.write("a.txt", TEN.upper().encode())
    error = ws.refusal("a.txt", cursor=cursor)
    assert (error.code, error.path) == (ErrorCode.CONTENT_MODIFIED, "a.txt")
    assert error.etag == ws.read("a.txt").etag


def test_a_document_answers_with_its_version(ws: Workspace) -> None:
    ws.write("a.txt", b"saved\n")
    ws.reader.documents.put(f"{ws.root}/a.txt", Document("é edited\n", 4))
    result = ws.read("a.txt")
    assert (result.content, result.source, result.document_version) == ("é edited\n", "buffer", 4)
    assert (result.meta.byte_length, result.meta.mtime_ms) == (10, 1_700_000_000_000)
    on_disk = ws.read("a.txt", source="disk")
    assert (on_disk.content, on_disk.source, on_disk.document_version) == ("saved\n", "disk", None)
    assert on_disk.etag != result.etag
    cursor = ws.read("a.txt", source="disk", max_lines=1).next_cursor
    assert cursor is None


def test_an_error_names_the_path_within_the_workspace_or_none(ws: Workspace, tmp_path: Path) -> None:
    assert ws.refusal(f"{ws.root}/x/../missing").path == "missing"
    assert ws.refusal(str(tmp_path / "outside")).path is None
    assert ws.refusal("a.txt", workspace_folder="nope").path == "a.txt"


MIXED = st.lists(
    st.sampled_from([b"\n", b"\r\n", b"a", b"bc", "é".encode(), "😀".encode(), b"\xff", b"\xe3\x81", BOM]),
    max_size=60,
).map(b"".join)


@given(data=MIXED, held=st.sampled_from([0, disk.HELD_BYTES]), page=st.integers(1, 9))
def test_the_pages_of_a_real_file_are_the_file_cold_warm_and_without_a_cache(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, held: int, page: int
) -> None:
    ws = Workspace(tmp_path_factory.mktemp("pages").resolve())
    ws.write("file", data)
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(disk, "HELD_BYTES", held)
        patched.setattr(Identity, "is_racy", lambda *_: False)
        cold = list(pages(ws, page))
        warm = list(pages(ws, page))
        assert data == b"" or ws.reader.cache_figures()[0][1].hits > 0
        ws.reader.settings.set_client({"cache": {"max_bytes": 0}})
        ws.reader.refresh_settings()
        without = list(pages(ws, page))
    assert "".join(result.content for result in cold) == normalised(data)
    assert all(result.content for result in cold[:-1])
    assert cold == warm == without


def pages(ws: Workspace, max_lines: int) -> Iterator[ReadFileResult]:
    cursor = None
    while True:
        result = ws.read("file", cursor=cursor, max_lines=max_lines)
        yield result
        cursor = result.next_cursor
        if cursor is None:
            return
