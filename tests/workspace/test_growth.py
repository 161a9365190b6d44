"""What an answer costs grows with what is open and with what a repository holds, and no faster."""

import gc
from functools import partial
from pathlib import Path

import pytest

from forge_daemon.reading.files.document import Document
from forge_daemon.workspace.folder import Folder, Place
from forge_daemon.workspace.policies import FolderRoots, Rules
from forge_daemon.workspace.policy import Policy
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ReadError, forget_frames
from tests.workspace.readers import read, reader_of, refusal
from tests.workspace.work import calls_of
from tests.workspace.workspaces import folder, write

FEW, MANY = 20, 100
LITTLE_MORE = 1.5
"""Room for what is done once."""


def reader_of_many(base: Path, number: int) -> Reader:
    folders = [folder(base / f"of{number}/f{index}") for index in range(number)]
    write(base / f"of{number}/f{number - 1}/only.txt", "x\n")
    reader = reader_of(*folders)
    read(reader, "only.txt")
    return reader


@pytest.mark.parametrize("path", ["only.txt", "none.txt"])
def test_a_relative_path_costs_as_much_more_as_there_are_more_folders(tmp_path: Path, path: str) -> None:
    few, many = reader_of_many(tmp_path, FEW), reader_of_many(tmp_path, MANY)

    def ask(reader: Reader) -> object:
        return read(reader, path) if path == "only.txt" else refusal(reader, path)

    ask(few), ask(many)
    assert calls_of(lambda: ask(many)) < LITTLE_MORE * MANY / FEW * calls_of(lambda: ask(few))


def test_to_name_what_a_path_may_mean_costs_as_much_more_as_there_are_more_folders(tmp_path: Path) -> None:
    few, many = reader_of_many(tmp_path, FEW), reader_of_many(tmp_path, MANY)
    for each in (*few.folders, *many.folders):
        write(Path(each.root) / "every.txt", "x")
    assert (refusal(many, "every.txt").hint or "").endswith(", …"), "the others are not named"
    refusal(few, "every.txt")
    more = LITTLE_MORE * MANY / FEW
    assert calls_of(lambda: refusal(many, "every.txt")) < more * calls_of(lambda: refusal(few, "every.txt"))


def test_an_absolute_path_costs_no_policy_of_other_folders(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    reader = reader_of_many(tmp_path, FEW)
    path = f"{reader.folders[1].root}/file"
    write(Path(path), "x\n")
    asked: list[Folder] = []
    of = reader.policies.of

    def noting(folder: Folder) -> Rules:
        asked.append(folder)
        return of(folder)

    monkeypatch.setattr(reader.policies, "of", noting)
    read(reader, path)
    assert set(asked) == {reader.folders[1]}


def test_finding_the_enclosing_folders_costs_no_more_for_a_deep_path(tmp_path: Path) -> None:
    outer, inner = folder(tmp_path / "outer"), folder(tmp_path / "outer/in")
    roots = FolderRoots((outer, inner))
    roots.enclosing_folders(Place(inner, "x"))
    short, deep = (calls_of(partial(roots.enclosing_folders, Place(inner, "x/" * depth))) for depth in (10, 10_000))
    assert deep == short


def test_documents_that_lead_nowhere_cost_a_read_nothing(tmp_path: Path) -> None:
    reader = reader_of(folder(tmp_path))
    write(tmp_path / "a.txt", "a\n")
    reader.documents.put(f"{tmp_path}/{'n' * 300}", Document("x", 1))
    read(reader, "a.txt"), read(reader, "a.txt")
    before = calls_of(lambda: read(reader, "a.txt"))
    for number in range(500):
        reader.documents.put(f"{tmp_path}/{'n' * 300}{number}", Document("x", 1))
    read(reader, "a.txt")
    assert calls_of(lambda: read(reader, "a.txt")) < LITTLE_MORE * before


# Memory ------------------------------------------------------------------------------------------


def test_long_paths_are_not_cached(tmp_path: Path) -> None:
    """Those of 32 KiB each, times the folders, would be gigabytes."""
    reader = reader_of(*(folder(tmp_path / f"f{number}") for number in range(8)))
    for number in range(5):
        refusal(reader, ("x" * 200 + "/") * 10 + str(number))
    assert all(policy._cached_denial.cache_info().currsize < 5 for _, policy in known(reader))


def test_what_was_not_found_in_any_folder_leaves_nothing_to_the_garbage_collector(tmp_path: Path) -> None:
    reader = reader_of(*(folder(tmp_path / f"f{number}") for number in range(3)))
    gc.disable()
    try:
        forget_frames(refusal(reader, "in none of them"))  # as the dispatcher does
        kept = [error for error in gc.get_objects() if isinstance(error, ReadError)]
        assert [error for error in kept if error.path == "in none of them"] == []
    finally:
        gc.enable()


def test_policies_of_settings_that_are_gone_are_forgotten(tmp_path: Path) -> None:
    reader = reader_of(folder(tmp_path))
    for number in range(30):
        reader.settings.set_client({"policy": {"deny": [f"p{number}"]}})
        refusal(reader, f"p{number}")
    assert len(known(reader)) == 1


def known(reader: Reader) -> list[tuple[object, Policy]]:
    return list(reader.policies._known.values())
