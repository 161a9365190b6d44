"""Whenever following starts, whatever pieces the file grows by, and whether it stands still between: it is the text."""

import random
from pathlib import Path

import pytest

from forge_daemon.reading.texts.encodings.names import encoding_called
from forge_daemon.requests.appended_lines import STANDING_SECONDS
from forge_daemon.requests.text_form import text_form
from forge_daemon.workspace.reader import Reader
from tests.hostile.scale import scaled
from tests.reading.escape_sequences import strip
from tests.requests.filters import matching
from tests.requests.follower import Follower, Pass

FILES = scaled(4, 200)
ENCODINGS = ["utf-8", "utf-16le", "utf-16be", "utf-32le", "shift_jis", "euc-jp", "iso-2022-jp", "gb18030", "big5"]
WANTED = "END"
PIECES = ["a", "b", WANTED, "é", "日本", "中文", "한국", "x" * 7, "\r", " ", "😀"]
SEQUENCES = ["\x1b[31m", "\x1b[0m", "\x1b]0;title\x07"]


def followed(follower: Follower, log: Path, data: bytes, chance: random.Random, pass_time: Pass) -> str:
    text = follower.first.content
    while data:
        length = chance.choice([1, 1, 2, 3, 5, 9, 40])
        with log.open("ab") as file:
            file.write(data[:length])
        data = data[length:]
        if chance.random() < 0.3:
            pass_time(2 * STANDING_SECONDS)
        while (found := follower.look()) is not None:
            assert found.window is not None
            assert found.continues_line or text == "" or text.endswith("\n")
            text += found.window.content
    return text


@pytest.mark.parametrize("is_filtered", [False, True])
@pytest.mark.parametrize("strip_ansi", [False, True])
@pytest.mark.parametrize("name", ENCODINGS)
def test_the_lines_are_the_text(
    reader: Reader, log: Path, pass_time: Pass, name: str, strip_ansi: bool, is_filtered: bool
) -> None:
    codec = encoding_called(name).codec
    form = text_form(name)._replace(strip_ansi=strip_ansi)
    pieces = [
        piece for piece in PIECES + SEQUENCES * strip_ansi if piece.encode(codec, "replace").decode(codec) == piece
    ]
    for number in range(FILES):
        chance = random.Random(f"{name} {strip_ansi} {is_filtered} {number}")
        lines = ["".join(chance.choices(pieces, k=chance.randrange(9))) for _ in range(12)]
        text = "".join(line + chance.choice(["\n", "\r\n"]) for line in lines)
        data = text.encode(codec)
        there = chance.choice([0, chance.randrange(len(data))])
        log.write_bytes(data[:there])
        wanted = matching(WANTED) if is_filtered else None
        follower = Follower(reader, 99, form=form, filter=wanted, max_lines=chance.choice([None, 1, 3]))
        got = followed(follower, log, data[there:], chance, pass_time)
        follower.following.close()
        text = (strip(text) if strip_ansi else text).replace("\r\n", "\n")
        if is_filtered:
            text = "".join(f"{line}\n" for line in text.split("\n")[:-1] if WANTED in line)
        assert got == text


@pytest.mark.parametrize(
    ("name", "line", "cut"),
    [
        ("iso-2022-jp", "日" * 3000 + "本", -1 - len("\x1b(B")),
        ("shift_jis", "a" + "日" * 3000 + "本", -1),
        ("gb18030", "日" * 3000 + "本", -1),
        ("utf-8", "abc\x1b]0;" + "日" * 2000 + "\x07", -1),
        ("iso-2022-jp", "abc\x1b]0;日本\x07", -1),
    ],
)
def test_what_is_cut_at_the_end_of_a_long_line_comes_with_its_rest(
    reader: Reader, log: Path, pass_time: Pass, name: str, line: str, cut: int
) -> None:
    data = line.encode(encoding_called(name).codec)
    log.write_bytes(data[:cut])
    follower = Follower(reader, form=text_form(name)._replace(strip_ansi=True))
    pass_time(2 * STANDING_SECONDS)
    assert follower.text() is None
    with log.open("ab") as file:
        file.write(data[cut:] + b"\n")
    assert f"{follower.first.content}{follower.text()}" == f"{strip(line)}\n"
