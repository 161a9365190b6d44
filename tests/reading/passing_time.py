"""Time that passes in an instant."""

import time

import pytest

from forge_daemon.reading.lines.file_clock import FileClocks
from forge_daemon.reading.sources.source import CLOCK_TICK_NS


def let_time_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """So much that what was written before is old."""
    later = time.time_ns() + 2 * CLOCK_TICK_NS
    monkeypatch.setattr(time, "time_ns", lambda: later)
    # The file system's own clock cannot be put forward, so it may not be asked.
    monkeypatch.setattr(FileClocks, "note_access", lambda *_: None)
