"""Which encoding a file is in, what its bytes mean, and where its lines may be cut."""

import random
import struct
import subprocess
import sys
from pathlib import Path

import pytest

from forge_daemon.reading.encodings.detection import SAMPLE, detect
from forge_daemon.reading.encodings.encoding import Encoding
from forge_daemon.reading.encodings.names import encoding_called
from forge_protocol.errors import ReadError
from reading.sources import InMemory

LABELS = {
    "UTF-8": "utf-8",
    "utf8": "utf-8",
    " utf-16 ": "utf-16le",
    "utf16be": "utf-16be",
    "utf-32": "utf-32le",
    "iso-8859-1": "windows-1252",
    "latin1": "windows-1252",
    "ascii": "windows-1252",
    "iso-8859-9": "windows-1254",
    "Shift_JIS": "shift_jis",
    "sjis": "shift_jis",
    "cp932": "shift_jis",
    "windows-31j": "shift_jis",
    "ks_c_5601-1987": "euc-kr",
    "cp949": "euc-kr",
    "gb2312": "gbk",
    "big5-hkscs": "big5",
    "csISO2022JP": "iso-2022-jp",
    "koi8-ru": "koi8-u",
    "mac-roman": "macintosh",
    "tis-620": "windows-874",
    "cp437": "cp437",
    "johab": "johab",
    "shift_jis_2004": "shift_jis_2004",
}
BYTE_ORIENTED = [
    *sorted({name for name in LABELS.values() if not name.startswith(("utf-16", "utf-32"))}),
    "windows-1251",
    "koi8-r",
    "euc-jp",
    "gb18030",
    "cp950",
    "euc_jis_2004",
]
SAMPLES = [
    "日本語テキスト表示ソ能",
    "中文字符漢字",
    "한국어 텍스트 각",
    "Grüße Ñandú €",
    "Привет мир",
    "abc 0123",
    "ﾊﾝｶｸ",
    "𠀋😀",
]
MALFORMED = bytes([0x81, 0x30, 0x8F, 0x8E, 0xA1, 0xFE, 0x1B, 0x24, 0x42, 0x28, 0x80, 0xFF, 0x41, 0x0D, 0x5C])
ESCAPES = [b"\x1b$B", b"\x1b(B", b"\x1b(J", b"\x1b[31m", b"\r", b" ", b"~"]


def by_whole(encoding: Encoding, line: bytes) -> str:
    """What Python's codec makes of it, where more lines follow."""
    return (line + b"\n" * 4).decode(encoding.codec, "replace")[:-4]


def random_line(encoding: Encoding, choose: random.Random) -> bytes:
    parts = []
    for _ in range(choose.randint(1, 12)):
        kind = choose.random()
        if kind < 0.6:
            parts.append(choose.choice(SAMPLES).encode(encoding.codec, "ignore"))
        elif kind < 0.8:
            parts.append(bytes(choose.choice(MALFORMED) for _ in range(choose.randint(1, 4))))
        else:
            parts.append(choose.choice(ESCAPES))
    return b"".join(parts) + choose.choice([b"\n", b"\r\n"])


@pytest.mark.parametrize(("label", "name"), LABELS.items())
def test_a_label_of_the_standard_or_a_python_codec_names_an_encoding(label: str, name: str) -> None:
    assert encoding_called(label).name == name
    assert encoding_called(name).name == name, "the name in an answer can be sent back"


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        (["", "utf-9", "x" * 100, "\0", "日本", "aliases"], "is not known"),
        (["cp037", "utf-7", "hz-gb-2312", "iso-2022-kr", "rot13", "hex"], "its newlines cannot be found"),
    ],
)
def test_what_is_unknown_or_has_other_newlines_is_refused(labels: list[str], reason: str) -> None:
    for label in labels:
        with pytest.raises(ReadError, match=reason) as refusal:
            encoding_called(label)
        assert refusal.value.hint


@pytest.mark.parametrize("name", BYTE_ORIENTED)
def test_any_cut_on_a_boundary_decodes_to_what_the_whole_line_does(name: str) -> None:
    encoding, choose = encoding_called(name), random.Random(name)
    for _ in range(60):
        line = random_line(encoding, choose)
        text, malformed = encoding.decode(line)
        if not encoding.stateful:
            assert text == by_whole(encoding, line)
        offset, parts, counted = 0, [], 0
        while offset < len(line):
            rest, most = line[offset:], choose.randint(1, 6)
            state = encoding.state_at(InMemory(line).read_at, offset)
            part = rest if len(rest) <= most else rest[: encoding.boundary(rest, most, state)]
            assert part, "a cut makes progress"
            decoded, errors = encoding.decode(part, state)
            parts.append(decoded)
            counted += errors
            offset += len(part)
        assert ("".join(parts), counted) == (text, malformed), line


@pytest.mark.parametrize("name", BYTE_ORIENTED)
def test_the_offset_of_a_character_is_where_the_text_after_it_starts(name: str) -> None:
    encoding, choose = encoding_called(name), random.Random(name)
    for _ in range(15):
        line = random_line(encoding, choose)
        text = encoding.decode(line)[0]
        for column in range(len(text)):
            offset = encoding.offset_of(line, column)
            state = encoding.state_at(InMemory(line).read_at, offset)
            after = encoding.decode(line[offset:], state)[0]
            # A few codes of Big5 and JIS X 0213 are two characters.
            assert text[column:] == after or text[column + 1 :] == after, (line, column)


def test_each_line_of_iso_2022_jp_starts_in_ascii() -> None:
    encoding = encoding_called("iso-2022-jp")
    assert encoding.decode(b"\x1b$BF|K\\\nabc\x1b(B\n")[0] == "日本\nabc\n"


def test_an_escape_sequence_of_a_terminal_does_not_disturb_iso_2022_jp() -> None:
    encoding = encoding_called("iso-2022-jp")
    assert encoding.decode(b"\x1b[31m\x1b$BF|K\\\x1b(B\x1b[0m\n") == ("\x1b[31m日本\x1b[0m\n", 0)


@pytest.mark.parametrize("name", ["utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"])
def test_a_byte_order_mark_decides(name: str) -> None:
    encoding = encoding_called(name)
    found = detect(
        encoding.bom + "text\n".encode(encoding.codec), whole=True, candidates=[encoding_called("shift_jis")]
    )
    assert found is encoding


@pytest.mark.parametrize("name", ["utf-16le", "utf-16be"])
@pytest.mark.parametrize(
    "text",
    [
        "a log line\r\nand another\r\n",
        "一二三 日本語\n" * 50,
        "журнал ошибок\n",
        "ありがとう ございます\n",
        "いいね\nそうですか\n",
        "😀 x\n",
        "x\n" * SAMPLE,
    ],
)
def test_utf_16_is_known_without_a_mark(name: str, text: str) -> None:
    encoding = encoding_called(name)
    data = text.encode(encoding.codec)
    assert detect(data[:SAMPLE], whole=len(data) <= SAMPLE) is encoding


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
}


@pytest.mark.parametrize("kind", BINARY)
def test_what_only_looks_like_utf_16_stays_binary(kind: str) -> None:
    assert detect(BINARY[kind], whole=True, candidates=[encoding_called("windows-1252")]) is None


def test_iso_2022_jp_is_known_by_its_escapes_where_there_is_no_high_byte() -> None:
    data = "日本語\nabc\n".encode("iso2022_jp")
    assert (found := detect(data, whole=True)) is not None
    assert found.name == "iso-2022-jp"
    assert (found := detect(data + "é\n".encode(), whole=True)) is not None
    assert found.name == "utf-8"


def test_the_first_candidate_that_decodes_strictly_is_taken_and_else_utf_8() -> None:
    candidates = [encoding_called(name) for name in ("euc-jp", "shift_jis", "windows-1252")]
    kanji = "表示ソフト\n".encode("cp932") * 10
    for data, name in [
        (kanji, "shift_jis"),
        ("日本語\n".encode("euc_jp"), "euc-jp"),
        ("café au lait\n".encode("cp1252"), "windows-1252"),
        (b"\x81\xff\n", "utf-8"),
        ("日本語\n".encode(), "utf-8"),
        (b"ascii\n", "utf-8"),
    ]:
        assert (found := detect(data, whole=True, candidates=candidates)) is not None
        assert found.name == name
    assert (found := detect(kanji[:-3], whole=False, candidates=candidates)) is not None
    assert found.name == "shift_jis", "the sample may end within a character"
    assert (found := detect("Straße\n".encode("cp1252"), whole=True)) is not None
    assert found.name == "utf-8"


@pytest.mark.parametrize(
    ("label", "iconv"),
    [
        ("shift_jis", "CP932"),
        ("euc-jp", "EUC-JP"),
        ("iso-2022-jp", "ISO-2022-JP"),
        ("gb18030", "GB18030"),
        ("gbk", "GBK"),
        ("big5", "BIG5"),
        ("euc-kr", "CP949"),
        ("windows-1251", "CP1251"),
        ("koi8-r", "KOI8-R"),
    ],
)
def test_what_iconv_wrote_is_read_back(label: str, iconv: str) -> None:
    encoding = encoding_called(label)
    text = {"big5": "繁體中文測試", "euc-kr": "한국어 시험", "gbk": "简体中文", "gb18030": "简体中文😀"}.get(label)
    text = text or ("Привет, мир" if "1251" in label or "koi8" in label else "日本語の表示能力ソ")
    try:
        written = subprocess.run(
            ["iconv", "-f", "UTF-8", "-t", iconv], input=f"{text}\n".encode(), capture_output=True, check=True
        ).stdout
    except FileNotFoundError:
        pytest.skip("needs iconv")
    assert encoding.decode(written) == (f"{text}\n", 0)
