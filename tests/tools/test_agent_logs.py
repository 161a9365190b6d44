"""Logs for models: by level, by time, and with their rotated files."""

import gzip
import re
import sys
from pathlib import Path

import pytest

from forge_daemon.tools import ReadError, create_agent_toolkit
from forge_daemon.workspace.folder import Place
from forge_daemon.workspace.open_file import OpenFile
from forge_daemon.workspace.reader import Reader, SourceWanted
from tests.tools.agent_calls import Call

LOG = """\
2026-11-18 14:03:59,120 INFO  [main] ready
2026-11-18 14:05:01,007 ERROR [worker-2] failed
java.lang.IllegalStateException: no connection
\tat a.B.c(B.java:12)
2026-11-18 14:06:10,450 WARN  [worker-1] slow
2026-11-18 14:07:10,450 INFO  [worker-1] fine
"""


@pytest.fixture
def call(tmp_path: Path) -> Call:
    (tmp_path / "app.log").write_text(LOG)
    (tmp_path / "app.log.1.gz").write_bytes(gzip.compress(b"2026-11-17 11:00:00,000 ERROR [worker-9] yesterday\n"))
    toolkit = create_agent_toolkit(tmp_path)

    def call_tool(name: str, **arguments: object) -> str:
        return str(toolkit.call(name, arguments, toolset="agent"))

    return call_tool


def numbers(answer: str) -> list[int]:
    return [int(line.partition("\t")[0].rstrip(":")) for line in answer.split("\n")[1:] if line[0] != "["]


def test_records_of_a_level_or_worse_are_found_with_their_stack_traces(call: Call) -> None:
    answer = call("find", path="app.log", level="error")
    assert answer.startswith("[app.log 3 matching lines]\n2:\t2026")
    assert numbers(answer) == [2, 3, 4]
    assert numbers(call("find", path="app.log", level="warning", pattern="worker", context=0)) == [2, 5]


def test_what_was_logged_between_two_times_is_found(call: Call) -> None:
    assert numbers(call("find", path="app.log", since="14:06")) == [5, 6]
    assert numbers(call("find", path="app.log", since="2026-11-18T14:05", until="14:06")) == [2, 3, 4]
    assert numbers(call("find", path="app.log", until="14:06", pattern="worker", context=2)) == [1, 2, 3, 4]


def test_the_last_lines_of_a_level_are_found(call: Call) -> None:
    assert numbers(call("find", path="app.log", level="error", start_line=-1)) == [4]


def test_rotated_files_are_read_and_searched_as_one_log(call: Call) -> None:
    read = call("read", path="app.log", rotated=True)
    assert read.startswith("[app.log 1-7/7 2 files]\n1\t2026-11-17")
    found = call("find", path="app.log.1.gz", level="error", rotated=True)
    assert found.startswith("[app.log 4 matching lines 2 files]")
    assert numbers(found) == [1, 3, 4, 5]


def test_the_first_page_of_a_long_log_says_from_when_to_when_it_is(tmp_path: Path, call: Call) -> None:
    lines = [
        f"2026-11-18 {second // 3600:02}:{second // 60 % 60:02}:{second % 60:02} INFO x\n" for second in range(9000)
    ]
    (tmp_path / "long.log").write_text("".join(lines))
    header = call("read", path="long.log").split("\n")[0]
    assert header.endswith(" logged 2026-11-18T00:00:00 to 2026-11-18T02:29:59]")
    assert "logged" not in call("read", path="app.log").split("\n")[0]


def test_the_first_page_of_a_rotated_log_guesses_no_lines_and_opens_no_other_of_the_older_files(
    tmp_path: Path, call: Call, monkeypatch: pytest.MonkeyPatch
) -> None:
    older = "".join(f"2026-11-17 10:00:00,{number % 1000:03} INFO older {'x' * 99}\n" for number in range(9_000))
    for age in (1, 2, 3):
        (tmp_path / f"app.log.{age}.gz").write_bytes(gzip.compress(older.encode(), compresslevel=0))
    opened: set[str] = set()
    open_place = Reader.open_place

    def noting(reader: Reader, place: Place, source: SourceWanted) -> OpenFile:
        opened.add(place.relative)
        return open_place(reader, place, source)

    monkeypatch.setattr(Reader, "open_place", noting)
    header = call("read", path="app.log", rotated=True).split("\n")[0]
    assert re.fullmatch(
        r"\[app\.log 1-\d+ and more, [\d.]+ MB 4 files logged \S+ to 2026-11-18T14:07:10\.450\]", header
    )
    if sys.platform != "win32":  # there a file's identity is only known once it is open
        assert opened == {"app.log.3.gz", "app.log"}


KEY = b"-----BEGIN PRIVATE KEY-----\nMIIE\n"
NOT_READ = (
    "[left out, or the rest of it: app.log.3 (reading it is denied: it holds a private key), "
    "app.log.2 (is a binary file), app.log.1.gz (the gzip data ends early)]"
)


def make_unreadable(root: Path) -> None:
    (root / "app.log.3").write_bytes(KEY)
    (root / "app.log.2").write_bytes(b"\0\1\2" * 100)
    damaged = root / "app.log.1.gz"
    damaged.write_bytes(damaged.read_bytes()[:-9])


def test_files_of_a_rotated_log_that_are_not_read_are_named_and_not_counted(tmp_path: Path, call: Call) -> None:
    (tmp_path / "app.log.4").write_text("2026-11-16 11:00:00,000 ERROR [worker-9] the day before\n")
    make_unreadable(tmp_path)
    for _ in range(2):
        read = call("read", path="app.log", rotated=True).split("\n")
        assert re.fullmatch(r"\[app\.log 1-\d/\d 2 files\]", read[0])
        assert read[1] == NOT_READ
        found = call("find", path="app.log", rotated=True, level="error").split("\n")
        assert re.fullmatch(r"\[app\.log \d matching lines 2 files\]", found[0])
        assert found[1] == NOT_READ
        assert call("find", path="app.log", rotated=True, pattern="nowhere").split("\n")[1] == NOT_READ


def test_a_denied_file_of_a_rotated_log_is_named(tmp_path: Path) -> None:
    (tmp_path / "forge.toml").write_text('[policy]\ndeny = ["app.log.1"]\n')
    for name in ("app.log", "app.log.1"):
        (tmp_path / name).write_text(f"{name}\n")
    answer = create_agent_toolkit(tmp_path).call("read", {"path": "app.log", "rotated": True}, toolset="agent")
    header, left_out, line = str(answer).split("\n")
    assert (header, line) == ("[app.log 1-1/1]", "1\tapp.log")
    assert left_out.startswith("[left out, or the rest of it: app.log.1 (reading it is denied")


def test_a_full_page_of_a_rotated_log_has_room_for_what_is_not_read(tmp_path: Path, call: Call) -> None:
    make_unreadable(tmp_path)
    (tmp_path / "app.log").write_text("2026-11-18 14:03:59,120 ERROR ready\n" * 2000)
    for arguments in ({"name": "read"}, {"name": "find", "pattern": "r", "context": 0, "limit": 1000}):
        answer = call(path="app.log", rotated=True, max_chars=2000, **arguments)
        assert NOT_READ in answer
        assert 1500 < len(answer) <= 2000
        assert answer.split("\n")[-1].startswith("[more: start_line ")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ({"path": "app.log"}, "pattern: missing; give pattern, or level, since or until"),
        ({"path": "app.log", "since": "noon"}, "app.log: since: not a time: 'noon'"),
        ({"path": "app.log", "level": "bad"}, 'level: expected one of "trace"'),
        ({"level": "error"}, "level, since, until, rotated: only in one file"),
    ],
)
def test_what_cannot_be_asked_of_a_log_says_what_can(call: Call, arguments: dict[str, str], message: str) -> None:
    with pytest.raises(ReadError) as caught:
        call("find", **arguments)
    assert message in str(caught.value)
