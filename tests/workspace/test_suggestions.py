"""What is suggested for a path that leads to no file."""

import os
from pathlib import Path

import pytest

from forge_daemon.workspace import hints
from forge_daemon.workspace.folder import Folder
from forge_daemon.workspace.hints import nearness
from tests.workspace.readers import reader_of, refusal
from tests.workspace.work import calls_of
from tests.workspace.workspaces import folder, link, open_descriptors, write


@pytest.fixture
def inside(ws: Folder) -> Path:
    return Path(ws.root)


def names(ws: Folder, relative: str, *others: Folder) -> list[str]:
    before = open_descriptors()
    hint = refusal(reader_of(ws, *others), relative, workspace_folder=ws.name).hint
    assert open_descriptors() == before
    return hint.removeprefix("did you mean ").removesuffix("?").split(", ") if hint else []


def deny(inside: Path, pattern: str) -> None:
    write(inside / "forge.toml", f"[policy]\ndeny = ['{pattern}']\n")


def test_the_closest_come_first_and_no_more_than_three(ws: Folder, inside: Path) -> None:
    for name in ("main.py", "mainly.py", "maine.py", "maim.py", "unrelated.txt"):
        write(inside / "src" / name, "")
    assert names(ws, "src/mian.py") == ["src/main.py", "src/maine.py", "src/mainly.py"]


def test_upper_and_lower_case_do_not_matter(ws: Folder, inside: Path) -> None:
    write(inside / "README.md", "")
    assert names(ws, "redme.MD") == ["README.md"]


def test_only_regular_files_are_suggested(ws: Folder, inside: Path) -> None:
    (inside / "notes1").mkdir()
    os.mkfifo(inside / "notes2")
    link(inside / "notes3", "notes4")
    write(inside / "notes4", "")
    assert names(ws, "notes") == ["notes4"]


def test_what_policy_denies_is_not_named(ws: Folder, inside: Path) -> None:
    for name in ("id_rsa", "id_rst"):
        write(inside / name, "")
    assert names(ws, "id_rs") == ["id_rst"]
    deny(inside, "id_rst")
    assert names(ws, "id_rs") == []


def test_what_policy_denies_where_a_link_leads_is_not_named(ws: Folder, inside: Path) -> None:
    write(inside / "hidden/notes.txt", "")
    link(inside / "alias", "hidden")
    assert names(ws, "alias/note.txt") == ["alias/notes.txt"]
    deny(inside, "/hidden/")
    assert names(ws, "alias/note.txt") == []


def test_files_of_another_folder_are_not_named_through_a_link(tmp_path: Path, ws: Folder, inside: Path) -> None:
    other = folder(tmp_path / "other")
    write(tmp_path / "other/notes.txt", "")
    link(inside / "alias", "../other")
    assert "alias/notes.txt" not in names(ws, "alias/note.txt", other)


def test_nothing_outside_is_named(tmp_path: Path, ws: Folder, inside: Path) -> None:
    write(tmp_path / "outside/notes.txt", "")
    link(inside / "alias", "../outside")
    assert names(ws, "alias/note.txt") == []
    assert names(ws, "notes.txt") == []


@pytest.mark.parametrize("relative", ["none/x", "file/x", "x" * 300, "x" * 300 + "/y"])
def test_where_there_is_nothing_to_say_nothing_is_said(ws: Folder, inside: Path, relative: str) -> None:
    write(inside / "file", "")
    assert names(ws, relative) == []


def test_a_name_that_cannot_be_shown_is_left_out(ws: Folder, inside: Path) -> None:
    write(inside / "notes\n.txt", "")
    write(inside / os.fsdecode(b"notes\xff.txt"), "")
    assert names(ws, "notes.txt") == []


def test_the_same_name_is_found_elsewhere(ws: Folder, inside: Path) -> None:
    write(inside / "src/server_config.py", "")
    write(inside / "lib/deep/down/server_config.py", "")
    assert names(ws, "scr/server_config.py") == ["src/server_config.py", "lib/deep/down/server_config.py"]
    assert names(ws, "server_config.py")[0] == "src/server_config.py"


def test_a_name_elsewhere_that_policy_denies_is_not_told(ws: Folder, inside: Path) -> None:
    write(inside / "secret/plan.txt", "")
    deny(inside, "/secret/")
    assert names(ws, "plan.txt") == []


def test_the_look_elsewhere_leaves_out_what_git_ignores(ws: Folder, inside: Path) -> None:
    write(inside / "node_modules/x/index.js", "")
    assert names(ws, "index.js") == ["node_modules/x/index.js"]
    write(inside / ".gitignore", "node_modules/\n")
    assert names(ws, "index.js") == []


def test_the_look_ends_when_its_time_is_over(ws: Folder, inside: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(inside / "a/b/c/notes", "")
    monkeypatch.setattr(hints, "LOOK_SECONDS", -1)
    assert names(ws, "x/notes") == []


def test_comparing_long_paths_takes_no_more_steps() -> None:
    letters = "".join(chr(0x4E00 + number) for number in range(60))
    elsewhere = "/".join(["d" * 60, letters, letters[::-1], letters[20:], "plan.txt"])

    def cost(repeated: int) -> int:
        return calls_of(lambda: nearness(f"{letters}/" * repeated + "plan.txt", elsewhere))

    assert cost(400) < 2 * cost(4)


def test_names_are_ranked_by_what_comes_before_the_extension(ws: Folder, inside: Path) -> None:
    for name in ("data.txt", "todo.txt", "hope.md"):
        write(inside / name, "")
    assert names(ws, "nope.txt") == ["hope.md"]
