"""An answer fits its client: the most characters, everything included, and what a cut answer says."""

import re
from pathlib import Path

import pytest

from forge_daemon.tools import create_agent_toolkit
from forge_daemon.tools.agent.read_many import fair_shares
from forge_protocol.errors import ReadError
from tests.tools.agent_calls import Call, lines

LONG = "x" * 1_900 + "\n"
BEYOND_COUNTING = 65 * 1024 * 1024
MORE = re.compile(r"\[more: start_line (\d+)\]$")


@pytest.mark.parametrize(
    "content", ["\n" * 50_000, LONG * 200, "é" * 300_000, "日本語x\n" * 30_000, lines(40_000)], ids=len
)
@pytest.mark.parametrize("max_chars", [1_000, 2_345, 32_000])
class TestEveryAnswer:
    def test_read_has_no_more_characters_than_allowed(
        self, call: Call, workspace: Path, content: str, max_chars: int
    ) -> None:
        (workspace / "a.txt").write_text(content)
        for arguments in ({}, {"start_line": 9_998}, {"start_line": -5_000}, {"start_line": 1, "start_column": 7}):
            assert len(call("read", path="a.txt", max_chars=max_chars, **arguments)) <= max_chars

    def test_find_has_no_more_characters_than_allowed(
        self, call: Call, workspace: Path, content: str, max_chars: int
    ) -> None:
        (workspace / "a.txt").write_text(content)
        for context in (0, 20):
            for pattern in ("x", "é", "^", "line"):
                answer = call(
                    "find",
                    path="a.txt",
                    pattern=pattern,
                    regex=pattern == "^",
                    max_chars=max_chars,
                    context=context,
                    limit=1000,
                )
                assert len(answer) <= max_chars

    def test_read_many_has_no_more_characters_than_allowed(
        self, call: Call, workspace: Path, content: str, max_chars: int
    ) -> None:
        (workspace / "a.txt").write_text(content)
        answer = call("read_many", files=[{"path": "a.txt"}] * 20, max_chars=max_chars)
        assert len(answer) <= max_chars


TOO_LONG = "x" * 40_000


@pytest.mark.parametrize(
    ("tool", "arguments"),
    [
        ("read", {"path": TOO_LONG}),
        ("read", {"path": "a.txt", TOO_LONG: 1}),
        ("find", {"path": "a.txt", "since": TOO_LONG}),
        ("find", {"path": "a.txt", "pattern": "(?" * 20_000, "regex": True}),
        ("find", {"pattern": "line", "start_after": TOO_LONG}),
        ("list", {"start_after": TOO_LONG}),
        ("list", {"path": "*" + TOO_LONG}),
        ("read_many", {"files": [{"path": "a.txt", f"{TOO_LONG}{number}": 1} for number in range(20)]}),
        ("read_many", {"files": [{"path": TOO_LONG}] * 20}),
    ],
)
def test_an_answer_repeats_little_of_what_was_sent(
    call: Call, workspace: Path, tool: str, arguments: dict[str, object]
) -> None:
    (workspace / "a.txt").write_text("2026-11-19 10:00:00 INFO line\n")
    try:
        answer = call(tool, **arguments)
    except ReadError as error:
        answer = str(error)
    assert len(answer) < 600 * (20 if tool == "read_many" else 1)


def test_the_setting_limits_every_tool(workspace: Path) -> None:
    (workspace / "a.txt").write_text(lines(500))
    toolkit = create_agent_toolkit(workspace, settings={"tools": {"agent": {"max_chars": 1_500}}})
    calls = {
        "read": {"path": "a.txt"},
        "find": {"path": "a.txt", "pattern": "line", "limit": 1000},
        "read_many": {"files": [{"path": "a.txt"}, {"path": "a.txt"}]},
    }
    for name, arguments in calls.items():
        answer = toolkit.call(name, arguments, toolset="agent")
        assert 1_200 < len(answer) <= 1_500
    longer = create_agent_toolkit(workspace, settings={"tools": {"agent": {"max_chars": 5_000}}})
    assert len(longer.call("read", {"path": "a.txt", "max_chars": 2_000}, toolset="agent")) <= 2_000
    assert len(longer.call("read", {"path": "a.txt", "max_chars": 9_000}, toolset="agent")) <= 5_000


@pytest.mark.parametrize("max_chars", [1_000, 32_000])
def test_pages_and_parts_of_lines_add_up_to_the_file(call: Call, workspace: Path, max_chars: int) -> None:
    content = ["short", "y" * 5_000, "", "z" * 700, *(f"line {number}" for number in range(300))]
    (workspace / "a.txt").write_text("\n".join(content))
    seen: list[str] = []
    arguments: dict[str, int] | None = {"start_line": 1}
    while arguments:
        answer = call("read", path="a.txt", max_chars=max_chars, **arguments).split("\n")
        arguments = None
        if more := MORE.match(answer[-1]):
            arguments = {"start_line": int(more[1])}
            answer.pop()
        for line in answer[1:]:
            text = line.partition("\t")[2]
            while rest := re.search(r"… \[\+.* start_line (\d+), start_column (\d+)\]$", text):
                part = call("read", path="a.txt", start_line=int(rest[1]), start_column=int(rest[2]))
                text = text[: rest.start()] + part.partition("\t")[2]
            seen.append(text)
    assert seen == content


class TestHeaderOfACutAnswer:
    def test_the_first_page_shows_size_and_total(self, call: Call, workspace: Path) -> None:
        (workspace / "a.txt").write_text(lines(9_000))
        assert re.fullmatch(r"\[a\.txt 1-\d+/9000, 89 kB\]", call("read", path="a.txt").split("\n")[0])

    def test_a_file_too_long_to_be_counted_says_about_how_many_lines_it_has(self, call: Call, workspace: Path) -> None:
        line = b"x" * 99 + b"\n"
        (workspace / "big.log").write_bytes(line * (BEYOND_COUNTING // len(line)))
        first = call("read", path="big.log").split("\n")[0]
        assert re.fullmatch(r"\[big\.log 1-\d+ of about 680,000, 68 MB\]", first)
        asked = call("read", path="big.log", start_line=1, end_line=1).split("\n")[0]
        assert asked == "[big.log 1-1 of about 680,000, 68 MB]"
        deep = call("read", path="big.log", start_line=500_000, limit=2).split("\n")[0]
        assert deep == "[big.log 500000-500001 of about 680,000, 68 MB]"
        assert call("read", path="big.log", start_line=-1).startswith("[big.log 681574-681574/681574]")
        assert call("read", path="big.log", start_line=681_574).startswith("[big.log 681574-681574/681574]")

    def test_a_cut_line_is_not_a_whole_file(self, call: Call, workspace: Path) -> None:
        (workspace / "a.js").write_text("x" * 5_000_000)
        assert call("read", path="a.js").startswith("[a.js 1-1/1, 5.0 MB, 1 line cut]\n")


class TestFairSharing:
    def test_a_small_file_is_whole_before_a_large_one_gets_more(self, call: Call, workspace: Path) -> None:
        for name in ("a", "b"):
            (workspace / f"{name}.log").write_text(lines(9_000))
        (workspace / "last.txt").write_text(lines(12))
        answer = call("read_many", files=[{"path": "a.log"}, {"path": "b.log"}, {"path": "last.txt"}])
        assert "\n[last.txt 1-12/12]\n1\tline 1\n" in answer
        assert answer.endswith("\n12\tline 12")
        a, b = (int(last) for last in re.findall(r"\[[ab]\.log 1-(\d+)/9000", answer))
        assert a == b
        assert len(answer) > 31_000

    def test_what_small_ones_leave_goes_to_the_large(self) -> None:
        assert fair_shares([10, 1000, 20, 1000], 830) == [10, 400, 20, 400]
        assert fair_shares([10, 20], 100) == [10, 20]
        assert fair_shares([50, 50, 50], 60) == [20, 20, 20]
