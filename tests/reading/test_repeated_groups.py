"""Python before 3.11.5, such as Debian 12's, goes wrong where a group is repeated possessively: `(?:ab?c)*+`."""

import re
from pathlib import Path

REPOSITORY = Path(__file__).parents[2]


def test_no_group_is_repeated_possessively() -> None:
    sources = [file for folder in ("daemon", "protocol") for file in (REPOSITORY / folder).rglob("*.py")]
    assert len(sources) > 100
    lines = [(file.name, line) for file in sources for line in file.read_text("utf-8").splitlines()]
    assert [each for each in lines if re.search(r"\)(?:[*+?]|\{[0-9,]+\})\+", each[1])] == []
