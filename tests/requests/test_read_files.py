"""`forge/readFiles`: answers in order, within the budget, and one bad item spoils nothing."""

from pathlib import Path
from typing import Any

import pytest

from forge_daemon.reading.window.window import MAX_CONTENT_BYTES
from forge_daemon.requests.read_file import read_file
from forge_daemon.requests.read_files import read_files
from forge_daemon.workspace.reader import Reader
from forge_protocol.conversion import structure, unstructure
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.read_file import ReadFileParams
from forge_protocol.read_files import MAX_TOTAL_BYTES, ReadFilesItem, ReadFilesParams
from tests.reading.sources import no_progress
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "ws"


@pytest.fixture
def reader(root: Path) -> Reader:
    reader = reader_of(folder(root))
    for name in ("a", "b", "c"):
        (root / name).write_text(f"{name} one\n{name} two\n")
    return reader


def batch(reader: Reader, *files: object, **params: Any) -> list[ReadFilesItem]:
    asked = structure({"files": list(files), **params}, ReadFilesParams)
    return read_files(reader, asked, no_progress).results


def contents(items: list[ReadFilesItem]) -> list[str | ErrorCode]:
    """What came of each item: its content, or the code of its error."""
    outcomes: list[str | ErrorCode] = []
    for item in items:
        assert (item.result is None) != (item.error is None)
        if item.result is not None:
            outcomes.append(item.result.content)
        if item.error is not None:
            outcomes.append(ErrorCode(item.error.code))
    return outcomes


def test_each_item_is_what_readfile_answers_in_the_order_asked(reader: Reader) -> None:
    asked = [{"path": "c"}, {"path": "a", "start_line": 2, "show_line_numbers": True}, {"path": "c"}]
    single = [read_file(reader, structure(item, ReadFileParams), no_progress) for item in asked]
    assert [item.result for item in batch(reader, *asked)] == single


def test_an_item_that_fails_does_not_affect_the_others(reader: Reader, root: Path, tmp_path: Path) -> None:
    (root / "directory").mkdir()
    items = batch(
        reader,
        {"path": "a"},
        {"path": "missing"},
        {"path": "directory"},
        {"path": ".env"},
        {"path": str(tmp_path / "outside")},
        {"path": 5},
        {"path": f"{root}/b", "head": 1, "tail": 1},
        {"path": "a", "unknown": True},
        {"path": ""},
        {},
        "a",
        None,
        {"path": "b"},
    )
    assert contents(items) == [
        "a one\na two\n",
        ErrorCode.NOT_FOUND,
        ErrorCode.NOT_FILE,
        ErrorCode.POLICY_DENIED,
        ErrorCode.SANDBOX_VIOLATION,
        *[ErrorCode.INVALID_ARGUMENT] * 7,
        "b one\nb two\n",
    ]
    paths = [item.error.path for item in items if item.error]
    assert paths == ["missing", "directory", ".env", None, None, "b", "a", None, None, None, None]


def test_an_item_s_error_has_the_shape_of_the_contract(reader: Reader) -> None:
    (item,) = batch(reader, {"path": "aa"})
    error = unstructure(item)["error"]
    assert error == {
        "code": "NOT_FOUND",
        "path": "aa",
        "reason": "does not exist",
        "retriable": False,
        "hint": error["hint"],
        "message": "aa: does not exist",
    }
    assert set(unstructure(batch(reader, {"path": "a"})[0])) == {"result"}


def test_a_changed_file_s_item_carries_the_new_etag(reader: Reader) -> None:
    cursor = batch(reader, {"path": "a", "max_lines": 1})[0].result
    assert cursor is not None
    (item,) = batch(reader, {"path": "b", "cursor": cursor.next_cursor})
    current = batch(reader, {"path": "b"})[0].result
    assert item.error is not None
    assert current is not None
    assert (item.error.code, item.error.etag) == ("CONTENT_MODIFIED", current.etag)


@pytest.mark.parametrize("count", [0, 51])
def test_a_batch_holds_one_to_fifty_files(reader: Reader, count: int) -> None:
    with pytest.raises(ReadError) as caught:
        batch(reader, *[{"path": "a"}] * count)
    assert caught.value.code == ErrorCode.INVALID_ARGUMENT
    assert len(batch(reader, *[{"path": "a"}] * 50)) == 50


@pytest.mark.parametrize("budget", [0, MAX_TOTAL_BYTES + 1])
def test_a_batch_is_bounded_in_bytes(reader: Reader, budget: int) -> None:
    with pytest.raises(ReadError) as caught:
        batch(reader, {"path": "a"}, max_total_bytes=budget)
    assert caught.value.code == ErrorCode.INVALID_ARGUMENT
    assert MAX_TOTAL_BYTES <= 32 * 1024 * 1024
    assert contents(batch(reader, {"path": "a"}, max_total_bytes=MAX_TOTAL_BYTES)) == ["a one\na two\n"]


class TestBudget:
    """Each file holds two lines of six bytes."""

    FILES = ({"path": "a"}, {"path": "b"}, {"path": "c"})

    @pytest.mark.parametrize(
        ("budget", "expected"),
        [
            (36, ["a one\na two\n", "b one\nb two\n", "c one\nc two\n"]),
            (35, ["a one\na two\n", "b one\nb two\n", "c one\n"]),
            (30, ["a one\na two\n", "b one\nb two\n", "c one\n"]),
            (29, ["a one\na two\n", "b one\nb two\n", ErrorCode.SIZE_LIMIT_EXCEEDED]),
            (24, ["a one\na two\n", "b one\nb two\n", ErrorCode.SIZE_LIMIT_EXCEEDED]),
            (20, ["a one\na two\n", "b one\n", ErrorCode.SIZE_LIMIT_EXCEEDED]),
            (13, ["a one\na two\n", ErrorCode.SIZE_LIMIT_EXCEEDED, ErrorCode.SIZE_LIMIT_EXCEEDED]),
            (6, ["a one\n", ErrorCode.SIZE_LIMIT_EXCEEDED, ErrorCode.SIZE_LIMIT_EXCEEDED]),
            (1, [ErrorCode.SIZE_LIMIT_EXCEEDED] * 3),
        ],
    )
    def test_the_budget_ends_after_a_line_and_later_items_are_refused(
        self, reader: Reader, budget: int, expected: list[str | ErrorCode]
    ) -> None:
        assert contents(batch(reader, *self.FILES, max_total_bytes=budget)) == expected

    @pytest.mark.parametrize("budget", [5, 11])
    def test_once_an_item_was_cut_nothing_behind_it_is_squeezed_in(
        self, reader: Reader, root: Path, budget: int
    ) -> None:
        (root / "tiny").write_text("t\n")
        items = batch(reader, {"path": "a"}, {"path": "tiny"}, max_total_bytes=budget)
        assert contents(items)[1] == ErrorCode.SIZE_LIMIT_EXCEEDED

    def test_a_cut_item_says_where_to_go_on(self, reader: Reader) -> None:
        cut = batch(reader, *self.FILES, max_total_bytes=20)[1].result
        assert cut is not None
        assert (cut.truncated, cut.truncated_by, cut.next_start_line) == (True, "bytes", 2)
        rest = batch(reader, {"path": "b", "cursor": cut.next_cursor})
        assert contents(rest) == ["b two\n"]

    def test_an_item_that_did_not_fit_may_be_requested_again(self, reader: Reader) -> None:
        for budget in (6, 13):
            refused = batch(reader, *self.FILES, max_total_bytes=budget)[1].error
            assert refused is not None
            assert (refused.path, refused.retriable) == ("b", True)
            assert refused.hint is not None

    def test_a_faulty_item_behind_its_end_is_still_told_its_own_fault(self, reader: Reader) -> None:
        assert contents(batch(reader, {"path": "a"}, {"path": 5}, max_total_bytes=12))[1] == ErrorCode.INVALID_ARGUMENT

    def test_a_failed_item_costs_nothing(self, reader: Reader) -> None:
        assert contents(batch(reader, {"path": "missing"}, {"path": "a"}, max_total_bytes=12))[1] == "a one\na two\n"

    def test_a_page_cut_by_lines_leaves_the_rest_to_the_others(self, reader: Reader) -> None:
        items = batch(reader, {"path": "a", "max_lines": 1}, {"path": "b"}, max_total_bytes=18)
        assert contents(items) == ["a one\n", "b one\nb two\n"]

    def test_binary_content_is_counted_in_bytes_of_the_file(self, reader: Reader, root: Path) -> None:
        (root / "image").write_bytes(b"\0" * 10)
        items = batch(reader, {"path": "image"}, {"path": "a"}, max_total_bytes=16)
        assert contents(items) == ["", "a one\n"]
        (cut, refused) = batch(reader, {"path": "image"}, {"path": "a"}, max_total_bytes=4)
        assert cut.result is not None
        assert cut.result.binary is not None
        assert (cut.result.binary.byte_count, cut.result.truncated_by) == (4, "bytes")
        assert refused.error is not None
        assert refused.error.code == "SIZE_LIMIT_EXCEEDED"

    def test_an_answer_s_own_limit_does_not_end_it(self, reader: Reader, root: Path) -> None:
        (root / "large").write_bytes(b"x" * (MAX_CONTENT_BYTES + 1))
        items = batch(reader, {"path": "large"}, {"path": "a"})
        assert items[0].result is not None
        assert (len(items[0].result.content), items[0].result.truncated_by) == (MAX_CONTENT_BYTES, "bytes")
        assert contents(items)[1] == "a one\na two\n"

    def test_characters_are_counted_as_utf_8(self, reader: Reader, root: Path) -> None:
        (root / "wide").write_text("日本\n")
        assert contents(batch(reader, {"path": "wide"}, {"path": "a"}, max_total_bytes=13)) == [
            "日本\n",
            "a one\n",
        ]


def test_a_batch_that_is_cancelled_answers_nothing(reader: Reader) -> None:
    def progress(_done: int, _total: int) -> None:
        raise ReadError(ErrorCode.CANCELLED, "stopped")

    asked = structure({"files": [{"path": "a"}]}, ReadFilesParams)
    with pytest.raises(ReadError) as caught:
        read_files(reader, asked, progress)
    assert caught.value.code == ErrorCode.CANCELLED
