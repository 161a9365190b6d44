"""The text of a file at any offset, through every stage: against Python's codecs, growing, from many threads."""

import random
import threading
from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading.files.file_bytes import Knowledge, no_progress
from forge_daemon.reading.texts.encodings.names import encoding_called
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.texts.opening import open_text
from forge_daemon.reading.texts.strip_ansi import strip
from tests.reading.texts.files import PACK, UNPACKED, file_of, text_of, whole
from tests.reading.texts.small_blocks import small_blocks

NAMES = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "windows-1252", "shift_jis", "gb18030", "big5", "euc-kr"]
TEXTS = [
    "a",
    " ",
    "ab ab",
    "é",
    "日本語",
    "中文",
    "한국",
    "😀",
    "\\",
    "\ufffd",
    "\r\n",
    "\n",
    "\x1b[31m",
    "\x1b[",
    "\x1b]0;t\x07",
]
MALFORMED = [bytes([each]) for each in b"\x80\x81\x8e\xa1\xd8\xdc\xfe\xff\x30\x40\x5c"]
LOG = "".join(f"{number} {random.Random(number).random()} é\n" for number in range(60_000))


class File(NamedTuple):
    data: bytes
    form: TextForm
    expected: bytes
    """Each malformed sequence as U+FFFD."""


@st.composite
def files(draw: st.DrawFn) -> File:
    encoding = encoding_called(draw(st.sampled_from(NAMES)))
    text = st.sampled_from(TEXTS).map(lambda text: text.encode(encoding.codec, "ignore"))
    malformed = st.sampled_from(MALFORMED) if draw(st.booleans()) else st.nothing()
    data = b"".join(draw(st.lists(text | malformed, max_size=40)))
    data = encoding.bom * draw(st.booleans()) + data
    body = data.removeprefix(encoding.bom)
    after = b"" if encoding.is_wide or encoding.name == "utf-8" else b"\n" * 4
    expected = (body + after).decode(encoding.codec, "replace").encode().removesuffix(after)
    name = draw(st.sampled_from([None, *PACK]))
    if name is not None:
        cut = draw(st.integers(0, len(data)))
        data = PACK[name](data[:cut]) + PACK[name](data[cut:])
    is_stripped = draw(st.booleans())
    form = TextForm(encoding, decompress=name is not None, strip_ansi=is_stripped)
    return File(data, form, strip(expected) if is_stripped else expected)


def shown(data: bytes) -> str:
    return data.decode(errors="replace")


@given(files(), st.lists(st.tuples(st.integers(0, 300), st.integers(0, 90)), max_size=8))
def test_every_part_is_what_the_whole_has_there(file: File, parts: list[tuple[int, int]]) -> None:
    knowledge = Knowledge()
    with small_blocks():
        text = whole(text_of(file.data, file.form))
        assert shown(text) == shown(file.expected)
        for offset, length in parts:
            opened = text_of(file.data, file.form, knowledge)
            assert opened.read_at(offset, length) == text[offset : offset + length]
            assert opened.is_longer_than(offset) == (len(text) > offset)
        opened = text_of(file.data, file.form, knowledge)
        assert opened.length() == len(text) == opened.known_length
        assert opened.failure is None
        assert opened.stable_length() <= len(text)


@given(files(), st.lists(st.integers(1, 40), max_size=6))
def test_a_file_that_grows_is_read_as_if_it_had_never_been_shorter(file: File, steps: list[int]) -> None:
    knowledge, size, stable = Knowledge(), 20, b""
    with small_blocks():
        for step in [*steps, len(file.data)]:
            size = min(len(file.data), size + step)
            grown = file_of(file.data[:size], knowledge)
            opened, afresh = (open_text(each, file.form, no_progress) for each in (grown, file_of(file.data[:size])))
            if opened is None or afresh is None:
                assert opened is afresh
                continue
            assert whole(opened, 17) == whole(afresh)
            assert (opened.length(), opened.failure) == (afresh.length(), afresh.failure)
            assert opened.stable_length() == afresh.stable_length()
            if opened.has_bom or not any(file.data.startswith(each) for each in (b"\xef", b"\xff", b"\xfe", b"\0")):
                assert whole(opened).startswith(stable)
                stable = whole(opened)[: opened.stable_length()]


def test_plain_utf_8_is_read_as_the_file_itself() -> None:
    file = file_of(b"one\ntwo\n")
    text = open_text(file, TextForm(decompress=True), no_progress)
    assert text is not None
    assert text.read_at is file.read_at
    assert (text.kind, text.encoding, text.compression, text.has_bom) == ("", "utf-8", None, False)
    assert (text.known_length, text.length(), text.stable_length(), text.failure) == (8, 8, 8, None)
    assert text.is_longer_than(7)
    assert not text.is_longer_than(8)


@pytest.mark.parametrize("strip_ansi", [False, True])
@pytest.mark.parametrize("pack", [None, *PACK])
def test_a_byte_order_mark_is_not_part_of_the_text(pack: str | None, strip_ansi: bool) -> None:
    for name in ("utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"):
        encoding = encoding_called(name)
        data = encoding.bom + "né\n".encode(encoding.codec)
        text = text_of(PACK[pack](data) if pack else data, TextForm(decompress=True, strip_ansi=strip_ansi))
        assert whole(text) == "né\n".encode()
        assert (text.encoding, text.has_bom, text.length()) == (name, True, 4)
        assert text_of(encoding.bom, TextForm()).length() == 0


def test_the_same_bytes_have_another_kind_for_each_text_they_are_read_as() -> None:
    data, utf_16 = PACK["gzip"]("é\n".encode("utf-16")), encoding_called("utf-16le")
    forms = [
        TextForm(decompress=True),
        TextForm(decompress=True, strip_ansi=True),
        TextForm(encoding_called("latin1"), decompress=True),
        TextForm(encoding_called("latin1")),
        TextForm(utf_16),
        TextForm(encoding_called("utf-8")),
    ]
    kinds = [text_of(data, form).kind for form in forms]
    assert kinds[:2] == ["gzip bom utf-16le", "gzip bom utf-16le ansi"]
    assert kinds[-1] == ""
    assert len(set(kinds)) == len(forms)


def test_what_is_learned_is_kept_for_each_kind_of_text() -> None:
    class Learned:
        memory = 1

    knowledge = Knowledge()
    plain = text_of(b"a\n", TextForm(), knowledge)
    stripped = text_of(b"a\n", TextForm(strip_ansi=True), knowledge)
    learned = plain.know(("lines",), Learned)
    assert plain.know(("lines",), Learned) is learned
    assert stripped.know(("lines",), Learned) is not learned


def test_a_character_that_is_incomplete_is_not_stable() -> None:
    for cut in range(1, 4):
        data = b"ab" + "😀".encode()[:cut]
        for form, written in [(TextForm(), data), (TextForm(strip_ansi=True), data), (UNPACKED, PACK["gzip"](data))]:
            assert text_of(written, form).stable_length() == 2
    assert text_of(b"ab\xff\x80", TextForm()).stable_length() == 4, "malformed, and complete"
    assert text_of("é".encode(), TextForm()).stable_length() == 2


def test_progress_is_that_of_the_file() -> None:
    data, seen = PACK["gzip"](LOG.encode()), list[tuple[int, int]]()
    text = text_of(data, progress=lambda done, total: seen.append((done, total)))
    text.read_at(len(LOG) // 2, 10)
    text.report(123)
    assert {total for _, total in seen} == {len(data)}
    assert len(data) // 3 < seen[-1][0] < len(data)
    seen.clear()
    plain = text_of(b"abc\n", progress=lambda done, total: seen.append((done, total)))
    plain.report(3)
    assert seen[-1] == (3, 4)


@pytest.mark.parametrize(
    ("form", "data"),
    [
        *((UNPACKED, pack(LOG.encode())) for pack in PACK.values()),
        (TextForm(encoding_called("utf-16le"), strip_ansi=True), LOG.encode("utf-16-le")),
        (TextForm(encoding_called("latin1"), decompress=True), PACK["zstd"](LOG.encode("latin1"))),
    ],
    ids=[*PACK, "utf-16le and ansi", "zstd and windows-1252"],
)
def test_threads_that_share_what_is_known_of_a_file_read_the_same_text(form: TextForm, data: bytes) -> None:
    knowledge, expected, barrier = Knowledge(), LOG.encode(), threading.Barrier(6)

    def read(seed: int) -> int:
        choose, wrong = random.Random(seed), 0
        barrier.wait()
        for _ in range(12):
            text = text_of(data, form, knowledge)
            if seed == 0:
                wrong += text.length() != len(expected)
            offset, length = choose.randrange(len(expected)), choose.randrange(50_000)
            wrong += text.read_at(offset, length) != expected[offset : offset + length]
            wrong += knowledge.memory < 0
        return wrong

    with ThreadPoolExecutor(6) as pool:
        assert sum(pool.map(read, range(6))) == 0


@pytest.mark.parametrize("name", PACK)
def test_threads_that_read_a_growing_file_see_each_its_own_snapshot(name: str) -> None:
    pack, knowledge = PACK[name], Knowledge()
    parts = [LOG.encode()[at : at + 100_000] for at in range(0, 1_000_000, 100_000)]
    packed = [pack(part) for part in parts]

    def read(number: int) -> bool:
        text = text_of(b"".join(packed[:number]), UNPACKED, knowledge)
        return whole(text, 30_000) == b"".join(parts[:number]) and text.length() == 100_000 * number

    numbers = [random.Random(1).randint(1, len(parts)) for _ in range(40)]
    with ThreadPoolExecutor(4) as pool:
        assert all(pool.map(read, numbers))
