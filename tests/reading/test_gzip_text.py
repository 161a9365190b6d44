"""The text of a gzip file at any offset: several members, damage, bombs, growth."""

import gzip
import random
import subprocess
from pathlib import Path

import pytest

from forge_daemon.reading.sources import gzip_text
from forge_daemon.reading.sources.gzip_text import GzipPoints, GzipText
from reading.sources import InMemory, no_progress

LINES = "".join(f"{number} {random.Random(number).random()}\n" for number in range(40_000)).encode()
PARTS = [LINES[:1000], b"", LINES[1000:700_000], LINES[700_000:]]
MEMBERS = b"".join(gzip.compress(part, 6) for part in PARTS)


@pytest.fixture(autouse=True)
def near_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gzip_text, "SPACING", 64 * 1024)


def opened(data: bytes, points: GzipPoints | None = None) -> GzipText:
    return GzipText(InMemory(data), points or GzipPoints(), no_progress)


def whole(text: GzipText) -> bytes:
    blocks: list[bytes] = []
    while block := text.read_at(sum(map(len, blocks)), 100_000):
        blocks.append(block)
    return b"".join(blocks)


@pytest.mark.parametrize("after", [b"", b"\0" * 100_000, b"no gzip at all", b"\0\0\0garbage", b"\x1f"])
def test_members_in_a_row_are_one_text_and_what_follows_them_is_ignored(after: bytes) -> None:
    text = opened(MEMBERS + after)
    assert text.size > len(LINES), "not known before it was read"
    assert whole(text) == LINES
    assert (text.size, text.failure) == (len(LINES), None)


@pytest.mark.parametrize("zeros", [1, 2, 3, 512, 32 * 1024 + 1, 64 * 1024 + 2])
def test_members_may_be_padded_with_zeros(zeros: int) -> None:
    text = opened(gzip.compress(b"a\n") + b"\0" * zeros + gzip.compress(b"b\n"))
    assert (whole(text), text.failure) == (b"a\nb\n", None)


def test_any_part_is_read_by_restart_points_without_what_lies_before_them() -> None:
    points = GzipPoints()
    assert whole(opened(MEMBERS, points)) == LINES
    assert points.memory > 0
    choose = random.Random(1)
    for _ in range(40):
        text = opened(MEMBERS, points)
        for _ in range(3):
            offset, length = choose.randrange(len(LINES)), choose.randrange(200_000)
            assert text.read_at(offset, length) == LINES[offset : offset + length]
    fed: list[int] = []
    text = GzipText(InMemory(MEMBERS), points, lambda done, _: fed.append(done))
    text.read_at(len(LINES) - 100, 100)
    assert min(fed) > len(MEMBERS) // 2


def test_a_file_that_ends_early_is_read_as_far_as_it_goes_and_further_once_it_has_grown() -> None:
    points = GzipPoints()
    text = opened(MEMBERS[:-3000], points)
    start = whole(text)
    assert LINES.startswith(start)
    assert len(start) > len(LINES) - 20_000
    assert text.failure is not None
    assert "ends early" in text.failure

    assert whole(opened(MEMBERS, points)) == LINES


def test_a_damaged_file_is_read_up_to_the_damage() -> None:
    damaged = MEMBERS[:-8] + b"\0\0\0\0" + MEMBERS[-4:]
    text = opened(damaged)
    assert whole(text) == LINES, "only its checksum is wrong"
    assert text.failure is not None
    assert "damaged" in text.failure
    text = opened(MEMBERS[:50_000] + b"\xff" * 50 + MEMBERS[50_050:])
    assert whole(text)[:60_000] == LINES[:60_000]
    assert text.failure is not None


def test_restart_points_are_bounded_however_much_a_file_unpacks_to(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gzip_text, "SPACING", 1024)
    monkeypatch.setattr(gzip_text, "_MOST_POINTS", 16)
    bomb = gzip.compress(b"\0" * 50_000_000, 9)
    points = GzipPoints()
    text = opened(bomb, points)
    longest = max(len(text.read_at(offset, 1000)) for offset in range(0, 50_000_000, 1_000_000))
    assert longest == 1000
    assert points.memory <= 17 * 48 * 1024
    assert len(text._kept) < 20_000_000


def test_a_text_longer_than_is_believed_ends_with_a_reason(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(gzip_text, "LONGEST_TEXT", 100_000)
    text = opened(MEMBERS)
    whole(text)
    assert text.failure is not None
    assert "more than" in text.failure


def test_many_short_members_take_no_more_reading_than_they_are_long() -> None:
    class Counted(InMemory):
        total = 0

        def read_at(self, offset: int, length: int, /) -> bytes:
            data = super().read_at(offset, length)
            self.total += len(data)
            return data

    file = Counted(gzip.compress(b"x\n") * 10_000)
    assert whole(GzipText(file, GzipPoints(), no_progress)) == b"x\n" * 10_000
    assert file.total < 2 * file.size


def test_nobody_waits_for_what_comes_after_thousands_of_empty_members() -> None:
    text = opened(gzip.compress(b"a\n") + gzip.compress(b"") * 5_000 + gzip.compress(b"b\n"))
    assert whole(text) == b"a\n"
    assert text.failure == "the gzip data continues with more than 4,096 empty members"
    assert whole(opened((gzip.compress(b"a\n") + gzip.compress(b"") * 4_000) * 3)) == b"a\n" * 3


def test_nobody_waits_for_what_comes_after_endless_zeros() -> None:
    shown: list[int] = []
    file = InMemory(gzip.compress(b"a\n") + b"\0" * (4 << 20) + gzip.compress(b"b\n"))
    text = GzipText(file, GzipPoints(), lambda done, _: shown.append(done))
    assert whole(text) == b"a\n"
    assert text.failure == "the gzip data continues with more than 256 KiB of zeros"
    assert max(shown) < 2 << 20


def test_every_step_can_be_stopped_even_where_it_yields_no_text() -> None:
    class Stopped(Exception):
        pass

    def stop_after(steps: int) -> None:
        left = [steps]

        def progress(_done: int, _total: int) -> None:
            left[0] -= 1
            if not left[0]:
                raise Stopped

        with pytest.raises(Stopped):
            GzipText(InMemory(gzip.compress(b"") * 1000), GzipPoints(), progress).read_at(0, 1)

    stop_after(1)
    stop_after(500)


def test_what_the_gzip_program_wrote_is_read(tmp_path: Path) -> None:
    file = tmp_path / "app.log"
    file.write_bytes(LINES)
    try:
        subprocess.run(["gzip", "-9", "--keep", file], check=True)
        subprocess.run(f"gzip -c < '{file}' >> '{file}.gz'", shell=True, check=True)
    except FileNotFoundError:
        pytest.skip("needs gzip")
    assert whole(opened((tmp_path / "app.log.gz").read_bytes())) == LINES * 2
