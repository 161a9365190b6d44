"""Following the hints of the answers always ends, for any file, with every byte seen or named as missing."""

import base64
import json
import re
from typing import Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from forge_daemon.reading.encodings.detection import detect
from forge_daemon.reading.encodings.encoding import UTF_8
from forge_daemon.tools import AgentToolkit, ReadError, create_agent_toolkit

LINES = st.binary(max_size=40) | st.sampled_from([b"x" * 300, "é日😀".encode() * 40, b"\r", b"\xff\xfe", b"a\tb"])
FILES = st.lists(LINES, max_size=12).map(b"\n".join) | st.binary(max_size=200)
LIMITS = st.tuples(st.integers(1, 120), st.integers(1, 200))


def _toolkit(factory: pytest.TempPathFactory, content: bytes, limits: tuple[int, int]) -> AgentToolkit:
    folder = factory.getbasetemp() / "following"
    folder.mkdir(exist_ok=True)
    (folder / "file").write_bytes(content)
    read, scan = limits
    (folder / "forge.toml").write_text(f"[tools.read_file]\nmax_file_read_bytes = {read}\nmax_scan_bytes = {scan}\n")
    return create_agent_toolkit(folder)


def _normal(content: bytes) -> str:
    encoding = detect(content, whole=True) or UTF_8
    return content.removeprefix(encoding.bom).decode(encoding.codec, "replace").replace("\r\n", "\n")


def _follow(toolkit: AgentToolkit, arguments: dict[str, Any], most: int) -> list[dict[str, Any]]:
    """The answers of `Read` from one call on, taking hints and cursors as they come."""
    answers: list[dict[str, Any]] = []
    while len(answers) <= most:
        try:
            answer = toolkit.call("Read", {**arguments, "show_line_numbers": False})
        except ReadError as error:
            assert error.code == "SCAN_LIMIT_EXCEEDED", error
            assert error.hint is not None
            arguments = json.loads(error.hint.removeprefix("Read "))
            continue
        answers.append(answer)
        if answer["next_cursor"] is None:
            return answers
        arguments = {"path": "file", "cursor": answer["next_cursor"]}
    raise AssertionError("it does not end")


@given(FILES, LIMITS)
@example(b"x" * 100, (7, 20))
@example(b"\xef\xbb\xbfalpha\nbeta\n", (3, 2))
def test_cursors_of_read_yield_the_whole_file(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, limits: tuple[int, int]
) -> None:
    answers = _follow(_toolkit(tmp_path_factory, content, limits), {"path": "file"}, len(content) + 2)
    if answers[0]["binary"]:
        assert b"".join(base64.b64decode(answer["binary"]["data"]) for answer in answers) == content
    else:
        assert "".join(answer["content"] for answer in answers) == _normal(content)
    assert not answers[-1]["truncated"]


@given(FILES, LIMITS, st.integers(1, 15))
def test_a_selection_of_read_is_reached_or_led_to(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, limits: tuple[int, int], line: int
) -> None:
    if b"\0" in content:
        content = content.replace(b"\0", b"")
    toolkit = _toolkit(tmp_path_factory, content, limits)
    answers = _follow(toolkit, {"path": "file", "start_line": line}, len(content) + 2)
    text = _normal(content)
    wanted = "".join(_lines(text)[line - 1 :])
    assert "".join(answer["content"] for answer in answers).endswith(wanted)


@given(FILES, LIMITS, st.integers(1, 15))
def test_next_start_line_of_read_works_and_loses_nothing(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, limits: tuple[int, int], line: int
) -> None:
    content = content.replace(b"\0", b"")
    toolkit = _toolkit(tmp_path_factory, content, limits)
    for answer in _follow(toolkit, {"path": "file"}, len(content) + 2):
        if answer["next_start_line"] is not None:
            by_line = toolkit.call("Read", {"path": "file", "start_line": answer["next_start_line"]})
            by_cursor = toolkit.call("Read", {"path": "file", "cursor": answer["next_cursor"]})
            assert by_line["meta"]["start_line"] == by_cursor["meta"]["start_line"]
            assert by_cursor["content"].startswith(by_line["content"]) or by_line["truncated"]


@given(FILES, LIMITS, st.integers(1, 15))
def test_a_tail_of_read_ends_with_the_file_and_says_what_it_lacks(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, limits: tuple[int, int], tail: int
) -> None:
    content = content.replace(b"\0", b"")
    toolkit = _toolkit(tmp_path_factory, content, limits)
    answers = _follow(toolkit, {"path": "file", "tail": tail}, len(content) + 2)
    lines = _lines(_normal(content))
    delivered = "".join(answer["content"] for answer in answers)
    assert delivered == "".join(lines[len(lines) - len(_lines(delivered)) :])
    lacking = min(tail, len(lines)) - len(_lines(delivered))
    assert lacking <= answers[0]["omitted_lines"]
    assert bool(lacking) <= answers[0]["truncated"]


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text)


MORE = re.compile(r"^\[more: start_line (\d+)\]$", re.MULTILINE)
REST = re.compile(r"… \[\+[\d,]+ bytes: start_line (\d+), start_column (\d+)\]$", re.MULTILINE)
PART = re.compile(r"^(\d+)\t(.*?)(?:… \[\+[\d,]+ bytes: .*)?$", re.DOTALL)


@given(
    st.lists(st.text(st.characters(codec="utf-8", exclude_characters="\0\n\r\x1b"), max_size=9) | st.just("w" * 5001))
)
@example(["x" * 2000, "y" * 2001, "z" * 60_000, "end"])
@example(["line"] * 4001)
@example(["é" * 1500] * 60)
def test_hints_of_the_agents_read_yield_the_whole_file(
    tmp_path_factory: pytest.TempPathFactory, lines: list[str]
) -> None:
    folder = tmp_path_factory.getbasetemp() / "agent"
    folder.mkdir(exist_ok=True)
    (folder / "file").write_text("".join(f"{line}\n" for line in ["first", *lines]))
    toolkit = create_agent_toolkit(folder)
    seen: dict[int, dict[int, str]] = {}
    pending: list[dict[str, Any]] = [{}]
    asked = 0
    while pending:
        arguments = pending.pop()
        asked += 1
        assert asked < 500
        answer = str(toolkit.call("read", {"path": "file", **arguments}, toolset="agent"))
        body = answer.split("\n")[1:]
        for line in body:
            if (part := PART.match(line)) is not None and not line.startswith("["):
                seen.setdefault(int(part[1]), {})[arguments.get("start_column", 1)] = part[2]
        if "start_column" not in arguments:
            pending += [{"start_line": int(line)} for line in MORE.findall(answer)]
        pending += [{"start_line": int(line), "start_column": int(column)} for line, column in REST.findall(answer)]
    whole = ["".join(text for _, text in sorted(seen[number].items())) for number in sorted(seen)]
    assert whole == ["first", *lines]
