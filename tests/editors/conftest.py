"""Every test in this folder drives a real editor."""

import importlib.util
from pathlib import Path

import pytest

# `make test` installs no browser automation, without which these modules cannot be imported.
collect_ignore = [] if importlib.util.find_spec("playwright") else ["vscode"]


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    for item in items:
        if item.path.is_relative_to(Path(__file__).parent):
            item.add_marker(pytest.mark.editor)
