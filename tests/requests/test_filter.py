"""`filter` in `forge/readFile`, `forge/readFiles` and `forge/countLines`, over real files."""

import gzip
import random
import subprocess
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.reading.files.document import Document
from forge_daemon.requests.count_lines import count_lines
from forge_daemon.requests.read_file import read_file
from forge_daemon.requests.read_files import read_files
from forge_daemon.workspace.reader import Reader
from forge_protocol.conversion import structure
from forge_protocol.count_lines import CountLinesParams
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.read_file import ReadFileParams, ReadFileResult
from forge_protocol.read_files import ReadFilesParams
from tests.reading.sources import no_progress
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder

LOG = "".join(f"{level} {number}\n" for number, level in enumerate(["INFO", "WARN", "ERROR", "INFO"] * 5, 1))


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "ws"


@pytest.fixture
def reader(root: Path) -> Reader:
    reader = reader_of(folder(root))
    (root / "a.log").write_text(LOG)
    return reader


def read(reader: Reader, wanted: dict[str, Any], path: str = "a.log", **params: Any) -> ReadFileResult:
    return read_file(reader, structure({"path": path, "filter": wanted, **params}, ReadFileParams), no_progress)


def count(reader: Reader, wanted: dict[str, Any], path: str = "a.log", **params: Any) -> int:
    return count_lines(
        reader, structure({"path": path, "filter": wanted, **params}, CountLinesParams), no_progress
    ).line_count


def test_a_count_sees_coloured_text_as_a_window_does(reader: Reader, root: Path) -> None:
    (root / "colours.log").write_text("\x1b[31mdisk\x1b[0m full\nother\n")
    wanted = {"pattern": "disk full"}
    assert read(reader, wanted, "colours.log", ansi="strip").line_numbers == [1]
    assert count(reader, wanted, "colours.log", ansi="strip") == 1
    assert count(reader, wanted, "colours.log") == 0


@pytest.mark.parametrize(("pattern", "numbers"), [("two$", [3]), (r"\r$", [2]), ("^$", []), (".", [1, 2, 3, 4])])
def test_a_carriage_return_that_is_text_is_seen_beside_coloured_lines_too(
    reader: Reader, root: Path, pattern: str, numbers: list[int]
) -> None:
    (root / "colours.log").write_bytes(b"\x1b[31mone\x1b[0m\r\ntwo\r\r\ntwo\r\nfour\x1b[0m\n")
    wanted = {"pattern": pattern, "regex": True}
    assert count(reader, wanted, "colours.log", ansi="strip") == len(numbers)
    assert read(reader, wanted, "colours.log", ansi="strip").line_numbers == numbers
    assert read(reader, wanted, "colours.log", ansi="strip", tail=9).line_numbers == numbers
    inverted = sorted({1, 2, 3, 4} - set(numbers))
    assert read(reader, wanted | {"invert": True}, "colours.log", ansi="strip").line_numbers == inverted


def test_a_filtered_window_has_the_numbers_of_the_file(reader: Reader) -> None:
    result = read(reader, {"pattern": "ERROR"}, start_line=2, limit=2)
    assert (result.content, result.line_numbers) == ("ERROR 7\nERROR 11\n", [7, 11])
    assert (result.meta.start_line, result.meta.line_count, result.meta.returned_line_count) == (2, 5, 2)
    assert result.truncated is False


def test_a_whole_answer_has_no_line_numbers(reader: Reader) -> None:
    assert read_file(reader, ReadFileParams(path="a.log"), no_progress).line_numbers is None


def test_shown_numbers_are_those_of_the_file(reader: Reader) -> None:
    result = read(reader, {"pattern": "ERROR"}, head=3, show_line_numbers=True)
    assert result.content == " 3| ERROR 3\n 7| ERROR 7\n11| ERROR 11\n"


def test_pages_follow_by_line_and_by_cursor(reader: Reader) -> None:
    wanted = {"pattern": "^(ERROR|WARN)", "regex": True}
    first = read(reader, wanted, max_lines=4)
    assert (first.truncated_by, first.next_start_line) == ("lines", 5)
    by_line = read(reader, wanted, start_line=5, max_lines=4)
    by_cursor = read(reader, wanted, cursor=first.next_cursor, max_lines=4)
    assert by_line.content == by_cursor.content == "WARN 10\nERROR 11\nWARN 14\nERROR 15\n"
    assert by_line.line_numbers == by_cursor.line_numbers == [10, 11, 14, 15]
    assert by_line.meta.start_line == by_cursor.meta.start_line == 5


def test_around_and_tail_count_matches(reader: Reader) -> None:
    around = read(reader, {"pattern": "ERROR"}, around={"line": 3, "before": 1, "after": 1})
    assert around.line_numbers == [7, 11, 15]
    assert read(reader, {"pattern": "error", "ignore_case": True}, tail=2).line_numbers == [15, 19]


def test_lines_may_be_filtered_out_and_a_part_chosen(reader: Reader) -> None:
    result = read(reader, {"pattern": "INFO", "invert": True, "first_line": 5, "last_line": 10})
    assert (result.line_numbers, result.meta.line_count) == ([6, 7, 10], 3)
    assert count(reader, {"pattern": "INFO", "invert": True, "first_line": 5, "last_line": 10}) == 3


def test_a_part_of_the_file_may_be_all_that_is_asked_for(reader: Reader) -> None:
    assert read(reader, {"first_line": 19}).line_numbers == [19, 20]
    assert count(reader, {"last_line": 5}) == 5
    with pytest.raises(ReadError, match="first_line or last_line"):
        read(reader, {"before": 1})


@pytest.mark.parametrize("params", [{}, {"columns": {"count": 3}}])
def test_a_last_line_that_was_delivered_is_continued_once_there_is_more(
    reader: Reader, root: Path, params: dict[str, Any]
) -> None:
    log, wanted = root / "growing.log", {"pattern": "b"}
    log.write_text("a\nb 1")
    end = read(reader, wanted, "growing.log", **params).end_cursor
    nothing_new = read(reader, wanted, "growing.log", cursor=end, **params)
    assert (nothing_new.content, nothing_new.line_numbers, nothing_new.meta.returned_line_count) == ("", [], 0)
    with log.open("a") as file:
        file.write("2\nb 3\na\n")
    more = read(reader, wanted, "growing.log", cursor=nothing_new.end_cursor, **params)
    assert (more.content, more.line_numbers) == ("2\nb 3\n", [2, 3])


@pytest.mark.parametrize("last_line", ["b 2\n", "b 2", "a", "a\n"])
def test_past_the_last_match_nothing_is_new_until_something_is_appended(
    reader: Reader, root: Path, last_line: str
) -> None:
    log, wanted = root / "growing.log", {"pattern": "b"}
    log.write_text("a\nb 1\n" + last_line)
    end = read(reader, wanted, "growing.log", start_line=7).end_cursor
    nothing_new = read(reader, wanted, "growing.log", cursor=end)
    assert (nothing_new.content, nothing_new.line_numbers) == ("", [])
    with log.open("a") as file:
        file.write("0\nb 3\n")
    more = read(reader, wanted, "growing.log", cursor=nothing_new.end_cursor)
    matches = read(reader, wanted, "growing.log")
    assert ("b 1\n" + last_line * ("b" in last_line) + more.content) == matches.content
    assert more.meta.start_line + more.meta.returned_line_count - 1 == matches.meta.line_count


class TestDamaged:
    """Of a compressed file that is damaged or cut, what there is is filtered; what follows is an error."""

    @pytest.fixture
    def text(self, root: Path, reader: Reader) -> str:
        packed = gzip.compress("".join(f"{LOG}{random.Random(seed).random()}\n" for seed in range(500)).encode())
        (root / "cut.gz").write_bytes(packed[:-2000])
        read_whole = read_file(reader, ReadFileParams(path="cut.gz", max_lines=10_000), no_progress)
        assert read_whole.truncated
        return read_whole.content

    @pytest.mark.parametrize("params", [{}, {"max_lines": 100}, {"columns": {"count": 100}}, {"tail": 7}])
    @pytest.mark.parametrize("wanted", [{"pattern": "ERROR"}, {"pattern": "ERROR", "invert": True}, {"pattern": "!"}])
    def test_the_pages_end_with_the_reason(
        self, reader: Reader, text: str, wanted: dict[str, Any], params: dict[str, Any]
    ) -> None:
        inverted = wanted.get("invert", False)
        expected = [line for line in text.splitlines(keepends=True) if (wanted["pattern"] in line) != inverted]
        expected = expected[-params.get("tail", len(expected)) :]
        page, pages = read(reader, wanted, "cut.gz", **params), ""
        params = {name: value for name, value in params.items() if name != "tail"}
        with pytest.raises(ReadError, match="the gzip data ends early") as refusal:
            for _ in range(len(expected) + 2):
                pages += page.content
                assert page.end_cursor is None
                page = read(reader, wanted, "cut.gz", cursor=page.next_cursor, **params)
        assert refusal.value.code == ErrorCode.INTERNAL
        assert pages == "".join(expected)

    def test_a_selection_before_the_damage_is_whole(self, reader: Reader, text: str) -> None:
        number = text.count("ERROR")
        last = read(reader, {"pattern": "ERROR"}, "cut.gz", start_line=number, limit=1)
        assert (last.truncated, last.meta.returned_line_count) == (False, 1)


def test_an_open_document_is_filtered_as_it_is(reader: Reader, root: Path) -> None:
    reader.documents.put(f"{root}/a.log", Document("edited\nnot\nedited", 2))
    assert (count(reader, {"pattern": "edited"}), read(reader, {"pattern": "edited"}).line_numbers) == (2, [1, 3])


def test_items_of_a_batch_may_be_filtered(reader: Reader) -> None:
    items = [{"path": "a.log", "filter": {"pattern": "WARN 2"}}, {"path": "a.log", "filter": {"pattern": "("}}]
    items.append({"path": "a.log", "filter": {"pattern": "(", "regex": True}})
    found, none, faulty = read_files(reader, ReadFilesParams(files=items), no_progress).results
    assert found.result is not None
    assert found.result.line_numbers == [2]
    assert none.result is not None
    assert none.result.content == ""
    assert faulty.error is not None
    assert faulty.error.reason.startswith("filter.pattern: not a regular expression: a ) is missing")


@pytest.mark.parametrize(
    "wanted",
    [
        {"pattern": ""},
        {"pattern": "(", "regex": True},
        {"pattern": "a\nb"},
        {"pattern": "a", "first_line": 3, "last_line": 2},
    ],
)
def test_a_faulty_filter_is_told_before_the_file_is_touched(reader: Reader, wanted: dict[str, Any]) -> None:
    for ask in (read, count):
        with pytest.raises(ReadError, match="filter") as refused:
            ask(reader, wanted, "missing.log")
        assert refused.value.code == ErrorCode.INVALID_ARGUMENT


def test_what_is_known_of_a_filter_is_dropped_with_a_change(reader: Reader, root: Path) -> None:
    assert count(reader, {"pattern": "ERROR"}) == 5
    (root / "a.log").write_text(LOG.replace("INFO", "ERROR"))
    assert count(reader, {"pattern": "ERROR"}) == 15
    with (root / "a.log").open("a") as log:
        log.write("ERROR 21\n")
    assert read(reader, {"pattern": "ERROR"}, tail=1).line_numbers == [21]


@pytest.mark.parametrize("rest", ["other\n" * 100_000 + "not terminated", "not terminated"])
@pytest.mark.parametrize("asked", [{}, {"start_line": 2}, {"tail": 9}, {"max_lines": 2}])
def test_lines_after_the_last_match_are_passed_over(
    reader: Reader, root: Path, rest: str, asked: dict[str, Any]
) -> None:
    (root / "a.log").write_text("wanted\n" * 3 + rest)
    expected = {"start_line": [2, 3], "max_lines": [1, 2]}.get(next(iter(asked), ""), [1, 2, 3])
    for _ in range(2):
        assert read(reader, {"pattern": "wanted"}, **asked).line_numbers == expected


@pytest.mark.slow
def test_large_files_are_filtered_as_grep_filters_them(reader: Reader, root: Path) -> None:
    chance = random.Random(5)
    words = ["error", "Error", "warn", "ok", "x" * 300, "", "k=1", "user=bob"]
    with (root / "large.log").open("w") as log:
        for _ in range(60_000):
            log.write(" ".join(chance.choices(words, k=chance.randrange(1, 5))) + "\n")
    for pattern, options, wanted in [
        ("error", ["-F"], {}),
        ("error", ["-Fi"], {"ignore_case": True}),
        ("error", ["-Fv"], {"invert": True}),
        ("k=1 user", ["-F"], {}),
        ("^(error|warn) ok$", ["-E"], {"regex": True}),
        ("(ok ){3}", ["-E"], {"regex": True}),
        ("^$", ["-E"], {"regex": True}),
    ]:
        grep = subprocess.run(
            ["grep", "-n", *options, pattern, str(root / "large.log")], capture_output=True, text=True
        )
        expected = [int(line.partition(":")[0]) for line in grep.stdout.splitlines()]
        asked = {"pattern": pattern, **wanted}
        for first in (1, len(expected) // 2 + 1, max(1, len(expected) - 20)):
            page = read(reader, asked, "large.log", start_line=first, max_lines=50)
            assert page.line_numbers == expected[first - 1 : first + 49]
        assert count(reader, asked, "large.log") == len(expected)
