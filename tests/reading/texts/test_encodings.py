"""Encodings by name, and how their bytes become UTF-8."""

import random
import subprocess

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading.files.file_bytes import Knowledge
from forge_daemon.reading.texts.encodings.encoding import Encoding
from forge_daemon.reading.texts.encodings.names import encoding_called
from forge_daemon.reading.texts.form import TextForm
from forge_protocol.errors import ErrorCode, ReadError
from tests.reading.texts.decoding import decoded
from tests.reading.texts.files import text_of, whole
from tests.reading.texts.small_blocks import small_blocks

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
    "iso_8859-9:1989": "windows-1254",
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
    "csISOLatin2": "iso-8859-2",
    "iso_8859-7:1987": "iso-8859-7",
    "visual": "iso-8859-8",
    "logical": "iso-8859-8-i",
    "x-cp1250": "windows-1250",
    "X-EUC-JP": "euc-jp",
    "x-mac-ukrainian": "x-mac-cyrillic",
    "cp437": "cp437",
    "johab": "johab",
    "shift_jis_2004": "shift_jis_2004",
}
NAMES = [
    *sorted({name for name in LABELS.values() if name != "utf-8"}),
    *("utf-32be", "windows-1251", "koi8-r", "euc-jp", "gb18030", "cp950", "euc_jis_2004", "mac-arabic"),
]
SAMPLES = [
    *(
        "日本語テキスト表示ソ能",
        "中文字符漢字",
        "한국어 텍스트 각",
        "Grüße Ñandú €",
        "Привет мир",
        "abc 0123",
        "ﾊﾝｶｸ",
        "𠀋😀",
    ),
    *("plain text of ASCII, as most of a log is", "\n", "\r\n", "\ufffd", "\\~", "\x1b[31m"),
]
MALFORMED = bytes(
    [0x81, 0x30, 0x8F, 0x8E, 0xA1, 0xFE, 0x1B, 0x24, 0x42, 0x28, 0x80, 0xFF, 0x41, 0x0D, 0x5C, 0xD8, 0xDC]
)


def random_text(encoding: Encoding, choose: random.Random, parts: int = 12) -> bytes:
    data = []
    for _ in range(choose.randint(0, parts)):
        if choose.random() < 0.7:
            data.append(choose.choice(SAMPLES).encode(encoding.codec, "ignore"))
        else:
            data.append(bytes(choose.choice(MALFORMED) for _ in range(choose.randint(1, 4))))
    return b"".join(data)


def form(encoding: Encoding) -> TextForm:
    return TextForm(encoding)


@pytest.mark.parametrize(("label", "name"), LABELS.items())
def test_a_label_of_the_standard_or_a_python_codec_names_an_encoding(label: str, name: str) -> None:
    assert encoding_called(label).name == name
    assert encoding_called(name).name == name, "the name in an answer can be sent back"


@pytest.mark.parametrize(
    ("labels", "reason"),
    [
        (["", "utf-9", "x" * 100, "\0", "utf-8\0", "utf-8\n", "日本", "aliases", "utf-8é"], "is not known"),
        (["cp037", "utf-7", "hz-gb-2312", "iso-2022-kr", "rot13", "hex"], "its newlines cannot be found"),
    ],
)
def test_what_is_unknown_or_has_other_newlines_is_refused(labels: list[str], reason: str) -> None:
    for label in labels:
        with pytest.raises(ReadError, match=reason) as refusal:
            encoding_called(label)
        assert refusal.value.code == ErrorCode.INVALID_ARGUMENT
        assert refusal.value.hint


def test_an_encoding_is_the_same_by_each_of_its_names() -> None:
    assert encoding_called("cp932") == encoding_called("shift_jis")
    assert len({TextForm(encoding_called(label)) for label in ("latin1", "windows-1252", "ascii")}) == 1


@pytest.mark.parametrize("name", NAMES)
def test_the_text_is_what_pythons_codec_makes_of_the_whole(name: str) -> None:
    encoding, choose = encoding_called(name), random.Random(name)
    with small_blocks():
        for _ in range(300):
            data = random_text(encoding, choose)
            text = text_of(data, form(encoding))
            assert whole(text, 7).decode(errors="replace") == decoded(encoding, data.removeprefix(encoding.bom)), data
            assert text.encoding == name


@pytest.mark.parametrize("name", NAMES)
def test_any_part_is_read_from_a_restart_point(name: str) -> None:
    encoding, choose, knowledge = encoding_called(name), random.Random(name), Knowledge()
    with small_blocks():
        data = b"".join(random_text(encoding, choose) for _ in range(40))
        text = whole(text_of(data, form(encoding)))
        assert whole(text_of(data, form(encoding), knowledge)) == text
        for _ in range(100):
            offset, length = choose.randrange(len(text) + 5), choose.randrange(60)
            assert text_of(data, form(encoding), knowledge).read_at(offset, length) == text[offset : offset + length]


@pytest.mark.parametrize("name", NAMES)
def test_a_text_that_grows_by_any_number_of_bytes_is_that_of_the_file(name: str) -> None:
    encoding, choose = encoding_called(name), random.Random(name)
    with small_blocks():
        for _ in range(15):
            data, knowledge, size, stable = random_text(encoding, choose), Knowledge(), 0, b""
            while size < len(data):
                size = min(len(data), size + choose.randint(1, 9))
                text = text_of(data[:size], form(encoding), knowledge)
                now = whole(text, 11)
                assert now.decode(errors="replace") == decoded(encoding, data[:size].removeprefix(encoding.bom))
                assert now.startswith(stable), "what was said to be stable is"
                if text.has_bom == data.startswith(encoding.bom):
                    stable = now[: text.stable_length()]


@pytest.mark.parametrize("name", NAMES)
def test_a_long_line_and_long_ascii_are_converted_as_a_whole(name: str) -> None:
    encoding = encoding_called(name)
    text = "a log line of ASCII alone\n" * 5_000 + "日本語 é Ё 한국 中文" * 20_000 + "\nthe end"
    data = text.encode(encoding.codec, "ignore")
    assert whole(text_of(data, form(encoding))).decode() == decoded(encoding, data)


def test_a_malformed_sequence_is_one_malformed_byte_of_utf_8() -> None:
    assert whole(text_of(b"a\0\0\xd8b\0", form(encoding_called("utf-16le")))) == b"a\xffb"
    assert whole(text_of(b"a\x81\xffb", form(encoding_called("shift_jis"))))[:2] == b"a\xff"
    written = "a\ufffdb".encode("utf-16-le")
    assert whole(text_of(written, form(encoding_called("utf-16le")))) == "a\ufffdb".encode(), "a written one is none"


def test_a_character_that_the_end_cuts_off_is_not_stable() -> None:
    for name, data, stable in [
        ("utf-16le", "aé".encode("utf-16-le")[:-1], b"a"),
        ("utf-16le", "a😀".encode("utf-16-le")[:-2], b"a"),
        ("shift_jis", "a日".encode("cp932")[:-1], b"a"),
        ("gb18030", "a😀".encode("gb18030")[:-1], b"a"),
        ("iso-2022-jp", "a日本".encode("iso2022_jp")[:-4], "a日".encode()),
        ("iso-2022-jp", b"a\x1b", b"a"),
        ("windows-1252", b"a\xe9", "aé".encode()),
    ]:
        text = text_of(data, form(encoding_called(name)))
        assert whole(text)[: text.stable_length()] == stable
        assert text.length() == len(whole(text))


def test_each_line_of_iso_2022_jp_starts_in_ascii() -> None:
    data = b"\x1b$BF|K\\\nabc\x1b(B\n"
    assert whole(text_of(data, form(encoding_called("iso-2022-jp")))).decode() == "日本\nabc\n"


def test_an_escape_sequence_of_a_terminal_does_not_disturb_iso_2022_jp() -> None:
    data = b"\x1b[31m\x1b$BF|K\\\x1b(B\x1b[0m\n"
    assert whole(text_of(data, form(encoding_called("iso-2022-jp")))).decode() == "\x1b[31m日本\x1b[0m\n"


@given(
    st.lists(st.sampled_from([b"\x1b$B", b"\x1b(B", b"\x1b(I", b"\x1b", b"\n", b"F|K\\", b"F", b"a", b"\xff", b"$"]))
)
def test_malformed_iso_2022_jp_is_the_same_in_any_pieces(parts: list[bytes]) -> None:
    encoding, data = encoding_called("iso-2022-jp"), b"".join(parts)
    with small_blocks():
        text = whole(text_of(data, form(encoding)), 5)
    assert text.decode(errors="replace") == decoded(encoding, data)


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
    text = {"big5": "繁體中文測試", "euc-kr": "한국어 시험", "gbk": "简体中文", "gb18030": "简体中文😀"}.get(label)
    text = text or ("Привет, мир" if "1251" in label or "koi8" in label else "日本語の表示能力ソ")
    try:
        written = subprocess.run(
            ["iconv", "-f", "UTF-8", "-t", iconv], input=f"{text}\n".encode(), capture_output=True, check=True
        ).stdout
    except FileNotFoundError:
        pytest.skip("needs iconv")
    assert whole(text_of(written, form(encoding_called(label)))).decode() == f"{text}\n"
