"""`forge/find` over real files."""

import os
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.reading.files.document import Document
from forge_daemon.requests.find import find
from forge_daemon.requests.read_file import read_file
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.find import FindMatch, FindParams, FindResult
from forge_protocol.read_file import ReadFileParams
from tests.reading.sources import no_progress
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder

LARGE = 3 * 1024 * 1024


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "ws"


@pytest.fixture
def reader(root: Path) -> Reader:
    return reader_of(folder(root))


def look(reader: Reader, path: str, pattern: str, **params: Any) -> FindResult:
    return find(reader, FindParams(path=path, pattern=pattern, **params), no_progress)


def refusal(reader: Reader, path: str, pattern: str = "a", **params: Any) -> tuple[ErrorCode, str | None]:
    with pytest.raises(ReadError) as caught:
        look(reader, path, pattern, **params)
    return caught.value.code, caught.value.path


def test_a_match_is_told_with_its_line_and_the_files_etag(reader: Reader, root: Path) -> None:
    (root / "a.txt").write_text("one\ntwo\nthree\n")
    etag = read_file(reader, ReadFileParams(path="a.txt"), no_progress).etag
    match = FindMatch(line=2, start_column=2, end_column=3, content="two")
    assert look(reader, "./a.txt", "wo") == FindResult(path="a.txt", match=match, scanned_bytes=5, etag=etag)
    assert look(reader, "a.txt", "four") == FindResult(path="a.txt", match=None, scanned_bytes=14, etag=etag)


def test_backward_goes_from_the_position_to_the_start(reader: Reader, root: Path) -> None:
    (root / "a.txt").write_text("one\ntwo\none\n")
    found = look(reader, "a.txt", "one", direction="backward", start_line=3)
    assert found.match == FindMatch(line=1, start_column=1, end_column=3, content="one")
    assert found.scanned_bytes == 8


def test_a_large_file_is_searched_to_its_end_and_back(reader: Reader, root: Path) -> None:
    lines = [f"line {number}" for number in range(1, LARGE // 8)]
    (root / "large.txt").write_text("\n".join(lines))
    last = len(lines)
    for params in ({}, {"regex": True}, {"ignore_case": True}, {"regex": True, "ignore_case": True}):
        found = look(reader, "large.txt", f"line {last}", **params).match
        assert found == FindMatch(line=last, start_column=1, end_column=len(lines[-1]), content=lines[-1])
        found = look(reader, "large.txt", "line 1", direction="backward", start_line=2, **params).match
        assert found == FindMatch(line=1, start_column=1, end_column=6, content="line 1")


def test_an_open_document_is_searched_unless_the_disk_is_asked_for(reader: Reader, root: Path) -> None:
    (root / "a.txt").write_text("saved\n")
    reader.documents.put(f"{root}/a.txt", Document("edited\n", 2))
    assert look(reader, "a.txt", "edited").match is not None
    assert look(reader, "a.txt", "edited", source="disk").match is None


def test_a_search_is_refused_like_a_read(reader: Reader, root: Path, tmp_path: Path) -> None:
    (root / "directory").mkdir()
    (root / "image").write_bytes(b"\0\n")
    assert refusal(reader, "missing") == (ErrorCode.NOT_FOUND, "missing")
    assert refusal(reader, "directory") == (ErrorCode.NOT_FILE, "directory")
    assert refusal(reader, ".env") == (ErrorCode.POLICY_DENIED, ".env")
    assert refusal(reader, "image") == (ErrorCode.INVALID_ARGUMENT, "image")
    assert refusal(reader, str(tmp_path / "outside")) == (ErrorCode.SANDBOX_VIOLATION, None)


def test_a_faulty_pattern_is_told_before_anything_is_opened(reader: Reader) -> None:
    assert refusal(reader, "missing", "(", regex=True)[0] == ErrorCode.INVALID_ARGUMENT
    assert refusal(reader, ".env", "")[0] == ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize("case", [{}, {"ignore_case": True}])
@pytest.mark.parametrize("way", [{}, {"regex": True}, {"direction": "backward", "start_line": 1 << 60}])
def test_a_search_shows_its_progress_and_can_be_stopped(
    reader: Reader, root: Path, way: dict[str, Any], case: dict[str, Any]
) -> None:
    (root / "large.txt").write_bytes(b"x\n" * (LARGE // 2))
    seen: list[tuple[int, int]] = []

    def progress(done: int, total: int) -> None:
        seen.append((done, total))
        if len({done for done, _ in seen}) == 3:  # while an expression waits for a process, nothing is done
            raise ReadError(ErrorCode.CANCELLED, "stopped")

    with pytest.raises(ReadError) as caught:
        find(reader, FindParams(path="large.txt", pattern="y", **way, **case), progress)
    assert caught.value.code == ErrorCode.CANCELLED
    assert seen == sorted(seen)
    assert {total for done, total in seen if done} == {LARGE}


def test_a_file_that_keeps_changing_is_given_up(reader: Reader, root: Path) -> None:
    file = root / "log"
    file.write_bytes(b"x\n" * (LARGE // 2))

    changes = iter(range(1_000_000))

    def change(_done: int, _total: int) -> None:
        with file.open("r+b") as log:
            log.write(b"%d\n" % next(changes))

    with pytest.raises(ReadError) as caught:
        find(reader, FindParams(path="log", pattern="y"), change)
    assert (caught.value.code, caught.value.retriable) == (ErrorCode.CONTENT_MODIFIED, True)


def test_a_file_that_only_grows_is_searched_as_far_as_it_reached(reader: Reader, root: Path) -> None:
    file = root / "log"
    file.write_bytes(b"x\n" * (LARGE // 2))

    def grow(_done: int, _total: int) -> None:
        with file.open("ab") as log:
            log.write(b"yes\n")

    assert find(reader, FindParams(path="log", pattern="y"), grow).match is None
    found = find(reader, FindParams(path="log", pattern="y"), no_progress).match
    assert found is not None
    assert found.line == LARGE // 2 + 1


def test_a_file_that_changed_once_is_searched_again(reader: Reader, root: Path) -> None:
    file = root / "log"
    file.write_bytes(b"x\n" * (LARGE // 2))
    changed = False

    def replace_once(_done: int, _total: int) -> None:
        nonlocal changed
        if not changed:
            changed = True
            file.write_bytes(b"z\n" * (LARGE // 2))
            os.utime(file, ns=(1, 1))

    found = find(reader, FindParams(path="log", pattern="z"), replace_once).match
    assert found == FindMatch(line=1, start_column=1, end_column=1, content="z")
