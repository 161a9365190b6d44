"""Lines that are longer than what is read at once, in every form of text."""

import gzip

import pytest

from forge_daemon.reading.match.expression import is_supported
from forge_daemon.reading.match.filtered_lines import STEP
from forge_daemon.reading.match.find import Match, Position
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.texts.encodings.names import encoding_called
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.window.find import FindRequest, find
from forge_daemon.reading.window.read import count_lines, read_window
from forge_daemon.reading.window.window import Columns, WindowRequest
from tests.reading.sources import in_memory, no_progress
from tests.requests.filters import matching

FILLER = "filler " * (STEP // 7 + 1000)
LINE = f"{FILLER}needle\x1b[31m in\x1b[0m colour {FILLER} needle at the end"
COLUMN = len(FILLER) + 1
FORMS = {
    "UTF-8": TextForm(strip_ansi=True),
    "single bytes": TextForm(encoding_called("windows-1252"), strip_ansi=True),
    "several bytes": TextForm(encoding_called("shift_jis"), strip_ansi=True),
    "UTF-16": TextForm(encoding_called("utf-16le"), strip_ansi=True),
    "gzip": TextForm(decompress=True, strip_ansi=True),
}
TERMS = [Term("NEEDLE in", ignore_case=True)]
if is_supported():
    TERMS.append(Term("ne+dle in", regex=True))


def written(form: TextForm) -> bytes:
    data = f"short\n{LINE}\nneedle\n".encode(form.encoding.codec if form.encoding else "utf-8")
    return gzip.compress(data, 1) if form.decompress else data


@pytest.mark.parametrize("term", TERMS, ids=["literal", "expression"][: len(TERMS)])
@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_match_is_found_far_out_in_a_long_line(form: TextForm, term: Term) -> None:
    file = in_memory(written(form))

    def found(start: Position, *, backward: bool = False) -> Match | None:
        return find(file, FindRequest(term, start, backward, form=form), no_progress).match

    for match in (
        found(Position()),
        found(Position(2, COLUMN)),
        found(Position(3), backward=True),
        found(Position(2, 9_000_000), backward=True),
    ):
        assert match is not None
        assert match[:3] == (2, COLUMN, COLUMN + 8)
        assert "needle in colour" in match.content
    assert found(Position(2, COLUMN + 1)) is None
    assert found(Position(2, COLUMN), backward=True) is None


@pytest.mark.parametrize("form", FORMS.values(), ids=FORMS)
def test_a_filter_sees_all_of_a_long_line(form: TextForm) -> None:
    file = in_memory(written(form))
    for wanted, lines in [(matching("needle in"), 1), (matching("needle"), 2), (matching("needle", invert=True), 1)]:
        assert count_lines(file, WindowRequest(filter=wanted, form=form), no_progress).lines == lines


def test_a_window_of_a_long_line_that_shows_nothing_can_be_stopped_at_any_place() -> None:
    file = in_memory(b"\x1b[31m" * 100_000)
    request = WindowRequest(columns=Columns(0, 10), form=TextForm(strip_ansi=True))
    asked_at: list[int] = []
    assert read_window(file, request, lambda done, _: asked_at.append(done)).content == ""
    assert {done // 65_536 for done in asked_at} >= set(range(file.size // 65_536))
