"""What is found by the shapes of headers is what is found line by line."""

import os
import random
import re
from collections import Counter

import pytest

from forge_daemon.reading.records.format import Format
from forge_daemon.reading.records.formats import ROWS, TEXT, Row
from forge_daemon.reading.records.levels import Level
from tests.reading.records.test_formats import ALL_ROWS, MODIFIED, examples_of

FUZZ = os.environ.get("FORGE_READ_FUZZ") == "1"
SEEDS = range(100 if FUZZ else 2)
OTHERS = [
    "\tat a.b(C.java:7)",
    "Caused by: x",
    "",
    "java.lang.Error: no",
    "12 more",
    "[1]",
    "I am prose",
    "\x07",
    "{",
    "é",
]
LEVELS = ["INFO", "Error", "WARN", "debug", "FATAL", "DEBUG3", "LOG:", "nothing"]


def random_block(chance: random.Random, row: Row) -> bytes:
    """Many lines like a few of the examples, with other digits, and now and then another line."""
    examples = chance.choices(examples_of(row), k=chance.choice([1, 2, 4]))
    lines = []
    for _ in range(chance.choice([40, 300])):
        line = chance.choice(examples)[0]
        line = re.sub(r"\d", lambda digit: chance.choice("0123456789") if chance.random() < 0.5 else digit[0], line)
        if chance.random() < 0.1:
            line = re.sub("(?i)info|error|warn|fatal|debug", chance.choice(LEVELS), line, count=1)
        if chance.random() < 0.02:
            line = line[: chance.randrange(len(line))]
        lines.append(line)
        if chance.random() < 0.05:
            lines += chance.choices(OTHERS, k=chance.randrange(4))
    return chance.choice(["\n", "\n", "\r\n"]).join([*lines, ""]).encode()


@pytest.mark.parametrize("row", ALL_ROWS, ids=lambda row: f"{row.name} {row.start[:20]!r}")
@pytest.mark.parametrize("seed", SEEDS)
def test_levels_and_runs_by_shapes_are_those_of_each_line(row: Row, seed: int) -> None:
    chance = random.Random(f"{seed} {row.start!r}")
    form = Format(row, MODIFIED)
    for _ in range(3):
        block = random_block(chance, row)
        lines = [line for line in re.split(rb"(?<=\n)", block) if line]
        headers = [form.header(line) for line in lines]
        levels = Counter(header.level for header in headers if header is not None)
        assert form.count_levels(block) == (len(lines), levels)
        shaped = form.scan(block)
        if shaped is None:
            continue
        offsets = [sum(map(len, lines[:at])) for at, header in enumerate(headers) if header is not None]
        assert shaped.starts() == offsets
        for level in Level:
            passing, does_pass = set[int](), False
            for number, header in enumerate(headers):
                if header is not None:
                    does_pass = header.level is not None and header.level >= level
                if does_pass:
                    passing.add(number)
            expected = b"".join(line for number, line in enumerate(lines) if number in passing)
            assert b"".join(block[start:end] for start, end in shaped.at_least(level)) == expected


def test_a_log_of_common_form_has_shapes() -> None:
    names = set[str]()
    for row in ROWS:
        for line, _, level in examples_of(row):
            block = b"".join(re.sub(b"[2-9]$", b"%d" % (at % 10), line.encode()) + b"\n" for at in range(200))
            if level and Format(row, MODIFIED).scan(block + b"  goes on\n" * 50):
                names.add(row.name)
    assert names >= {"json", "logfmt", "klog", "ruby", "logcat", "redis", "iso8601", "slashes", "spark", "time-of-day"}


def test_lines_without_a_level_at_a_fixed_place_have_no_shapes() -> None:
    block = b"".join(b"%b and more of error\n" % (b"abcdefg"[at % 7 :] * (at % 9)) for at in range(2_000))
    assert Format(TEXT, MODIFIED).scan(block) is None


def test_a_header_with_a_level_far_behind_has_no_shape() -> None:
    row = next(row for row in ROWS if row.name == "iso8601")
    near, far = (b"2026-11-18 01:02:03 %b ERROR x\n" % (b"-" * gap) * 100 for gap in (20, 20_000))
    assert Format(row, MODIFIED).scan(near) is not None
    assert Format(row, MODIFIED).scan(far) is None
    assert Format(row, MODIFIED).count_levels(far) == (100, {Level.ERROR: 100})


@pytest.mark.parametrize("row", ALL_ROWS, ids=lambda row: f"{row.name} {row.start[:20]!r}")
def test_the_expressions_of_a_format_do_not_tell_one_digit_from_another(row: Row) -> None:
    without_counts = re.sub(rb"\{[\d,]+\}", b"", row.start + row.later_level)
    status = without_counts.replace(rb"[1-5]\d\d", b"")
    assert not re.search(rb"[0-9]", status)
