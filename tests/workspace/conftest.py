"""Folders that most of these tests read from."""

from pathlib import Path

import pytest

from forge_daemon.workspace.folder import Folder
from tests.workspace.workspaces import folder


@pytest.fixture
def ws(tmp_path: Path) -> Folder:
    return folder(tmp_path.resolve() / "ws")


@pytest.fixture
def other(tmp_path: Path) -> Folder:
    return folder(tmp_path.resolve() / "other")
