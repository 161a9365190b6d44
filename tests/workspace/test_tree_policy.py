"""The policy for many files of a folder: the same judgements as for one file, at a small cost for each."""

from pathlib import Path

import pytest

from forge_daemon.workspace.folder import Folder, Place
from forge_daemon.workspace.policies import FolderPolicies, TreePolicy
from forge_daemon.workspace.settings import SettingsStore
from tests.workspace.work import calls_of
from tests.workspace.workspaces import folder, write


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path.resolve()


def policies_of(*folders: Folder) -> FolderPolicies:
    policies = FolderPolicies(SettingsStore())
    policies.set_folders(folders)
    return policies


def denied(tree: TreePolicy, *paths: str) -> list[str | None]:
    return [denial and denial.pattern for denial in map(tree.denial, paths)]


def test_names_the_pattern_that_denies_a_file(base: Path) -> None:
    write(base / "forge.toml", '[policy]\ndeny = ["drafts/", "*.log"]\n')
    tree = policies_of(folder(base)).for_tree(folder(base))
    paths = ("a.txt", "x/.env", "drafts/a", "x/y.log", "x/drafts/", "drafts")
    assert denied(tree, *paths) == [None, ".env", "drafts/", "*.log", "drafts/", None]
    assert tree.denies_all_below("drafts")
    assert tree.denies_all_below("x/drafts/deeper")
    assert not tree.denies_all_below("x")
    assert not tree.denies_all_below("")


def test_agrees_with_the_policy_for_single_files_in_nested_folders(base: Path) -> None:
    outer, inner = folder(base / "outer"), folder(base / "outer/in")
    write(base / "outer/forge.toml", '[policy]\ndeny = ["in/private/", "in/a.txt", "*.log"]\n')
    write(base / "outer/in/forge.toml", '[policy]\ndeny = ["/b.txt", "secret/"]\n')
    policies = policies_of(outer, inner)
    files = ("a.txt", "b.txt", "c.txt", "x.log", "private/x", "secret/x", "deeper/b.txt", "deeper/secret/y/z")
    for root, prefix in ((outer, "in/"), (inner, "")):
        tree = policies.for_tree(root)
        for file in files:
            path = f"{prefix}{file}"
            directory, _, name = path.rpartition("/")
            assert (tree.denial(path) is None) == policies.allows(Place(root, path)), path
            assert tree.denials_in(directory)(name) == tree.denial(path)
        assert tree.denies_all_below(f"{prefix}private")
        assert tree.denies_all_below(f"{prefix}deeper/secret")
        assert not tree.denies_all_below(f"{prefix}deeper")


def test_everything_is_denied_where_the_policy_is_not_known(base: Path) -> None:
    write(base / "forge.toml", "[policy]\ndney = []\n")
    tree = policies_of(folder(base)).for_tree(folder(base))
    denial = tree.denial("a.txt")
    assert denial is not None
    assert denial.pattern is None
    assert "policy.dney: unknown key" in denial.reason
    assert tree.denies_all_below("")


def test_further_files_of_a_directory_cost_no_more_the_deeper_it_lies(base: Path) -> None:
    tree = policies_of(folder(base)).for_tree(folder(base))

    def cost(directory: str) -> int:
        denial_of = tree.denials_in(directory)
        return calls_of(lambda: [denial_of(f"file{number}.txt") for number in range(100)])

    cost("x")  # the names of the files are known from now on
    assert cost("/".join("abcdefghij" * 10)) < 1.1 * cost("a")
