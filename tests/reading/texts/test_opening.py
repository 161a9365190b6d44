"""Which files are text, and what is said of those that are not."""

import io
import sys
import tarfile

import pytest

from forge_daemon.reading.files.file_bytes import Knowledge, no_progress
from forge_daemon.reading.texts.encodings.names import encoding_called
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import WhyBinary, has_nul_at_start, open_text, why_binary
from tests.reading.texts.files import PACK, UNPACKED, file_of, text_of, whole

LOG = b"a line of a log\n" * 30


def told(data: bytes, form: TextForm = UNPACKED) -> WhyBinary:
    assert open_text(file_of(data), form, no_progress) is None
    return why_binary(file_of(data), form)


def archive() -> bytes:
    written = io.BytesIO()
    with tarfile.open(fileobj=written, mode="w") as tar:
        tar.addfile(tarfile.TarInfo("a"), io.BytesIO(b""))
    return written.getvalue()


def test_a_binary_file_is_no_text() -> None:
    assert told(bytes(range(256))) == WhyBinary("a binary file", None)
    assert told(archive()) == WhyBinary("a binary file", None)
    assert told(bytes(100_000)) == WhyBinary("a binary file", None)
    assert told(b"".join(b"name %d\0" % number for number in range(100))) == WhyBinary("a binary file", None)


@pytest.mark.parametrize(
    "data",
    [
        LOG + b"\0" + LOG,
        LOG + b"\0" * 4000,
        b"\0" * 5000 + LOG,
        b"\0" * 100_000 + LOG,
        "привет\n\0".encode(),
        b"line\n\0\0" * 50,
    ],
)
def test_a_text_with_nuls_is_text_with_its_encoding_given(data: bytes) -> None:
    assert told(data) == WhyBinary("a binary file", "it is text with NULs: give its encoding to read it")
    assert has_nul_at_start(file_of(data))
    text = text_of(data, TextForm(encoding_called("utf-8"), decompress=True))
    assert (whole(text), text.encoding) == (data, "utf-8")
    assert whole(text_of(PACK["xz"](data), TextForm(encoding_called("utf-8"), decompress=True))) == data


@pytest.mark.parametrize("name", PACK)
def test_a_compressed_file_that_holds_no_text_is_binary(name: str) -> None:
    what = f"{'an' if name == 'xz' else 'a'} {name} file"
    assert told(PACK[name](archive())) == WhyBinary(f"{what} that holds no text", None)
    why = told(PACK[name](LOG + b"\0" + LOG))
    assert why == WhyBinary(f"{what} that holds no text", "it is text with NULs: give its encoding to read it")
    assert told(PACK[name](PACK[name](LOG))) == WhyBinary(f"{what} that holds no text", None)


@pytest.mark.parametrize("name", PACK)
def test_a_compressed_file_is_binary_where_it_is_not_to_be_decompressed(name: str) -> None:
    data = PACK[name](LOG * 500)
    if b"\0" not in data[:8192]:
        data += b"\0"
    form = TextForm()
    if open_text(file_of(data), form, no_progress) is None:
        assert f"({name} -d)" in (why_binary(file_of(data), form).hint or "")
    text = text_of(data, TextForm(encoding_called("latin1")))
    assert text.compression is None


@pytest.mark.parametrize("name", PACK)
def test_a_file_that_is_damaged_from_its_start_is_binary_and_says_so(name: str) -> None:
    damaged = PACK[name](LOG)[:10] + b"\xff" * 100
    why = told(damaged)
    assert why.hint is not None
    assert "damaged" in why.hint
    assert name in why.what


@pytest.mark.parametrize("name", PACK)
def test_a_file_of_which_only_the_header_is_there_is_an_empty_text_that_ends_early(name: str) -> None:
    knowledge, packed = Knowledge(), PACK[name](LOG)
    text = text_of(packed[:10], knowledge=knowledge)
    assert (text.length(), text.failure) == (0, f"the {name} data ends early")
    assert whole(text_of(packed, knowledge=knowledge)) == LOG


@pytest.mark.parametrize(("name", "module"), [("zstd", "zstd"), ("xz", "lzma"), ("bzip2", "bz2")])
def test_without_its_library_a_compressed_file_is_binary_and_the_hint_says_what_to_install(
    name: str, module: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.delitem(sys.modules, f"forge_daemon.reading.texts.compressions.{name}", raising=False)
    for missing in (module, f"backports.{module}", f"compression.{module}"):
        monkeypatch.setitem(sys.modules, missing, None)
    if name == "zstd":
        monkeypatch.delattr("backports.zstd", raising=False)
    why = told(PACK[name](LOG))
    assert why.hint is not None
    assert why.hint.startswith("install ")
    assert ("backports.zstd" if name == "zstd" else module) in why.hint
    assert told(PACK[name](LOG), UNPACKED._replace(encoding=encoding_called("utf-8"))) == why


def test_gzip_is_read_without_the_faster_library(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(sys.modules, "forge_daemon.reading.texts.compressions.gzip", raising=False)
    monkeypatch.setitem(sys.modules, "zlib_ng", None)
    packed = PACK["gzip"](LOG * 10_000)
    assert whole(text_of(packed)) == LOG * 10_000
    assert text_of(packed[:-100] + b"\xff" * 100).length() > 0


@pytest.mark.parametrize(
    ("first", "then", "encoding", "text"),
    [
        (b"", b"\xef\xbb\xbfabc\n", "utf-8", "abc\n"),
        (b"\xef\xbb", b"\xbfabc\n", "utf-8", "abc\n"),
        (b"", "abc\n".encode("utf-16"), "utf-16le", "abc\n"),
        (b"", PACK["gzip"](b"abc\n"), "utf-8", "abc\n"),
        (b"", PACK["zstd"](b"abc\n"), "utf-8", "abc\n"),
        (b"start\n", "日本\n".encode("iso-2022-jp"), "iso-2022-jp", "start\n日本\n"),
    ],
)
def test_what_is_appended_to_a_short_file_may_decide_its_encoding(
    first: bytes, then: bytes, encoding: str, text: str
) -> None:
    knowledge = Knowledge()
    assert whole(text_of(first, knowledge=knowledge)) == first
    grown = text_of(first + then, knowledge=knowledge)
    assert (whole(grown).decode(), grown.encoding) == (text, encoding)


def test_the_encoding_of_a_long_file_is_decided_once() -> None:
    knowledge, read = Knowledge(), list[int]()
    data = LOG * 1000

    def read_at(offset: int, length: int) -> bytes:
        read.append(length)
        return data[offset : offset + length]

    for size in (len(data) - 100, len(data)):
        file = file_of(data[:size], knowledge)._replace(read_at=read_at)
        assert open_text(file, UNPACKED, no_progress) is not None
    assert len(read) == 1


def test_an_encoding_that_is_given_wins_over_a_mark() -> None:
    text = text_of(b"\xef\xbb\xbfabc\n", TextForm(encoding_called("latin1")))
    assert (whole(text).decode(), text.has_bom) == ("ï»¿abc\n", False)
    text = text_of("abc\n".encode("utf-16"), TextForm(encoding_called("utf-16le")))
    assert (whole(text).decode(), text.has_bom) == ("abc\n", True)


def test_an_open_document_is_utf_8_and_never_binary() -> None:
    for data in (b"a\0b\n", PACK["gzip"](b"abc\n"), b"\xff\xfea\0"):
        document = file_of(data)._replace(kind="buffer")
        text = open_text(document, TextForm(encoding_called("latin1"), decompress=True), no_progress)
        assert text is not None
        assert (whole(text), text.encoding, text.compression) == (data, "utf-8", None)


def test_candidates_are_tried_only_where_the_encoding_is_detected() -> None:
    candidates = (encoding_called("shift_jis"),)
    data = "表示ソフト\n".encode("cp932")
    assert text_of(data, TextForm(candidates=candidates)).encoding == "shift_jis"
    assert text_of(data, TextForm(encoding_called("utf-8"), candidates)).encoding == "utf-8"
    assert text_of(PACK["bzip2"](data), TextForm(candidates=candidates, decompress=True)).encoding == "shift_jis"
