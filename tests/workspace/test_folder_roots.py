"""Where folders lead, and that each judges what lies in it: nested, linked, turned, opened again, or slow to answer."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from threading import Event

import pytest

from forge_daemon.workspace import folder as folder_module
from forge_daemon.workspace.folder import PATIENCE_SECONDS, Folder, Place, real_path
from forge_daemon.workspace.policies import FolderRoots
from forge_protocol.errors import ErrorCode
from tests.workspace.readers import read, reader_of, refusal
from tests.workspace.workspaces import folder, link, write

DENIES = '[policy]\ndeny = ["secret.txt"]\n'


@pytest.fixture
def base(tmp_path: Path) -> Path:
    return tmp_path.resolve()


def opened_by(path: Path) -> Folder:
    """A folder whose path may be a link."""
    return Folder(path.name, path.as_posix(), path.as_uri())


def turn(link: Path, target: str) -> None:
    beside = link.with_name("turned")
    beside.symlink_to(target)
    os.replace(beside, link)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Callable[[str], Event]:
    """Storage that tells where a root leads only once it may."""

    def is_slow(root: str) -> Event:
        may_answer = Event()

        def answer(path: str) -> str:
            if path == root:
                may_answer.wait(30)
            return real_path(path)

        monkeypatch.setattr(folder_module, "real_path", answer)
        return may_answer

    return is_slow


# A link to a folder is turned ----------------------------------------------------------------------


def test_what_a_folder_denies_stays_denied_when_the_link_to_it_is_turned(base: Path) -> None:
    for name in ("first", "second"):
        write(base / name / "secret.txt", name)
        write(base / name / "plain.txt", name)
    write(base / "first/forge.toml", DENIES)
    reader = reader_of(opened_by(link(base / "current", "first")))
    assert refusal(reader, "secret.txt").code == ErrorCode.POLICY_DENIED
    turn(base / "current", "second")
    assert read(reader, "plain.txt").answer == "first"
    assert refusal(reader, "secret.txt").code == ErrorCode.POLICY_DENIED


def test_a_folder_that_is_opened_again_is_judged_by_where_it_leads_now(base: Path) -> None:
    for name in ("plain", ".aws"):
        write(base / name / "credentials", name)
    reader = reader_of(opened_by(link(base / "current", "plain")))
    assert read(reader, "credentials").answer == "plain"
    turn(base / "current", ".aws")
    reader.set_folders([opened_by(base / "current")])
    assert refusal(reader, "credentials").code == ErrorCode.POLICY_DENIED


def test_a_folder_that_is_opened_again_has_the_settings_of_where_it_leads_now(base: Path) -> None:
    for name in ("first", "second"):
        write(base / name / "secret.txt", name)
    write(base / "second/forge.toml", DENIES)
    reader = reader_of(opened_by(link(base / "current", "first")))
    assert read(reader, "secret.txt").answer == "first"
    turn(base / "current", "second")
    reader.set_folders([opened_by(base / "current")])
    assert refusal(reader, "secret.txt").code == ErrorCode.POLICY_DENIED


# Folders inside folders ----------------------------------------------------------------------------


def test_a_linked_folder_judges_from_the_first_read_on(base: Path) -> None:
    write(base / "outer/inner/secret.txt", "secret")
    write(base / "outer/inner/forge.toml", DENIES)
    reader = reader_of()
    reader.set_folders([folder(base / "outer"), opened_by(link(base / "alias", "outer/inner"))])
    assert refusal(reader, "inner/secret.txt", workspace_folder="outer").code == ErrorCode.POLICY_DENIED


def test_a_place_is_covered_by_the_folders_above_it_once_they_have_told_where_they_lead(
    base: Path, slow: Callable[[str], Event]
) -> None:
    (base / "real/in").mkdir(parents=True)
    outer, inner = opened_by(link(base / "alias", "real")), folder(base / "real/in")
    may_answer = slow(outer.root)
    roots = FolderRoots((outer, inner))
    may_answer.set()
    assert roots.enclosing_folders(Place(inner, "x")) == [(outer, "in/x")]


def test_a_folder_that_does_not_tell_where_it_leads_is_waited_for_once(
    base: Path, slow: Callable[[str], Event]
) -> None:
    write(base / "plain/file", "text")
    link(base / "plain/out", "/nowhere")
    plain, silent = folder(base / "plain"), opened_by(link(base / "alias", "elsewhere"))
    may_answer = slow(silent.root)
    try:
        reader = reader_of()
        reader.set_folders([plain])
        reader.set_folders([plain, silent])
        started = time.monotonic()
        for _ in range(20):
            assert read(reader, f"{base}/plain/file").answer == "text"
            assert refusal(reader, f"{base}/plain/out").code == ErrorCode.SANDBOX_VIOLATION
        assert time.monotonic() - started < 10 * PATIENCE_SECONDS  # not once for each
    finally:
        may_answer.set()


def test_a_folder_judges_whatever_the_letters_of_its_name(base: Path) -> None:
    outer, inner = folder(base / "outer"), folder(base / "outer/Inner")
    roots = FolderRoots((outer, inner))
    assert roots.enclosing_folders(Place(outer, "inner/x")) == [(inner, "x")]
