"""An open document is read like a file: its text in UTF-8, its own etag, never binary."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading.files.document import Document
from forge_daemon.reading.window.cursor import Cursor
from forge_daemon.reading.window.read import count_lines, read_window
from forge_daemon.reading.window.selection import Lines
from forge_daemon.reading.window.window import Window, WindowRequest
from forge_protocol.errors import ErrorCode, ReadError
from tests.reading.sources import no_progress, normalised


def window_of(text: str, request: WindowRequest, version: int = 1) -> Window:
    return read_window(Document(text, version).snapshot(None), request, no_progress)


def test_the_document_answers_for_itself() -> None:
    window = read_window(Document("é\r\nb", 7).snapshot(1234), WindowRequest(), no_progress)
    facts = window.facts
    assert (window.content, window.eol, window.returned_line_count) == ("é\nb", "crlf", 2)
    assert (facts.source, facts.document_version, facts.mtime_ms) == ("buffer", 7, 1234)
    assert (facts.byte_length, facts.line_count, facts.ends_with_newline) == (5, 2, False)


def test_a_nul_does_not_make_it_binary() -> None:
    window = window_of("a\0b\n", WindowRequest(selection=Lines(1, 1), on_binary="refuse"))
    assert (window.content, window.facts.encoding, window.binary) == ("a\0b\n", "utf-8", None)
    assert count_lines(Document("\0\n\0", 1).snapshot(None), WindowRequest(), no_progress).lines == 2


def test_the_halves_of_a_character_that_came_in_two_edits_are_one() -> None:
    source = Document("\ud83d" + "\ude00!", 1).snapshot(None)
    assert source.read_at(0, source.size).decode() == "😀!"


def test_a_lone_surrogate_is_shown_as_replaced_and_is_no_decoding_error() -> None:
    window = window_of("a\ud800b\udfff😀\n", WindowRequest())
    assert (window.content, window.decode_errors) == ("a\ufffdb\ufffd😀\n", 0)


def test_a_mark_at_the_start_is_a_byte_order_mark() -> None:
    window = window_of("\ufeffa\n", WindowRequest())
    assert (window.content, window.facts.bom, window.facts.byte_length) == ("a\n", True, 5)


def test_an_empty_document_has_no_lines() -> None:
    window = window_of("", WindowRequest())
    assert (window.content, window.facts.line_count, window.facts.byte_length) == ("", 0, 0)


def test_the_etag_follows_text_and_version() -> None:
    etags = {Document(text, version).snapshot(None).etag for text in ("a", "b", "") for version in (1, 2)}
    assert len(etags) == 6
    assert Document("a", 1).snapshot(None).etag == Document("a", 1).snapshot(99).etag


def test_a_document_is_encoded_and_indexed_once_whatever_the_time_of_its_file() -> None:
    document = Document("a\nb\n", 1)
    first, second = document.snapshot(1), document.snapshot(None)
    assert first.knowledge is second.knowledge
    assert (first.mtime_ms, second.mtime_ms) == (1, None)


def test_a_cursor_does_not_outlive_an_edit() -> None:
    cursor = window_of("a\nb\n", WindowRequest(max_lines=1)).next_cursor
    assert isinstance(cursor, Cursor)
    assert window_of("a\nb\n", WindowRequest(selection=cursor)).content == "b\n"
    with pytest.raises(ReadError) as caught:
        window_of("a\nb\n", WindowRequest(selection=cursor), version=2)
    assert caught.value.code == ErrorCode.CONTENT_MODIFIED


@given(st.text(st.characters(codec="utf-8") | st.sampled_from("\r\n\0é😀")), st.integers(1, 5), st.integers(1, 9))
def test_the_pages_of_a_document_are_the_document(text: str, max_lines: int, max_bytes: int) -> None:
    content, selection = "", None
    while True:
        window = window_of(text, WindowRequest(selection, max_lines, max_bytes))
        content, selection = content + window.content, window.next_cursor
        if selection is None:
            break
    assert content == normalised(text.encode())
