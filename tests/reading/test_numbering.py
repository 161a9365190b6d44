"""Numbers stand right-aligned before the lines, then `| `."""

import pytest

from forge_daemon.reading.window.pager import number_lines


@pytest.mark.parametrize(
    ("content", "numbers", "numbered"),
    [
        ("", [], ""),
        ("", [1], "1| "),
        ("\n", [1], "1| \n"),
        ("a", [1], "1| a"),
        ("a\n", [1], "1| a\n"),
        ("a\nb", [1, 2], "1| a\n2| b"),
        ("a\n", [1, 2], "1| a\n2| "),
        ("\n\n", [1, 2], "1| \n2| \n"),
        ("a\nb\nc\n", [8, 9, 10], " 8| a\n 9| b\n10| c\n"),
        ("a\nb\nc\n", [-3, -2, -1], "-3| a\n-2| b\n-1| c\n"),
        ("a\nb\n", [-10, -9], "-10| a\n -9| b\n"),
        ("1| x\ra\u2028b\x0c\x85\n", [5], "5| 1| x\ra\u2028b\x0c\x85\n"),
    ],
)
def test_every_line_gets_its_number(content: str, numbers: list[int], numbered: str) -> None:
    assert number_lines(content, numbers) == numbered
