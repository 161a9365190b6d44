"""Texts that are unpacked into a temporary file: as much as fits, and never a wrong byte."""

import gc
import os
import random
import signal
import subprocess
import sys
import textwrap
from pathlib import Path
from typing import Any

import pytest

from forge_daemon.reading.files.file_bytes import Knowledge
from forge_daemon.reading.texts import derived, spill
from forge_daemon.reading.texts.compressions import decompress
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.spill import Spill, open_spill
from tests.reading.texts.files import PACK, UNPACKED, text_of, whole

LINES = "".join(f"{number} {random.Random(number).random()}\n" for number in range(20_000)).encode()
SPILLED = pytest.mark.parametrize("name", ["zstd", "xz", "bzip2"])
STARTS = range(0, len(LINES), 50_000)
PACKED = {name: b"".join(pack(LINES[at : at + 50_000]) for at in STARTS) for name, pack in PACK.items()}


@pytest.fixture(autouse=True)
def little_kept(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derived, "MAX_KEPT", 32 * 1024)
    monkeypatch.setattr(decompress, "OUTPUT", 16 * 1024)


def used() -> int:
    """Bytes in temporary files."""
    gc.collect()
    return Spill._total


def random_windows_agree(packed: bytes, form: TextForm, knowledge: Knowledge, number: int = 5) -> None:
    choose = random.Random(7)
    for _ in range(number):
        offset, length = choose.randrange(len(LINES)), choose.randrange(50_000)
        assert text_of(packed, form, knowledge).read_at(offset, length) == LINES[offset : offset + length]


@pytest.mark.slow
@SPILLED
def test_a_long_text_is_stored_as_far_as_it_was_read_and_gone_with_what_is_known_of_its_file(name: str) -> None:
    before, knowledge = used(), Knowledge()
    assert text_of(PACKED[name], knowledge=knowledge).read_at(250_000, 10) == LINES[250_000:250_010]
    assert 250_000 <= used() - before < len(LINES)
    random_windows_agree(PACKED[name], UNPACKED, knowledge)
    assert whole(text_of(PACKED[name], knowledge=knowledge)) == LINES
    assert used() - before == len(LINES)
    del knowledge
    assert used() == before


@SPILLED
def test_a_short_text_is_not_stored(name: str) -> None:
    before, knowledge = used(), Knowledge()
    assert whole(text_of(PACK[name](LINES[:30_000]), knowledge=knowledge)) == LINES[:30_000]
    assert used() == before


def test_a_format_with_restart_points_is_not_stored() -> None:
    before, knowledge = used(), Knowledge()
    assert whole(text_of(PACKED["gzip"], knowledge=knowledge)) == LINES
    assert used() == before


@pytest.mark.slow
@SPILLED
@pytest.mark.parametrize("limit", [0, 200_000])
def test_no_more_is_stored_than_the_process_may_and_the_rest_is_read_all_the_same(name: str, limit: int) -> None:
    before, first, second = used(), Knowledge(), Knowledge()
    form = UNPACKED._replace(max_temporary_bytes=limit and before + limit)
    for knowledge in (first, second):
        assert whole(text_of(PACKED[name], form, knowledge)) == LINES
        random_windows_agree(PACKED[name], form, knowledge)
    assert used() - before <= limit


@SPILLED
def test_without_a_temporary_file_nothing_is_missing(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(**_options: object) -> None:
        raise PermissionError

    monkeypatch.setattr("tempfile.TemporaryFile", refuse)
    before = used()
    assert whole(text_of(PACKED[name])) == LINES
    assert used() == before


@SPILLED
@pytest.mark.parametrize("written", [0, 1_000])
def test_a_disk_that_becomes_full_shortens_no_answer(name: str, written: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """It first writes less than it was given, and only then fails."""
    knowledge = Knowledge()
    append = Spill.append

    def full_append(self: Spill, offset: int, data: bytes) -> None:
        append(self, offset, data if offset + len(data) <= 200_000 else data[:written])

    monkeypatch.setattr(Spill, "append", full_append)
    assert whole(text_of(PACKED[name], knowledge=knowledge)) == LINES
    random_windows_agree(PACKED[name], UNPACKED, knowledge)


CHILD = """
    import os, resource, sys
    resource.setrlimit(resource.RLIMIT_FSIZE, (234_567, 234_567))
    from tests.reading.texts.test_spill import LINES, PACKED, UNPACKED, random_windows_agree, used
    from tests.reading.texts.files import text_of, whole
    from forge_daemon.reading.files.file_bytes import Knowledge
    from forge_daemon.reading.texts import derived
    derived.MAX_KEPT = 32 * 1024
    for name in ("zstd", "xz", "bzip2"):
        knowledge = Knowledge()
        assert whole(text_of(PACKED[name], knowledge=knowledge)) == LINES
        random_windows_agree(PACKED[name], UNPACKED, knowledge)
        assert 0 < used() <= 3 * 234_567, used()
    print("all right")
"""


@pytest.mark.skipif(sys.platform == "win32", reason="needs limits of POSIX")
def test_a_file_that_may_not_become_larger_shortens_no_answer() -> None:
    root = Path(__file__).parents[3]
    child = [sys.executable, "-c", textwrap.dedent(CHILD)]
    assert subprocess.run(child, cwd=root, capture_output=True, text=True).stdout == "all right\n"


@pytest.mark.skipif(sys.platform == "win32", reason="looks into /proc")
def test_the_temporary_file_is_private_and_has_no_name(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TMPDIR", str(tmp_path))
    monkeypatch.setattr("tempfile.tempdir", None)
    stored = open_spill(used() + 100)
    assert stored is not None
    stored.append(0, b"text")
    assert stored.size == 4
    assert os.fstat(stored._fd).st_mode & 0o77 == 0
    assert list(tmp_path.iterdir()) == []
    assert os.fstat(stored._fd).st_dev == tmp_path.stat().st_dev


def test_the_temporary_file_is_closed_where_the_spill_is_part_of_a_cycle() -> None:
    stored: Any = Spill(used() + 100)
    fd = stored._fd
    stored.itself = stored
    del stored
    gc.collect()
    with pytest.raises(OSError, match=r"Bad file descriptor|Invalid handle"):
        os.fstat(fd)


@pytest.mark.skipif(sys.platform == "win32", reason="needs signals of POSIX")
def test_nothing_is_left_behind_by_a_process_that_is_killed(tmp_path: Path) -> None:
    program = """
        import sys, time
        from forge_daemon.reading.texts.spill import open_spill
        stored = open_spill(1 << 30)
        stored.append(0, b"x" * 1_000_000)
        print("written", flush=True)
        time.sleep(60)
    """
    root = Path(__file__).parents[3]
    child = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(program)],
        cwd=root,
        env={**os.environ, "TMPDIR": str(tmp_path)},
        stdout=subprocess.PIPE,
    )
    assert child.stdout is not None
    with child.stdout:
        assert child.stdout.readline() == b"written\n"
        child.send_signal(signal.SIGKILL)
        child.wait()
    assert list(tmp_path.iterdir()) == []


def test_a_spill_stores_what_is_allowed_and_follows() -> None:
    before = used()
    stored = Spill(before + 10)
    for offset, data in ((0, b"01234"), (5, b"56789"), (10, b"x")):
        stored.append(offset, data)
    assert (stored.size, stored.read_at(3, 4)) == (10, b"3456")
    assert used() == before + 10
    assert spill.open_spill(0) is None


def test_what_does_not_follow_what_is_stored_is_ignored() -> None:
    """Another thread may have stored it, or a disk was full."""
    before = used()
    stored = Spill(before + 100)
    for offset, data in ((0, b"01234"), (0, b"01234"), (7, b"789")):
        stored.append(offset, data)
    assert (stored.size, used()) == (5, before + 5)


def test_a_spill_that_wrote_less_than_it_was_given_has_no_hole(monkeypatch: pytest.MonkeyPatch) -> None:
    before = used()
    stored = Spill(before + 100)
    stored.append(0, b"01234")

    write = os.write
    monkeypatch.setattr(os, "write", lambda fd, data: write(fd, data[:2]))
    stored.append(5, b"56789")
    stored.append(10, b"x")
    assert stored.read_at(0, 100) == b"0123456"
    assert used() == before + 7


def test_room_that_was_not_used_is_given_back_however_much_others_store(monkeypatch: pytest.MonkeyPatch) -> None:
    """The limits of two folders may differ."""
    before = used()
    small, large = Spill(before + 10), Spill(before + 1000)
    write = os.write

    def fail_once_others_stored(fd: int, data: bytes) -> int:
        if fd == large._fd:
            return write(fd, data)
        large.append(0, b"x" * 500)
        raise OSError

    monkeypatch.setattr(os, "write", fail_once_others_stored)
    small.append(0, b"01234")
    assert (small.size, used()) == (0, before + 500)
