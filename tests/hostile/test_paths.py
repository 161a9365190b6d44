"""For any path: the file that is meant, or the right refusal, which reveals nothing else."""

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from forge_daemon.workspace.folder import folder_from_path
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ReadError
from tests.hostile.conftest import Figure
from tests.hostile.paths import Case, cases, lay_out
from tests.lsp.raw_client import RawClient, folder_item
from tests.workspace.readers import read, reader_of
from tests.workspace.workspaces import open_descriptors

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="a layout of links, FIFOs and names for POSIX")

SECRET = "SECRET"
Outcome = tuple[str, str]
"""The code, or the text after `=`; and everything that was said."""
CASES = cases()


class Laid(NamedTuple):
    base: Path
    missing: set[str]


@pytest.fixture(scope="module")
def laid_out(tmp_path_factory: pytest.TempPathFactory) -> Laid:
    base = tmp_path_factory.mktemp("b").resolve()
    return Laid(base, lay_out(base))


@pytest.fixture(scope="module")
def readers(laid_out: Laid) -> Callable[[tuple[str, ...]], Reader]:
    made: dict[tuple[str, ...], Reader] = {}

    def reader(folders: tuple[str, ...]) -> Reader:
        if folders not in made:
            made[folders] = reader_of(*(folder_from_path(str(laid_out.base / folder)) for folder in folders))
        return made[folders]

    return reader


class Daemon:
    """One process, with other folders open for every group of cases."""

    def __init__(self, client: RawClient, base: Path) -> None:
        self._client = client
        self._base = base
        self._open: tuple[str, ...] = ()

    def ask(self, case: Case) -> Outcome:
        self._open_folders(case.folders)
        params = {"path": case.path, "workspace_folder": case.workspace_folder}
        answer = self._client.request("forge/readFile", params)
        if "error" in answer:
            return answer["error"]["data"]["code"], f"{answer['error']}"
        return f"={answer['result']['content']}", f"{answer['result']['path']}"

    def _open_folders(self, folders: tuple[str, ...]) -> None:
        if folders != self._open:
            self._client.change_folders(added=self._items(folders), removed=self._items(self._open))
            self._open = folders

    def _items(self, folders: tuple[str, ...]) -> tuple[dict[str, str], ...]:
        return tuple(folder_item(self._base / folder) for folder in folders)


@pytest.fixture(scope="module")
def daemon(laid_out: Laid) -> Iterator[Daemon]:
    with RawClient() as client:
        client.initialize()
        yield Daemon(client, laid_out.base)
        assert client.shut_down() == 0


def by_the_reader(reader: Reader, case: Case) -> Outcome:
    before = open_descriptors()
    try:
        found = read(reader, case.path, "auto", case.workspace_folder)
        return f"={found.answer}", found.path
    except ReadError as error:
        return error.code, f"{error.message} {error.data()}"
    finally:
        assert open_descriptors() == before


def check(case: Case, outcome: Outcome, base: Path) -> None:
    found, said = outcome
    assert found == case.expected
    assert SECRET not in said
    asked = f"{case.path} {case.workspace_folder}"
    if str(base) not in asked or (found == "SANDBOX_VIOLATION" and case.group in ("absolute", "uris")):
        assert str(base) not in said


def named(case: Case) -> Any:
    return pytest.param(case, id=f"{case.group}: {case.path[:40]!a}")


def skip_what_cannot_be(case: Case, laid_out: Laid) -> None:
    if os.path.basename(case.path) in laid_out.missing:
        pytest.skip("only root may make a device")
    if case.unless and sys.platform != "linux":
        pytest.skip(f"may be {case.unless}")


@pytest.mark.parametrize("case", [named(case) for case in CASES])
def test_the_reader_finds_what_is_meant_or_refuses(
    case: Case, laid_out: Laid, readers: Callable[[tuple[str, ...]], Reader]
) -> None:
    skip_what_cannot_be(case, laid_out)
    located = case.located(laid_out.base)
    check(located, by_the_reader(readers(case.folders), located), laid_out.base)


@pytest.mark.parametrize("case", [named(case) for case in CASES])
def test_the_daemon_finds_what_is_meant_or_refuses(case: Case, laid_out: Laid, daemon: Daemon) -> None:
    skip_what_cannot_be(case, laid_out)
    located = case.located(laid_out.base)
    check(located, daemon.ask(located), laid_out.base)


def test_there_are_at_least_190_hostile_paths(figure: Figure) -> None:
    assert len(set(CASES)) == len(CASES) >= 190
    figure("hostile paths, hand-written", f"{len(CASES)}, by the library and through the daemon, all as expected")
