"""Every row of the table recognises its examples, and no other row takes them from it."""

from collections import Counter
from datetime import datetime

import pytest

from forge_daemon.reading.records.format import Format, detect_format
from forge_daemon.reading.records.formats import ROWS, TEXT, Row
from forge_daemon.reading.records.levels import Level
from forge_daemon.reading.records.times import iso_text

Example = tuple[str, str | None, str | None]
"""A line, its time and its level."""

MODIFIED = datetime(2026, 11, 18, 12)
ALL_ROWS = [*ROWS, TEXT]


def examples_of(row: Row) -> list[Example]:
    """The lines that a row names as its own."""
    found: list[Example] = []
    for example in row.examples.strip().split("\n"):
        time, level, line = example.strip().split(" ", 2)
        found.append((line, None if time == "-" else time, None if level == "-" else level))
    return found


EXAMPLES = [
    pytest.param(row, example, id=f"{row.name}: {example[0][:60]}") for row in ALL_ROWS for example in examples_of(row)
]
LOG = b"""\
starting
2026-11-18 01:02:03,000 INFO started
2026-11-18 01:02:04,000 ERROR failed
Traceback (most recent call last):
  File "a.py", line 1
see 2026-11-18 01:02:03 fatal

2026-11-18 01:02:05,000 stopped
"""


def detected(text: bytes, *, whole: bool = True) -> Format:
    return detect_format(text, whole, MODIFIED)


@pytest.mark.parametrize(("row", "example"), EXAMPLES)
def test_an_example_has_its_format_time_and_level(row: Row, example: Example) -> None:
    line, time, level = example
    form = detected(f"{line}\n".encode())
    assert (form.name, form.has_times) == (row.name, row.has_times)
    header = form.header(line.encode())
    assert header is not None
    assert (header.time and iso_text(header.time)) == time
    assert (header.level and header.level.name.lower()) == level
    assert form.header(b"    at com.example.Main.main(Main.java:7)") is None


@pytest.mark.parametrize("row", ALL_ROWS, ids=lambda row: row.name)
def test_a_block_has_the_records_and_levels_of_its_lines(row: Row) -> None:
    form = Format(row, MODIFIED)
    lines = [f"{line}{end}" for line, _, _ in examples_of(row) for end in ("\n", "\n  fatal\n\n}\n", "\r\n")]
    block = "".join(lines).encode()
    expected: list[tuple[int, Level | None]] = []
    offset = 0
    for line in block.splitlines(keepends=True):
        if (header := form.header(line)) is not None:
            expected.append((offset, header.level))
        offset += len(line)
    assert len(expected) == 3 * len(examples_of(row))
    starts, levels = form.heads(block)
    assert list(zip(starts, levels, strict=True)) == expected
    assert form.count_levels(block) == (block.count(b"\n"), Counter(level for _, level in expected))
    assert list(form.record_starts(block)) == [at for at, _ in expected]


def test_a_record_goes_on_until_the_next_line_that_begins_with_a_time() -> None:
    form = detected(LOG)
    starts = list(form.record_starts(LOG))
    assert [LOG[start:].split(b"\n")[0][20:] for start in starts] == [
        b"000 INFO started",
        b"000 ERROR failed",
        b"000 stopped",
    ]
    assert form.heads(LOG)[1] == [Level.INFO, Level.ERROR, None]
    assert form.header(b"see 2026-11-18 01:02:03 fatal") is None


def test_in_plain_text_lines_of_a_stack_trace_belong_to_the_record_before() -> None:
    text = b"Exception in main\n\tat a.b(c)\nCaused by: x\n\tat d\n... 3 more\nat e\nnext: {\n}\n\nlast\n"
    form = detected(text)
    assert (form.name, form.has_times) == ("text", False)
    assert [text[start:].split(b"\n")[0] for start in form.record_starts(text)] == [
        b"Exception in main",
        b"next: {",
        b"last",
    ]
    assert form.header(b"Caused by: x") is None


@pytest.mark.parametrize("text", [b"", b"\n", b"\n\n", BOM := b"\xef\xbb\xbf"])
def test_a_text_without_lines_has_no_times(text: bytes) -> None:
    form = detected(text)
    assert not form.has_times
    assert list(form.record_starts(text)) == ([0] if text == BOM else [])


def test_one_line_with_a_time_in_a_long_text_makes_no_log() -> None:
    prose = b"just a line of prose\n" * 20
    assert not detected(prose + LOG.splitlines(keepends=True)[1]).has_times
    assert detected(prose + LOG * 3).has_times


def test_a_log_that_begins_with_a_long_stack_trace_is_one() -> None:
    assert detected(LOG.splitlines(keepends=True)[1] + b"\tat x\n" * 500).has_times


def test_the_format_of_most_lines_is_taken() -> None:
    mixed = b"2026/11/18 01:02:03 a\n" + b"2026-11-18 01:02:03 b\n" * 2
    assert detected(mixed).name == "iso8601"


def test_the_last_line_counts_only_if_it_is_whole() -> None:
    line = b"2026-11-18 01:02:03 b"
    assert detected(line).has_times
    assert not detected(line, whole=False).has_times


@pytest.mark.parametrize(
    "line",
    [
        "14:05 started",
        "2026-13-16 14:05:31 no such month",
        "2026-11-16 25:05:31 no such hour",
        "12345678901234567890 a number",
        "5234567890 files",
        "99:99:99 x",
        '{"level":"info"',
    ],
)
def test_what_only_resembles_a_time_is_none(line: str) -> None:
    header = detected(f"{line}\n".encode()).header(line.encode())
    assert header is not None
    assert header.time is None


def test_a_date_that_does_not_exist_is_no_time() -> None:
    header = detected(b"2026-02-30 01:02:03 x\n").header(b"2026-02-30 01:02:03 ERROR")
    assert header == (None, Level.ERROR)


def test_levels_that_nobody_knows_are_none() -> None:
    form = detected(b'{"level":"chatty","time":1794963723}\n')
    for line, level in [
        (b'{"level":"chatty","time":1794963723}', None),
        (b'{"time":1794963723,"msg":"an error"}', Level.ERROR),
        (b'{"time":1794963723,"level":35}', Level.INFO),
        (b'{"time":1794963723,"level":100}', Level.CRITICAL),
    ]:
        header = form.header(line)
        assert header is not None
        assert header.level == level
