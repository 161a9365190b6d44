"""A pytest plugin for tests under wine: what wine lacks is provided, or skipped by name with the reason."""

import functools
import os
import sys
from typing import Any

import pytest
from hypothesis import settings

from forge_daemon.workspace import hints
from tests.lsp import raw_client
from tests.mcp_server import mcp_process
from tests.terminal import commands

from .links import symlink
from .skips import SKIPPED

EXAMPLES = 10
"""Of each property: the rules are the same as on Linux, and processes are much slower here."""

ATTEMPTS_AT_A_PROCESS = 5
_INTERNAL_ERROR = 1359


def pytest_configure() -> None:
    os.symlink = functools.partial(symlink, int(os.environ["FORGE_READ_LINKS"]))
    settings.register_profile("wine", settings.get_profile("tests"), max_examples=EXAMPLES)
    settings.load_profile("wine")
    # What is found and answered is tested, not how fast wine is.
    hints.LOOK_SECONDS = 60.0
    raw_client.PATIENCE = commands.PATIENCE = mcp_process.ANSWER_SECONDS = 120.0
    _start_processes_patiently()


def _start_processes_patiently() -> None:
    """On a busy machine wine now and then fails to start one, with an internal error."""
    if sys.platform != "win32":
        raise NotImplementedError
    import _winapi

    create = _winapi.CreateProcess

    def create_or_try_again(*arguments: Any) -> Any:
        for _ in range(ATTEMPTS_AT_A_PROCESS - 1):
            try:
                return create(*arguments)
            except OSError as error:
                if error.winerror != _INTERNAL_ERROR:
                    raise
        return create(*arguments)

    _winapi.CreateProcess = create_or_try_again


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    names = {item.nodeid.removeprefix("tests/"): item for item in items}
    folders = tuple(f"{folder}/".removeprefix("tests/") for folder in config.args if os.path.isdir(folder))
    for reason, starts in SKIPPED.items():
        for start in starts:
            skipped = [item for name, item in names.items() if name.startswith(start)]
            if not skipped and start.startswith(folders):
                raise pytest.UsageError(f"skips.py names a test that does not exist: {start}")
            for item in skipped:
                item.add_marker(pytest.mark.skip(reason=f"under wine: {reason}"))
