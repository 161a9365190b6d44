"""A log and its rotated files as one text, through the requests."""

import gc
import gzip
import os
import random
from pathlib import Path

import pytest

from forge_daemon.reading.files import same_file
from forge_daemon.reading.files.file_bytes import no_progress
from forge_daemon.reading.texts.concatenated import Concatenated
from forge_daemon.reading.window import facts
from forge_daemon.requests.count_lines import count_lines
from forge_daemon.requests.find import find
from forge_daemon.requests.read_file import read_file
from forge_daemon.requests.read_files import read_files
from forge_daemon.workspace import rotated_set
from forge_daemon.workspace.folder import Place
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, SourceWanted
from forge_daemon.workspace.rotated_set import RotatedSet
from forge_protocol.count_lines import CountLinesParams
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.filter import FilterParams
from forge_protocol.find import FindParams
from forge_protocol.read_file import ReadFileParams, ReadFileResult
from forge_protocol.read_files import ReadFilesParams
from tests.hostile.scale import scaled
from tests.requests.rotated_sets import random_set, write_set
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import all_descriptors_left, folder, link, open_descriptors, write

ERRORS = FilterParams(pattern="ERROR")


def window(reader: Reader, path: str = "app.log", /, **params: object) -> ReadFileResult:
    return read_file(reader, ReadFileParams(path=path, rotated=True, **params), no_progress)  # type: ignore[arg-type]


def refusal(reader: Reader, path: str = "app.log", /, **params: object) -> ReadError:
    with pytest.raises(ReadError) as caught:
        window(reader, path, **params)
    return caught.value


def pages(reader: Reader, first: ReadFileResult, **params: object) -> list[str]:
    contents = [first.content]
    while first.next_cursor is not None:
        first = window(reader, cursor=first.next_cursor, **params)
        contents.append(first.content)
    return contents


def _names(answer: ReadFileResult) -> list[str]:
    assert answer.members is not None
    return [member.path for member in answer.members]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The files that are opened, in order."""
    names: list[str] = []
    open_place = Reader.open_place

    def noting(reader: Reader, place: Place, source: SourceWanted) -> OpenFile:
        names.append(place.relative)
        return open_place(reader, place, source)

    monkeypatch.setattr(Reader, "open_place", noting)
    return names


@pytest.fixture
def not_racy(monkeypatch: pytest.MonkeyPatch) -> None:
    """Files that were just written count as old."""
    monkeypatch.setattr(same_file, "RACY_NS", -(10**9))


# The text ----------------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize("is_counted", [True, False])
@pytest.mark.parametrize("seed", range(scaled(6, 500)))
def test_every_request_sees_the_files_as_one_text(
    root: Path, reader: Reader, seed: int, is_counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    chance = random.Random(seed)
    monkeypatch.setattr(facts, "MAX_COUNTED_SET", 2**40 if is_counted else 0)
    lines = random_set(root, chance)
    text, errors = "".join(lines), [line for line in lines if "ERROR" in line]
    numbers = [number for number, line in enumerate(lines, 1) if "ERROR" in line]
    page = {"max_lines": chance.choice([7, 200] if len(lines) < 1000 else [1000, 10_000])}
    assert "".join(pages(reader, window(reader, **page), **page)) == text
    for _ in range(4):
        tail = chance.randint(1, len(lines) + 5)
        assert "".join(pages(reader, window(reader, tail=tail, **page), **page)) == "".join(lines[-tail:])
        first = chance.randint(1, len(lines) + 5)
        assert window(reader, start_line=first, limit=3).content == "".join(lines[first - 1 : first + 2])
        filtered = window(reader, tail=tail, filter=ERRORS, **page)
        assert "".join(pages(reader, filtered, filter=ERRORS, **page)) == "".join(errors[-tail:])
        filtered = window(reader, start_line=first, limit=5, filter=ERRORS)
        assert filtered.content == "".join(errors[first - 1 : first + 4])
        assert filtered.line_numbers == numbers[first - 1 : first + 4]
        found = find(
            reader, FindParams(path="app.log", pattern="ERROR", start_line=first, rotated=True), no_progress
        ).match
        assert (found and found.line) == next((number for number in numbers if number >= first), None)
    counted = count_lines(reader, CountLinesParams(path="app.log", rotated=True, filter=ERRORS), no_progress)
    assert counted.line_count == len(errors)
    counted = count_lines(reader, CountLinesParams(path="app.log", rotated=True), no_progress)
    assert counted.line_count == len(lines)
    assert counted.byte_length == sum(file.stat().st_size for file in root.iterdir())


@pytest.mark.parametrize(
    "wanted",
    [
        FilterParams(level="error"),
        FilterParams(level="error", records=True),
        FilterParams(pattern="boom", records=True),
        FilterParams(pattern="boom", before=2, after=1),
        FilterParams(since="2026-11-17T00:00:30", until="2026-11-17T00:01:10"),
        FilterParams(pattern="7", since="00:01:00"),
        FilterParams(pattern="1", first_line=40, last_line=120),
    ],
)
@pytest.mark.parametrize("is_counted", [True, False])
def test_filters_pass_the_same_lines_as_in_one_file(
    root: Path, reader: Reader, wanted: FilterParams, is_counted: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "MAX_COUNTED_SET", 2**40 if is_counted else 0)
    lines = [
        line
        for second in range(90)
        for line in (
            f"2026-11-17T00:0{second // 60}:{second % 60:02d} {'ERROR' if second % 7 == 0 else 'INFO'} {second}\n",
            *([f"  at boom {second}\n"] * (second % 7 == 0)),
        )
    ]
    parts = [lines[:30], lines[30:33], lines[33:80], lines[80:]]
    assert write_set(root, ["".join(part).encode() for part in parts], [".gz", "", ".zst", ""]) == lines
    (root / "whole.txt").write_text("".join(lines))
    expected = read_file(reader, ReadFileParams(path="whole.txt", filter=wanted), no_progress)
    answer = window(reader, filter=wanted)
    assert answer.content == expected.content
    assert expected.meta.returned_line_count > 1
    assert (answer.line_numbers, answer.context_lines) == (expected.line_numbers, expected.context_lines)
    for tail in (1, 3, 200):
        last = read_file(reader, ReadFileParams(path="whole.txt", filter=wanted, tail=tail), no_progress)
        assert window(reader, filter=wanted, tail=tail).content == last.content


def test_the_path_of_any_file_means_the_set(root: Path, reader: Reader) -> None:
    write_set(root, [b"1\n", b"2\n", b"3\n"], [".gz", "", ""])
    for path in ("app.log.2.gz", "app.log.1", "app.log", str(root / "app.log.1")):
        answer = window(reader, path)
        assert (answer.path, answer.content) == ("app.log", "1\n2\n3\n")
        assert _names(answer) == ["app.log.2.gz", "app.log.1", "app.log"]
    assert refusal(reader, "app.log.7").code == ErrorCode.NOT_FOUND
    assert read_file(reader, ReadFileParams(path="app.log"), no_progress).members is None


def test_a_log_without_siblings_is_a_set_of_one(root: Path, reader: Reader) -> None:
    (root / "app.log").write_text("1\n2\n")
    answer = window(reader)
    plain = read_file(reader, ReadFileParams(path="app.log"), no_progress)
    assert (answer.content, answer.meta, answer.etag) == (plain.content, plain.meta, plain.etag)
    assert _names(answer) == ["app.log"]


def test_a_log_of_which_only_rotated_files_are_left_is_read(root: Path, reader: Reader) -> None:
    (root / "app-2026-11-16.log").write_text("1\n")
    (root / "app-2026-11-17.log").write_text("2\n")
    assert window(reader).content == "1\n2\n"
    assert window(reader, "app-2026-11-16.log").path == "app.log"


def test_a_last_line_without_newline_ends_where_its_file_ends(root: Path, reader: Reader) -> None:
    write_set(root, [b"one", b"", b"two\nthree", b"four"], ["", "", ".gz", ""])
    answer = window(reader)
    assert (answer.content, answer.meta.line_count) == ("one\ntwo\nthree\nfour", 4)
    assert answer.members is not None
    assert [member.start_line for member in answer.members] == [1, 2, 2, 4]


@pytest.mark.parametrize("limit", [0, 2**40])
def test_a_set_whose_newest_file_is_empty_ends_with_a_newline(
    root: Path, reader: Reader, limit: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "MAX_COUNTED_SET", limit)
    write_set(root, [b"one", b""], ["", ""])
    answer = window(reader, tail=5)
    assert (answer.content, answer.meta.ends_with_newline) == ("one\n", True)


@pytest.mark.usefixtures("not_racy")
def test_the_first_line_of_each_file_in_a_window_is_numbered(
    root: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(facts, "MAX_COUNTED_SET", 0)
    write_set(root, [b"1\n" * 100, b"2\n" * 100, b"3\n" * 100], [".gz", "", ""])
    for first, starts in ((1, [1, None, None]), (90, [1, 101, None]), (150, [1, 101, 201]), (1, [1, 101, 201])):
        answer = window(reader, start_line=first, limit=60)
        assert answer.members is not None
        assert [member.start_line for member in answer.members] == starts


def test_several_sets_are_read_in_one_request(root: Path, reader: Reader) -> None:
    write_set(root, [b"1\n", b"2\n"], [".gz", ""])
    params = ReadFilesParams(files=[{"path": "app.log", "rotated": True}, {"path": "app.log"}])
    results = [item.result for item in read_files(reader, params, no_progress).results]
    assert [result and result.content for result in results] == ["1\n2\n", "2\n"]


# What is opened ----------------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("params", "names"),
    [
        ({"limit": 5}, {"app.log.199.gz", "app.log"}),
        ({"tail": 5}, {"app.log"}),
        ({"tail": 2_005, "max_lines": 5}, {"app.log.1.gz", "app.log"}),
        ({"start_line": 2_015, "limit": 5}, {"app.log.199.gz", "app.log.198.gz", "app.log"}),
        ({"tail": 1, "filter": ERRORS}, {"app.log"}),
    ],
)
def test_only_the_files_that_are_shown_are_opened(
    root: Path, reader: Reader, opened: list[str], params: dict[str, object], names: set[str]
) -> None:
    lines = [f"{line} ERROR {'x' * 600}\n" for line in range(2_000)]
    text = "".join(lines).encode()
    compressed = gzip.compress(text)
    for age in range(1, 200):
        (root / f"app.log.{age}.gz").write_bytes(compressed)
    (root / "app.log").write_bytes(text)
    answer = window(reader, **params)
    first = answer.meta.start_line % 2_000 - (answer.meta.start_line > 0)
    assert answer.content == "".join(lines[first : first + answer.meta.returned_line_count])
    assert answer.meta.returned_line_count in (1, 5)
    assert set(opened) == names
    assert len(opened) == len(names)


@pytest.mark.usefixtures("not_racy")
def test_a_window_deep_in_a_set_opens_one_file_once_the_set_was_counted(
    root: Path, reader: Reader, opened: list[str]
) -> None:
    lines = write_set(root, [b"".join(b"%d\n" % line for line in range(20_000))] * 20, ["", ".gz"] * 9 + ["", ""])
    count_lines(reader, CountLinesParams(path="app.log", rotated=True), no_progress)
    assert len(set(opened)) == 20
    opened.clear()
    answer = window(reader, start_line=210_000, limit=2)
    assert answer.content == "".join(lines[209_999:210_001])
    assert len(opened) <= 4


def test_few_files_are_open_at_a_time(root: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    write_set(root, [b"line\n"] * 300, [""] * 300)
    before, most = open_descriptors(), 0

    def progress(_done: int, _total: int) -> None:
        nonlocal most
        most = max(most, open_descriptors())

    params = CountLinesParams(path="app.log", rotated=True)
    assert count_lines(reader, params, progress).line_count == 300
    assert most <= before + rotated_set.MAX_OPEN + 2
    assert open_descriptors() == before


def test_a_read_leaves_no_cycles_of_references(root: Path, reader: Reader) -> None:
    """Temporary files would stay until they are collected."""
    write_set(root, [b"1\n", b"2\n", b"3\n"], [".xz", ".zst", ""])
    gc.collect()
    gc.disable()
    try:
        assert window(reader).content == "1\n2\n3\n"
        assert not [each for each in gc.get_objects() if isinstance(each, (RotatedSet, Concatenated))]
    finally:
        gc.enable()


@pytest.mark.slow
def test_the_newest_of_more_than_a_thousand_files_are_read(root: Path, reader: Reader) -> None:
    for number in range(1, 1100):
        (root / f"app.log.{number}").write_text(f"{number}\n")
    (root / "app.log").write_text("0\n")
    answer = window(reader)
    assert len(_names(answer)) == rotated_set.MAX_MEMBERS == 1000
    assert answer.content.split("\n")[0] == "999"
    assert window(reader, tail=1).content == "0\n"


# What may not be read ----------------------------------------------------------------------------


def test_a_file_that_policy_denies_is_left_out_and_named(root: Path) -> None:
    write(root / "forge.toml", '[policy]\ndeny = ["app.log.2*"]\n')
    write_set(root, [b"1\n", b"2\n", b"3\n"], [".gz", "", ""])
    reader = reader_of(folder(root))
    answer = window(reader)
    assert answer.content == "2\n3\n"
    assert answer.members is not None
    denied = answer.members[0]
    assert (denied.path, denied.denied) == ("app.log.2.gz", True)
    assert "app.log.2*" in (denied.reason or "")
    assert [member.denied for member in answer.members] == [True, False, False]
    assert refusal(reader, "app.log.2.gz").code == ErrorCode.POLICY_DENIED


def test_a_file_that_holds_a_private_key_is_left_out(root: Path, reader: Reader) -> None:
    write_set(root, [b"-----BEGIN PRIVATE KEY-----\nMIIE\n", b"2\n"], ["", ""])
    answer = window(reader)
    assert answer.content == "2\n"
    assert answer.members is not None
    assert [member.denied for member in answer.members] == [True, False]


def test_a_link_that_leads_out_is_left_out(root: Path, reader: Reader, tmp_path: Path) -> None:
    write(tmp_path / "outside", "secret\n")
    link(root / "app.log.1", tmp_path / "outside")
    (root / "app.log").write_text("1\n")
    answer = window(reader)
    assert answer.content == "1\n"
    assert answer.members is not None
    assert [(member.path, member.denied) for member in answer.members] == [("app.log.1", True), ("app.log", False)]


def test_a_link_to_another_file_of_the_set_counts_once(root: Path, reader: Reader) -> None:
    (root / "app-2026-11-16.log").write_text("1\n")
    (root / "app-2026-11-17.log").write_text("2\n")
    link(root / "app.log", "app-2026-11-17.log")
    assert window(reader).content == "1\n2\n"


def test_a_binary_file_is_left_out_and_a_damaged_one_goes_as_far_as_it_can(root: Path, reader: Reader) -> None:
    write_set(root, [b"\0\1\2" * 100, b"a\n" * 50_000, b"b\n"], ["", ".gz", ""])
    damaged = root / "app.log.1.gz"
    damaged.write_bytes(damaged.read_bytes()[:-20])
    answer = window(reader, max_lines=10_000)
    lines = "".join(pages(reader, answer, max_lines=10_000)).splitlines()
    assert lines[-1] == "b"
    assert 10_000 < len(lines) <= 50_001
    members = window(reader, start_line=len(lines)).members
    assert members is not None
    assert [member.reason for member in members] == ["is a binary file", "the gzip data ends early", None]
    assert not any(member.denied for member in members)


def test_what_is_left_out_is_told_each_time(root: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(same_file.Identity, "is_racy", lambda *_: False)  # so that what was learned is kept
    write_set(root, [b"-----BEGIN PRIVATE KEY-----\nMIIE\n", b"\0\1\2" * 100, b"b\n"], ["", "", ""])
    first, again = (window(reader).members for _ in range(2))
    assert first is not None
    assert [member.reason is None for member in first] == [False, False, True]
    assert again == first


def test_a_set_without_a_readable_file_is_refused(root: Path) -> None:
    write(root / "forge.toml", '[policy]\ndeny = ["app.log.*"]\n')
    (root / "app.log.1").write_text("1\n")
    assert refusal(reader_of(folder(root))).code == ErrorCode.POLICY_DENIED


def test_a_missing_log_is_not_found(reader: Reader) -> None:
    assert refusal(reader).code == ErrorCode.NOT_FOUND
    assert refusal(reader, "no/such/app.log").code == ErrorCode.NOT_FOUND


def test_a_read_that_runs_out_of_descriptors_leaves_none_open(root: Path, reader: Reader) -> None:
    write_set(root, [b"1\n", b"2\n"], ["", ""])
    before = open_descriptors()
    taken = all_descriptors_left(root)
    try:
        assert refusal(reader).retriable
    finally:
        for descriptor in taken:
            os.close(descriptor)
    assert open_descriptors() == before
    assert window(reader).content == "1\n2\n"


# Changes -----------------------------------------------------------------------------------------


def test_cursors_outlive_growth_of_the_newest_file(root: Path, reader: Reader, monkeypatch: pytest.MonkeyPatch) -> None:
    for limit in (0, 2**40):
        monkeypatch.setattr(facts, "MAX_COUNTED_SET", limit)
        write_set(root, [b"1\n2\n3\n", b"4\n"], [".gz", ""])
        first, last = window(reader, max_lines=2), window(reader, tail=1)
        with (root / "app.log").open("a") as log:
            log.write("5\n")
        assert window(reader, cursor=first.next_cursor).content == "3\n4\n5\n"
        assert window(reader, cursor=last.end_cursor).content == "5\n"


@pytest.mark.parametrize("change", ["rotated", "compressed", "removed", "rewritten"])
def test_cursors_end_with_any_other_change(root: Path, reader: Reader, change: str) -> None:
    write_set(root, [b"1\n2\n3\n", b"4\n5\n"], ["", ""])
    answer = window(reader, max_lines=2)
    if change == "rotated":
        (root / "app.log").rename(root / "app.log.0")
        (root / "app.log").write_text("6\n")
    elif change == "compressed":
        write_set(root, [b"1\n2\n3\n", b"4\n5\n"], [".gz", ""])
        (root / "app.log.1").unlink()
    elif change == "removed":
        (root / "app.log.1").unlink()
    else:
        (root / "app.log.1").write_text("one\n2\n3\n")
    error = refusal(reader, cursor=answer.next_cursor)
    assert (error.code, error.retriable) == (ErrorCode.CONTENT_MODIFIED, True)
    assert window(reader).etag != answer.etag


@pytest.mark.usefixtures("not_racy")
def test_an_unchanged_set_is_not_modified(root: Path, reader: Reader) -> None:
    write_set(root, [b"1\n", b"2\n"], ["", ""])
    answer = window(reader)
    assert window(reader, if_none_match=answer.etag).not_modified
    (root / "app.log.1").write_text("x\n")
    assert not window(reader, if_none_match=answer.etag).not_modified


def test_a_rotation_during_a_read_is_read_again(root: Path, reader: Reader) -> None:
    write_set(root, [b"1\n", b"2\n"], ["", ""])
    rotations = iter([1])

    def progress(_done: int, _total: int) -> None:
        for _ in rotations:
            (root / "app.log.1").rename(root / "app.log.2")
            (root / "app.log").rename(root / "app.log.1")
            (root / "app.log").write_text("3\n")

    answer = read_file(reader, ReadFileParams(path="app.log", rotated=True), progress)
    assert answer.content == "1\n2\n3\n"
