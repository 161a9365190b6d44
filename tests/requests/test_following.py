"""A followed file: nothing that is appended is lost or doubled, and what becomes of the file is told."""

import gzip
import os
import time
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest

from forge_daemon.reading.files.file_bytes import no_progress
from forge_daemon.reading.match.filter import Filter
from forge_daemon.reading.match.filtered_lines import MAX_SEARCHED_LINE
from forge_daemon.reading.window.cursor import decode_cursor, encode_cursor
from forge_daemon.reading.window.read import read_window
from forge_daemon.reading.window.selection import LastLines
from forge_daemon.reading.window.window import MAX_CONTENT_BYTES, WindowRequest
from forge_daemon.requests.appended_lines import MAX_UNREAD_BYTES, STANDING_SECONDS
from forge_daemon.requests.following import QUIET_SECONDS, Event, Following
from forge_daemon.requests.text_form import text_form
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ErrorCode, ReadError
from tests.requests.filters import matching
from tests.requests.follower import Follower, Pass, append
from tests.workspace.workspaces import link, open_descriptors


class TestAppending:
    def test_a_follow_starts_with_the_last_lines_and_reports_nothing_until_something_is_written(
        self, follower: Follower
    ) -> None:
        assert follower.first.content == "two\nthree\n"
        assert follower.look() is None

    def test_appended_lines_come_with_their_numbers_and_figures(self, follower: Follower, log: Path) -> None:
        append(log, "four\nfive\n")
        found = follower.look()
        assert found is not None
        assert found.window is not None
        assert (found.event, found.window.content, found.window.start_line) == (Event.APPENDED, "four\nfive\n", 4)
        assert (found.line_count, found.byte_length, found.continues_line) == (5, log.stat().st_size, False)
        assert (found.skipped_bytes, found.error) == (0, None)
        assert follower.look() is None

    def test_a_full_page_is_followed_by_the_next(self, reader: Reader, log: Path) -> None:
        follower = Follower(reader, max_lines=2)
        append(log, "4\n5\n6\n")
        found = follower.look()
        assert found is not None
        assert found.line_count is None
        assert follower.text() == "6\n"

    def test_a_line_is_delivered_once_it_is_complete(self, follower: Follower, log: Path) -> None:
        append(log, "four\nfi")
        assert follower.text() == "four\n"
        assert follower.text() is None
        append(log, "ve\nsi")
        assert follower.text() == "five\n"

    def test_an_incomplete_line_is_delivered_when_it_stands_still_and_is_continued_later(
        self, follower: Follower, log: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        append(log, "fo")
        assert follower.look() is None
        later = time.monotonic() + STANDING_SECONDS
        monkeypatch.setattr(time, "monotonic", lambda: later)
        found = follower.look()
        assert found is not None
        assert found.window is not None
        assert (found.window.content, found.window.start_line, found.continues_line) == ("fo", 4, False)
        assert follower.look() is None
        append(log, "ur\nfive\n")
        found = follower.look()
        assert found is not None
        assert found.window is not None
        assert (found.window.content, found.window.start_line, found.continues_line) == ("ur\nfive\n", 4, True)
        assert found.line_count == 5

    def test_a_character_is_never_delivered_in_parts(
        self, follower: Follower, log: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        data = "日\n".encode()
        with log.open("ab") as file:
            file.write(data[:2])
        later = time.monotonic()
        assert follower.look() is None
        monkeypatch.setattr(time, "monotonic", lambda: later + 5)
        with log.open("ab") as file:
            file.write(data[2:])
        assert follower.text() == "日\n"

    def test_a_follow_continues_from_an_end_cursor(self, reader: Reader, follower: Follower, log: Path) -> None:
        append(log, "four\n")
        found = follower.look()
        assert found is not None
        assert found.end_cursor is not None
        append(log, "five\n")
        again = Following(reader, Target("app.log"), WindowRequest())
        _, window = again.start(WindowRequest(decode_cursor(encode_cursor(found.end_cursor))), no_progress)
        assert (window.content, window.start_line) == ("five\n", 5)
        assert again.look(no_progress) is None

    def test_lines_of_a_file_that_were_not_counted_get_their_numbers(self, reader: Reader, log: Path) -> None:
        following = Following(reader, Target("app.log"), WindowRequest())
        _, window = following.start(WindowRequest(LastLines(1), count_lines_up_to=0), no_progress)
        assert window.start_line == -1
        append(log, "four\n")
        found = following.look(no_progress)
        assert found is not None
        assert found.window is not None
        assert found.window.start_line == 4

    def test_a_file_that_is_only_touched_has_nothing_new(self, follower: Follower, log: Path) -> None:
        os.utime(log)
        os.chmod(log, 0o600)
        assert follower.look() is None
        append(log, "fo")
        assert follower.look() is None
        os.utime(log)
        append(log, "ur\n")
        assert follower.text() == "four\n"


@pytest.mark.parametrize(
    ("line", "encoding", "written", "shown"),
    [
        ("part 日\n", "utf-8", -2, "part "),
        ("part X\n", "utf-16-le", -3, "part "),
        ("part \U0001d11e\n", "utf-16-le", -4, "part "),
        ("part\r\n", "utf-8", -1, "part"),
        ("part\r\n", "utf-16-le", -2, "part"),
        ("part\r\n", "utf-16-le", -1, "part"),
        ("part\r\n", "utf-32-be", -3, "part"),
        ("日\n", "utf-8", -2, None),
    ],
)
def test_half_a_character_or_line_end_that_stands_still_comes_once_with_its_other_half(
    reader: Reader, log: Path, pass_time: Pass, line: str, encoding: str, written: int, shown: str | None
) -> None:
    log.write_bytes("\ufeffone\n".encode(encoding))
    follower = Follower(reader, form=text_form())
    data = line.encode(encoding)
    with log.open("ab") as file:
        file.write(data[:written])
    assert follower.look() is None
    pass_time(2 * STANDING_SECONDS)
    assert follower.text() == shown
    for _ in range(3):
        assert follower.look() is None
        pass_time(STANDING_SECONDS)
    with log.open("ab") as file:
        file.write(data[written:] + "next\n".encode(encoding))
    found = follower.look()
    assert found is not None
    assert found.window is not None
    assert (shown or "") + found.window.content == line.replace("\r\n", "\n") + "next\n"
    assert (found.window.start_line, found.line_count) == (2, 3)


@pytest.mark.parametrize("written", range(1, 13))
def test_no_part_of_an_escape_sequence_is_taken_for_text(
    reader: Reader, log: Path, pass_time: Pass, written: int
) -> None:
    """Programs write a full buffer, which may end anywhere."""
    follower = Follower(reader, form=text_form()._replace(strip_ansi=True))
    line = b"a\x1b[31m\x1b]0;t\x1b\\b\n"
    with log.open("ab") as file:
        file.write(line[:written])
    assert follower.look() is None
    pass_time(2 * STANDING_SECONDS)
    assert follower.text() == "a"
    with log.open("ab") as file:
        file.write(line[written:])
    assert follower.text() == "b\n"


@pytest.mark.parametrize("pack", [lambda text: text.encode("utf-16"), lambda text: gzip.compress(text.encode())])
def test_text_that_is_made_from_a_file_is_not_new_because_the_file_was_touched(
    reader: Reader, log: Path, pack: Callable[[str], bytes]
) -> None:
    log.write_bytes(pack("one\ntwo\n"))
    follower = Follower(reader, form=text_form())
    assert follower.first.content == "one\ntwo\n"
    os.utime(log)
    assert follower.look() is None
    os.rename(log, log.with_suffix(".1"))
    assert follower.event() is Event.REMOVED


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16", "cp932", "euc_jp", "utf-8"])
def test_a_follow_means_the_same_in_every_encoding(reader: Reader, log: Path, encoding: str) -> None:
    first, *rest = ("最初の行\n二行目\n", "三行目\n", "四\nfive 五\n", "\n", "終わり\n")
    with log.open("wb") as file:
        file.write(first.encode(encoding))
    form = text_form({"cp932": "shift_jis", "euc_jp": "euc-jp"}.get(encoding, "auto"))
    follower = Follower(reader, form=form)
    assert follower.first.content == first
    number = 2
    for text in rest:
        data = text.encode("utf-16-le" if encoding == "utf-16" else encoding)  # one byte order mark is enough
        with log.open("ab") as file:
            file.write(data[:-1])
        assert follower.text() in (None, text[: text.rstrip("\n").rfind("\n") + 1])
        with log.open("ab") as file:
            file.write(data[-1:])
        found = follower.look()
        assert found is not None
        assert found.window is not None
        *_, last = text.splitlines(keepends=True)
        number += text.count("\n")
        assert (found.event, found.window.content, found.window.start_line) == (Event.APPENDED, last, number)
        assert follower.look() is None


def test_a_compressed_log_that_grows_is_followed(reader: Reader, log: Path) -> None:
    log.write_bytes(gzip.compress(b"one\ntwo\n"))
    follower = Follower(reader, form=text_form())
    assert follower.first.content == "one\ntwo\n"
    with log.open("ab") as file:
        file.write(gzip.compress(b"three\n"))
    assert follower.text() == "three\n"
    with log.open("ab") as file, gzip.GzipFile(fileobj=file, mode="wb") as packed:
        for line in ("four\n", "five\n"):
            packed.write(line.encode())
            packed.flush()
            file.flush()
            assert follower.text() == line
    assert follower.look() is None


def test_a_compressed_log_is_followed_from_its_header_on(reader: Reader, log: Path) -> None:
    packing = zlib.compressobj(wbits=31)
    log.write_bytes(packing.compress(b""))
    follower = Follower(reader, form=text_form())
    assert follower.first.content == ""
    for line in ("one\n", "two\n"):
        with log.open("ab") as file:
            file.write(packing.compress(line.encode()) + packing.flush(zlib.Z_SYNC_FLUSH))
        assert follower.text() == line


@pytest.mark.parametrize("encoding", ["utf-8", "utf-16le"])
def test_a_compressed_log_is_followed_while_a_member_is_half_written(reader: Reader, log: Path, encoding: str) -> None:
    log.write_bytes(b"")
    follower = Follower(reader, form=text_form(encoding))
    written = followed = ""
    for piece in (7, 500, 1500):
        lines = "".join(f"{piece} {os.urandom(8).hex()}\n" for _ in range(200))
        data = gzip.compress(lines.encode(encoding))
        for start in range(0, len(data), piece):
            with log.open("ab") as file:
                file.write(data[start : start + piece])
            followed += follower.text() or ""
        written += lines
        assert followed == written


class TestFiltered:
    """Only the lines that match, with their own numbers."""

    @pytest.fixture
    def follower(self, reader: Reader, log: Path) -> Follower:
        return Follower(reader, filter=matching("o"))

    def found(self, follower: Follower) -> tuple[str, list[int] | None] | None:
        found = follower.look()
        if found is None:
            return None
        assert found.window is not None
        return found.window.content, found.window.line_numbers

    def test_a_carriage_return_that_is_text_is_part_of_the_line(self, reader: Reader, log: Path) -> None:
        log.write_text("")
        follower = Follower(reader, filter=matching("o$", regex=True))
        with log.open("ab") as file:
            file.write(b"to\r\ntoo\r\r\nno\n")
        assert self.found(follower) == ("to\nno\n", [1, 3])

    def test_a_filtered_follow_starts_with_the_last_matches_and_sends_no_other_lines(
        self, follower: Follower, log: Path
    ) -> None:
        assert (follower.first.content, follower.first.line_numbers) == ("one\ntwo\n", [1, 2])
        append(log, "four\nfive\nsix\nto\n")
        assert self.found(follower) == ("four\nto\n", [4, 7])
        append(log, "eight\nnine\n")
        assert self.found(follower) is None
        append(log, "oh\n")
        assert self.found(follower) == ("oh\n", [10])

    def test_an_incomplete_line_is_judged_when_it_stands_still_and_again_when_it_is_complete(
        self, follower: Follower, log: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        append(log, "fiv")
        assert self.found(follower) is None
        later = time.monotonic() + STANDING_SECONDS
        monkeypatch.setattr(time, "monotonic", lambda: later)
        assert self.found(follower) is None, "it does not match yet"
        append(log, "e or so")
        assert self.found(follower) is None
        monkeypatch.setattr(time, "monotonic", lambda: later + 2 * STANDING_SECONDS)
        assert self.found(follower) == ("five or so", [4])
        append(log, ", perhaps\nsix\n")
        found = follower.look()
        assert found is not None
        assert found.window is not None
        assert (found.window.content, found.continues_line) == (", perhaps\n", True)

    @pytest.mark.parametrize("wanted", [matching("END"), matching("END$", regex=True), matching("START", invert=True)])
    def test_a_line_longer_than_an_answer_is_judged_as_a_whole(
        self, reader: Reader, log: Path, pass_time: Pass, wanted: Filter
    ) -> None:
        follower = Follower(reader, filter=wanted, max_bytes=10)
        matching, other = "0123456789" * 3 + "END", "0123456789" * 3 + "START"
        append(log, matching[:25])
        assert follower.look() is None, "its end may match"
        append(log, f"{matching[25:]}\n{other}\nEND\n")
        text, parts = "", []
        while (found := follower.look()) is not None:
            assert found.window is not None
            text += found.window.content
            parts.append((found.window.line_numbers, found.continues_line))
        assert text == matching + "\nEND\n"
        assert parts == [([4], False), ([4], True), ([4], True), ([4, 6], True)]

    @pytest.mark.parametrize(
        ("wanted", "numbers"),
        [(matching("END"), [5]), (matching("END", regex=True), [5]), (matching("^END", regex=True, invert=True), [4])],
    )
    def test_only_the_start_of_a_very_long_line_is_searched(
        self, reader: Reader, log: Path, wanted: Filter, numbers: list[int]
    ) -> None:
        follower = Follower(reader, filter=wanted)
        append(log, "x" * MAX_SEARCHED_LINE + "END\nEND\n")
        found = follower.look()
        assert found is not None
        assert found.window is not None
        assert found.window.line_numbers == numbers

    def test_lines_before_a_match_are_shown_as_context_whenever_they_were_written(
        self, reader: Reader, log: Path
    ) -> None:
        follower = Follower(reader, filter=matching("yes", before=2, after=1))
        seen = []
        for line in ("4", "5", "6", "yes 7", "8", "9", "yes 10", "yes 11", "12", "13", "14\nyes 15"):
            append(log, f"{line}\n")
            if (found := follower.look()) is not None:
                assert found.window is not None
                seen.append((found.window.line_numbers, found.window.context_lines, found.line_count))
            assert follower.look() is None, "nothing comes twice"
        assert seen == [
            ([5, 6, 7], [5, 6], 7),
            ([8], [8], 8),
            ([9, 10], [9], 10),
            ([11], [], 11),
            ([12], [12], 12),
            ([13, 14, 15], [13, 14], 15),
        ]

    def test_the_end_cursor_of_an_event_continues_with_the_same_lines_as_the_follow(
        self, reader: Reader, log: Path
    ) -> None:
        wanted = matching("yes", before=2)
        follower = Follower(reader, filter=wanted)
        append(log, "yes\n5\n6\n7\n")
        found = follower.look()
        assert found is not None
        append(log, "yes\n")
        later = WindowRequest(found.end_cursor, filter=wanted)
        with reader.open(Target("app.log")) as file:
            window = file.read(lambda snapshot: read_window(snapshot, later, no_progress))
        following = follower.look()
        assert following is not None
        assert following.window is not None
        assert following.window.line_numbers == window.line_numbers == [6, 7, 8]

    def test_context_is_not_kept_of_lines_that_are_longer_than_an_answer(self, reader: Reader, log: Path) -> None:
        follower = Follower(reader, filter=matching("yes", before=1))
        append(log, "x" * MAX_CONTENT_BYTES + "\n")
        assert follower.look() is None
        append(log, "yes\n")
        assert self.found(follower) == ("yes\n", [5])

    def test_a_part_of_the_file_may_be_all_that_counts(self, reader: Reader, log: Path) -> None:
        follower = Follower(reader, filter=matching("o", first_line=5, last_line=6))
        assert follower.first.content == ""
        append(log, "no 4\nno 5\n6\nno 7\n")
        assert self.found(follower) == ("no 5\n", [5])


class TestWhatBecomesOfTheFile:
    def test_a_followed_file_that_is_truncated_starts_again(self, follower: Follower, log: Path) -> None:
        os.truncate(log, 0)
        assert follower.event() is Event.TRUNCATED
        append(log, "1\n")
        found = follower.look()
        assert found is not None
        assert found.window is not None
        assert (found.window.content, found.window.start_line) == ("1\n", 1)

    def test_a_followed_file_that_was_emptied_and_grew_past_its_old_size_starts_again(
        self, follower: Follower, log: Path
    ) -> None:
        os.truncate(log, 0)
        append(log, "another log altogether\nwith lines\n")
        assert follower.event() is Event.TRUNCATED
        assert follower.text() == "another log altogether\nwith lines\n"

    def test_a_followed_file_that_is_removed_is_waited_for(
        self, follower: Follower, log: Path, pass_time: Pass
    ) -> None:
        log.unlink()
        assert follower.event() is Event.REMOVED
        assert follower.look() is None
        pass_time(QUIET_SECONDS)
        log.write_text("again\n")
        assert follower.event() is Event.CREATED
        assert follower.text() == "again\n"

    def test_a_file_that_may_not_be_read_is_never_followed(self, follower: Follower, log: Path, root: Path) -> None:
        outside = root.parent / "secret.txt"
        outside.write_text("secret\n")
        log.unlink()
        link(log, outside)
        found = follower.look()
        assert found is not None
        assert found.error is not None
        assert (found.event, found.error.code, found.window) == (Event.REFUSED, ErrorCode.SANDBOX_VIOLATION, None)

    def test_a_file_that_settings_begin_to_deny_is_followed_no_further_however_busy_it_is(
        self, reader: Reader, follower: Follower, log: Path
    ) -> None:
        append(log, "four\n")
        assert follower.text() == "four\n"
        append(log, "five\n")
        reader.settings.set_client({"policy": {"deny": ["*.log"]}})
        found = follower.look()
        assert found is not None
        assert found.error is not None
        assert (found.event, found.error.code, found.window) == (Event.REFUSED, ErrorCode.POLICY_DENIED, None)

    def test_a_file_that_becomes_a_private_key_is_followed_no_further(self, follower: Follower, log: Path) -> None:
        log.write_text("-----BEGIN PRIVATE KEY-----\nsecret\n")
        found = follower.look()
        assert found is not None
        assert found.error is not None
        assert (found.event, found.error.code, found.window) == (Event.REFUSED, ErrorCode.POLICY_DENIED, None)

    def test_a_file_that_holds_no_text_any_more_is_followed_no_further(self, reader: Reader, log: Path) -> None:
        follower = Follower(reader, on_binary="refuse")
        log.write_bytes(b"\x7fELF" + bytes(100))
        assert follower.event() is Event.TRUNCATED
        found = follower.look()
        assert found is not None
        assert found.error is not None
        assert (found.event, found.error.code) == (Event.REFUSED, ErrorCode.BINARY_NOT_SUPPORTED)

    def test_a_missing_file_is_not_found(self, reader: Reader) -> None:
        with pytest.raises(ReadError) as caught:
            Follower(reader)
        assert caught.value.code == ErrorCode.NOT_FOUND

    def test_a_refused_follow_leaves_nothing_open(self, reader: Reader, log: Path) -> None:
        before = open_descriptors()
        follower = Follower(reader)
        log.write_text("-----BEGIN PRIVATE KEY-----\nsecret\n")
        found = follower.look()
        assert found is not None
        assert found.event is Event.REFUSED
        assert open_descriptors() == before


class TestFallingBehind:
    def test_a_reader_that_keeps_up_gets_everything_however_much_it_is(self, follower: Follower, log: Path) -> None:
        expected = "".join(f"{number:>99}\n" for number in range(150_000))
        append(log, expected)
        got = ""
        while (text := follower.text()) is not None:
            got += text
        assert got == expected

    def test_a_client_that_falls_behind_more_and_more_is_taken_to_the_end(self, follower: Follower, log: Path) -> None:
        lines = [f"{number:>99}\n" for number in range(4, 120_000)]
        append(log, "".join(lines[:90_000]))
        first = follower.look()
        assert first is not None
        assert (first.skipped_bytes, first.window is not None) == (0, True)
        append(log, "".join(lines[90_000:]))
        second = follower.look()
        assert second is not None
        assert second.window is not None
        assert first.window is not None
        assert second.skipped_bytes > MAX_UNREAD_BYTES
        delivered = len(first.window.content) + second.skipped_bytes + len(second.window.content)
        assert delivered == 100 * len(lines)
        assert second.window.content.splitlines()[0].strip() == str(second.window.start_line)
        assert follower.look() is None

    def test_a_client_that_wants_everything_is_not_taken_to_the_end(self, reader: Reader, log: Path) -> None:
        follower = Follower(reader, may_skip=False)
        expected, got = "", ""
        for number in range(3):
            lines = f"{number:>99}\n" * 90_000
            append(log, lines)
            expected += lines
            got += follower.text() or ""
        while (text := follower.text()) is not None:
            got += text
        assert got == expected
