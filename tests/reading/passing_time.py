"""Time that passes in an instant."""

import time

import pytest

from forge_daemon.reading.files.same_file import RACY_NS


def let_time_pass(monkeypatch: pytest.MonkeyPatch) -> None:
    """So much that what was written before is not racy any more."""
    later = time.time_ns() + 2 * RACY_NS
    monkeypatch.setattr(time, "time_ns", lambda: later)
