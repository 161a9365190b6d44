"""No test sees the settings, the umask or the signals of its user, and none is judged by the time it takes."""

import functools
import os
import signal
import sys
import tempfile
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from forge_daemon.workspace import settings as daemon_settings
from tests.hostile import figures
from tests.hostile.scale import FUZZ

os.environ["FORGE_READ_CONFIG"] = os.path.join(tempfile.gettempdir(), "forge-read-tests-have-no-settings", "forge.toml")
os.umask(0o022)
# Not once a second, which a test would have to wait for.
daemon_settings.USER_CHECK_SECONDS = 0.0
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    # As in a job in the background; the programs that tests interrupt would ignore it too.
    signal.signal(signal.SIGINT, signal.default_int_handler)
# The same examples every time, so that a failure is due to a change; `make fuzz` looks for new ones.
settings.register_profile("tests", deadline=None, derandomize="FORGE_READ_FUZZ" not in os.environ)
settings.register_profile("quick", settings.get_profile("tests"), max_examples=20)
settings.load_profile("tests")

if sys.platform == "win32":
    # A file holds what a test wrote, on every system.
    Path.write_text = functools.partialmethod(Path.write_text, newline="\n")  # type: ignore[assignment]


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """`make fuzz` leaves out what would be the same as in `make test-all`."""
    if FUZZ:
        chosen = [item for item in items if _has_more_cases(item)]
        config.hook.pytest_deselected(items=[item for item in items if item not in set(chosen)])
        items[:] = chosen


def _has_more_cases(item: pytest.Item) -> bool:
    is_marked = any(item.get_closest_marker(name) for name in ("hostile", "hypothesis"))
    return is_marked or item.path.parent.name == "hostile" or hasattr(getattr(item, "module", None), "scaled")


def pytest_terminal_summary(terminalreporter: Any) -> None:
    """Here and not beside the hostile tests: of several processes, the one that prints collects no tests."""
    if FUZZ:
        reports = (each for outcome in ("passed", "failed") for each in terminalreporter.getreports(outcome))
        recorded = [
            tuple(value) for report in reports for key, value in report.user_properties if key == figures.PROPERTY
        ]
        terminalreporter.write_sep("=", "figures")
        terminalreporter.write_line(figures.table(recorded))
