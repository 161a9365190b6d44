"""`make economy`: the table of README, and whether the bars hold."""

import json
import sys
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, closing
from pathlib import Path
from typing import NamedTuple

from tests.bench.files import Files, cache_folder
from tests.bench.row import Skipped

from . import tokens
from .tasks import Task, tasks
from .tools import MAKERS, Tool
from .workplace import make_workplace

BAR = 1.05
"""Of the cheapest tool that solves a task and numbers its lines as we do."""
BAR_WITHOUT_NUMBERS = 1.35
"""Of the cheapest that sends the bare text."""
FLOOD = 25_000


class Outcome(NamedTuple):
    task: Task
    spent: dict[str, int | None]
    """Tokens by tool; None: not solved."""
    calls: dict[str, int]
    limit: float | None


def main() -> int:
    try:
        tokens.count("")
    except Skipped as reason:
        print(reason, file=sys.stderr)
        return 1
    cache = cache_folder()
    folder = make_workplace(cache / "economy", Files(cache))
    with ExitStack() as running:
        tools = [running.enter_context(closing(tool)) for tool in _started(folder, cache)]
        outcomes = [_measured(task, tools) for task in tasks(folder)]
    print("\n".join(_table(outcomes, tools)))
    broken = [outcome.task.name for outcome in outcomes if not _holds(outcome)]
    print(f"\nbroken: {', '.join(broken)}" if broken else "\nevery bar holds")
    return int(bool(broken))


def _started(folder: Path, cache: Path) -> Iterator[Tool]:
    for make in MAKERS:
        try:
            yield make(folder, cache)
        except Skipped as reason:
            print(f"left out: {reason}", file=sys.stderr)


def _measured(task: Task, tools: Sequence[Tool]) -> Outcome:
    spent: dict[str, int | None] = {}
    calls: dict[str, int] = {}
    limits = []
    for tool in tools:
        steps = task.steps(tool)
        if steps is None:
            continue
        tool.reset()
        steps(tool)
        solved = all(need in tool.seen or json.dumps(need)[1:-1] in tool.seen for need in task.needs)
        spent[tool.name], calls[tool.name] = tool.spent if solved else None, tool.calls
        if solved and tool is not tools[0]:
            limits.append(tool.spent * (BAR if tool.numbers_lines else BAR_WITHOUT_NUMBERS))
    return Outcome(task, spent, calls, min(limits, default=None))


def _holds(outcome: Outcome) -> bool:
    ours = outcome.spent["forge-read"]
    return (
        ours is not None
        and ours <= FLOOD * outcome.calls["forge-read"]
        and (outcome.limit is None or ours <= outcome.limit)
    )


def _table(outcomes: Sequence[Outcome], tools: Sequence[Tool]) -> Iterator[str]:
    yield f"| task | {' | '.join(tool.name for tool in tools)} |"
    yield f"| --- |{' ---: |' * len(tools)}"
    definitions = " | ".join(f"{tool.definitions:,}" for tool in tools)
    yield f"| *definitions of all tools* | {definitions} |"
    for outcome in outcomes:
        yield f"| {outcome.task.name} | {' | '.join(_cell(outcome, tool) for tool in tools)} |"


def _cell(outcome: Outcome, tool: Tool) -> str:
    if tool.name not in outcome.spent:
        return "not possible"
    spent = outcome.spent[tool.name]
    calls = outcome.calls[tool.name]
    return "not solved" if spent is None else f"{spent:,}{f' ({calls} calls)' * (calls > 1)}"


sys.exit(main())
