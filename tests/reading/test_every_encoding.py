"""In every encoding, plain and compressed, coloured or not: each answer is what the decoded text has."""

import re
from collections.abc import Iterator
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from forge_daemon.reading.lines import columns, index, newlines
from forge_daemon.reading.match import filtered_lines
from forge_daemon.reading.match.combined import Terms
from forge_daemon.reading.match.expression import is_supported
from forge_daemon.reading.match.filter import Filter, FilterSpec
from forge_daemon.reading.match.find import Match, Position
from forge_daemon.reading.match.term import Term
from forge_daemon.reading.texts.encodings.names import encoding_called
from forge_daemon.reading.texts.form import TextForm
from forge_daemon.reading.window.cursor import decode_cursor, encode_cursor
from forge_daemon.reading.window.find import FindRequest, find
from forge_daemon.reading.window.read import count_lines, read_window
from forge_daemon.reading.window.selection import LastLines, Lines, Selection
from forge_daemon.reading.window.window import Columns, Window, WindowRequest
from tests.reading.escape_sequences import strip
from tests.reading.sources import in_memory, lines_of, no_progress
from tests.reading.texts.decoding import decoded
from tests.reading.texts.files import PACK
from tests.reading.texts.small_blocks import small_blocks

NAMES = [
    *("utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"),
    *("windows-1252", "windows-1251", "koi8-r", "iso-8859-15", "macintosh", "windows-874", "cp437", "mac-arabic"),
    *("shift_jis", "shift_jis_2004", "euc-jp", "euc_jis_2004", "iso-2022-jp"),
    *("gbk", "gb18030", "big5", "cp950", "euc-kr", "johab"),
]
TEXTS = [
    *("a", "b", "A", " ", "ab ab", "é", "Ё", "日", "本語", "ソ能表", "中文", "한국", "ｶ", "😀", "𠀋", "\\", "~"),
    *("\r", "\r\n", "\n", "\n", "\x1b[31m", "\x1b[0m", "\x1b", "\u2028", "\x85"),
]
MALFORMED = [bytes([each]) for each in b"\x80\x81\x8e\x8f\xa1\xd8\xdc\xfe\xff\x30\x40\x5c"]
LITERALS = ["a", "b a", "é", "日", "本", "能", "\\", "한", "中", "1", "ё", "AB"]
EXPRESSIONS = ["a", "^a|b$", "[a-z] [a-z]", "[^a]$", "^$", "日.", "(a|é|語)+", r"\\", "m"]
PLACES = st.tuples(st.integers(1, 9), st.integers(1, 9))
LIMITS = st.tuples(st.none() | st.integers(1, 5), st.none() | st.integers(1, 40))


class File(NamedTuple):
    """Bytes, and what they mean."""

    data: bytes
    form: TextForm
    text: str
    """As it is shown: with `\\n` alone, and U+FFFD for what is malformed."""
    is_valid: bool

    @property
    def lines(self) -> list[str]:
        return [line.removesuffix("\n") for line in lines_of(self.text)]


@st.composite
def files(draw: st.DrawFn) -> File:
    encoding = encoding_called(draw(st.sampled_from(NAMES)))
    text = st.sampled_from(TEXTS).map(lambda text: text.encode(encoding.codec, "ignore"))
    malformed = st.sampled_from(MALFORMED) if draw(st.booleans()) else st.nothing()
    body = b"".join(draw(st.lists(text | malformed, max_size=30)))
    body += ("日a" * draw(st.sampled_from([0, 0, 40, 80]))).encode(encoding.codec, "ignore")
    data = encoding.bom * draw(st.booleans()) + body
    shown = decoded(encoding, data.removeprefix(encoding.bom))
    is_valid = "\ufffd" not in shown
    pack, is_stripped = draw(st.sampled_from([None, *PACK])), draw(st.booleans())
    if pack is not None:
        cut = draw(st.integers(0, len(data)))
        data = PACK[pack](data[:cut]) + PACK[pack](data[cut:])
    form = TextForm(encoding, decompress=pack is not None, strip_ansi=is_stripped)
    shown = strip(shown) if is_stripped else shown
    return File(data, form, shown.replace("\r\n", "\n"), is_valid)


class Wanted(NamedTuple):
    term: Term

    @property
    def expression(self) -> re.Pattern[str]:
        pattern = self.term.pattern if self.term.regex else re.escape(self.term.pattern)
        return re.compile(pattern, re.IGNORECASE if self.term.ignore_case else 0)

    def matches(self, line: str) -> Iterator[tuple[int, int]]:
        """Every place from which on it matches: matches may overlap."""
        for start in range(len(line) + 1):
            if match := self.expression.match(line, start):
                yield start + 1, match.end()


WANTED = st.builds(
    Wanted,
    st.builds(Term, st.sampled_from(LITERALS), st.just(False), st.booleans(), st.just(False))
    | (
        st.builds(Term, st.sampled_from(EXPRESSIONS), st.just(True), st.booleans(), st.just(False))
        if is_supported()
        else st.nothing()
    ),
)


def is_comparable(file: File, wanted: Wanted) -> bool:
    """What is malformed is no character for an expression, and U+FFFD for Python's."""
    return file.is_valid or not wanted.term.regex


@pytest.fixture(scope="module", autouse=True)
def short_texts_have_as_many_seams_as_long_ones() -> Iterator[None]:
    with small_blocks(), pytest.MonkeyPatch.context() as patch:
        for module in (newlines, index, filtered_lines):
            patch.setattr(module, "STRIDE", 16)
        patch.setattr(filtered_lines, "STEP", 32)
        patch.setattr(columns, "PIECE", 14)
        patch.setattr(columns, "CHECKPOINT_SPACING", 16)
        yield


def pages(file: File, request: WindowRequest) -> list[Window]:
    """All answers, by cursor."""
    source = in_memory(file.data)
    answers: list[Window] = []
    selection = request.selection
    while True:
        answers.append(read_window(source, request._replace(selection=selection, form=file.form), no_progress))
        cursor = answers[-1].next_cursor
        if cursor is None:
            return answers
        selection = decode_cursor(encode_cursor(cursor))


def content_of(answers: list[Window]) -> str:
    return "".join(answer.content for answer in answers)


@given(files(), LIMITS)
def test_pages_put_together_are_the_text(file: File, limits: tuple[int | None, int | None]) -> None:
    answers = pages(file, WindowRequest(max_lines=limits[0], max_bytes=limits[1]))
    assert content_of(answers) == file.text
    assert answers[0].facts.line_count == len(file.lines)
    assert answers[0].facts.encoding == (file.form.encoding and file.form.encoding.name)
    assert answers[-1].facts.ends_with_newline == file.text.endswith("\n")
    for answer in answers:
        assert limits[1] is None or len(answer.content) <= 1 or len(answer.content.encode()) <= limits[1]


@given(files(), PLACES, LIMITS)
def test_a_range_is_those_lines(file: File, place: tuple[int, int], limits: tuple[int | None, int | None]) -> None:
    first, last = place[0], place[0] + place[1] - 1
    answers = pages(file, WindowRequest(Lines(first, last), max_lines=limits[0], max_bytes=limits[1]))
    assert content_of(answers) == "".join(lines_of(file.text)[first - 1 : last])
    assert answers[0].start_line == first


@given(files(), st.integers(1, 9), st.booleans())
def test_a_tail_is_the_last_lines_whether_lines_are_counted_or_not(file: File, number: int, counted: bool) -> None:
    request = WindowRequest(LastLines(number), count_lines_up_to=1 << 20 if counted else -1)
    assert content_of(pages(file, request)) == "".join(lines_of(file.text)[-number:])


@given(files(), PLACES, st.integers(1, 5), st.sampled_from([None, "a", "é", "日"]))
def test_columns_are_code_points(file: File, place: tuple[int, int], max_lines: int, literal: str | None) -> None:
    start, number = place[0] - 1, place[1]
    filter_ = Filter(FilterSpec(Terms(any=(Term(literal),)))) if literal else None
    answers = pages(file, WindowRequest(max_lines=max_lines, columns=Columns(start, number), filter=filter_))
    chosen = [(row, line) for row, line in enumerate(lines_of(file.text), 1) if (literal or "") in line]
    parts = [line.removesuffix("\n")[start : start + number] + "\n" * line.endswith("\n") for _, line in chosen]
    assert content_of(answers) == "".join(parts)
    clipped = {each.line for answer in answers for each in answer.clipped_lines or ()}
    assert clipped == {row for row, line in chosen if len(line.removesuffix("\n")) > start + number}


@given(files(), WANTED, PLACES, st.booleans())
def test_a_match_is_where_the_text_has_it(file: File, wanted: Wanted, place: tuple[int, int], backward: bool) -> None:
    if not is_comparable(file, wanted):
        return
    found = [
        Match(row, start, end, line)
        for row, line in enumerate(file.lines, 1)
        for start, end in wanted.matches(line)
        if ((row, start) < place if backward else (row, start) >= place)
    ]
    expected = (max if backward else min)(found, default=None)
    request = FindRequest(wanted.term, Position(*place), backward, form=file.form)
    assert find(in_memory(file.data), request, no_progress).match == expected


@given(files(), WANTED, st.booleans(), st.sampled_from([None, Lines(2, 3), LastLines(2)]), LIMITS, st.booleans())
def test_a_filter_shows_the_lines_that_match(
    file: File,
    wanted: Wanted,
    invert: bool,
    selection: Selection,
    limits: tuple[int | None, int | None],
    counted: bool,
) -> None:
    if not is_comparable(file, wanted):
        return
    terms = Terms(none=(wanted.term,)) if invert else Terms(any=(wanted.term,))
    request = WindowRequest(selection, *limits, filter=Filter(FilterSpec(terms)), form=file.form)
    matching = [
        (row, line)
        for row, line in enumerate(lines_of(file.text), 1)
        if bool(wanted.expression.search(line.removesuffix("\n"))) != invert
    ]
    assert count_lines(in_memory(file.data), request, no_progress).lines == len(matching)
    if isinstance(selection, Lines):
        matching = matching[selection.first - 1 : selection.last]
    elif isinstance(selection, LastLines):
        matching = matching[-selection.number :]
    answers = pages(file, request._replace(count_lines_up_to=1 << 20 if counted else -1))
    assert content_of(answers) == "".join(line for _, line in matching)
    if counted and limits[1] is None:
        assert [row for answer in answers for row in answer.line_numbers or ()] == [row for row, _ in matching]
