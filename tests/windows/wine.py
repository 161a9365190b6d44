"""A pytest plugin for tests under wine: what wine lacks is provided, or skipped by name with the reason."""

import functools
import os

import pytest
from hypothesis import settings

from .links import symlink

EXAMPLES = 20
"""Of each property: the rules are the same as on Linux, and processes are much slower here."""

_NOT_REPLACED = "a file that somebody has open cannot be replaced by renaming another"
SKIPPED: dict[str, str] = {
    "requests/test_many_readers.py::test_every_answer_is_one_state[by_rename": _NOT_REPLACED,
}
"""The start of a test's name, from its folder on, and why it cannot run."""


def pytest_configure() -> None:
    os.symlink = functools.partial(symlink, int(os.environ["FORGE_READ_LINKS"]))
    settings.register_profile("wine", settings.get_profile("tests"), max_examples=EXAMPLES)
    settings.load_profile("wine")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        name = item.nodeid.removeprefix("tests/")
        for start, reason in SKIPPED.items():
            if name.startswith(start):
                item.add_marker(pytest.mark.skip(reason=f"under wine: {reason}"))
