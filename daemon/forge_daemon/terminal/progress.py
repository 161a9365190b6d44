"""A progress bar on stderr, if that is a terminal and the work takes long."""

import os
import sys
import time
from typing import Self

_DELAY_SECONDS = 0.4
"""Work that takes less time shows no progress bar."""
_REDRAW_SECONDS = 0.1
_BAR_WIDTH = 30
_DEFAULT_COLUMNS = 80


class Progress:
    """Reports progress when it is called. Clear it before printing anything else."""

    def __init__(self) -> None:
        is_shown = sys.stderr is not None and sys.stderr.isatty()
        self._next_drawing = time.monotonic() + _DELAY_SECONDS if is_shown else float("inf")
        self._drawn = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next_drawing or not total:
            return
        self._next_drawing = now + _REDRAW_SECONDS
        self._drawn = True
        print(f"\r{_line(min(done, total), total)}", end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()


def _line(done: int, total: int) -> str:
    """The bar in one row of the terminal: a carriage return only goes back to the start of the last row."""
    room = _terminal_columns() - 1
    numbers = f"{100 * done // total:3} % of {total / 1e6:,.0f} MB"
    width = min(_BAR_WIDTH, room - len(f"[] {numbers}"))
    filled = width * done // total
    return f"[{'#' * filled}{'.' * (width - filled)}] {numbers}" if width > 0 else numbers[: max(0, room)]


def _terminal_columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or _DEFAULT_COLUMNS
    except OSError:
        return _DEFAULT_COLUMNS
