"""Open documents are served with the editor's text and edits until they are closed."""

from pathlib import Path
from typing import Any

import pytest

from tests.lsp.conftest import Start
from tests.lsp.raw_client import RawClient, result_of


@pytest.fixture
def file(workspace: Path) -> Path:
    path = workspace / "notes.txt"
    path.write_text("on disk\n")
    return path


def change(client: RawClient, path: Path, version: int, *changes: dict[str, Any]) -> None:
    client.notify(
        "textDocument/didChange",
        {"textDocument": {"uri": path.as_uri(), "version": version}, "contentChanges": changes},
    )


def edit(start: tuple[int, int], end: tuple[int, int], text: str) -> dict[str, Any]:
    first, last = ({"line": line, "character": character} for line, character in (start, end))
    return {"range": {"start": first, "end": last}, "text": text}


def test_unsaved_text_is_served_until_the_document_is_closed(client: RawClient, file: Path) -> None:
    before = client.read("notes.txt")
    assert (before["content"], before["source"], before["document_version"]) == ("on disk\n", "disk", None)
    client.open(file, "in the editor\n", version=7)
    during = client.read("notes.txt")
    assert (during["content"], during["source"], during["document_version"]) == ("in the editor\n", "buffer", 7)
    assert during["meta"]["byte_length"] == len("in the editor\n")
    assert during["meta"]["mtime_ms"] == before["meta"]["mtime_ms"]
    client.close(file)
    after = client.read("notes.txt")
    assert (after["content"], after["source"], after["etag"]) == ("on disk\n", "disk", before["etag"])


@pytest.mark.parametrize(("source", "content"), [("auto", "edited"), ("buffer", "edited"), ("disk", "on disk\n")])
def test_the_source_can_be_chosen(client: RawClient, file: Path, source: str, content: str) -> None:
    client.open(file, "edited")
    assert client.read("notes.txt", source=source)["content"] == content
    client.close(file)


def test_a_document_that_is_not_open_is_no_buffer(client: RawClient, file: Path) -> None:
    assert client.refusal("notes.txt", source="buffer")["code"] == "NOT_FOUND"


def test_every_surface_sees_the_document(client: RawClient, file: Path) -> None:
    client.open(file, "1\n2\n3")
    assert client.result("forge/countLines", {"path": "notes.txt"})["line_count"] == 3
    many = client.result("forge/readFiles", {"files": [{"path": "notes.txt"}]})
    assert many["results"][0]["result"]["content"] == "1\n2\n3"
    assert result_of(client.tool("Read", path="notes.txt", show_line_numbers=False))["content"] == "1\n2\n3"
    client.close(file)


@pytest.mark.parametrize(
    ("text", "changes", "expected"),
    [
        ("one\ntwo\n", [edit((0, 0), (0, 3), "ONE")], "ONE\ntwo\n"),
        ("one\ntwo\n", [edit((1, 3), (1, 3), "!"), edit((0, 0), (1, 0), "")], "two!\n"),
        ("a\U0001f600b\n", [edit((0, 3), (0, 4), "c")], "a\U0001f600c\n"),
        ("a\u2028b\nc", [edit((1, 0), (1, 1), "d")], "a\u2028b\nd"),
        ("a\fb\x85c\nd", [edit((1, 0), (1, 1), "e")], "a\fb\x85c\ne"),
        ("a\r\nb\r\nc", [edit((1, 0), (1, 1), "B")], "a\nB\nc"),
        ("a\rb\rc", [edit((2, 0), (2, 1), "C")], "a\rb\rC"),
        ("a\n", [edit((9, 9), (10, 0), "end")], "a\nend"),
        ("a\nb\n", [edit((0, 99), (1, 0), "-")], "a-b\n"),
        ("old", [{"text": "first\n"}, edit((0, 0), (0, 5), "last"), {"text": "new"}], "new"),
        ("text", [], "text"),
    ],
    ids=ascii,
)
def test_edits_land_where_the_editor_means_them(
    client: RawClient, file: Path, text: str, changes: list[dict[str, Any]], expected: str
) -> None:
    client.open(file, text)
    change(client, file, 2, *changes)
    answer = client.read("notes.txt")
    assert (answer["content"], answer["document_version"]) == (expected, 2)
    client.close(file)


def test_an_etag_tells_documents_and_versions_apart(client: RawClient, file: Path) -> None:
    client.open(file, "same text")
    first = client.read("notes.txt")["etag"]
    assert client.read("notes.txt", if_none_match=first)["not_modified"]
    change(client, file, 2, {"text": "other text"})
    assert not client.read("notes.txt", if_none_match=first)["not_modified"]
    client.close(file)


def test_a_cursor_does_not_outlive_an_edit(client: RawClient, file: Path) -> None:
    client.open(file, "1\n2\n3\n")
    cursor = client.read("notes.txt", max_lines=1)["next_cursor"]
    assert client.read("notes.txt", cursor=cursor, max_lines=1)["content"] == "2\n"
    change(client, file, 2, edit((0, 0), (0, 0), "0\n"))
    refusal = client.refusal("notes.txt", cursor=cursor)
    assert refusal["code"] == "CONTENT_MODIFIED"
    assert refusal["etag"] == client.read("notes.txt")["etag"]
    client.close(file)


def test_a_new_document_inside_the_folder_is_served_before_it_is_saved(client: RawClient, workspace: Path) -> None:
    path = workspace / "deep" / "new.txt"
    client.open(path, "not yet on disk\n")
    answer = client.read("deep/new.txt")
    assert (answer["content"], answer["meta"]["mtime_ms"]) == ("not yet on disk\n", None)
    assert client.refusal("deep/new.txt", source="disk")["code"] == "NOT_FOUND"
    client.close(path)
    assert client.refusal("deep/new.txt")["code"] == "NOT_FOUND"


def test_a_document_outside_every_folder_stays_out_of_reach(client: RawClient, tmp_path: Path) -> None:
    path = tmp_path / "outside.txt"
    client.open(path, "secret")
    assert client.refusal(path)["code"] == "SANDBOX_VIOLATION"
    assert client.refusal("../outside.txt")["code"] == "SANDBOX_VIOLATION"
    client.close(path)


def test_policy_holds_for_open_documents(client: RawClient, workspace: Path) -> None:
    (workspace / ".env").write_text("SECRET=1")
    for name in (".env", "unsaved.p12"):
        client.open(workspace / name, "SECRET=2")
        assert client.refusal(name)["code"] == "POLICY_DENIED"
        client.close(workspace / name)


def test_a_document_is_found_through_links_from_either_side(client: RawClient, file: Path) -> None:
    link = file.with_name("link.txt")
    link.symlink_to(file.name)
    client.open(file, "opened by its own name")
    assert client.read("link.txt")["content"] == "opened by its own name"
    client.close(file)
    client.open(link, "opened by the link")
    assert client.read("notes.txt")["content"] == "opened by the link"
    client.close(link)


def test_a_document_opened_by_an_escaped_uri_is_the_same_document(client: RawClient, workspace: Path) -> None:
    path = workspace / "a b%ü.txt"
    path.write_text("disk")
    client.open(path, "buffer")
    assert client.read("a b%ü.txt")["content"] == "buffer"
    client.close(path)


def test_a_change_to_a_document_that_is_not_open_is_ignored(client: RawClient, file: Path) -> None:
    change(client, file, 2, {"text": "from nowhere"})
    assert client.read("notes.txt")["content"] == "on disk\n"
    client.open(file, "opened")
    client.close(file)
    change(client, file, 3, {"text": "too late"})
    assert client.read("notes.txt")["content"] == "on disk\n"


def test_half_a_character_is_shown_as_a_replacement(client: RawClient, file: Path) -> None:
    client.open(file, "a\ud800b\n")
    assert client.read("notes.txt")["content"] == "a\ufffdb\n"
    client.close(file)


@pytest.mark.parametrize(("encoding", "character"), [("utf-8", 5), ("utf-16", 3), ("utf-32", 2)])
def test_positions_are_counted_as_agreed_in_the_handshake(
    start: Start, workspace: Path, file: Path, encoding: str, character: int
) -> None:
    client = start()
    agreed = client.initialize(workspace, capabilities={"general": {"positionEncodings": [encoding]}})
    assert agreed["capabilities"]["positionEncoding"] == encoding
    client.open(file, "a\U0001f600b")
    change(client, file, 2, edit((0, character), (0, character + 1), "!"))
    assert client.read("notes.txt")["content"] == "a\U0001f600!"


def test_documents_are_announced_as_open_close_and_incremental(start: Start, workspace: Path) -> None:
    sync = start().initialize(workspace)["capabilities"]["textDocumentSync"]
    assert (sync["openClose"], sync["change"]) == (True, 2)
