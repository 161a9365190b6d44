"""A file that only grows is the same file: cursors hold, lines are not counted again, and what is new comes next."""

import os
import random
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading.files import disk
from forge_daemon.reading.files.cache import FileCache
from forge_daemon.reading.window.cursor import Cursor, decode_cursor, encode_cursor
from forge_daemon.reading.window.read import read_window
from forge_daemon.reading.window.selection import LastLines, Lines
from forge_daemon.reading.window.window import Window, WindowRequest
from forge_protocol.errors import ErrorCode, ReadError
from tests.reading.passing_time import let_time_pass
from tests.reading.sources import lines_of, no_progress, normalised, opened, read_disk, window_of


class Log:
    """A log on disk that counts as large, and what is cached of it."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.cache = FileCache(1 << 20)
        path.touch()
        self.fd = opened(path)

    def append(self, data: bytes) -> None:
        with self.path.open("ab") as file:
            file.write(data)

    def overwrite(self, data: bytes, offset: int = 0) -> None:
        with self.path.open("r+b") as file:
            file.seek(offset)
            file.write(data)

    def window(self, **request: object) -> Window:
        wanted = WindowRequest(**request)  # type: ignore[arg-type]
        return read_disk(self.fd, self.cache, lambda source: read_window(source, wanted, no_progress))

    def code(self, **request: object) -> ErrorCode:
        with pytest.raises(ReadError) as caught:
            self.window(**request)
        return caught.value.code


@pytest.fixture
def log(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Log]:
    monkeypatch.setattr(disk, "HELD_BYTES", 16)
    log = Log(tmp_path / "log")
    yield log
    os.close(log.fd)


def numbered(first: int, last: int) -> bytes:
    return b"".join(b"line %d\n" % number for number in range(first, last + 1))


class TestEndCursor:
    """It stands where the file ended, and brings what is appended."""

    def test_what_was_appended_comes_with_its_line_numbers(self, log: Log) -> None:
        log.append(numbered(1, 10))
        first = log.window(selection=LastLines(2))
        assert (first.content, first.next_cursor) == ("line 9\nline 10\n", None)
        log.append(numbered(11, 12))
        second = log.window(selection=first.end_cursor)
        assert (second.content, second.start_line) == ("line 11\nline 12\n", 11)
        third = log.window(selection=second.end_cursor)
        assert (third.content, third.start_line, third.truncated_by) == ("", 13, None)

    def test_a_line_that_was_not_finished_is_continued(self, log: Log) -> None:
        log.append(b"one\ntwo\nthr")
        first = log.window()
        log.append(b"ee\nfour\n")
        second = log.window(selection=first.end_cursor)
        assert (second.content, second.start_line) == ("ee\nfour\n", 3)

    @pytest.mark.parametrize(("before", "after"), [("é".encode(), "é"), ("日".encode(), "日"), (b"\r\n", "\n")])
    def test_a_character_that_was_not_whole_comes_whole(self, log: Log, before: bytes, after: str) -> None:
        for cut in range(1, len(before)):
            log.append(b"0123456789abcdef" + before[:cut])
            end = log.window().end_cursor
            log.append(before[cut:] + b"next\n")
            assert log.window(selection=end).content == f"{after}next\n"

    def test_lines_appended_to_a_file_without_line_count_are_counted_from_the_end(self, log: Log) -> None:
        log.append(numbered(1, 10))
        end = log.window(selection=LastLines(2), count_lines_up_to=0).end_cursor
        log.append(numbered(11, 13))
        window = log.window(selection=end, count_lines_up_to=0)
        assert (window.content, window.start_line) == ("line 11\nline 12\nline 13\n", -3)

    def test_past_the_end_it_is_the_end(self, log: Log) -> None:
        log.append(numbered(1, 10))
        end = log.window(selection=Lines(500, None)).end_cursor
        log.append(numbered(11, 11))
        window = log.window(selection=end)
        assert (window.content, window.start_line) == ("line 11\n", 11)

    def test_no_end_cursor_is_given_before_the_end(self, log: Log) -> None:
        log.append(numbered(1, 10))
        assert log.window(max_lines=3).end_cursor is None
        assert log.window(selection=Lines(2, 9)).end_cursor is None
        assert log.window(selection=Lines(2, 10)).end_cursor is not None

    @given(st.lists(st.sampled_from([b"a", b"\n", b"\r", b"\r\n", "é".encode(), "日本".encode(), b"xyz"]), max_size=30))
    def test_windows_by_end_cursor_are_the_file(self, pieces: list[bytes]) -> None:
        data, text = b"", ""
        end: Cursor | None = None
        seen = 0
        for piece in [*pieces, b"!\n"]:
            data += piece
            window = window_of(data, WindowRequest(selection=end))
            end = window.end_cursor
            assert end is not None
            text += normalised(data[seen : end.place.offset])
            assert window.content.startswith(normalised(data[seen : end.place.offset]))
            seen = end.place.offset
            assert end.place.line == data[:seen].count(b"\n") + 1
        assert text == normalised(data)


class TestCursors:
    def test_pages_go_on_over_growth_to_the_new_end(self, log: Log) -> None:
        log.append(numbered(1, 10))
        page = log.window(max_lines=3)
        content = page.content
        for more in range(11, 19):
            log.append(numbered(more, more))
            if page.next_cursor is None:
                break
            page = log.window(selection=decode_cursor(encode_cursor(page.next_cursor)), max_lines=3)
            content += page.content
        assert lines_of(content) == [f"line {number}\n" for number in range(1, len(lines_of(content)) + 1)]
        assert page.end_cursor is not None

    def test_a_bounded_selection_still_ends_where_it_did(self, log: Log) -> None:
        log.append(numbered(1, 10))
        page = log.window(selection=Lines(2, 5), max_lines=2)
        log.append(numbered(11, 12))
        assert log.window(selection=page.next_cursor).content == "line 4\nline 5\n"

    def test_a_cursor_of_a_tail_knows_its_line_from_the_new_end(self, log: Log) -> None:
        log.append(numbered(1, 10))
        page = log.window(selection=LastLines(5), max_lines=2, count_lines_up_to=0)
        assert page.start_line == -5
        log.append(b"line 11\nline 12")
        page = log.window(selection=page.next_cursor, max_lines=1, count_lines_up_to=0)
        assert (page.content, page.start_line) == ("line 8\n", -5)
        log.append(b" is finished\n")
        assert log.window(selection=page.next_cursor, max_lines=1, count_lines_up_to=0).start_line == -4

    @pytest.mark.skipif(sys.platform != "linux", reason="a file system is asked in Linux's way")
    def test_cursors_hold_while_a_write_is_under_way(self, log: Log, monkeypatch: pytest.MonkeyPatch) -> None:
        """It sets the file's times when it begins, and the size when it ends."""
        log.append(numbered(1, 10))
        page = log.window(max_lines=3)
        os.utime(log.path)
        lseek, ending = os.lseek, iter([numbered(11, 11)])

        def wait_for_its_end(fd: int, offset: int, whence: int) -> int:
            for end in ending:
                log.append(end)
            return lseek(fd, offset, whence)

        monkeypatch.setattr(os, "lseek", wait_for_its_end)
        assert log.window(selection=page.next_cursor, max_lines=1).content == "line 4\n"

    @pytest.mark.parametrize("offset", [0, 30, 75])
    def test_a_cursor_of_a_file_that_grew_and_changed_is_refused(self, log: Log, offset: int) -> None:
        log.append(numbered(1, 11))
        cursor = log.window(max_lines=5).next_cursor
        log.append(b"more\n")
        log.overwrite(b"X", offset)
        assert log.code(selection=cursor) == ErrorCode.CONTENT_MODIFIED

    def test_a_cursor_of_a_file_that_was_emptied_and_grew_past_it_is_refused(self, log: Log) -> None:
        log.append(numbered(1, 10))
        cursor = log.window(max_lines=5).next_cursor
        os.truncate(log.path, 0)
        log.append(numbered(101, 200))
        assert log.code(selection=cursor) == ErrorCode.CONTENT_MODIFIED

    def test_a_cursor_of_a_file_rewritten_with_the_same_size_is_refused(
        self, log: Log, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        log.append(numbered(1, 20_000))
        let_time_pass(monkeypatch)
        cursor = log.window(max_lines=5).next_cursor
        log.overwrite(b"LINE", 100_000)
        assert log.code(selection=cursor) == ErrorCode.CONTENT_MODIFIED


class TestRacyFiles:
    """What was written a moment ago may be written again without a change of its times."""

    @pytest.fixture
    def frozen(self, log: Log, monkeypatch: pytest.MonkeyPatch) -> Log:
        """A file system whose clock stands still."""
        log.append(numbered(1, 20_000))
        times = (status := os.fstat(log.fd)).st_mtime_ns, status.st_ctime_ns
        fstat = os.fstat

        class Frozen:
            def __init__(self, status: os.stat_result) -> None:
                self._status = status
                self.st_mtime_ns, self.st_ctime_ns = times

            def __getattr__(self, name: str) -> object:
                return getattr(self._status, name)

        monkeypatch.setattr(os, "fstat", lambda fd: Frozen(fstat(fd)))
        return log

    def test_a_racy_file_is_never_not_modified(self, frozen: Log) -> None:
        etag = frozen.window().facts.etag
        assert not frozen.window(if_none_match=etag).not_modified
        frozen.overwrite(b"LINE", 100_000)
        assert not frozen.window(if_none_match=etag).not_modified

    def test_the_etag_of_a_racy_file_is_never_not_modified_later(
        self, frozen: Log, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        etag = frozen.window().facts.etag
        let_time_pass(monkeypatch)
        assert not frozen.window(if_none_match=etag).not_modified
        assert frozen.window(if_none_match=frozen.window().facts.etag).not_modified

    def test_lines_that_were_counted_are_counted_again(self, frozen: Log) -> None:
        assert frozen.window(selection=Lines(15_000, 15_000)).content == "line 15000\n"
        frozen.overwrite(b"\n\n\n\n", 0)
        assert frozen.window(selection=Lines(15_000, 15_000)).content == "line 14996\n"

    def test_a_cursor_holds_while_its_line_does(self, frozen: Log, monkeypatch: pytest.MonkeyPatch) -> None:
        cursor = frozen.window(selection=Lines(15_000, None), max_lines=1).next_cursor
        assert frozen.window(selection=cursor, max_lines=1).content == "line 15001\n"
        frozen.overwrite(b"\n\n\n\n", 50_000)
        assert frozen.code(selection=cursor) == ErrorCode.CONTENT_MODIFIED
        let_time_pass(monkeypatch)
        assert frozen.code(selection=cursor) == ErrorCode.CONTENT_MODIFIED

    def test_a_cursor_holds_when_the_file_is_no_longer_racy(self, frozen: Log, monkeypatch: pytest.MonkeyPatch) -> None:
        cursor = frozen.window(selection=Lines(15_000, None), max_lines=1).next_cursor
        let_time_pass(monkeypatch)
        assert frozen.window(selection=cursor, max_lines=1).content == "line 15001\n"


def test_the_lines_of_a_growing_log_are_exact_whatever_is_asked_of_it(log: Log) -> None:
    random.seed(7)
    lines = 0
    for _ in range(200):
        grown = random.randint(1, 400)
        log.append(numbered(lines + 1, lines + grown))
        lines += grown
        wanted = random.randint(1, lines)
        window = log.window(selection=Lines(wanted, wanted))
        assert (window.content, window.facts.line_count) == (f"line {wanted}\n", lines)
    assert log.cache.figures().misses <= 2, "and it was counted once"
