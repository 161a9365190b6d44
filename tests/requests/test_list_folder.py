"""`forge/list` over real trees."""

import os
import shutil
import subprocess
import sys
import sysconfig
from pathlib import Path

import pytest

from forge_daemon.requests import tree_search
from forge_daemon.requests.list_folder import size_text
from forge_daemon.workspace.reader import Reader
from forge_protocol.errors import ErrorCode, ReadError
from forge_protocol.list_folder import ListEntry
from tests.requests.trees import list_all, list_pages, make_packages, write_files
from tests.workspace.readers import reader_of
from tests.workspace.workspaces import folder

REPOSITORY = Path(__file__).parents[2]
needs_find = pytest.mark.skipif(sys.platform == "win32" or shutil.which("find") is None, reason="find is missing")
needs_posix = pytest.mark.skipif(sys.platform == "win32", reason="Windows has no such names, or no such links")


def entry(path: str, kind: str, **about: object) -> ListEntry:
    fields: dict[str, object] = {"byte_length": None, "entry_count": None, "target": None, "workspace_folder": "ws"}
    return ListEntry(path=path, kind=kind, **(fields | about))  # type: ignore[arg-type]


def found_by_find(root: Path, depth: int) -> set[tuple[str, str, int | None]]:
    printed = subprocess.run(
        ["find", ".", "-mindepth", "1", "-maxdepth", str(depth), "-type", "f,d,l", "-printf", r"%P\t%y\t%s\0"],
        cwd=root,
        capture_output=True,
        check=True,
    ).stdout.decode(errors="replace")
    kinds = {"f": "file", "d": "folder", "l": "link"}
    rows = [row.split("\t") for row in printed.split("\0") if row]
    return {(path, kinds[kind], int(size) if kind == "f" else None) for path, kind, size in rows}


class TestAsFind:
    @needs_find
    @pytest.mark.parametrize("depth", [1, 3, 100])
    def test_a_tree_of_packages(self, reader: Reader, root: Path, depth: int) -> None:
        make_packages(root, 200)
        listed = list_all(reader, depth=depth)
        assert {(each.path, each.kind, each.byte_length) for each in listed} == found_by_find(root, depth)
        keys = [f"{each.path}/" if each.kind == "folder" else each.path for each in listed]
        assert keys == sorted(keys)

    @needs_find
    @pytest.mark.slow
    @pytest.mark.parametrize("tree", ["daemon", "protocol", "tests"])
    def test_this_repository(self, tree: str) -> None:
        root = REPOSITORY / tree
        reader = reader_of(folder(root))
        changing = ("__pycache__", ".pyc")
        listed = {(each.path, each.kind, each.byte_length) for each in list_all(reader, depth=100)}
        expected = found_by_find(root, 100)
        assert {each for each in listed if not any(mark in each[0] for mark in changing)} == {
            each for each in expected if not any(mark in each[0] for mark in changing)
        }

    @needs_find
    @pytest.mark.slow
    def test_the_standard_library(self) -> None:
        root = Path(sysconfig.get_path("stdlib")) / "email"
        listed = {(each.path, each.kind) for each in list_all(reader_of(folder(root)), depth=100)}
        assert listed == {each[:2] for each in found_by_find(root, 100)}


def test_entries_have_their_sizes_counts_and_targets(reader: Reader, root: Path) -> None:
    write_files(root, {"a.txt": "12345", ".hidden": "", "src/x": "", "src/.env": "", "src/deep/y": ""})
    assert list_all(reader) == [
        entry(".hidden", "file", byte_length=0),
        entry("a.txt", "file", byte_length=5),
        entry("src", "folder", entry_count=2),
    ]


def test_ignored_names_are_listed_and_denied_ones_are_not(reader: Reader, root: Path) -> None:
    write_files(root, {".gitignore": "ignored\n", "ignored": "", ".env": "", ".ssh/config": "", ".git/HEAD": ""})
    assert [each.path for each in list_all(reader)] == [".git", ".gitignore", "ignored"]


@needs_posix
def test_links_are_told_with_a_target_that_may_be_named(reader: Reader, root: Path, tmp_path: Path) -> None:
    write_files(root, {"sub/x": "", ".env": ""})
    targets = {
        "a": "sub/x",
        "b": f"{root}/sub",
        "c": str(tmp_path),
        "d": "../..",
        "e": ".env",
        "f": "missing",
        "sub/g": "../a",
    }
    for name, target in targets.items():
        (root / name).symlink_to(target)
    listed = {each.path: each for each in list_all(reader, depth=2)}
    assert {path: each.target for path, each in listed.items() if each.kind == "link"} == {
        "a": "sub/x",
        "b": "sub",
        "c": None,
        "d": None,
        "e": None,
        "f": "missing",
        "sub/g": "../a",
    }


@needs_posix
def test_odd_names_are_listed_and_special_files_are_not(reader: Reader, root: Path) -> None:
    (root / "new\nline").write_text("")
    (root / ("long" * 50)).write_text("")
    Path(os.fsdecode(os.fsencode(root) + b"/\xff")).write_text("")
    os.mkfifo(root / "fifo")
    assert [each.path for each in list_all(reader)] == ["long" * 50, "new\nline", "\ufffd"]


@pytest.mark.parametrize("limit", [1, 3, 1000])
@pytest.mark.parametrize("depth", [1, 4])
def test_pages_hold_each_entry_once(reader: Reader, root: Path, limit: int, depth: int) -> None:
    make_packages(root, 40)
    pages = list(list_pages(reader, limit=limit, depth=depth))
    listed = [each for page in pages for each in page.entries]
    assert listed == list_all(reader, depth=depth)
    assert all(len(page.entries) <= limit for page in pages)


def test_without_time_for_everything_an_answer_says_how_to_continue(
    reader: Reader, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_packages(root, 20)
    expected = list_all(reader, depth=9)
    monkeypatch.setattr(tree_search, "MAX_SECONDS", 0.0)
    pages = list(list_pages(reader, depth=9))
    assert len(pages) > 10
    assert [each for page in pages for each in page.entries] == expected


@pytest.mark.parametrize(
    ("params", "listed"),
    [
        ({"glob": "*.py"}, ["a.py"]),
        ({"glob": "*.py", "depth": 9}, ["a.py", "src/b.py", "src/sub/c.py"]),
        ({"glob": "src/*"}, ["src/b.py", "src/sub"]),
        ({"glob": "**/*.py"}, ["a.py", "src/b.py", "src/sub/c.py"]),
        ({"path": "src", "glob": "**/c.*"}, ["src/sub/c.py"]),
    ],
)
def test_a_glob_selects_entries(reader: Reader, root: Path, params: dict[str, object], listed: list[str]) -> None:
    write_files(root, dict.fromkeys(["a.py", "src/b.py", "src/sub/c.py"], ""))
    assert [each.path for each in list_all(reader, **params)] == listed


def test_only_a_folder_can_be_listed(reader: Reader, root: Path) -> None:
    write_files(root, {"a.txt": "", ".ssh/config": ""})
    refused = {}
    for path in ("a.txt", "missing", ".ssh", "../x"):
        with pytest.raises(ReadError) as caught:
            list_all(reader, path=path)
        refused[path] = caught.value.code
    assert refused == {
        "a.txt": ErrorCode.INVALID_ARGUMENT,
        "missing": ErrorCode.NOT_FOUND,
        ".ssh": ErrorCode.POLICY_DENIED,
        "../x": ErrorCode.SANDBOX_VIOLATION,
    }


@pytest.mark.parametrize(
    ("size", "text"),
    [
        (0, "0"),
        (999, "999"),
        (1000, "1.0k"),
        (1299, "1.2k"),
        (12_999, "12k"),
        (999_999, "999k"),
        (3_400_000, "3.4M"),
        (1_250_000_000, "1.2G"),
    ],
)
def test_sizes_are_in_thousands_and_rounded_down(size: int, text: str) -> None:
    assert size_text(size) == text
