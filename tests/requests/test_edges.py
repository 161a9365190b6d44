"""Where several things meet: filters, columns, escape sequences, cut files, growth, other encodings."""

import gzip
import zlib
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.requests.find import find
from forge_daemon.requests.read_file import read_file
from forge_daemon.requests.read_files import read_files
from forge_daemon.workspace.reader import Reader
from forge_protocol.conversion import structure
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.find import FindParams
from forge_protocol.read_file import ReadFileParams, ReadFileResult
from forge_protocol.read_files import ReadFilesParams
from tests.reading.sources import no_progress


def read(reader: Reader, **params: Any) -> ReadFileResult:
    return read_file(reader, structure({"path": "app.log", **params}, ReadFileParams), no_progress)


def pages(reader: Reader, **params: Any) -> list[ReadFileResult]:
    """Every page. The error at the end of a text that ends early ends them."""
    found = [read(reader, **params)]
    options = {key: params[key] for key in params if key not in ("tail", "head", "start_line")}
    try:
        while (cursor := found[-1].next_cursor) is not None:
            assert len(found) < 50, "following cursors ends"
            found.append(read(reader, cursor=cursor, **options))
    except ReadError as error:
        assert error.code == ErrorCode.INTERNAL
    return found


def append(log: Path, data: bytes) -> None:
    with log.open("ab") as file:
        file.write(data)


@pytest.mark.parametrize(
    ("wanted", "first", "then", "expected"),
    [
        ({"pattern": "a", "invert": True}, b"x", b"a\nb\nc\n", "a\nb\nc\n"),
        ({"pattern": "b$", "regex": True}, b"one b", b"c\ntwo b\nthree b\n", "c\ntwo b\nthree b\n"),
    ],
)
def test_no_match_is_lost_after_a_last_line_that_matched_only_while_it_was_unfinished(
    reader: Reader, log: Path, wanted: dict[str, Any], first: bytes, then: bytes, expected: str
) -> None:
    log.write_bytes(first)
    seen = read(reader, filter=wanted)
    append(log, then)
    assert read(reader, cursor=seen.end_cursor, filter=wanted).content == expected


@pytest.mark.parametrize("text", ["one\ntwo\r", "one\ntwo\x1b[3", "one\ntwo"])
@pytest.mark.parametrize("wanted", [None, {"pattern": "o"}])
def test_the_pages_of_a_cut_gzip_end(reader: Reader, log: Path, text: str, wanted: dict[str, Any] | None) -> None:
    log.write_bytes(gzip.compress(text.encode())[:-4])
    found = pages(reader, ansi="strip", **({"filter": wanted} if wanted else {}))
    assert "".join(page.content for page in found).startswith("one\ntwo")


def test_no_line_is_named_to_continue_at_where_none_was_returned(reader: Reader, log: Path) -> None:
    log.write_bytes(gzip.compress(b"one\n")[:10])
    assert (read(reader).truncated, read(reader).next_start_line) == (True, None)
    log.write_bytes(gzip.compress(b"one\n")[:-4])
    assert read(reader, filter={"pattern": "z"}).next_start_line is None


def test_a_cut_gzip_is_told_as_cut_with_columns(reader: Reader, log: Path) -> None:
    log.write_bytes(gzip.compress(b"one\ntwo\n")[:-4])
    assert read(reader, max_lines=2, columns={"count": 9}).truncated_by == "bytes"


def test_a_gzip_that_is_being_written_is_read_further_by_its_cursor(reader: Reader, log: Path) -> None:
    packing = zlib.compressobj(wbits=31)

    def packed(text: str) -> bytes:
        return packing.compress(text.encode("utf-8", "surrogateescape")) + packing.flush(zlib.Z_SYNC_FLUSH)

    log.write_bytes(packed("one\ntw\udce3\udc81"))
    first = read(reader)
    append(log, packed("\udc82\nnext\n"))
    more = read(reader, cursor=first.next_cursor)
    assert (more.content, more.meta.start_line) == ("あ\nnext\n", 2)


def test_a_last_line_of_which_nothing_is_shown_has_its_number(reader: Reader, log: Path) -> None:
    log.write_bytes(b"a\n\x1b[0m")
    wanted = {"pattern": "z", "invert": True}
    assert read(reader, filter=wanted, ansi="strip", show_line_numbers=True).content == "1| a\n"
    log.write_bytes(b"abcdef\nab")
    columns = {"start": 5, "count": 3}
    assert read(reader, filter={"pattern": "a"}, columns=columns, show_line_numbers=True).content == "1| ef\n2| "


def test_with_a_filter_a_sequence_is_left_out_as_without(reader: Reader, log: Path) -> None:
    log.write_bytes(b"see a\x1b]8;;http://example.org/" + b"x" * 600 + b"\x1b\\link\n")
    for options in ({}, {"filter": {"pattern": "see"}}):
        found = pages(reader, ansi="strip", max_bytes=100, **options)
        assert "".join(page.content for page in found) == "see alink\n"


def test_columns_of_filtered_lines_are_whole_however_little_fits(reader: Reader, log: Path) -> None:
    log.write_bytes(b"aaaaaaaaaa\n" * 4)
    for options in ({}, {"filter": {"pattern": "a"}}):
        found = pages(reader, columns={"start": 1, "count": 10}, max_bytes=15, **options)
        assert [page.content for page in found] == ["aaaaaaaaaa\n"] * 4


@pytest.mark.parametrize(
    ("first", "then", "content"),
    [
        (b"", b"\xef\xbb\xbfabc\n", "abc\n"),
        (b"", "abc\n".encode("utf-16"), "abc\n"),
        (b"", gzip.compress(b"abc\n", mtime=0), "abc\n"),
        (b"start\n", "日本\n".encode("iso-2022-jp"), "日本\n"),
    ],
)
def test_what_is_appended_may_decide_the_encoding(
    reader: Reader, log: Path, first: bytes, then: bytes, content: str
) -> None:
    log.write_bytes(first)
    seen = read(reader)
    append(log, then)
    assert read(reader, cursor=seen.end_cursor).content == content


@pytest.mark.parametrize("packed", [False, True])
def test_an_item_of_a_batch_uses_up_no_more_of_the_budget_than_it_returns(
    reader: Reader, log: Path, packed: bool
) -> None:
    lines = b"0123456789\n" * 10
    log.write_bytes(gzip.compress(lines)[:-4] if packed else lines)
    (log.parent / "other").write_bytes(b"other\n")
    item = {"path": "app.log", "max_bytes": 1000 if packed else 20}
    params = structure({"files": [item, {"path": "other"}], "max_total_bytes": 100_000}, ReadFilesParams)
    first, second = read_files(reader, params, no_progress).results
    assert first.result is not None
    assert second.result is not None
    assert second.result.content == "other\n"


def test_an_encoding_that_does_not_exist_is_said_before_the_file_is_opened(reader: Reader) -> None:
    with pytest.raises(ReadError) as caught:
        find(reader, FindParams(path="missing", pattern="x", encoding="nope"), no_progress)
    assert caught.value.code == ErrorCode.INVALID_ARGUMENT


@pytest.mark.parametrize(
    ("encoding", "data", "pattern"),
    [("iso-2022-jp", b"a\x1b(Bb\n", "ab"), ("mac-arabic", b"a b\n", "a b"), ("mac-arabic", b"a\xa0b\n", "a b")],
)
def test_a_literal_is_found_however_its_characters_are_written(
    reader: Reader, log: Path, encoding: str, data: bytes, pattern: str
) -> None:
    log.write_bytes(data)
    found = find(reader, FindParams(path="app.log", pattern=pattern, encoding=encoding), no_progress)
    assert found.match is not None
    assert read(reader, encoding=encoding, filter={"pattern": pattern}).meta.returned_line_count == 1
