"""Open documents are found by their path, and by the file their path leads to."""

from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from forge_daemon.reading.sources.buffer import Buffer
from forge_daemon.workspace.open_documents import OpenDocuments

BUFFER = Buffer("text", 1)


def test_a_document_is_found_under_the_path_it_was_opened_with() -> None:
    documents = OpenDocuments()
    assert len(documents) == 0
    documents.put("/ws/a", BUFFER)
    assert len(documents) == 1
    assert documents.at("/ws/a") is BUFFER
    assert documents.at("/ws/b") is None


def test_a_new_version_takes_the_place_of_the_old() -> None:
    documents = OpenDocuments()
    documents.put("/ws/a", BUFFER)
    newer = Buffer("newer", 2)
    documents.put("/ws/a", newer)
    assert documents.at("/ws/a") is newer
    assert documents.leading_to("/ws/a") is newer


def test_a_closed_document_is_found_no_more(tmp_path: Path) -> None:
    documents = OpenDocuments()
    path = str(tmp_path.resolve() / "a")
    documents.put(path, BUFFER)
    assert documents.leading_to(path) is BUFFER
    documents.remove(path)
    documents.remove("/never/opened")
    assert documents.at(path) is None
    assert documents.leading_to(path) is None
    assert len(documents) == 0


def test_a_document_is_found_by_the_file_its_path_leads_to(tmp_path: Path) -> None:
    directory = tmp_path.resolve()
    (directory / "real").mkdir()
    (directory / "link").symlink_to("real")
    documents = OpenDocuments()
    documents.put(f"{directory}/link/a", BUFFER)
    documents.put(f"{directory}/other", Buffer("other", 1))
    assert documents.leading_to(f"{directory}/real/a") is BUFFER
    assert documents.leading_to(f"{directory}/link/a") is None


def test_a_document_whose_link_was_turned_is_found_by_the_new_file_s_name_no_longer_by_the_old(
    tmp_path: Path,
) -> None:
    directory = tmp_path.resolve()
    link = directory / "link"
    link.symlink_to("old")
    documents = OpenDocuments()
    documents.put(str(link), BUFFER)
    assert documents.leading_to(f"{directory}/old") is BUFFER
    link.unlink()
    link.symlink_to("new")
    assert documents.leading_to(f"{directory}/old") is None
    assert documents.leading_to(f"{directory}/new") is BUFFER


def test_documents_may_come_and_go_while_others_look() -> None:
    documents = OpenDocuments()

    def edit(number: int) -> None:
        for version in range(100):
            documents.put(f"/ws/{number}", Buffer("text", version))
            assert documents.leading_to(f"/ws/{number}") is not None
            documents.remove(f"/ws/{number}")

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(edit, range(4)))
    assert len(documents) == 0
