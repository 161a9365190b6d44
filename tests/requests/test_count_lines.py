"""`forge/countLines` over real files."""

from pathlib import Path

import pytest

from forge_daemon.reading.files.document import Document
from forge_daemon.reading.lines.newlines import BLOCK
from forge_daemon.reading.match.filtered_lines import MAX_SEARCHED_LINE
from forge_daemon.requests.count_lines import count_lines
from forge_daemon.requests.read_file import read_file
from forge_daemon.workspace.reader import Reader
from forge_protocol.conversion import structure
from forge_protocol.count_lines import CountLinesParams, CountLinesResult
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.filter import FilterParams
from forge_protocol.read_file import ReadFileParams
from tests.reading.sources import no_progress
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "ws"


@pytest.fixture
def reader(root: Path) -> Reader:
    return reader_of(folder(root))


def count(reader: Reader, path: str, source: str = "auto") -> CountLinesResult:
    return count_lines(reader, CountLinesParams(path=path, source=source), no_progress)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("data", "lines"),
    [
        (b"", 0),
        (b"\xef\xbb\xbf", 0),
        (b"a", 1),
        (b"a\n", 1),
        (b"a\nb", 2),
        (b"\r\n\r", 2),
        (b"\n" * BLOCK * 2, 2 * BLOCK),
    ],
)
def test_the_count_is_exact_and_says_of_what(reader: Reader, root: Path, data: bytes, lines: int) -> None:
    (root / "a.txt").write_bytes(data)
    etag = read_file(reader, ReadFileParams(path="a.txt"), no_progress).etag
    assert count(reader, "./a.txt") == CountLinesResult(
        path="a.txt", workspace_folder="ws", line_count=lines, byte_length=len(data), etag=etag
    )


def test_an_open_document_is_counted_unless_the_disk_is_asked_for(reader: Reader, root: Path) -> None:
    (root / "a.txt").write_text("saved\n")
    reader.documents.put(f"{root}/a.txt", Document("é\n\0\nedited", 2))
    counted = count(reader, "a.txt")
    assert (counted.line_count, counted.byte_length) == (3, 11)
    assert count(reader, "a.txt", "disk").line_count == 1


def test_a_binary_file_has_no_lines_to_count(reader: Reader, root: Path) -> None:
    (root / "image").write_bytes(b"\0\n")
    assert refusal(reader, "image") == (ErrorCode.INVALID_ARGUMENT, "image")


def test_a_count_is_refused_like_a_read(reader: Reader, root: Path, tmp_path: Path) -> None:
    (root / "directory").mkdir()
    assert refusal(reader, "missing") == (ErrorCode.NOT_FOUND, "missing")
    assert refusal(reader, "directory") == (ErrorCode.NOT_FILE, "directory")
    assert refusal(reader, ".env") == (ErrorCode.POLICY_DENIED, ".env")
    assert refusal(reader, str(tmp_path / "outside")) == (ErrorCode.SANDBOX_VIOLATION, None)
    assert refusal(reader, "") == (ErrorCode.INVALID_ARGUMENT, None)


def refusal(reader: Reader, path: str) -> tuple[ErrorCode, str | None]:
    with pytest.raises(ReadError) as caught:
        count(reader, path)
    return caught.value.code, caught.value.path


def test_a_count_shows_its_progress_and_can_be_stopped(reader: Reader, root: Path) -> None:
    (root / "large.txt").write_bytes(b"x\n" * (3 * BLOCK // 2))
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        if done:
            raise ReadError(ErrorCode.CANCELLED, "stopped")

    with pytest.raises(ReadError) as caught:
        count_lines(reader, CountLinesParams(path="large.txt"), progress)
    assert caught.value.code == ErrorCode.CANCELLED
    assert seen[0] == (0, 3 * BLOCK)
    assert 0 < seen[1][0] < 3 * BLOCK
    assert len(seen) == 2


def test_a_filter_counts_what_is_shown_where_escape_sequences_are_left_out(tmp_path: Path) -> None:
    root = folder(tmp_path.resolve() / "ws")
    (tmp_path / "ws" / "a.log").write_text("\x1b[31mone\x1b[0m two\none two\n")
    asked = {"path": "a.log", "filter": {"pattern": "one two"}}
    for ansi, lines in (("keep", 1), ("strip", 2)):
        params = structure({**asked, "ansi": ansi}, CountLinesParams)
        assert count_lines(reader_of(root), params, no_progress).line_count == lines


def test_a_line_that_is_searched_in_part_counts_as_one_that_passes(root: Path, reader: Reader) -> None:
    long = b"y" * MAX_SEARCHED_LINE
    (root / "long").write_bytes(b"x\nx" + long + b"\n" + long + b"x\nx\n")
    params = CountLinesParams(path="long", filter=FilterParams(pattern="x"))
    assert count_lines(reader, params, no_progress).line_count == 3
