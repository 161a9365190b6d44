"""What a window says of all of a text, which never depends on what is known already."""

import gzip

import pytest

from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.window import facts
from forge_daemon.reading.window.read import count_lines, read_window
from forge_daemon.reading.window.selection import LastLines
from forge_daemon.reading.window.window import WindowRequest
from tests.reading.sources import in_memory, no_progress

UNPACKED = TextForm(decompress=True)
LONG_TEXT = gzip.compress(b"line\n" * 400, mtime=0)
LONG_FILE = gzip.compress(b"x\n", mtime=0) * 50


@pytest.fixture(autouse=True)
def small_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(facts, "MAX_COUNTED_COMPRESSED", 1000)


@pytest.mark.parametrize("data", [LONG_TEXT, LONG_FILE], ids=["text", "file"])
def test_the_end_of_a_long_compressed_text_is_known_only_where_it_is_shown(data: bytes) -> None:
    file, request = in_memory(data), WindowRequest(max_lines=1, form=UNPACKED)
    for _ in range(2):
        start = read_window(file, request, no_progress).facts
        assert (start.line_count, start.text_byte_length, start.ends_with_newline) == (None, None, False)
        count_lines(file, request, no_progress)
    end = read_window(file, request._replace(selection=LastLines(1)), no_progress).facts
    assert (end.line_count, end.text_byte_length, end.ends_with_newline) == (None, None, True)


def test_the_end_of_a_short_compressed_text_is_always_known() -> None:
    window = read_window(in_memory(gzip.compress(b"a\nb\n")), WindowRequest(max_lines=1, form=UNPACKED), no_progress)
    assert (window.facts.line_count, window.facts.text_byte_length, window.facts.ends_with_newline) == (2, 4, True)


@pytest.mark.parametrize(
    ("text", "encoding"), [("a\nb\n", "utf-8"), ("a\nb", "utf-8"), ("a\nb\n", "utf-16"), ("a\nb", "utf-16")]
)
def test_the_end_of_a_large_file_is_read_from_the_file(text: str, encoding: str) -> None:
    request = WindowRequest(max_lines=1, count_lines_up_to=0)
    window = read_window(in_memory(text.encode(encoding)), request, no_progress)
    assert (window.facts.line_count, window.facts.ends_with_newline) == (None, text.endswith("\n"))
