import os
from functools import partial
from pathlib import Path

import pytest

from forge_daemon.workspace import suggestions
from forge_daemon.workspace.folder import Folder, Place
from forge_daemon.workspace.policy import Policy
from forge_daemon.workspace.suggestions import close_names, end_of_look, readable_names
from workspace.work import calls_of
from workspace.workspaces import denying_pattern, folder, link, open_descriptors, write


@pytest.fixture
def inside(ws: Folder) -> Path:
    return Path(ws.root)


def names(ws: Folder, relative: str, *others: Folder, policy: Policy | None = None) -> list[str]:
    before = open_descriptors()
    rules = policy or Policy()
    found = close_names([Place(ws, relative)], (ws, *others), lambda place: _allows(rules, place))
    assert open_descriptors() == before
    return [place.relative for place in found]


def _allows(policy: Policy, place: Place) -> bool:
    return denying_pattern(policy, place.relative) is None


def test_the_closest_come_first_and_no_more_than_three(ws: Folder, inside: Path) -> None:
    for name in ("main.py", "mainly.py", "maine.py", "maim.py", "unrelated.txt"):
        write(inside / "src" / name, "")
    assert names(ws, "src/mian.py") == ["src/main.py", "src/maine.py", "src/mainly.py"]


def test_upper_and_lower_case_do_not_matter(ws: Folder, inside: Path) -> None:
    write(inside / "README.md", "")
    assert names(ws, "readme.MD") == ["README.md"]


def test_only_regular_files_are_named(ws: Folder, inside: Path) -> None:
    (inside / "notes1").mkdir()
    os.mkfifo(inside / "notes2")
    link(inside / "notes3", "notes4")
    write(inside / "notes4", "")
    assert names(ws, "notes") == ["notes4"]


def test_what_policy_denies_is_not_named(ws: Folder, inside: Path) -> None:
    for name in (".env", ".env.local", ".env.example"):
        write(inside / name, "")
    assert names(ws, ".env.exampl") == [".env.example"]
    assert names(ws, ".env.exampl", policy=Policy(workspace_deny=[".env.*"])) == []


def test_what_policy_denies_where_a_link_leads_is_not_named(ws: Folder, inside: Path) -> None:
    write(inside / "hidden/notes.txt", "")
    link(inside / "alias", "hidden")
    assert names(ws, "alias/note.txt") == ["alias/notes.txt"]
    assert names(ws, "alias/note.txt", policy=Policy(deny=["/hidden/"])) == []


def test_another_folders_files_are_not_named(tmp_path: Path, ws: Folder, inside: Path) -> None:
    other = folder(tmp_path / "other")
    write(tmp_path / "other/notes.txt", "")
    link(inside / "alias", "../other")
    assert names(ws, "alias/note.txt", other) == []


def test_nothing_outside_is_named(tmp_path: Path, ws: Folder, inside: Path) -> None:
    write(tmp_path / "outside/notes.txt", "")
    link(inside / "alias", "../outside")
    assert names(ws, "alias/note.txt") == []


@pytest.mark.parametrize("relative", ["", "none/x", "file/x", "x" * 300, "x" * 300 + "/y"])
def test_where_there_is_nothing_to_say_nothing_is_said(ws: Folder, inside: Path, relative: str) -> None:
    write(inside / "file", "")
    assert names(ws, relative) == []


def test_a_name_that_cannot_be_shown_is_left_out(ws: Folder, inside: Path) -> None:
    write(inside / "notes\n.txt", "")
    write(inside / os.fsdecode(b"notes\xff.txt"), "")
    assert names(ws, "notes.txt") == []


def test_only_so_many_entries_are_looked_at(ws: Folder, inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(suggestions, "_MOST_ENTRIES", 2)
    for name in ("notes1", "notes2", "notes3"):
        write(inside / name, "")
    assert len(names(ws, "notes")) == 2


def test_a_directory_that_fails_while_it_is_listed_is_no_fault(
    ws: Folder, inside: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_: int) -> None:
        raise OSError

    monkeypatch.setattr(os, "scandir", broken)
    monkeypatch.setattr(os, "supports_fd", {broken})
    assert names(ws, "note") == []


def test_the_same_name_is_found_elsewhere(ws: Folder, inside: Path) -> None:
    write(inside / "src/server_config.py", "")
    write(inside / "lib/deep/down/server_config.py", "")
    assert names(ws, "scr/server_config.py") == ["src/server_config.py", "lib/deep/down/server_config.py"]
    assert names(ws, "server_config.py")[0] == "src/server_config.py"


def test_a_name_elsewhere_that_policy_denies_is_not_told(ws: Folder, inside: Path, tmp_path: Path) -> None:
    write(inside / "secret/plan.txt", "")
    write(tmp_path / "outside/plan.txt", "")
    link(inside / "alias", "../outside")
    assert names(ws, "plan.txt", policy=Policy(deny=["/secret/"])) == []


def test_heaps_and_hidden_directories_are_not_looked_into(ws: Folder, inside: Path) -> None:
    write(inside / "node_modules/x/index.js", "")
    write(inside / ".cache/index.js", "")
    assert names(ws, "index.js") == []


def test_the_look_elsewhere_is_bounded(ws: Folder, inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(inside / "a/b/c/notes", "")
    monkeypatch.setattr(suggestions, "_MOST_VISITED", 2)
    assert names(ws, "x/notes") == []
    monkeypatch.setattr(suggestions, "_MOST_VISITED", 100)
    monkeypatch.setattr(suggestions, "_LOOK_SECONDS", 0)
    assert names(ws, "x/notes") == []


def test_a_look_ends_in_the_middle_of_a_directory(ws: Folder, inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Which may have thousands of files of one name, in other letters."""
    for name in ("plan.txt", "Plan.txt", "PLAN.txt"):
        write(inside / "sub" / name, "")
    judged: list[Place] = []

    def allowed(place: Place) -> bool:
        judged.append(place)
        monkeypatch.setattr(suggestions, "_is_over", lambda _: True)
        return True

    close_names([Place(ws, "plan.txt")], [ws], allowed)
    assert len(judged) == 1


def test_to_compare_long_paths_takes_no_longer(ws: Folder, inside: Path) -> None:
    letters = "".join(chr(0x4E00 + number) for number in range(60))
    write(inside / "/".join(["d" * 60, letters, letters[::-1], letters[20:], "plan.txt"]), "")

    def cost(repeated: int) -> int:
        return calls_of(lambda: names(ws, f"{letters}/" * repeated + "plan.txt"))

    cost(1)  # what is imported and compiled once
    assert cost(400) < 2 * cost(4)


def test_names_are_ranked_by_what_comes_before_the_extension(ws: Folder, inside: Path) -> None:
    for name in ("data.txt", "todo.txt", "hope.md"):
        write(inside / name, "")
    assert names(ws, "nope.txt") == ["hope.md"]


def test_a_folder_lists_what_may_be_read(ws: Folder, inside: Path) -> None:
    for name in ("b.py", "a.py", ".env", ".gitignore", "sub/c.py"):
        write(inside / name, "")
    link(inside / "alias", "a.py")
    rules = Policy()

    def allowed(place: Place) -> bool:
        return _allows(rules, place)

    listing = readable_names(Place(ws, ""), [ws], allowed, lambda _: True, 3, end_of_look())
    assert listing == (["a.py", "b.py", "sub/"], 1, False)
    assert readable_names(Place(ws, ""), [ws], allowed, lambda place: place.relative != "a.py", 2, end_of_look()) == (
        ["b.py", "sub/"],
        2,
        False,
    )
    assert readable_names(Place(ws, "a.py"), [ws], lambda _: True, lambda _: True, 3, end_of_look()) is None
    assert readable_names(Place(ws, "none"), [ws], lambda _: True, lambda _: True, 3, end_of_look()) is None


def test_a_folder_lists_no_directory_in_which_nothing_may_be_read(ws: Folder, inside: Path) -> None:
    for name in (".ssh/config", "secret/plan.txt", "drafts/a.txt", ".env/lib/site.py", "src/.aws/credentials"):
        write(inside / name, "")
    rules = Policy(deny=["secret/", "drafts/**"])

    def listed(directory: str) -> object:
        allowed = partial(_allows, rules)
        return readable_names(Place(ws, directory), [ws], allowed, lambda _: True, 40, end_of_look())

    assert listed("") == (["src/", ".env/"], 0, False)
    assert listed("src") == ([".aws/"], 0, False), "only some of its files are secret"


def test_after_the_look_no_further_name_of_a_folder_is_told(ws: Folder, inside: Path) -> None:
    """Whether a name may be told can take opening and decompressing the file, thousands of times over."""
    asked: list[Place] = []

    def readable(place: Place) -> bool:
        asked.append(place)
        return True

    for number in range(50):
        write(inside / f"key{number}.pem", "")
    assert readable_names(Place(ws, ""), [ws], lambda _: True, readable, 40, deadline=0) == ([], 0, True)
    assert asked == []
    write(inside / "sub/key.pem", "")
    assert readable_names(Place(ws, "sub"), [ws], lambda _: True, readable, 40, deadline=0) == ([], 0, True)
