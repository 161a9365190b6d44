"""Following the hints of the answers always ends, for any file, with every byte seen or named as missing."""

import base64
import codecs
import gzip
import json
import re
from typing import Any

import pytest
from hypothesis import assume, example, given
from hypothesis import strategies as st

from forge_daemon.reading.texts.encodings.detection import detect
from forge_daemon.reading.texts.encodings.encoding import UTF_8
from forge_daemon.tools import AgentToolkit, ReadError, create_agent_toolkit
from forge_daemon.tools.agent.kinds import kind_of
from forge_daemon.workspace.private_keys import holds_private_key
from tests.reading.escape_sequences import strip

LINES = st.binary(max_size=40) | st.sampled_from([b"x" * 300, "é日😀".encode() * 40, b"\r", b"\xff\xfe", b"a\tb"])
FILES = (st.lists(LINES, max_size=12).map(b"\n".join) | st.binary(max_size=200)).filter(
    lambda content: not holds_private_key("file", lambda length: content[:length])
)
"""But those that are not read at all."""
LIMITS = st.tuples(st.integers(1, 120), st.integers(1, 200))


def _toolkit(factory: pytest.TempPathFactory, content: bytes, limits: tuple[int, int]) -> AgentToolkit:
    folder = factory.getbasetemp() / "following"
    folder.mkdir(exist_ok=True)
    (folder / "file").write_bytes(content)
    read, scan = limits
    (folder / "forge.toml").write_text(f"[tools.read_file]\nmax_file_read_bytes = {read}\nmax_scan_bytes = {scan}\n")
    return create_agent_toolkit(folder)


def _normal(content: bytes) -> str:
    encoding = detect(content, is_whole=True) or UTF_8
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
    assume(answers[0]["binary"] is None)
    lines = _lines(_normal(content))
    delivered = "".join(answer["content"] for answer in answers)
    assert delivered == "".join(lines[len(lines) - len(_lines(delivered)) :])
    lacking = min(tail, len(lines)) - len(_lines(delivered))
    assert lacking <= answers[0]["omitted_lines"]
    assert bool(lacking) <= answers[0]["truncated"]


def _lines(text: str) -> list[str]:
    return re.findall(r"[^\n]*\n|[^\n]+\Z", text)


@given(FILES, st.integers(1, 5))
def test_next_start_line_of_read_file_yields_the_whole_file(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, max_lines: int
) -> None:
    toolkit = _toolkit(tmp_path_factory, content, (1, 1))
    if b"\0" in content[:8192]:
        with pytest.raises(ReadError) as refusal:
            toolkit.read_file("file")
        assert refusal.value.code == "BINARY_NOT_SUPPORTED"
        assert refusal.value.hint is not None
        return
    parts: list[str] = []
    line: int | None = 1
    while line is not None:
        answer = toolkit.read_file("file", start_line=line, max_lines=max_lines)
        parts += answer["content"].split("\n") if answer["meta"]["returned_line_count"] else []
        assert answer["truncated"] == (answer["next_start_line"] is not None)
        line = answer["next_start_line"]
    text = content.removeprefix(UTF_8.bom).decode(errors="replace").replace("\r\n", "\n")
    assert parts == [each.removesuffix("\n") for each in _lines(text)]


MORE = re.compile(r"^\[more: start_line (\d+)\]$", re.MULTILINE)
REST = re.compile(r"… \[\+[\d,]+ bytes: start_line (\d+), start_column (\d+)\]$", re.MULTILINE)
KIND = re.compile(r"^\[file .*, [\d,.]+ (?:bytes?|kB)")
PART = re.compile(r"^(\d+)\t(.*?)(?:… \[\+[\d,]+ bytes: .*)?$", re.DOTALL)


@st.composite
def packed_files(draw: st.DrawFn) -> tuple[bytes, bytes, bool]:
    """A file, what it holds, and whether it ends early."""
    content = draw(FILES)
    if not draw(st.booleans()):
        return content, content, False
    packed = gzip.compress(content, mtime=0)
    cut = draw(st.integers(10, len(packed)))
    return packed[:cut], content, cut < len(packed)


@given(packed_files())
@example(
    (gzip.compress(b"x" * 5000 + b"\n" + b"line\n" * 2500, mtime=0)[:-9], b"x" * 5000 + b"\n" + b"line\n" * 2500, True)
)
@example((b"\xff\xfeH\1\1\xd8\n\1",) * 2 + (False,))
def test_hints_of_the_agents_read_yield_any_file_or_say_what_it_is(
    tmp_path_factory: pytest.TempPathFactory, file: tuple[bytes, bytes, bool]
) -> None:
    written, content, ends_early = file
    folder = tmp_path_factory.getbasetemp() / "agent"
    folder.mkdir(exist_ok=True)
    (folder / "file").write_bytes(written)
    seen, notes = _follow_agent(create_agent_toolkit(folder))
    if any(KIND.match(note) for note in notes):
        may_be_malformed = content.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE))
        assert b"\0" in content or may_be_malformed or kind_of(written) is not None, "text is shown"
        return
    lines = [strip(line.removesuffix("\n")) for line in _lines(_normal(content))]
    if ends_early:
        assert any("the gzip data" in note for note in notes)
        assert seen[:-1] == lines[: max(0, len(seen) - 1)]
    else:
        assert seen == lines


@given(FILES, st.sampled_from(["x", "a", "é", "日", "\r"]), st.integers(1, 4), st.integers(0, 3))
def test_hints_of_the_agents_find_yield_every_matching_line(
    tmp_path_factory: pytest.TempPathFactory, content: bytes, pattern: str, limit: int, context: int
) -> None:
    content = content.replace(b"\0", b"")
    assume(kind_of(content) is None)
    folder = tmp_path_factory.getbasetemp() / "agent"
    folder.mkdir(exist_ok=True)
    (folder / "file").write_bytes(content)
    toolkit = create_agent_toolkit(folder)
    found: list[int] = []
    line: int | None = 1
    while line is not None:
        wanted = {"path": "file", "pattern": pattern, "limit": limit, "context": context, "start_line": line}
        answer = str(toolkit.call("find", wanted, toolset="agent"))
        found += map(int, re.findall(r"^(\d+):\t", answer, re.MULTILINE))
        more = MORE.search(answer)
        line = int(more[1]) if more else None
    lines = _lines(_normal(content))
    assert found == [row for row, each in enumerate(lines, 1) if pattern in strip(each.removesuffix("\n"))]


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
    assert _follow_agent(create_agent_toolkit(folder))[0] == ["first", *lines]


def _follow_agent(toolkit: AgentToolkit) -> tuple[list[str], list[str]]:
    """The lines that following every hint of `read` yields, and what else the answers say."""
    notes: list[str] = []
    seen: dict[int, dict[int, str]] = {}
    pending: list[dict[str, Any]] = [{}]
    asked = 0
    while pending:
        arguments = pending.pop()
        asked += 1
        assert asked < 500
        try:
            answer = str(toolkit.call("read", {"path": "file", **arguments}, toolset="agent"))
        except ReadError as error:
            notes.append(error.reason)
            continue
        notes += [line for line in answer.split("\n") if line.startswith("[")]
        for line in answer.split("\n")[1:]:
            if (part := PART.match(line)) is not None:
                seen.setdefault(int(part[1]), {})[arguments.get("start_column", 1)] = part[2]
        if "start_column" not in arguments:
            pending += [{"start_line": int(line)} for line in MORE.findall(answer)]
        pending += [{"start_line": int(line), "start_column": int(column)} for line, column in REST.findall(answer)]
    return ["".join(text for _, text in sorted(seen[number].items())) for number in sorted(seen)], notes
