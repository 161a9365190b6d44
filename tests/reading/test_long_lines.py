"""Lines that are too long to be searched as a whole: literals are found in them all the same, in every form of text."""

import gzip

import pytest

from forge_daemon.reading.encodings.names import encoding_called
from forge_daemon.reading.search.find import FindRequest, Match, find, open_search
from forge_daemon.reading.search.line_filter import Filter, LineFilter
from forge_daemon.reading.search.line_search import LONGEST_LINE
from forge_daemon.reading.text import TextForm
from forge_daemon.reading.windows.facts import count_lines
from forge_daemon.reading.windows.read import read_window
from forge_daemon.reading.windows.window import Columns, WindowRequest
from forge_protocol.errors import ReadError
from reading.sources import in_memory, no_progress

FILLER = "filler " * (LONGEST_LINE // 7 + 1000)
LINE = f"{FILLER}needle\x1b[31m in\x1b[0m colour {FILLER} needle at the end"
COLUMN = len(FILLER) + 1
FORMS = {
    "without escape sequences": TextForm(strip_ansi=True),
    "single bytes": TextForm(encoding_called("windows-1252"), strip_ansi=True),
    "several bytes": TextForm(encoding_called("shift_jis"), strip_ansi=True),
    "UTF-16": TextForm(encoding_called("utf-16le"), strip_ansi=True),
    "gzip": TextForm(decompress=True, strip_ansi=True),
}


def written(form: TextForm) -> bytes:
    data = f"short\n{LINE}\nneedle\n".encode(form.encoding.codec if form.encoding else "utf-8")
    return gzip.compress(data, 1) if form.decompress else data


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_literal_is_found_in_a_line_of_any_length(form: TextForm) -> None:
    source = in_memory(written(form))

    def found(request: FindRequest) -> Match | None:
        with open_search("NEEDLE in", ignore_case=True) as search:
            return find(source, request._replace(form=form), search, no_progress).match

    for request in (
        FindRequest(),
        FindRequest(2, COLUMN),
        FindRequest(3, backward=True),
        FindRequest(2, 9_000_000, True),
    ):
        match = found(request)
        assert match is not None
        assert match[:3] == (2, COLUMN, COLUMN + 8)
        assert "needle in colour" in match.content
    assert found(FindRequest(2, COLUMN + 1)) is None
    assert found(FindRequest(2, COLUMN, backward=True)) is None


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_filter_judges_a_line_of_any_length(form: TextForm) -> None:
    source = in_memory(written(form))
    for wanted, lines in [(Filter("needle in"), 1), (Filter("needle"), 2), (Filter("needle", invert=True), 1)]:
        assert count_lines(source, no_progress, LineFilter(wanted), form) == lines


def test_an_expression_is_refused_there_with_a_way_on() -> None:
    form = FORMS["without escape sequences"]
    with open_search("needle.*in", regex=True) as search, pytest.raises(ReadError, match="only literals") as refusal:
        find(in_memory(written(form)), FindRequest(form=form), search, no_progress)
    assert refusal.value.hint == "start_line 3 continues after it"


def test_where_sequences_begin_the_search_sees_lines_as_they_are_shown() -> None:
    data = b"plain\nneed\x1b[31mle one\nplain needle\n"
    for start, line in [(FindRequest(), 2), (FindRequest(2, 2), 3)]:
        with open_search("needle") as search:
            match = find(in_memory(data), start._replace(form=TextForm(strip_ansi=True)), search, no_progress).match
        assert match is not None
        assert match.line == line


@pytest.mark.parametrize("hidden", [b"\x1b$B", b"\x1b[31m"], ids=["character sets", "colours"])
def test_a_window_of_a_line_that_shows_nothing_can_be_stopped_at_any_place(hidden: bytes) -> None:
    source = in_memory(hidden * 100_000)
    request = WindowRequest(columns=Columns(0, 10), form=TextForm(strip_ansi=True))
    asked_at: list[int] = []
    assert read_window(source, request, lambda done, _: asked_at.append(done)).content == ""
    assert {done // 65_536 for done in asked_at} >= set(range(source.size // 65_536))


def test_no_window_waits_for_the_lines_of_a_compressed_file_that_is_long_itself() -> None:
    members = gzip.compress(b"x\n", mtime=0) * 200_000
    window = read_window(in_memory(members), WindowRequest(max_lines=2, form=TextForm(decompress=True)), no_progress)
    assert window.content == "x\nx\n"
    assert (window.facts.line_count, window.facts.text_byte_length) == (None, None)
