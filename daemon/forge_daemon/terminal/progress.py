"""A progress bar on stderr, if that is a terminal and the work takes long."""

import sys
import time

from forge_daemon.light_typing import Self

_PATIENCE_SECONDS = 0.4
"""Work that takes less time shows no progress bar."""
_REDRAW_SECONDS = 0.1
_BAR_WIDTH = 30


class Progress:
    """Reports progress when it is called. Clear it before printing anything else."""

    def __init__(self) -> None:
        is_shown = sys.stderr is not None and sys.stderr.isatty()
        self._next_drawing = time.monotonic() + _PATIENCE_SECONDS if is_shown else float("inf")
        self._drawn = False

    def __call__(self, done: int, total: int) -> None:
        now = time.monotonic()
        if now < self._next_drawing or not total:
            return
        self._next_drawing = now + _REDRAW_SECONDS
        self._drawn = True
        done = min(done, total)
        filled = _BAR_WIDTH * done // total
        bar = "#" * filled + "." * (_BAR_WIDTH - filled)
        text = f"\r[{bar}] {100 * done // total:3} % of {total / 1e6:,.0f} MB"
        print(text, end="", file=sys.stderr, flush=True)

    def clear(self) -> None:
        if self._drawn:
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
            self._drawn = False

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.clear()
