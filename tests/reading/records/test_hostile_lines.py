"""No line takes longer than its length explains, whatever the format."""

import pytest

from forge_daemon.reading.records.format import Format, detect_format
from forge_daemon.reading.records.formats import ROWS, TEXT, Row
from tests.reading.records.test_formats import MODIFIED, examples_of

LENGTH = 200_000
FILLERS = [
    "a",
    "a ",
    '"',
    '\\"',
    'a="',
    "a=b ",
    "a=\\",
    "[",
    "[a",
    "1",
    "2026-11-18 ",
    '{"',
    '{"level"',
    ": ",
    " | ",
    "e",
    "(at ",
]


@pytest.mark.timeout(60)  # quadratic time would be many minutes
@pytest.mark.parametrize("row", [*ROWS, TEXT], ids=lambda row: row.name)
def test_a_long_line_is_looked_at_once(row: Row) -> None:
    form = Format(row, MODIFIED)
    for start in ("", examples_of(row)[0][0]):
        for filler in FILLERS:
            line = (start + filler * (LENGTH // len(filler))).encode()
            block = b"x\n" + line + b"\n" + line + b"\n"
            starts = list(form.record_starts(block))
            assert form.heads(block)[0] == starts
            assert (form.header(line) is not None) == (len(b"x\n") in starts)


def test_a_head_that_is_one_line_is_plain_text() -> None:
    for filler in FILLERS:
        assert detect_format((filler * 65_536)[:65_536].encode(), False, MODIFIED).name == "text"
