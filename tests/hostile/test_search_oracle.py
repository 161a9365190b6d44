"""Filters and searches of files of every shape, while they grow, compared with a plain Python model."""

import gzip
import random
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from forge_daemon.reading.files.file_bytes import no_progress
from forge_daemon.requests.count_lines import count_lines
from forge_daemon.requests.find import find
from forge_daemon.requests.read_file import read_file
from forge_daemon.workspace.reader import Reader
from forge_protocol.conversion import structure
from forge_protocol.count_lines import CountLinesParams
from forge_protocol.find import FindParams
from forge_protocol.read_file import ReadFileParams, ReadFileResult
from tests.hostile.conftest import Figure
from tests.hostile.scale import scaled
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder

FILES = scaled(6, 400)
QUESTIONS = 12
SEEDS = range(2)
WORDS = [
    "error",
    "Error",
    "warn",
    "ok",
    "k=1",
    "user=bob",
    "straße",
    "\u017ftop",
    "日本",
    "café",
    "ςx",
    "",
    "-",
    "x" * 300,
]
COLOURS = ["\x1b[31m", "\x1b[0m", "\x1b[1;38;5;9m", "\x1b]0;title\x07"]
ESCAPE = re.compile(r"\x1b(?:\[[0-9;]*m|\]0;title\x07)")
LITERALS = ["error", "ok ", "k=1", "bob", "straße", "STOP", "日", "é", " ", "er", "no such thing", "x" * 40]
EXPRESSIONS = [
    *("error|warn", r"^\w+$", r"\w\W\w", "^$", r"user=\w+ .*ok", r"\bok\b [^k]", "[^ -~]", r"k=\d$", "(?i)ERROR ok"),
    *("x{290}", "^(?:ok |warn )+", r"error.{0,400}error"),
]
ASCII = "0-9A-Za-z_"
IN_PYTHON = {
    r"\w": f"[{ASCII}]",
    r"\W": f"[^{ASCII}]",
    r"\d": "[0-9]",
    r"\b": f"(?-i:(?<![{ASCII}])(?=[{ASCII}])|(?<=[{ASCII}])(?![{ASCII}]))",
}
"""What is ASCII in RE2's syntax and Unicode in Python's. (Python also folds \u0130 to i, so no word has it.)"""


class Shape(NamedTuple):
    encoding: str
    """As Python calls it."""
    ends: list[str]
    colours: bool
    compressed: bool
    longest_line: int


class Model:
    """A file, and what its lines are."""

    def __init__(self, path: Path, chance: random.Random) -> None:
        self._chance = chance
        self.path = path
        self.shape = Shape(
            chance.choice(["utf-8", "utf-8", "utf-8", "utf-16-le", "cp932", "gb18030"]),
            chance.choice([["\n"], ["\n"], ["\r\n"], ["\n", "\r\n"]]),
            chance.random() < 0.3,
            chance.random() < 0.2,
            chance.choice([200, 2_000, 600_000]),
        )
        self.text = ""
        path.write_bytes(b"")
        self.grow(chance.choice([10, 3_000, 20_000]))

    def grow(self, lines: int) -> None:
        chance, shape = self._chance, self.shape
        pieces = []
        for _ in range(lines):
            words = chance.choices(WORDS, k=chance.randrange(1, 6))
            if shape.encoding == "cp932":
                words = [word for word in words if word.isascii() or word == "日本"]
            if chance.random() < 2 / lines:
                words.append("ok " * (chance.randrange(shape.longest_line) // 3))
            if shape.colours and chance.random() < 0.3:
                words.insert(chance.randrange(len(words) + 1), chance.choice(COLOURS))
            pieces.append(chance.choice(["", " "]).join(words) + chance.choice(shape.ends))
        if chance.random() < 0.3:
            pieces[-1] = pieces[-1].rstrip("\r\n")
        if self.text and not self.text.endswith("\n"):
            pieces.insert(0, "\n")
        text = "".join(pieces)
        self.text += text
        data = text.encode(shape.encoding)
        with self.path.open("ab") as file:
            file.write(gzip.compress(data, 1) if shape.compressed else data)

    @property
    def params(self) -> dict[str, Any]:
        names = {"utf-16-le": "utf-16le", "cp932": "shift_jis"}
        ansi = {"ansi": "strip"} if self.shape.colours else {}
        return {"path": self.path.name, "encoding": names.get(self.shape.encoding, self.shape.encoding), **ansi}

    def lines(self) -> list[str]:
        """As they are shown, without their ends."""
        text = self.text.replace("\r\n", "\n")
        lines = text.removesuffix("\n").split("\n") if text else []
        return [ESCAPE.sub("", line) for line in lines] if self.shape.colours else lines


def pattern(chance: random.Random) -> tuple[dict[str, Any], Callable[[str], list[tuple[int, int]]]]:
    """One, and where in a line its matches are, which may overlap."""
    ignore_case = chance.random() < 0.4
    regex = chance.random() < 0.5
    text = chance.choice(EXPRESSIONS if regex else LITERALS)
    source = re.sub(r"\\[wWdb]", lambda escape: IN_PYTHON[escape[0]], text) if regex else re.escape(text)
    compiled = re.compile(source, re.IGNORECASE if ignore_case else 0)

    def matches(line: str) -> list[tuple[int, int]]:
        found, position = [], 0
        while (match := compiled.search(line, position)) is not None:
            found.append((match.start() + 1, match.end()))
            position = match.start() + 1
            if position > len(line):
                break
        return found

    return {"pattern": text, "regex": regex, "ignore_case": ignore_case}, matches


def check_filter(reader: Reader, model: Model, chance: random.Random) -> None:
    wanted, matches = pattern(chance)
    lines = model.lines()
    wanted["invert"] = chance.random() < 0.3
    first, last = 1, len(lines)
    if chance.random() < 0.3:
        first = wanted["first_line"] = chance.randint(1, len(lines) + 1)
    if chance.random() < 0.3:
        last = wanted["last_line"] = chance.randint(first, len(lines) + 5)
    kept = [
        (number, line)
        for number, line in enumerate(lines, 1)
        if first <= number <= last and bool(matches(line)) != wanted["invert"]
    ]
    start, size = chance.randint(1, len(kept) + 2), chance.choice([1, 20, 200])
    got: list[tuple[int, str]] = []
    window: ReadFileResult | None = None
    while len(got) < 3 * size and (window is None or window.next_cursor is not None):
        at = {"start_line": start} if window is None else {"cursor": window.next_cursor}
        window = read(reader, {**model.params, "filter": wanted, "max_lines": size, **at})
        got += shown(window)
    expected = kept[start - 1 :]
    assert got == expected[: len(got)]
    assert len(got) >= min(3 * size, len(expected))
    asked = {key: model.params[key] for key in ("path", "encoding")}
    if "ansi" not in model.params:
        counted = count_lines(reader, structure({**asked, "filter": wanted}, CountLinesParams), no_progress)
        assert counted.line_count == len(kept)


def check_tail(reader: Reader, model: Model, chance: random.Random) -> None:
    wanted, matches = pattern(chance)
    lines = model.lines()
    kept = [number for number, line in enumerate(lines, 1) if matches(line)]
    number = chance.randint(1, 30)
    window = read(reader, {**model.params, "filter": wanted, "tail": number})
    numbers = window.line_numbers
    assert numbers is not None
    if window.truncated_by is None:
        # Of a long compressed text the lines are counted from its end.
        assert [line if line > 0 else line + len(lines) + 1 for line in numbers] == kept[-number:]


def check_find(reader: Reader, model: Model, chance: random.Random) -> None:
    wanted, matches = pattern(chance)
    lines = model.lines()
    line, column = chance.randint(1, len(lines)), chance.randint(1, 30)
    backward = chance.random() < 0.5
    params = {**model.params, **wanted, "start_line": line, "start_column": column}
    params["direction"] = "backward" if backward else "forward"
    match = find(reader, structure(params, FindParams), no_progress).match
    found = None if match is None else (match.line, match.start_column, match.end_column)
    assert found == next(_found(lines, matches, line, column, backward), None), params


def _found(
    lines: list[str], matches: Callable[[str], list[tuple[int, int]]], line: int, column: int, backward: bool
) -> Iterator[tuple[int, int, int]]:
    if backward:
        for number in range(line, 0, -1):
            for start, end in reversed(matches(lines[number - 1])):
                if number < line or start < column:
                    yield number, start, end
    else:
        for number in range(line, len(lines) + 1):
            for start, end in matches(lines[number - 1]):
                if number > line or start >= column:
                    yield number, start, end


def read(reader: Reader, params: dict[str, Any]) -> ReadFileResult:
    return read_file(reader, structure(params, ReadFileParams), no_progress)


def shown(window: ReadFileResult) -> list[tuple[int, str]]:
    lines = window.content.split("\n")
    if not lines[-1]:
        lines.pop()
    assert window.line_numbers is not None
    return list(zip(window.line_numbers, lines, strict=True))


@pytest.mark.parametrize("seed", SEEDS)
def test_every_answer_is_the_models(tmp_path: Path, seed: int, figure: Figure) -> None:
    chance = random.Random(seed)
    reader = reader_of(folder(tmp_path.resolve() / "ws"))
    answers = 0
    for number in range(FILES):
        model = Model(tmp_path.resolve() / "ws" / f"{number}.log", chance)
        for _ in range(QUESTIONS):
            if chance.random() < 0.25:
                model.grow(chance.choice([1, 5, 500]))
            chance.choice([check_filter, check_filter, check_tail, check_find, check_find])(reader, model, chance)
            answers += 1
        model.path.unlink()
    figure("filters and searches compared with a model", "answers, 0 different", answers)
