"""For any bytes and any page: the pages are the file, they always end, and no answer depends on the cache."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from forge_daemon.reading.files import disk
from forge_daemon.reading.files.cache import FileCache
from forge_daemon.reading.texts.encodings.detection import detect
from forge_daemon.reading.texts.encodings.encoding import UTF_8
from forge_daemon.reading.window import pager
from forge_daemon.reading.window.cursor import decode_cursor, encode_cursor
from forge_daemon.reading.window.pager import number_lines
from forge_daemon.reading.window.read import read_window
from forge_daemon.reading.window.selection import LastLines, Lines, Selection
from forge_daemon.reading.window.window import Columns, Window, WindowRequest
from tests.reading.sources import in_memory, lines_of, no_progress, normalised, opened, read_disk

TEXT = [b"a", b"line", b"\x0c", b"\r", b"\n", b"\r\n", b"\xef\xbb\xbf", b"\xef\xbf\xbd", b"\xe2\x80\xa8"]
WIDE = ["é".encode(), "日本".encode(), "😀".encode()]
MALFORMED = [b"\xff", b"\x80", b"\xe3\x81", b"\xf0\x9f\x98", b"\xc3", b"\xed\xa0\x80", b"\xc0\x80"]
FRAGMENTS = st.sampled_from([*TEXT, *WIDE, *MALFORMED])
CONTENTS = st.one_of(
    st.lists(FRAGMENTS, max_size=60).map(b"".join),
    st.binary(max_size=200).map(lambda data: data.replace(b"\0", b"\n")),
).filter(lambda data: (detect(data, is_whole=True) or UTF_8) == UTF_8)
"""Other encodings: test_every_encoding.py."""
PAGE_LINES = st.one_of(st.none(), st.integers(1, 7))
PAGE_BYTES = st.one_of(st.none(), st.integers(1, 40))


def pages(data: bytes, selection: Selection, max_lines: int | None, max_bytes: int | None) -> Iterator[Window]:
    source = in_memory(data)
    while True:
        window = read_window(
            source, WindowRequest(selection=selection, max_lines=max_lines, max_bytes=max_bytes), no_progress
        )
        yield window
        if window.next_cursor is None:
            return
        selection = decode_cursor(encode_cursor(window.next_cursor))


@given(CONTENTS, PAGE_LINES, PAGE_BYTES)
def test_following_cursors_yields_exactly_the_normalised_file(
    data: bytes, max_lines: int | None, max_bytes: int | None
) -> None:
    collected = list(pages(data, None, max_lines, max_bytes))
    assert "".join(page.content for page in collected) == normalised(data)
    assert all(page.content for page in collected[:-1]), "every page but the last makes progress"
    assert all((page.truncated_by is None) == (page is collected[-1]) for page in collected)


@given(CONTENTS, st.integers(1, 12), PAGE_LINES, PAGE_BYTES, st.integers(1, 8))
def test_lines_that_are_shorter_than_the_columns_are_cut_like_others(
    data: bytes, width: int, max_lines: int | None, max_bytes: int | None, first: int
) -> None:
    assume(max_bytes is None or data.endswith(b"\n"))  # by columns, room is kept for a newline that may not be there
    request = WindowRequest(
        selection=Lines(first, None), max_lines=max_lines, max_bytes=max_bytes, columns=Columns(0, width)
    )
    window = read_window(in_memory(data), request, no_progress)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(pager, "_fits_columns", lambda *_: False)
        slowly = read_window(in_memory(data), request, no_progress)
    assert window == slowly


@given(CONTENTS, PAGE_LINES, PAGE_BYTES)
def test_every_page_knows_the_number_of_its_first_line(
    data: bytes, max_lines: int | None, max_bytes: int | None
) -> None:
    before = ""
    for page in pages(data, None, max_lines, max_bytes):
        assert page.start_line == before.count("\n") + 1
        before += page.content
        if page.next_start_line is not None:
            assert page.next_start_line == before.count("\n") + 1 + (not before.endswith("\n"))


@given(CONTENTS, st.integers(1, 12), st.integers(0, 12), PAGE_LINES, PAGE_BYTES)
def test_the_pages_of_a_range_are_exactly_those_lines(
    data: bytes, first: int, more: int, max_lines: int | None, max_bytes: int | None
) -> None:
    collected = list(pages(data, Lines(first, first + more), max_lines, max_bytes))
    expected = lines_of(normalised(data))[first - 1 : first + more]
    assert "".join(page.content for page in collected) == "".join(expected)
    assert all(page.content for page in collected[:-1])
    assert not expected or collected[-1].content


@given(CONTENTS, PAGE_LINES, st.integers(1, 60))
def test_a_page_never_holds_more_than_it_may(data: bytes, max_lines: int | None, max_bytes: int) -> None:
    for page in pages(data, None, max_lines, max_bytes):
        assert len(page.content) <= 1 or len(page.content.encode()) <= max_bytes
        assert max_lines is None or page.returned_line_count <= max_lines
        assert page.returned_line_count == len(lines_of(page.content))


@given(CONTENTS, st.integers(1, 7), PAGE_BYTES)
def test_following_next_start_line_ends_and_yields_the_file_where_no_line_is_longer_than_a_page(
    data: bytes, max_lines: int, max_bytes: int | None
) -> None:
    source, line, content, turns = in_memory(data), 1, "", 0
    cut_inside = False
    while True:
        request = WindowRequest(selection=Lines(line, None), max_lines=max_lines, max_bytes=max_bytes)
        window = read_window(source, request, no_progress)
        content += window.content
        turns += 1
        if window.next_start_line is None:
            break
        cut_inside = cut_inside or not window.content.endswith("\n")
        assert window.next_start_line > line
        line = window.next_start_line
    assert turns <= len(data) + 1
    assert cut_inside or content == normalised(data)


@given(CONTENTS, st.integers(1, 40), st.integers(0, 40))
def test_a_range_is_exactly_those_lines(data: bytes, first: int, more: int) -> None:
    window = read_window(in_memory(data), WindowRequest(selection=Lines(first, first + more)), no_progress)
    lines = lines_of(normalised(data))
    assert window.content == "".join(lines[first - 1 : first + more])
    assert window.truncated_by is None
    assert window.start_line == first
    assert window.facts.line_count == len(lines)


@given(CONTENTS, st.integers(1, 12), PAGE_LINES)
def test_the_last_lines_are_the_same_counted_from_either_end(data: bytes, number: int, max_lines: int | None) -> None:
    lines = lines_of(normalised(data))
    expected = "".join(lines[-number:])
    known = WindowRequest(selection=LastLines(number), max_lines=max_lines)
    unknown = known._replace(count_lines_up_to=-1)
    for request in (known, unknown):
        window = read_window(in_memory(data), request, no_progress)
        text, selection = window.content, window.next_cursor
        while selection is not None:
            page = read_window(in_memory(data), request._replace(selection=selection), no_progress)
            text, selection = text + page.content, page.next_cursor
        assert text == expected
    first = read_window(in_memory(data), known, no_progress)
    from_end = read_window(in_memory(data), unknown, no_progress)
    assert first.start_line == max(1, len(lines) - number + 1)
    assert from_end.next_start_line is None
    if lines:
        assert from_end.start_line == -min(number, len(lines))


@given(CONTENTS, PAGE_LINES, PAGE_BYTES)
def test_decode_errors_of_the_pages_add_up_to_those_of_the_file(
    data: bytes, max_lines: int | None, max_bytes: int | None
) -> None:
    body = data.removeprefix(b"\xef\xbb\xbf")
    malformed = body.decode(errors="replace").count("\ufffd") - body.count("\ufffd".encode())
    assert sum(page.decode_errors for page in pages(data, None, max_lines, max_bytes)) == malformed


@given(CONTENTS, st.integers(1, 1500))
def test_numbers_stand_right_aligned_before_their_lines(data: bytes, first: int) -> None:
    text = normalised(data)
    numbered = lines_of(number_lines(text, range(first, first + len(lines_of(text)))))
    assert len(numbered) == len(lines_of(text))
    for number, (with_number, line) in enumerate(zip(numbered, lines_of(text), strict=True), first):
        prefix, rest = with_number.split("| ", 1)
        assert (int(prefix), rest) == (number, line)
    assert len({line.index("|") for line in numbered}) <= 1


@given(data=CONTENTS, held=st.sampled_from([0, disk.HELD_BYTES]), first=st.integers(1, 30), max_bytes=PAGE_BYTES)
def test_every_answer_is_the_same_cold_warm_and_without_a_cache(
    tmp_path_factory: pytest.TempPathFactory, data: bytes, held: int, first: int, max_bytes: int | None
) -> None:
    path: Path = tmp_path_factory.mktemp("same") / "file"
    path.write_bytes(data)
    os.utime(path, (1_000_000_000, 1_000_000_000))
    request = WindowRequest(selection=Lines(first, None), max_lines=3, max_bytes=max_bytes)
    fd = opened(path)
    usual, disk.HELD_BYTES = disk.HELD_BYTES, held
    try:
        cache = FileCache(1 << 20)
        answers = {
            read_disk(fd, with_cache, lambda source: read_window(source, request, no_progress))
            for with_cache in (None, cache, cache, None)
        }
    finally:
        disk.HELD_BYTES = usual
        os.close(fd)
    assert len(answers) == 1
