from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from tests.mcp_server.mcp_process import McpProcess

Start = Callable[..., McpProcess]


@pytest.fixture
def start() -> Iterator[Start]:
    """Starts servers of a test's own; none of them outlives it."""
    with ExitStack() as servers:

        def start(*arguments: str | Path, **options: Any) -> McpProcess:
            return servers.enter_context(McpProcess(*arguments, **options))

        yield start


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    folder = tmp_path / "project"
    folder.mkdir()
    (folder / "poem.txt").write_text("one\ntwo\nthree\n")
    (folder / ".env").write_text("SECRET=1\n")
    return folder
