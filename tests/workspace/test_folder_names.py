"""Several folders: a path with a folder's name in front, and the names that answers and hints give."""

import sys
from pathlib import Path

import pytest

from forge_daemon.workspace.folder import Folder, folder_from_uri
from forge_daemon.workspace.hints import full_name
from forge_daemon.workspace.reader import Reader, Target
from forge_protocol.errors import ErrorCode
from tests.workspace.readers import read, reader_of, refusal
from tests.workspace.workspaces import folder, link, write


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path.resolve()


@pytest.fixture
def reader(base: Path) -> Reader:
    write(base / "api/README.md", "api")
    write(base / "web/x", "x")
    return reader_of(folder(base / "web"), folder(base / "api"))


def named(path: Path, name: str) -> Folder:
    return folder_from_uri(path.as_uri(), name)


def shown(reader: Reader, path: str) -> str:
    with reader.open(Target(path)) as file:
        return full_name(reader, file.place)


@pytest.mark.parametrize("path", ["api/README.md", "./api/README.md", "api//README.md", "x/../api/README.md"])
def test_however_it_is_written_it_is_found(reader: Reader, path: str) -> None:
    assert read(reader, path).answer == "api"


@pytest.mark.parametrize("settings", ['[policy]\ndeny = ["api/"]\n', "no TOML"])
def test_what_another_folder_denies_is_no_matter_of_this_one(reader: Reader, base: Path, settings: str) -> None:
    write(base / "web/forge.toml", settings)
    assert read(reader, "api/README.md").answer == "api"


def test_a_link_of_another_folder_that_leads_out_is_none_either(reader: Reader, base: Path) -> None:
    (base / "outside").mkdir()
    link(base / "web/api", "../outside")
    assert read(reader, "api/README.md").answer == "api"
    assert refusal(reader, "api/none").code == ErrorCode.NOT_FOUND


def test_what_is_there_but_no_file_is_said(reader: Reader, base: Path) -> None:
    (base / "web/api/README.md").mkdir(parents=True)
    assert refusal(reader, "api/README.md").code == ErrorCode.NOT_FILE


def test_a_folders_name_may_have_slashes(base: Path) -> None:
    write(base / "a/README.md", "a")
    write(base / "b/README.md", "b")
    reader = reader_of(named(base / "a", "packages/a"), named(base / "b", "packages/b"))
    assert refusal(reader, "README.md").hint == "say which: packages/a/README.md, packages/b/README.md"
    assert read(reader, "packages/b/README.md").answer == "b"


def test_among_folders_of_one_name_the_one_with_the_file_is_meant(base: Path) -> None:
    write(base / "p/src/only.py", "p")
    for each in ("p", "q"):
        write(base / each / "src/both.py", each)
    reader = reader_of(folder(base / "p/src"), folder(base / "q/src"))
    assert read(reader, "src/only.py").answer == "p"
    assert read(reader, shown(reader, "src/only.py")).answer == "p"
    error = refusal(reader, "src/both.py")
    assert error.hint is not None
    for each in ("p", "q"):
        assert (path := (base / each / "src/both.py").as_posix()) in error.hint
        assert read(reader, path).answer == each


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux tells which storage may be asked")
def test_a_name_that_would_lead_to_another_file_is_not_given(base: Path) -> None:
    write(base / "web/docs/README.md", "web's docs")
    write(base / "docs/README.md", "docs")
    reader = reader_of(folder(base / "web"), folder(base / "docs"))
    for path in ("web/docs/README.md", f"{base}/docs/README.md"):
        assert read(reader, shown(reader, path)).answer == read(reader, path).answer


@pytest.mark.parametrize("name", ["..", "/abs", "file:x", "x/", "a//b"])
def test_a_file_is_read_whatever_its_folder_is_called(base: Path, name: str) -> None:
    write(base / "a/x", "x")
    reader = reader_of(named(base / "a", name), folder(base / "b"))
    assert read(reader, shown(reader, f"{base}/a/x")).answer == "x"


def test_names_do_not_tell_whether_a_denied_file_is_there(base: Path) -> None:
    write(base / "a/forge.toml", '[policy]\ndeny = ["b/**"]\n')
    write(base / "a/b/there", "")
    for each in ("there", "absent"):
        write(base / "b" / each, "b")
    reader = reader_of(folder(base / "a"), folder(base / "b"))
    assert [shown(reader, f"b/{each}") for each in ("there", "absent")] == ["b/there", "b/absent"]


def test_what_a_folder_says_of_its_own_files_is_said(base: Path) -> None:
    write(base / "a/forge.toml", '[policy]\ndeny = ["b/**"]\n')
    write(base / "b/notes.txt", "b")
    reader = reader_of(folder(base / "a"), folder(base / "b"))
    assert refusal(reader, "b/note.txt").hint == "did you mean b/notes.txt?"
