"""A log that is only appended to is read, searched, filtered and counted at any rate: never `CONTENT_MODIFIED`.

The lines carry their own numbers, so that each answer shows whether it is right.
"""

import random
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.hostile import appending_writer, storages
from tests.hostile.conftest import Figure
from tests.hostile.scale import scaled
from tests.lsp.raw_client import RawClient, wait_until
from tests.terminal import commands

ANSWERS = scaled(400, 10_000)
COMMANDS = scaled(2, 20)
FAST_BYTES = scaled(8, 24) * 1024 * 1024
LOG = "app.log"


@pytest.fixture(params=storages.ALL)
def root(request: pytest.FixtureRequest) -> Iterator[Path]:
    with storages.ALL[request.param]() as path:
        yield path


@pytest.fixture
def log(root: Path) -> Iterator[Path]:
    """Being written, from its first line on: at first it is small, then large."""
    log = root / LOG
    with subprocess.Popen([sys.executable, appending_writer.__file__, str(log), str(FAST_BYTES)]) as writer:
        try:
            wait_until(lambda: log.exists() and log.stat().st_size > 0)
            yield log
            assert writer.poll() is None, "the writer has ended"
        finally:
            writer.kill()


class Questions:
    """What is asked of the log, at random, and what each answer must be."""

    def __init__(self, client: RawClient, chance: random.Random) -> None:
        self._client = client
        self._chance = chance
        self._lines = 1
        """So many are known to be there."""
        self._pages: str | None = None
        self._filtered_pages: str | None = None
        self._end: tuple[str, int] | None = None
        self._kinds: list[Callable[[], None]] = [
            self._lines_far_in,
            self._last_lines,
            self._around,
            self._page,
            self._what_is_new,
            self._filtered_page,
            self._last_matches,
            self._count,
            self._count_matches,
            self._find,
            self._find_backward,
            self._several,
            self._tool_read,
            self._tool_read_tail,
            self._agent_read,
            self._agent_find,
        ]

    def ask(self) -> str:
        kind = self._chance.choice(self._kinds)
        kind()
        return kind.__name__

    @property
    def _any_line(self) -> int:
        return self._chance.randint(1, self._lines)

    def _read(self, **params: Any) -> Any:
        result = self._client.read(LOG, **params)
        numbers = _numbers(result["content"])
        if result["line_numbers"] is not None:
            assert result["line_numbers"][: len(numbers)] == numbers
        elif numbers and (start := result["meta"]["start_line"]) > 0:
            assert numbers == list(range(start, start + len(numbers)))
        if (count := result["meta"]["line_count"]) is not None and "filter" not in params:
            assert count >= self._lines - 1, "the last one may have been incomplete"
        self._lines = max([self._lines, *numbers])
        return result

    def _lines_far_in(self) -> None:
        line = self._any_line
        assert _numbers(self._read(start_line=line, limit=3)["content"])[:1] == [line]

    def _last_lines(self) -> None:
        self._read(tail=self._chance.randint(1, 30))

    def _around(self) -> None:
        line = self._any_line
        assert line in _numbers(self._read(around={"line": line})["content"])

    def _page(self) -> None:
        at = {"start_line": self._any_line} if self._pages is None else {"cursor": self._pages}
        self._pages = self._read(max_lines=200, **at)["next_cursor"]

    def _what_is_new(self) -> None:
        if self._end is None:
            result = self._read(tail=1)
        else:
            cursor, size = self._end
            result = self._client.read(LOG, cursor=cursor)
            assert result["meta"]["byte_length"] >= size
        if result["end_cursor"] is not None:
            self._end = result["end_cursor"], result["meta"]["byte_length"]
        elif result["next_cursor"] is not None:
            self._end = result["next_cursor"], 0

    def _filtered_page(self) -> None:
        wanted = {"pattern": "number 1[12]$", "regex": True}
        at = {} if self._filtered_pages is None else {"cursor": self._filtered_pages}
        self._filtered_pages = self._read(filter=wanted, max_lines=50, **at)["next_cursor"]

    def _last_matches(self) -> None:
        result = self._read(filter={"pattern": "number 13"}, tail=3)
        assert all(number % 97 == 13 for number in result["line_numbers"])

    def _count(self) -> None:
        counted = self._client.result("forge/countLines", {"path": LOG})["line_count"]
        assert counted >= self._lines
        self._lines = counted - 1  # the last one may be incomplete

    def _count_matches(self) -> None:
        params = {"path": LOG, "filter": {"pattern": "NUMBER 5\n".strip(), "ignore_case": True}}
        assert self._client.result("forge/countLines", params)["line_count"] >= self._lines // 97

    def _find(self) -> None:
        line = self._any_line
        found = self._client.result("forge/find", {"path": LOG, "pattern": f"{line:09d} the"})
        assert found["match"]["line"] == line

    def _find_backward(self) -> None:
        params = {"path": LOG, "pattern": r"^\d+ the", "regex": True, "direction": "backward", "start_line": 1 << 50}
        match = self._client.result("forge/find", params)["match"]
        assert match["line"] == int(match["content"][:9]) >= self._lines

    def _several(self) -> None:
        files = [{"path": LOG, "start_line": self._any_line, "limit": 2}, {"path": LOG, "tail": 2}]
        for each in self._client.result("forge/readFiles", {"files": files})["results"]:
            assert "result" in each, each

    def _tool_read(self) -> None:
        line = min(self._any_line, 10_000)
        result = _result(self._client.tool("Read", path=LOG, start_line=line, limit=2, show_line_numbers=False))
        assert _numbers(result["content"])[:1] == [line]

    def _tool_read_tail(self) -> None:
        _result(self._client.tool("Read", path=LOG, tail=3))

    def _agent_read(self) -> None:
        self._agent("read", path=LOG, start_line=self._any_line, limit=2)

    def _agent_find(self) -> None:
        self._agent("find", path=LOG, pattern=f"{self._any_line:09d} the")

    def _agent(self, name: str, **arguments: Any) -> None:
        argument = {"name": name, "arguments": arguments, "toolset": "agent"}
        assert "the quick brown fox" in str(_result(self._client.command("forge.tools.call", argument)))


def _numbers(content: str) -> list[int]:
    """Of the whole lines."""
    return [int(line[:9]) for line in content.split("\n")[:-1]]


def _result(answer: dict[str, Any]) -> Any:
    assert "result" in answer, answer
    return answer["result"]


def test_every_request_on_a_growing_log_is_answered_and_right(root: Path, log: Path, figure: Figure) -> None:
    answers: Counter[str] = Counter()
    with RawClient() as client:
        client.initialize(root)
        questions = Questions(client, random.Random(log.parent.name))
        while answers.total() < ANSWERS:
            answers[questions.ask()] += 1
    figure("answers of a log that is appended to", f"0 of {ANSWERS:,} wrong or CONTENT_MODIFIED")


def test_every_command_on_a_growing_log_succeeds(root: Path, log: Path) -> None:
    for _ in range(COMMANDS):
        whole = commands.run("read", LOG, at=root)
        assert whole.code == 0, whole.complaint
        lines = whole.output.split("\n")[:-1]
        assert [int(line[:9]) for line in lines] == list(range(1, len(lines) + 1))
        counted = commands.run("count", LOG, at=root)
        assert counted.code == 0, counted.complaint
        assert int(counted.output.split()[0].replace(",", "")) >= len(lines)
