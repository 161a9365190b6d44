"""A followed log that is rotated: what is written to the old file comes before the new one, once and in order."""

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.requests.appended_lines import STANDING_SECONDS
from forge_daemon.requests.following import (
    DENIED_SECONDS,
    KEPT_SECONDS,
    MAX_WAITING,
    OVERLAP_SECONDS,
    QUIET_SECONDS,
    Event,
)
from forge_daemon.workspace.reader import Reader
from tests.hostile.scale import scaled
from tests.requests import rotating_writer
from tests.requests.follower import Follower, Pass, append
from tests.requests.rotating_writer import tell
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder, open_descriptors, public_directory, without_privileges

WRITER = Path(rotating_writer.__file__)


def test_the_rest_of_a_file_that_is_rotated_comes_before_the_new_one(
    follower: Follower, log: Path, pass_time: Pass
) -> None:
    old = log.rename(log.with_suffix(".1"))
    append(old, "four\n")
    log.write_text("first\n")
    assert follower.text() == "four\n"
    pass_time(QUIET_SECONDS)
    found = follower.look()
    assert found is not None
    assert (found.event, found.byte_length) == (Event.REPLACED, 6)
    found = follower.look()
    assert found is not None
    assert found.window is not None
    assert (found.window.content, found.window.start_line) == ("first\n", 1)


def test_lines_written_to_the_old_file_come_first_while_the_new_one_is_empty(
    follower: Follower, log: Path, pass_time: Pass
) -> None:
    """As where logrotate makes the new file, and signals the program a while later."""
    old = log.rename(log.with_suffix(".1"))
    log.touch()
    assert follower.look() is None
    for number in (4, 5):
        pass_time(1)
        assert follower.look() is None
        append(old, f"{number}\n")
        assert follower.text() == f"{number}\n"
    append(log, "first\n")
    pass_time(QUIET_SECONDS)
    assert follower.event() is Event.REPLACED
    assert follower.text() == "first\n"


def _delivered(follower: Follower) -> tuple[str, int]:
    """The text of all that is found, and how many files were skipped."""
    text, skipped = "", 0
    while (found := follower.look()) is not None:
        text += found.window.content if found.window else f"[{found.event}]"
        skipped += found.skipped_files
    return text, skipped


def test_files_that_have_the_name_while_the_client_is_busy_are_read_in_order(
    follower: Follower, log: Path, pass_time: Pass
) -> None:
    before = open_descriptors()
    for number in range(5):
        log.rename(log.with_name(f"old.{number}"))
        follower.following.watch()
        log.write_text(f"file {number}\n")
        follower.following.watch()
        follower.following.watch()
    pass_time(QUIET_SECONDS)
    text, skipped = _delivered(follower)
    pass_time(QUIET_SECONDS)
    text += _delivered(follower)[0]
    assert text == "".join(f"[replaced]file {number}\n" for number in range(5))
    assert skipped == 0
    assert open_descriptors() == before


def test_files_that_are_not_read_for_a_client_that_stays_busy_are_counted(
    follower: Follower, log: Path, pass_time: Pass
) -> None:
    for number in range(MAX_WAITING + 5):
        log.rename(log.with_name(f"old.{number}"))
        log.write_text(f"file {number}\n")
        follower.following.watch()
    text, skipped = "", 0
    for _ in range(3):
        pass_time(QUIET_SECONDS)
        more, skipped_now = _delivered(follower)
        text, skipped = text + more, skipped + skipped_now
    read = [*range(MAX_WAITING), MAX_WAITING + 4]
    assert text == "".join(f"[replaced]file {number}\n" for number in read)
    assert skipped == 4


def test_a_follow_by_time_outlives_a_new_file_that_is_empty(reader: Reader, log: Path, pass_time: Pass) -> None:
    log.write_text("2026-11-17T10:00:01 one\n")
    follower = Follower(reader, filter=Filter(FilterSpec(Terms(), since="10:00:00")))
    log.rename(log.with_suffix(".1"))
    log.touch()
    assert follower.look() is None
    pass_time(OVERLAP_SECONDS)
    assert follower.event() is Event.REPLACED
    assert follower.look() is None
    append(log, "2026-11-17T10:00:02 two\n")
    assert follower.text() == "2026-11-17T10:00:02 two\n"
    follower.following.close()


def test_lines_of_a_process_that_opens_the_new_file_a_little_later_come_first(
    follower: Follower, log: Path, pass_time: Pass
) -> None:
    old = log.rename(log.with_suffix(".1"))
    log.write_text("first\n")
    assert follower.look() is None
    for number in (4, 5):
        pass_time(QUIET_SECONDS / 2)
        append(old, f"{number}\n")
        assert follower.text() == f"{number}\n"
    pass_time(QUIET_SECONDS / 2)
    assert follower.look() is None
    pass_time(QUIET_SECONDS)
    assert follower.event() is Event.REPLACED
    assert follower.text() == "first\n"
    append(old, "too late\n")
    assert follower.look() is None


def test_lines_written_to_the_old_file_come_first_if_the_new_one_appears_late(
    follower: Follower, log: Path, pass_time: Pass
) -> None:
    old = log.rename(log.with_suffix(".1"))
    assert follower.event() is Event.REMOVED
    pass_time(2 * OVERLAP_SECONDS)
    log.touch()
    assert follower.look() is None
    append(old, "four\n")
    assert follower.text() == "four\n"
    append(log, "first\n")
    pass_time(QUIET_SECONDS)
    assert follower.event() is Event.CREATED
    assert follower.text() == "first\n"


def test_a_new_file_that_is_rotated_itself_before_its_turn_is_read_as_it_is_by_then(
    follower: Follower, log: Path, pass_time: Pass
) -> None:
    log.rename(log.with_suffix(".1"))
    log.touch()
    assert follower.look() is None
    append(log, "second file\n")
    log.rename(log.with_suffix(".2"))
    log.write_text("third file\n")
    found = follower.look()
    assert found is not None
    assert (found.event, found.byte_length) == (Event.REPLACED, 12)
    assert follower.text() == "second file\n"
    pass_time(QUIET_SECONDS)
    assert follower.event() is Event.REPLACED
    assert follower.text() == "third file\n"


def test_a_program_that_never_opens_the_new_file_does_not_keep_it_from_being_read(
    reader: Reader, log: Path, pass_time: Pass
) -> None:
    follower = Follower(reader, max_lines=2)
    old = log.rename(log.with_suffix(".1"))
    log.write_text("first\n")
    assert follower.look() is None
    pass_time(OVERLAP_SECONDS)
    append(old, "4\n5\n6\n")
    assert follower.text() == "4\n5\n", "what it wrote within its time is delivered, however slowly"
    assert follower.text() == "6\n"
    append(old, "7\n")
    assert follower.event() is Event.REPLACED
    assert follower.text() == "first\n"


def test_a_new_file_may_get_its_mode_a_moment_after_its_name(pass_time: Pass) -> None:
    with public_directory() as directory:
        workspace = folder(directory / "ws")
        os.chmod(workspace.root, 0o755)
        log = directory / "ws" / "app.log"
        log.write_text("one\n")
        follower = Follower(reader_of(workspace))

        def rotate() -> None:
            log.rename(log.with_suffix(".1"))
            log.write_text("new\n")
            log.chmod(0)

        rotate()
        with without_privileges():
            assert follower.look() is None
        log.chmod(0o644)
        pass_time(DENIED_SECONDS)
        with without_privileges():
            assert follower.look() is None
            pass_time(QUIET_SECONDS)
            assert follower.event() is Event.REPLACED
            assert follower.text() == "new\n"
        rotate()
        with without_privileges():
            assert follower.look() is None
            pass_time(DENIED_SECONDS)
            assert follower.event() is Event.REFUSED, "it has had its time"
        follower.following.close()


def test_a_new_file_that_stays_empty_is_told_in_the_end(follower: Follower, log: Path, pass_time: Pass) -> None:
    log.rename(log.with_suffix(".1"))
    log.touch()
    assert follower.look() is None
    pass_time(OVERLAP_SECONDS)
    assert follower.event() is Event.REPLACED
    assert follower.look() is None


def test_a_file_that_is_rotated_away_at_once_is_read_before_the_one_after_it(
    follower: Follower, log: Path, pass_time: Pass
) -> None:
    old = log.rename(log.with_suffix(".2"))
    log.write_text("second file\n")
    assert follower.look() is None
    append(old, "four\n")
    log.rename(log.with_suffix(".1"))
    log.write_text("third file\n")
    assert follower.text() == "four\n"
    assert follower.event() is Event.REPLACED
    assert follower.text() == "second file\n"
    pass_time(QUIET_SECONDS)
    assert follower.event() is Event.REPLACED
    assert follower.text() == "third file\n"


def test_a_file_that_was_away_for_a_moment_goes_on(follower: Follower, log: Path) -> None:
    old = log.rename(log.with_suffix(".1"))
    append(old, "four\n")
    assert follower.text() == "four\n"
    old.rename(log)
    append(log, "five\n")
    assert follower.text() == "five\n"
    assert follower.look() is None


def test_what_is_written_to_a_renamed_file_comes_before_the_new_one_however_long_that_takes(
    follower: Follower, log: Path, pass_time: Pass
) -> None:
    old = log.rename(log.with_suffix(".1"))
    assert follower.event() is Event.REMOVED
    for number in (4, 5):
        append(old, f"{number}\n")
        found = follower.look()
        assert found is not None
        assert found.window is not None
        assert (found.event, found.window.content, found.window.start_line) == (
            Event.APPENDED,
            f"{number}\n",
            number,
        )
        assert follower.look() is None, "that its name is gone is told once"
    append(old, "6\n")
    log.write_text("first\n")
    assert follower.text() == "6\n"
    pass_time(QUIET_SECONDS)
    assert follower.event() is Event.CREATED
    found = follower.look()
    assert found is not None
    assert found.window is not None
    assert (found.window.content, found.window.start_line) == ("first\n", 1)
    append(old, "too late\n")
    assert follower.look() is None


def test_a_last_line_without_an_end_is_waited_for_before_the_new_file(
    follower: Follower, log: Path, pass_time: Pass
) -> None:
    old = log.rename(log.with_suffix(".1"))
    append(old, "fo")
    log.write_text("first\n")
    assert follower.look() is None
    append(old, "ur\nfi")
    assert follower.text() == "four\n"
    pass_time(QUIET_SECONDS)
    assert follower.look() is None
    pass_time(STANDING_SECONDS)
    assert follower.text() == "fi"
    pass_time(QUIET_SECONDS)
    assert follower.event() is Event.REPLACED
    assert follower.text() == "first\n"


def test_a_file_that_comes_back_under_its_name_starts_again(follower: Follower, log: Path) -> None:
    old = log.rename(log.with_suffix(".1"))
    assert follower.event() is Event.REMOVED
    old.rename(log)
    assert follower.event() is Event.CREATED
    assert follower.text() == "one\ntwo\nthree\n"
    assert follower.look() is None


def test_a_renamed_file_is_not_kept_for_ever(follower: Follower, log: Path, pass_time: Pass) -> None:
    old = log.rename(log.with_suffix(".1"))
    before = open_descriptors()
    assert follower.event() is Event.REMOVED
    pass_time(KEPT_SECONDS)
    assert follower.look() is None
    assert open_descriptors() < before
    append(old, "unseen\n")
    assert follower.look() is None
    log.write_text("first\n")
    assert follower.event() is Event.CREATED
    assert follower.text() == "first\n"


def test_a_renamed_file_is_read_no_further_once_its_old_name_is_denied(
    reader: Reader, follower: Follower, log: Path
) -> None:
    old = log.rename(log.with_suffix(".1"))
    assert follower.event() is Event.REMOVED
    append(old, "four\n")
    reader.settings.set_client({"policy": {"deny": ["*.log"]}})
    found = follower.look()
    assert found is not None
    assert (found.event, found.window) == (Event.REFUSED, None)


def test_rotation_leaves_no_file_open(reader: Reader, log: Path, pass_time: Pass) -> None:
    before = open_descriptors()
    follower = Follower(reader)
    for number in range(4):
        log.rename(log.with_suffix(f".{number}"))
        log.write_text("new\n")
        while follower.look() is not None:
            pass
        pass_time(number % 2)
    follower.following.close()
    assert open_descriptors() == before


@pytest.mark.slow
@pytest.mark.parametrize(
    ("mode", "lines", "every"),
    [
        ("rename", scaled(20_000, 100_000), 3_000),
        ("gap", scaled(8_000, 100_000), 1_500),
        ("late", scaled(8_000, 100_000), 1_500),
        ("copytruncate", scaled(8_000, 100_000), 3_000),
    ],
)
def test_no_line_is_lost_or_doubled_while_a_program_writes_and_rotates(
    reader: Reader, log: Path, mode: str, lines: int, every: int
) -> None:
    log.write_text("")
    follower = Follower(reader)
    writer = subprocess.Popen([sys.executable, str(WRITER), str(log), str(lines), str(every), mode])
    got: list[str] = []
    events: list[Event] = []
    deadline = time.monotonic() + 100
    while time.monotonic() < deadline:
        found = follower.look()
        if found is None:
            if got and got[-1].startswith(f"line {lines} "):
                break
            time.sleep(0.02)
            continue
        assert found.skipped_bytes == 0
        if found.window is None:
            events.append(found.event)
        else:
            got += found.window.content.split("\n")[:-1] if not found.continues_line else ["?"]
            tell(str(log), int(got[-1].split()[1]))
    assert writer.wait() == 0
    numbers = [int(line.split()[1]) for line in got if "last of this file" not in line]
    assert numbers == list(range(1, lines + 1))
    rotations = (lines - 1) // every
    renamed = {Event.REMOVED, Event.CREATED, Event.REPLACED}
    assert set(events) <= ({Event.TRUNCATED} if mode == "copytruncate" else renamed)
    assert sum(event in (Event.CREATED, Event.REPLACED, Event.TRUNCATED) for event in events) == rotations
    if mode == "rename":
        assert sum("last of this file" in line for line in got) == rotations
