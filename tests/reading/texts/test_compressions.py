"""Compressed files as the text they hold, in every format: several members, damage, bombs, growth."""

import random
import shutil
import subprocess

import pytest

from forge_daemon.reading.files.file_bytes import FileBytes, Knowledge
from forge_daemon.reading.texts import derived
from forge_daemon.reading.texts.compressions import COMPRESSIONS, compression_of, decompress, name_without_ending
from forge_daemon.reading.texts.compressions.decompress import Decompress
from forge_daemon.reading.texts.opening import open_text
from tests.reading.texts.files import PACK, UNPACKED, file_of, text_of, whole

LINES = "".join(f"{number} {random.Random(number).random()}\n" for number in range(40_000)).encode()
PARTS = [LINES[:1000], b"", LINES[1000:700_000], LINES[700_000:]]
MEMBERS = {name: b"".join(map(pack, PARTS)) for name, pack in PACK.items()}
EVERY_FORMAT = pytest.mark.parametrize("name", PACK)
PROGRAMS = {"gzip": ["zcat", "gzip"], "zstd": ["zstdcat", "zstd"], "xz": ["xzcat", "xz"], "bzip2": ["bzcat", "bzip2"]}


@pytest.fixture(autouse=True)
def near_points(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decompress, "SPACING", 64 * 1024)
    monkeypatch.setattr(Decompress, "spacing", 64 * 1024)


def failure_at_end(data: bytes) -> tuple[bytes, str | None]:
    text = text_of(data)
    return whole(text), text.failure


@EVERY_FORMAT
@pytest.mark.parametrize("zeros", [0, 1, 100_000])
def test_members_in_a_row_are_one_text_and_zeros_after_them_are_ignored(name: str, zeros: int) -> None:
    text = text_of(MEMBERS[name] + b"\0" * zeros)
    assert (text.compression, text.encoding, text.kind) == (name, "utf-8", name)
    assert text.known_length is None, "not known before it was read"
    assert whole(text) == LINES
    assert (text.length(), text.failure) == (len(LINES), None)
    assert text.known_length == len(LINES)


@EVERY_FORMAT
@pytest.mark.parametrize("after", [b"lines that were appended\n", b"\0\0\0other data", PACK["gzip"](b"")[1:]])
def test_a_file_with_other_data_after_its_members_ends_with_that_reason(name: str, after: bytes) -> None:
    assert failure_at_end(MEMBERS[name] + after) == (LINES, f"the {name} data is followed by other data")


@EVERY_FORMAT
@pytest.mark.parametrize("after", [b"\x1f", b"BZh", b"\xfd7z", b"\n"])
def test_a_few_bytes_after_a_member_may_become_the_next_one(name: str, after: bytes) -> None:
    knowledge = Knowledge()
    text = text_of(PACK[name](b"a\n") + after, knowledge=knowledge)
    assert whole(text) == b"a\n"
    assert (text.failure, text.is_unfinished) == (f"the {name} data is followed by other data, or ends early", True)
    packed = PACK[name](b"a\n") + PACK[name](b"b\n")
    assert whole(text_of(packed, knowledge=knowledge)) == b"a\nb\n"


@EVERY_FORMAT
@pytest.mark.parametrize("zeros", [1, 2, 3, 512, 32 * 1024 + 1, 64 * 1024 + 2])
def test_members_may_be_padded_with_zeros(name: str, zeros: int) -> None:
    pack = PACK[name]
    assert failure_at_end(pack(b"a\n") + b"\0" * zeros + pack(b"b\n")) == (b"a\nb\n", None)


@EVERY_FORMAT
def test_any_part_is_what_the_whole_has_there(name: str) -> None:
    choose, knowledge = random.Random(1), Knowledge()
    for _ in range(15):
        text = text_of(MEMBERS[name], knowledge=knowledge)
        for _ in range(3):
            offset, length = choose.randrange(len(LINES) + 1000), choose.randrange(200_000)
            assert text.read_at(offset, length) == LINES[offset : offset + length]
        assert text.is_longer_than(offset - 1) == (len(LINES) > offset - 1)


@EVERY_FORMAT
def test_a_window_that_was_read_before_costs_no_new_pass(name: str) -> None:
    knowledge = Knowledge()
    assert whole(text_of(MEMBERS[name], knowledge=knowledge)) == LINES
    fed: list[int] = []
    text = text_of(MEMBERS[name], knowledge=knowledge, progress=lambda done, _: fed.append(done))
    for offset in (len(LINES) - 100_000, len(LINES) // 2, len(LINES) - 300_000):
        assert text.read_at(offset, 100) == LINES[offset : offset + 100]
    assert all(done == 0 or done > len(MEMBERS[name]) // 4 for done in fed), "it starts at a restart point, or nowhere"
    assert len(fed) < 30


@EVERY_FORMAT
def test_consecutive_reads_never_start_again(name: str) -> None:
    knowledge, total = Knowledge(), [0]
    data = MEMBERS[name]

    def read_at(offset: int, length: int) -> bytes:
        part = data[offset : offset + length]
        total[0] += len(part)
        return part

    file = file_of(data, knowledge)._replace(read_at=read_at)
    for offset in range(0, len(LINES), 20_000):
        text = open_text(file, UNPACKED, lambda _done, _total: None)  # as requests do that go from page to page
        assert text is not None
        assert text.read_at(offset, 20_000) == LINES[offset : offset + 20_000]
    assert total[0] < 2 * len(data) + 100_000


@EVERY_FORMAT
@pytest.mark.parametrize("cut", [1, 7, 3000, 100_000])
def test_a_file_that_ends_early_is_read_as_far_as_it_goes_and_further_once_it_has_grown(name: str, cut: int) -> None:
    knowledge = Knowledge()
    text = text_of(MEMBERS[name][:-cut], knowledge=knowledge)
    start = whole(text)
    assert LINES.startswith(start)
    assert len(start) > 300_000 or name == "bzip2"
    assert text.failure == f"the {name} data ends early"

    assert whole(text_of(MEMBERS[name], knowledge=knowledge)) == LINES


@EVERY_FORMAT
def test_a_file_that_grows_is_continued_and_not_started_again(name: str) -> None:
    knowledge, data, read = Knowledge(), MEMBERS[name] + PACK[name](b"more\n"), 0

    def counted(file: FileBytes) -> FileBytes:
        def read_at(offset: int, length: int) -> bytes:
            nonlocal read
            read += length
            return file.read_at(offset, length)

        return file._replace(read_at=read_at)

    steps = [*range(50_000, len(data), len(data) // 40), len(data)]
    lengths = []
    for size in steps:
        text = open_text(counted(file_of(data[:size], knowledge)), UNPACKED, lambda _done, _total: None)
        assert text is not None
        lengths.append(text.length())
        assert (
            text.read_at(max(0, lengths[-1] - 50), 100) == (LINES + b"more\n")[max(0, lengths[-1] - 50) : lengths[-1]]
        )
    assert lengths == sorted(lengths)
    assert lengths[-1] == len(LINES) + 5
    assert read < 60 * len(data) // 10


@EVERY_FORMAT
def test_a_request_that_is_overtaken_by_growth_keeps_to_what_the_file_was(name: str) -> None:
    pack, knowledge = PACK[name], Knowledge()
    before, after = pack(LINES[:500_000]), pack(LINES[:500_000]) + pack(LINES[500_000:])
    old = text_of(before, knowledge=knowledge)
    assert old.read_at(0, 10) == LINES[:10]
    new = text_of(after, knowledge=knowledge)
    assert new.read_at(450_000, 100_000) == LINES[450_000:550_000]
    assert old.read_at(450_000, 100_000) == LINES[450_000:500_000]
    assert old.length() == 500_000
    assert text_of(before, knowledge=knowledge).length() == 500_000
    assert new.length() == len(LINES)


@EVERY_FORMAT
def test_a_damaged_file_is_read_up_to_the_damage(name: str) -> None:
    packed = MEMBERS[name]
    damaged = packed[:-50_000] + b"\xff" * 50 + packed[-49_950:]
    text, failure = failure_at_end(damaged)
    assert text[:700_000] == LINES[:700_000]
    assert failure is not None
    assert failure.startswith(f"the {name} data is damaged (")


@pytest.mark.parametrize("name", ["gzip", "xz"])
def test_all_the_text_is_read_where_only_the_checksum_is_wrong(name: str) -> None:
    packed = PACK[name](LINES)
    index = (int.from_bytes(packed[-8:-4], "little") + 1) * 4  # of an xz file; its footer has 12 bytes
    at = len(packed) - (8 if name == "gzip" else 12 + index + 8)
    text, failure = failure_at_end(packed[:at] + bytes([packed[at] ^ 1]) + packed[at + 1 :])
    assert text == LINES
    assert failure is not None
    assert "damaged" in failure


def test_nearly_all_the_text_of_a_block_of_bzip2_is_read_if_its_checksum_is_wrong() -> None:
    lines = LINES[:300_000]
    packed = PACK["bzip2"](lines)
    text, failure = failure_at_end(packed[:10] + bytes([packed[10] ^ 1]) + packed[11:])
    assert lines.startswith(text)
    assert len(text) > len(lines) - 5000, "what bzcat shows"
    assert failure is not None
    assert "damaged" in failure


@EVERY_FORMAT
def test_a_short_file_is_read_up_to_the_damage(name: str) -> None:
    """The text before the damage and the damage itself are fed together."""
    pack = PACK[name]
    text, failure = failure_at_end(pack(b"one\n") + pack(b"two\n" * 20)[:-12] + b"\xff" * 12)
    assert text.startswith(b"one\n")
    assert failure is not None


@EVERY_FORMAT
def test_memory_is_bounded_however_much_a_file_unpacks_to(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decompress, "SPACING", 1024)
    monkeypatch.setattr(Decompress, "spacing", 1024)
    monkeypatch.setattr(derived, "MAX_POINTS", 16)
    knowledge, size = Knowledge(), 20_000_000
    text = text_of(PACK[name](b" " * size), knowledge=knowledge)
    assert {len(text.read_at(offset, 1000)) for offset in range(0, size, 1_000_000)} == {1000}
    assert text.length() == size
    library_bytes = {"gzip": 48 << 10, "zstd": 8 << 20, "xz": 9 << 20, "bzip2": 4 << 20}[name]
    assert knowledge.memory < 2 * (library_bytes + (1 << 20)) + 17 * (48 << 10) + (1 << 20) + 1024


@EVERY_FORMAT
def test_a_text_longer_than_is_believed_ends_with_a_reason(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(decompress, "MAX_TEXT", 300_000)
    text, failure = failure_at_end(MEMBERS[name])
    assert LINES.startswith(text)
    assert failure is not None
    assert "holds more than" in failure


@EVERY_FORMAT
def test_many_short_members_take_no_more_reading_than_they_are_long(name: str) -> None:
    data, total = PACK[name](b"x\n") * 3_000, 0

    def read_at(offset: int, length: int) -> bytes:
        nonlocal total
        total += len(data[offset : offset + length])
        return data[offset : offset + length]

    text = open_text(file_of(data)._replace(read_at=read_at), UNPACKED, lambda _done, _total: None)
    assert text is not None
    assert whole(text) == b"x\n" * 3_000
    assert total < 2 * len(data) + 100_000


@EVERY_FORMAT
def test_a_window_is_read_from_a_restart_point_before_zeros(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(derived, "MAX_KEPT", 32 * 1024)
    pack, knowledge = PACK[name], Knowledge()
    data = (pack(LINES[:300_000]) + b"\0" * 512) * 3
    for offset in (0, 899_000, 1_000, 2_000, 3_000, 601_000, 10, 301_000):
        text = text_of(data, UNPACKED._replace(max_temporary_bytes=0), knowledge)
        assert text.read_at(offset, 100) == (LINES[:300_000] * 3)[offset : offset + 100]


@EVERY_FORMAT
def test_thousands_of_empty_members_and_of_zeros_hide_no_text(name: str) -> None:
    pack = PACK[name]
    data = pack(b"a\n") + pack(b"") * 5_000 + pack(b"b\n") + b"\0" * (4 << 20) + pack(b"c\n")
    assert failure_at_end(data) == (b"a\nb\nc\n", None)


@EVERY_FORMAT
@pytest.mark.parametrize("steps", [2, 100])
def test_every_step_can_be_stopped_even_where_it_yields_no_text(name: str, steps: int) -> None:
    class Stopped(Exception):
        pass

    def progress(_done: int, _total: int) -> None:
        nonlocal steps
        steps -= 1
        if not steps:
            raise Stopped

    with pytest.raises(Stopped):
        text_of(PACK[name](b"") * 1000, progress=progress).read_at(0, 1)


@EVERY_FORMAT
def test_a_read_that_was_stopped_is_continued_where_it_stopped(name: str) -> None:
    class Stopped(Exception):
        pass

    knowledge, positions = Knowledge(), [0]

    def stop_in_the_middle(done: int, total: int) -> None:
        if done > total // 2:
            raise Stopped

    text_of(MEMBERS[name], knowledge=knowledge)
    with pytest.raises(Stopped):
        text_of(MEMBERS[name], knowledge=knowledge, progress=stop_in_the_middle).length()
    text = text_of(MEMBERS[name], knowledge=knowledge, progress=lambda done, _: positions.append(done))
    assert text.length() == len(LINES)
    assert min(done for done in positions if done) > len(MEMBERS[name]) // 3


@EVERY_FORMAT
def test_what_the_formats_own_program_wrote_is_read_as_it_reads_it(name: str) -> None:
    cat, program = PROGRAMS[name]
    if not shutil.which(cat) or not shutil.which(program):
        pytest.skip(f"needs {program}")
    packed = b"".join(
        subprocess.run([program, "-c", level], input=part, capture_output=True, check=True).stdout
        for part, level in zip(PARTS, ["-1", "-3", "-6", "-9"], strict=True)
    )
    shown = subprocess.run([cat], input=packed, capture_output=True, check=True).stdout
    assert shown == LINES
    assert whole(text_of(packed)) == shown
    cut = packed[:-5000]
    shown = subprocess.run([cat], input=cut, capture_output=True).stdout
    assert whole(text_of(cut)).startswith(shown)


def test_zstd_frames_that_are_to_be_skipped_hold_no_text() -> None:
    skipped = b"\x5a\x2a\x4d\x18\x05\0\0\0table"
    pack = PACK["zstd"]
    assert failure_at_end(skipped + pack(b"a\n") + skipped + pack(b"b\n") + skipped) == (b"a\nb\n", None)


def test_a_format_is_known_by_its_first_bytes() -> None:
    for name, pack in PACK.items():
        for text in (b"", b"text\n"):
            found = compression_of(pack(text))
            assert found is not None
            assert found.name == name
    assert compression_of(b"BZh is how bzip2 files start\n") is None
    assert compression_of(b"") is None


def test_a_name_without_the_ending_of_a_compression() -> None:
    assert [name_without_ending(f"app.log{each.ending}") for each in COMPRESSIONS] == ["app.log"] * 4
    assert name_without_ending("APP.LOG.GZ") == "APP.LOG"
    assert name_without_ending("app.log") is None


def test_a_text_that_needs_too_much_memory_ends_with_that_reason() -> None:
    window_of_2_gib = b"\x28\xb5\x2f\xfd\x00" + bytes([(31 - 10) << 3]) + b"\x01\0\0"
    text, failure = failure_at_end(PACK["zstd"](b"a\n") + window_of_2_gib)
    assert (text, failure) == (b"a\n", "the zstd data needs more memory than is allowed")
