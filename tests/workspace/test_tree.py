"""Walks through folders: what they come to while the folders change, and what they leave behind."""

import os
import sys
from collections.abc import Iterator
from math import inf
from pathlib import Path

import pytest

from forge_daemon.workspace.open_tree import tree_roots, walk_tree
from forge_daemon.workspace.reader import Reader
from forge_daemon.workspace.tree import MAX_DEPTH, Scope, TreeEntry, TreeWalk
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder, open_descriptors, write


@pytest.fixture
def root(tmp_path: Path) -> Path:
    return tmp_path.resolve() / "ws"


@pytest.fixture
def reader(root: Path) -> Reader:
    return reader_of(folder(root))


EVERYTHING = Scope()


def walk_of(reader: Reader, scope: Scope = EVERYTHING) -> tuple[TreeWalk, Iterator[TreeEntry]]:
    walk = walk_tree(reader, tree_roots(reader, None)[0], scope, inf)
    return walk, walk.entries(reader.folders)


def test_entries_come_in_the_order_of_whole_paths(reader: Reader, root: Path) -> None:
    for name in ("a/x", "a-b/x", "a.b", "a0", "B", "é"):
        write(root / name, "")
    found = [each.relative for each in walk_of(reader)[1]]
    assert found == ["B", "a-b/", "a-b/x", "a.b", "a/", "a/x", "a0", "é"]
    assert found == sorted(found)


@pytest.mark.parametrize("after", ["", "B", "a", "a-b/", "a/", "a/x", "a/zz", "z"])
def test_a_walk_continues_after_any_path(reader: Reader, root: Path, after: str) -> None:
    for name in ("a/x", "a/y/z", "a-b/x", "a.b", "B"):
        write(root / name, "")
    everything = [each.relative for each in walk_of(reader)[1]]
    continued = [each.relative for each in walk_of(reader, Scope(after=after))[1]]
    assert continued == [path for path in everything if path > after]


def test_an_abandoned_walk_leaves_no_descriptor_open(reader: Reader, root: Path) -> None:
    write(root / "a/b/c/d", "")
    before = open_descriptors()
    _, entries = walk_of(reader)
    assert [next(entries).relative for _ in range(4)] == ["a/", "a/b/", "a/b/c/", "a/b/c/d"]
    entries.close()  # type: ignore[attr-defined]
    assert open_descriptors() == before


@pytest.mark.skipif(sys.platform == "win32", reason="creating links needs privileges on Windows")
def test_a_directory_that_is_replaced_by_a_link_is_not_entered(reader: Reader, root: Path, tmp_path: Path) -> None:
    write(tmp_path / "outside/secret", "")
    write(root / "a/x", "")
    _, entries = walk_of(reader)
    assert next(entries).relative == "a/"
    os.rename(root / "a", tmp_path / "moved")
    (root / "a").symlink_to(tmp_path / "outside")
    assert list(entries) == []


def test_a_directory_that_is_gone_is_counted(reader: Reader, root: Path) -> None:
    (root / "a").mkdir()
    write(root / "b", "")
    walk, entries = walk_of(reader)
    assert next(entries).relative == "a/"
    (root / "a").rmdir()
    assert [each.relative for each in entries] == ["b"]
    assert walk.skipped["unreadable"] == 1


def test_folders_are_walked_to_a_limited_depth(reader: Reader, root: Path) -> None:
    deepest = root.joinpath(*["d"] * (MAX_DEPTH + 5))
    deepest.mkdir(parents=True)
    assert len(list(walk_of(reader)[1])) == MAX_DEPTH
