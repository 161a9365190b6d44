"""A pytest plugin for tests under wine: what wine lacks is provided, or skipped by name with the reason."""

import functools
import os

import pytest
from hypothesis import settings

from forge_daemon.workspace import suggestions
from lsp import raw_client
from mcp_server import mcp_process

from .links import symlink
from .skips import SKIPPED

EXAMPLES = 10
"""Of each property: the rules are the same as on Linux, and processes are much slower here."""


def pytest_configure() -> None:
    os.symlink = functools.partial(symlink, int(os.environ["FORGE_READ_LINKS"]))
    settings.register_profile("wine", settings.get_profile("tests"), max_examples=EXAMPLES)
    settings.load_profile("wine")
    # What is found and answered is tested, not how fast wine is.
    suggestions._LOOK_SECONDS = 60.0
    raw_client.PATIENCE = mcp_process.ANSWER_SECONDS = 120.0


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        for reason, starts in SKIPPED.items():
            if name.startswith(starts):
                item.add_marker(pytest.mark.skip(reason=f"under wine: {reason}"))
