"""Which encoding a file is in, by its first bytes."""

import random
import struct
import sys
from pathlib import Path

import pytest

from forge_daemon.reading.texts.encodings.detection import SAMPLE, detect
from forge_daemon.reading.texts.encodings.encoding import Encoding
from forge_daemon.reading.texts.encodings.names import encoding_called


def detected(data: bytes, *candidates: str) -> str | None:
    found = detect(data[:SAMPLE], is_whole=len(data) <= SAMPLE, candidates=list(map(encoding_called, candidates)))
    return None if found is None else found.name


@pytest.mark.parametrize("name", ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"])
def test_a_byte_order_mark_decides(name: str) -> None:
    encoding = encoding_called(name)
    assert detected(encoding.bom + "text\n".encode(encoding.codec), "shift_jis") == name
    assert detected(encoding.bom) == name


@pytest.mark.parametrize("name", ["utf-16le", "utf-16be", "utf-32le", "utf-32be"])
def test_a_mark_before_bytes_of_which_more_than_one_in_a_hundred_do_not_decode_is_binary(name: str) -> None:
    encoding = encoding_called(name)
    unit = len("a".encode(encoding.codec))
    bad = b"\xd8" * unit
    text = "a".encode(encoding.codec)
    assert detected(encoding.bom + text * 99 + bad) == name
    assert detected(encoding.bom + text * 90 + bad * 2) is None
    assert detected(encoding.bom + bytes(random.Random(1).choices(range(256), k=4000))) is None
    assert detected(encoding.bom + text * 200 + "\0".encode(encoding.codec)) is None, "a NUL character"


@pytest.mark.parametrize("name", ["utf-16le", "utf-16be"])
@pytest.mark.parametrize(
    "text",
    [
        "a log line\r\nand another\r\n",
        "一二三 日本語\n" * 50,
        "журнал ошибок\n",
        "ありがとう ございます\n",
        "😀 x\n",
        "x\n" * SAMPLE,
        "a log in which … is rare\n" * 10,
    ],
)
def test_utf_16_is_known_without_a_mark(name: str, text: str) -> None:
    assert detected(text.encode(encoding_called(name).codec)) == name


BINARY = {
    "sqlite": b"SQLite format 3\0\x10\0\x01\x01\0\x40\x20\x20\0\0\0\x02" + b"\0" * 200 + b"CREATE TABLE x (y)\n",
    "elf": Path(sys.executable).read_bytes()[:SAMPLE],
    "png": b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x01\0\0\0\x01\0\x08\x06\0\0\0" + bytes(range(256)) * 8,
    "table of shorts": struct.pack("<2000H", *range(2000)),
    "table of small shorts": struct.pack("<2000H", *(n % 200 for n in range(2000))),
    "table of shorts without zero": struct.pack("<4000H", *range(9, 4009)),
    "audio": struct.pack("<4000h", *random.Random(1).choices(range(-3000, 3000), k=4000)),
    "doubles": struct.pack("<500d", *(n / 7 for n in range(500))),
    "text with a stray NUL": b"one line of a log\n" * 20 + b"written with its NUL\0\n",
    "one word": "hello".encode("utf-16-le"),
    "mp3 that starts like a mark": b"\xff\xfe\x90\x64" + b"\0" * 500 + bytes(range(256)),
    "UTF-8 mark before NULs": b"\xef\xbb\xbfa\0b\n",
    "a word in UTF-8, and a NUL": "привет\n\0".encode(),
    "UTF-8 with a NUL after each line": "日本語 é\n\0".encode() * 20,
    "UTF-8 with a NUL beside each letter": "".join(f"{letter}\0" for letter in "grüße an alle\n").encode(),
    "ASCII with a NUL in every fourth byte": b"ab \0\nc \0" * 50,
    "ASCII with NULs in both bytes": b"a\0b\0 \0\n\0c d\0" * 9 + b"\0a\0b",
    "kana that would be ASCII": "いいね\nそうですか\n".encode("utf-16-le"),
}


@pytest.mark.parametrize("kind", BINARY)
def test_what_only_looks_like_utf_16_is_binary(kind: str) -> None:
    assert detected(BINARY[kind], "windows-1252") is None


def test_iso_2022_jp_is_known_by_its_escapes_where_there_is_no_high_byte() -> None:
    data = "日本語\nabc\n".encode("iso2022_jp")
    assert detected(data) == "iso-2022-jp"
    assert detected(data * (SAMPLE // len(data) + 1)) == "iso-2022-jp", "the sample may end within a line"
    assert detected(data + "é\n".encode()) == "utf-8"
    assert detected(b"\x1b[31mcolours\x1b[0m\n") == "utf-8"


def test_the_first_candidate_that_decodes_strictly_is_taken_and_else_utf_8() -> None:
    candidates = "euc-jp", "shift_jis", "windows-1252"
    kanji = "表示ソフト\n".encode("cp932") * 10
    for data, name in [
        (kanji, "shift_jis"),
        ("日本語\n".encode("euc_jp"), "euc-jp"),
        ("café au lait\n".encode("cp1252"), "windows-1252"),
        (b"\x81\xff\n", "utf-8"),
        ("日本語\n".encode(), "utf-8"),
        (b"ascii\n", "utf-8"),
        (b"", "utf-8"),
    ]:
        assert detected(data, *candidates) == name
    found = detect(kanji[:-3], is_whole=False, candidates=list(map(encoding_called, candidates)))
    assert isinstance(found, Encoding)
    assert found.name == "shift_jis", "the sample may end within a character"
    assert detected("Straße\n".encode("cp1252")) == "utf-8"


def test_utf_8_that_the_sample_cuts_within_a_character_is_utf_8() -> None:
    assert detected(b"a" * (SAMPLE - 1) + "é".encode() * 10, "windows-1252") == "utf-8"
