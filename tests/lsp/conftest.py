"""Starting a daemon takes most of a second, so the tests of a module share one where they can."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.lsp.raw_client import RawClient, folder_item

Start = Callable[..., RawClient]


@pytest.fixture(scope="module")
def shared_client() -> Iterator[RawClient]:
    """One daemon a module, without folders."""
    with RawClient() as client:
        client.initialize()
        yield client
        assert client.shut_down() == 0
        client.check_that_everything_was_answered_once()
        assert client.not_frames == b""


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    folder = tmp_path / "workspace"
    folder.mkdir()
    return folder


@pytest.fixture
def client(shared_client: RawClient, workspace: Path) -> Iterator[RawClient]:
    """The module's daemon with this test's folder open, and no other."""
    shared_client.change_folders(added=(folder_item(workspace),))
    yield shared_client
    shared_client.check_that_everything_was_answered_once()
    shared_client.change_folders(removed=(folder_item(workspace),))
    shared_client.forget_everything()


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts daemons of a test's own; none of them outlives it."""
    with ExitStack() as clients:

        def start(*arguments: str, **popen: Any) -> RawClient:
            return clients.enter_context(RawClient(*arguments, **popen))

        yield start
