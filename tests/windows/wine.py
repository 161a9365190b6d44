"""A pytest plugin for tests under wine: what wine lacks is provided, or skipped by name with the reason."""

import functools
import os
import re
from collections.abc import Generator

import pytest
from hypothesis import settings

from forge_daemon.workspace import suggestions

from .links import symlink
from .skips import SKIPPED

EXAMPLES = 10
"""Of each property: the rules are the same as on Linux, and processes are much slower here."""

_NOT_ON_WINDOWS = re.compile(
    r"No module named '(?:_?curses|fcntl|grp|pty|pwd|resource|termios|tty)'"
    r"|module '(?:os|signal|socket)' has no attribute '\w+'"
    r"|Unsupported signal: \d+"
)
"""How a test fails that itself uses what Windows does not have."""


def pytest_configure() -> None:
    os.symlink = functools.partial(symlink, int(os.environ["FORGE_READ_LINKS"]))
    settings.register_profile("wine", settings.get_profile("tests"), max_examples=EXAMPLES)
    settings.load_profile("wine")
    suggestions._LOOK_SECONDS = 60.0  # what is found is tested, not how fast wine is


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        for reason, starts in SKIPPED.items():
            if name.startswith(starts):
                item.add_marker(pytest.mark.skip(reason=f"under wine: {reason}"))


@pytest.hookimpl(wrapper=True)
def pytest_runtest_makereport(
    item: pytest.Item, call: pytest.CallInfo[None]
) -> Generator[None, pytest.TestReport, pytest.TestReport]:
    report = yield
    if report.failed and call.excinfo is not None and (reason := _lacking(call.excinfo)) is not None:
        report.outcome = "skipped"
        report.longrepr = (
            str(item.path),
            item.location[1] or 0,
            f"{item.nodeid}: the test itself needs POSIX: {reason}",
        )
    return report


def _lacking(failure: "pytest.ExceptionInfo[BaseException]") -> str | None:
    """What a test called that Windows does not have. What the program calls must be there."""
    if not isinstance(failure.value, AttributeError | ImportError | ValueError):
        return None
    raised_in = str(failure.traceback[-1].path).replace("\\", "/")
    found = _NOT_ON_WINDOWS.search(str(failure.value))
    return found[0] if found and "/daemon/" not in raised_in and "/protocol/" not in raised_in else None
