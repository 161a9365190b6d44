"""In a real Neovim in a real terminal: from `:Forge open` on, the daemon's start included, beside `nvim FILE`."""

import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from statistics import median
from time import perf_counter, sleep
from typing import TYPE_CHECKING, NamedTuple

from .contest import Contest
from .files import warm
from .row import Bar, Figures, Row, Skipped
from .timing import resident_bytes

if TYPE_CHECKING:
    from tests.editors.neovim.terminal import Terminal

_ROUNDS = 3
_PATIENCE = 300.0
_SIZE = (160, 40)
_EMPTY_SCREEN = "[No Name]"


class Opened(NamedTuple):
    """What it took."""

    first_screen: float
    deep_line: float
    memory: int
    """Of Neovim's processes, the daemon not among them."""


def _first_screen(contest: Contest) -> Figures:
    window, plain = _both(contest)
    return Figures(window.first_screen, plain.first_screen)


def _deep_line(contest: Contest) -> Figures:
    window, plain = _both(contest)
    return Figures(window.deep_line, plain.deep_line)


def _memory(contest: Contest) -> Figures:
    window, plain = _both(contest)
    return Figures(window.memory, plain.memory, "bytes")


@cache
def _both(contest: Contest) -> tuple[Opened, Opened]:
    warm(contest.log)
    rounds = [(_opened(contest, plain=False), _opened(contest, plain=True)) for _ in range(_ROUNDS)]
    window, plain = (_typical([each[index] for each in rounds]) for index in (0, 1))
    return window, plain


def _typical(samples: list[Opened]) -> Opened:
    return Opened(*(median(column) for column in zip(*samples, strict=True)))


def _opened(contest: Contest, *, plain: bool) -> Opened:
    log, line = contest.log, contest.deep_line
    first, deep = _line(log, 1), _line(log, line)
    started = perf_counter()
    with _terminal(contest, plain=plain) as terminal:
        if not plain:
            _wait_for(terminal, _EMPTY_SCREEN)
            started = perf_counter()
            terminal.command(f"Forge open {log.name}")
        _wait_for(terminal, first)
        first_screen = perf_counter() - started
        terminal.command(str(line))
        _wait_for(terminal, deep)
        return Opened(first_screen, perf_counter() - started, _memory_of(terminal.pid))


@contextmanager
def _terminal(contest: Contest, *, plain: bool) -> "Iterator[Terminal]":
    try:
        from tests.editors.neovim.conftest import binaries
        from tests.editors.neovim.terminal import Terminal
    except ImportError as error:
        raise Skipped(f"the tests of the editor are not there: {error}") from None
    binary = binaries()[0]
    arguments = [contest.log.name] if plain else []
    try:
        with tempfile.TemporaryDirectory() as home:
            terminal = Terminal(binary, Path(home), contest.files.folder, *arguments, plain=plain, size=_SIZE)
            with terminal:
                yield terminal
    except FileNotFoundError as error:
        raise Skipped(f"Neovim or tmux is not there: {error}") from None


def _line(log: Path, number: int) -> str:
    command = ["sed", "-n", f"{number}{{p;q}}", str(log)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout.rstrip("\n")


def _wait_for(terminal: "Terminal", text: str) -> None:
    started = perf_counter()
    while text not in terminal.screen():
        if perf_counter() - started > _PATIENCE:
            raise TimeoutError(f"the screen never showed {text!r}")
        sleep(0.02)


def _memory_of(pid: int) -> int:
    """The process that draws the screen, and the one that holds the buffers."""
    listing = subprocess.run(["ps", "-o", "pid=,comm=", "--ppid", str(pid)], capture_output=True, text=True).stdout
    children = [line.split() for line in listing.splitlines()]
    return resident_bytes(pid) + sum(resident_bytes(int(child)) for child, name in children if "nvim" in name)


ROWS = [
    Row("nvim-first", "Neovim, 1 GiB to the first screen, against loading it", Bar(0.2), _first_screen),
    Row("nvim-deep", "Neovim, 1 GiB to line 10,000,000, against loading it", Bar(0.2), _deep_line),
    Row("nvim-memory", "Neovim's memory then, against loading it", Bar(0.2), _memory),
]
