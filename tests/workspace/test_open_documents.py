"""Open documents are found by their path, and by the file their path leads to."""

import os
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from forge_daemon.reading.files.document import Document
from forge_daemon.workspace.folder import normal_path
from forge_daemon.workspace.open_documents import OpenDocuments

BUFFER = Document("text", 1)
WS = normal_path(os.path.abspath("/ws"))


def test_a_document_is_found_under_the_path_it_was_opened_with() -> None:
    documents = OpenDocuments()
    assert len(documents) == 0
    documents.put(f"{WS}/a", BUFFER)
    assert len(documents) == 1
    assert documents.at(f"{WS}/a") is BUFFER
    assert documents.at(f"{WS}/b") is None


def test_a_new_version_takes_the_place_of_the_old() -> None:
    documents = OpenDocuments()
    documents.put(f"{WS}/a", BUFFER)
    newer = Document("newer", 2)
    documents.put(f"{WS}/a", newer)
    assert documents.at(f"{WS}/a") is newer
    assert documents.document_for_target(f"{WS}/a") is newer


def test_a_closed_document_is_found_no_more(tmp_path: Path) -> None:
    documents = OpenDocuments()
    path = (tmp_path.resolve() / "a").as_posix()
    documents.put(path, BUFFER)
    assert documents.document_for_target(path) is BUFFER
    documents.remove(path)
    documents.remove("/never/opened")
    assert documents.at(path) is None
    assert documents.document_for_target(path) is None
    assert len(documents) == 0


def test_a_document_is_found_by_the_file_its_path_leads_to(tmp_path: Path) -> None:
    directory = tmp_path.resolve().as_posix()
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    documents = OpenDocuments()
    documents.put(f"{directory}/link/a", BUFFER)
    documents.put(f"{directory}/other", Document("other", 1))
    assert documents.document_for_target(f"{directory}/real/a") is BUFFER
    assert documents.document_for_target(f"{directory}/link/a") is None


def test_a_document_whose_link_was_turned_is_found_by_the_new_file_s_name_no_longer_by_the_old(
    tmp_path: Path,
) -> None:
    directory = tmp_path.resolve().as_posix()
    link = tmp_path / "link"
    link.symlink_to("old")
    documents = OpenDocuments()
    documents.put(f"{directory}/link", BUFFER)
    assert documents.document_for_target(f"{directory}/old") is BUFFER
    link.unlink()
    link.symlink_to("new")
    assert documents.document_for_target(f"{directory}/old") is None
    assert documents.document_for_target(f"{directory}/new") is BUFFER


def test_documents_may_come_and_go_while_others_look() -> None:
    documents = OpenDocuments()

    def edit(number: int) -> None:
        for version in range(100):
            documents.put(f"{WS}/{number}", Document("text", version))
            assert documents.document_for_target(f"{WS}/{number}") is not None
            documents.remove(f"{WS}/{number}")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(edit, range(4)))
    assert len(documents) == 0
