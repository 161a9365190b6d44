"""UTF-16 and UTF-32 as UTF-8, at any offset."""

import random

import pytest

from forge_daemon.reading.encodings.names import encoding_called
from forge_daemon.reading.encodings.wide import Wide
from forge_daemon.reading.sources.wide_text import WidePoints, WideText
from reading.sources import InMemory, no_progress

NAMES = ["utf-16le", "utf-16be", "utf-32le", "utf-32be"]


def contents(encoding: Wide, *, malformed: bool) -> bytes:
    choose = random.Random(encoding.name)
    text = "".join(choose.choice(["😀", "a", "é", "日本\r\n", "𠀋", "\u0a0a", "\n"]) for _ in range(60_000))
    data = bytearray(text.encode(encoding.codec))
    if malformed:
        for _ in range(300):
            data[choose.randrange(len(data))] = choose.randrange(256)
        data += b"\xd8\x00\xd8"
    return encoding.bom + bytes(data)


def wide(name: str) -> Wide:
    encoding = encoding_called(name)
    assert isinstance(encoding, Wide)
    return encoding


@pytest.mark.parametrize("name", NAMES)
@pytest.mark.parametrize("malformed", [False, True])
def test_any_part_is_that_of_the_whole_as_pythons_codec_gives_it(name: str, malformed: bool) -> None:
    encoding, points, choose = wide(name), WidePoints(), random.Random(1)
    data = contents(encoding, malformed=malformed)
    expected = data[len(encoding.bom) :].decode(encoding.codec, "replace")

    def opened() -> WideText:
        return WideText(InMemory(data), encoding, len(encoding.bom), points, no_progress)

    assert opened().size >= len(expected.encode()), "an upper bound, as long as it is not known"
    for _ in range(10):
        opened().read_at(choose.randrange(100_000), choose.randrange(50_000))
    text = opened().read_at(0, len(data) * 2)
    assert text.decode(errors="replace") == expected
    assert opened().size == len(text)
    for _ in range(50):
        offset, length = choose.randrange(len(text)), choose.randrange(100_000)
        assert opened().read_at(offset, length) == text[offset : offset + length]


def test_a_character_that_is_malformed_is_malformed_in_utf_8_as_well() -> None:
    encoding = wide("utf-16le")
    assert encoding.to_utf8(b"a\0\0\xd8b\0") == b"a\xffb"


@pytest.mark.parametrize("name", NAMES)
def test_text_goes_on_once_the_file_has_grown(name: str) -> None:
    encoding, points = wide(name), WidePoints()
    data = contents(encoding, malformed=False)
    cut = len(data) // 3 | 1
    before = WideText(InMemory(data[:cut]), encoding, len(encoding.bom), points, no_progress)
    before.read_at(0, len(data) * 2)

    after = WideText(InMemory(data), encoding, len(encoding.bom), points, no_progress)
    assert after.read_at(0, len(data) * 2) == data[len(encoding.bom) :].decode(encoding.codec).encode()


@pytest.mark.parametrize("name", NAMES)
def test_an_empty_file_has_no_text(name: str) -> None:
    encoding = wide(name)
    text = WideText(InMemory(encoding.bom), encoding, len(encoding.bom), WidePoints(), no_progress)
    assert text.read_at(0, 10) == b""
    assert text.size == 0
