"""In every encoding, plain and compressed: each answer is what Python's codec gives for the whole file."""

import gzip
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from forge_daemon.reading import columns
from forge_daemon.reading.ansi import strip
from forge_daemon.reading.cursor import decode_cursor, encode_cursor
from forge_daemon.reading.encodings.encoding import Encoding
from forge_daemon.reading.encodings.names import encoding_called
from forge_daemon.reading.lines import line_index, scan
from forge_daemon.reading.search import filtered_lines, line_search, literal_search, long_line
from forge_daemon.reading.search.find import FindRequest, Search, find, open_search
from forge_daemon.reading.search.line_filter import Filter, LineFilter
from forge_daemon.reading.search.literal_search import LiteralSearch
from forge_daemon.reading.selection import LastLines, Lines, Selection
from forge_daemon.reading.sources import derived, gzip_text, wide_text
from forge_daemon.reading.text import TextForm
from forge_daemon.reading.windows.facts import count_lines
from forge_daemon.reading.windows.read import read_window
from forge_daemon.reading.windows.window import Columns, Window, WindowRequest
from reading.sources import in_memory, lines_of, no_progress

NAMES = [
    *("utf-8", "utf-16le", "utf-16be", "utf-32le", "utf-32be"),
    *("windows-1252", "windows-1251", "koi8-r", "iso-8859-15", "macintosh", "windows-874", "cp437", "mac-arabic"),
    *("shift_jis", "shift_jis_2004", "euc-jp", "euc_jis_2004", "iso-2022-jp"),
    *("gbk", "gb18030", "big5", "cp950", "euc-kr", "johab"),
]
TEXTS = [
    *(
        "a",
        "b",
        "A",
        " ",
        "ab ab",
        "é",
        "Ё",
        "日",
        "本語",
        "ソ能表",
        "中文",
        "한국",
        "ｶ",
        "😀",
        "𠀋",
        "\\",
        "~",
        "\ufffd",
    ),
    *("\r", "\r\n", "\n", "\n", "\x1b[31m", "\x1b[0m", "\x1b", "\u2028", "\x85"),
]
MALFORMED = [bytes([each]) for each in b"\x80\x81\x8e\x8f\xa1\xd8\xdc\xfe\xff\x30\x40\x5c"]
LITERALS = ["a", "b a", "é", "日", "本", "能", "\\", "\ufffd", "한", "中", "1", "ё", "AB"]
EXPRESSIONS = ["a", "^a|b$", r"\w\s\w", "[^a]$", "^$", "日.", "(a|é|語)+", r"\\", "m"]
PLACES = st.tuples(st.integers(1, 9), st.integers(1, 9))
LIMITS = st.tuples(st.none() | st.integers(1, 5), st.none() | st.integers(1, 40))


class File(NamedTuple):
    """Bytes, and what they mean."""

    data: bytes
    form: TextForm
    lines: list[str]
    """As they are shown, without their newlines."""
    ends_with_newline: bool

    @property
    def text(self) -> str:
        return "\n".join(self.lines) + "\n" * self.ends_with_newline

    @property
    def terminated(self) -> list[str]:
        """The lines with their newlines."""
        return [f"{line}\n" for line in self.lines[:-1]] + [
            line + "\n" * self.ends_with_newline for line in self.lines[-1:]
        ]


def decoded(encoding: Encoding, body: bytes) -> str:
    if encoding.stateful:
        # Each of its lines starts in ASCII, whatever the one before it ended in.
        return "\n".join(encoding.decode(line)[0] for line in body.split(b"\n"))
    if encoding.unit > 1:
        return body.decode(encoding.codec, "replace")
    # A character that is cut off by the end of the file looks as it does before the end of a line.
    return (body + b"\n" * 4).decode(encoding.codec, "replace")[:-4]


@st.composite
def files(draw: st.DrawFn) -> File:
    encoding = encoding_called(draw(st.sampled_from(NAMES)))
    text = st.sampled_from(TEXTS).map(lambda text: text.encode(encoding.codec, "ignore"))
    malformed = st.sampled_from(MALFORMED) if draw(st.booleans()) else st.nothing()
    body = b"".join(draw(st.lists(text | malformed, max_size=30)))
    if draw(st.booleans()):
        long = draw(st.integers(0, 80))
        body += ("日a" * long).encode(encoding.codec, "ignore")
    with_bom = bool(encoding.bom) and draw(st.booleans())
    data = encoding.bom + body if with_bom else body
    if encoding.bom and data.startswith(encoding.bom):
        body = data[len(encoding.bom) :]
    strip_ansi, compressed = draw(st.booleans()), draw(st.booleans())
    if compressed:
        cut = draw(st.integers(0, len(data)))
        data = gzip.compress(data[:cut], mtime=0) + gzip.compress(data[cut:], mtime=0)
    whole = decoded(encoding, body)
    lines = [line.removesuffix("\n") for line in lines_of(whole.replace("\r\n", "\n"))]
    form = TextForm(encoding, decompress=compressed, strip_ansi=strip_ansi)
    return File(data, form, [strip(line) for line in lines] if strip_ansi else lines, whole.endswith("\n"))


@pytest.fixture(scope="module", autouse=True)
def small_blocks() -> Iterator[None]:
    """So that short texts have as many seams as long ones."""
    with pytest.MonkeyPatch.context() as patch:
        for module, name, value in [
            (literal_search, "_BLOCK", 7),
            (literal_search, "_BACKWARD_BLOCK", 5),
            (line_search, "_STEP", 8),
            (filtered_lines, "_STEP", 8),
            (filtered_lines, "_FIRST_LOOK_BACK", 8),
            (filtered_lines, "_USUAL_LINE", 4),
            (columns, "_PIECE", 14),
            (columns, "_APART", 16),
            (wide_text, "_BLOCK", 8),
            (line_index, "STRIDE", 16),
            (derived, "STRIDE", 16),
            (scan, "FIRST_BATCH", 32),
            (scan, "BLOCK", 32),
            (scan, "LARGEST_BATCH", 64),
            (gzip_text, "SPACING", 32),
            (gzip_text, "_INPUT", 16),
            (gzip_text, "_OUTPUT", 16),
            (gzip_text, "_KEPT", 64),
            (gzip_text, "_RECENT", 8),
            (long_line, "_TOGETHER", 10),
        ]:
            patch.setattr(module, name, value)
        yield


def pages(file: File, request: WindowRequest) -> list[Window]:
    """All answers, by cursor. Each starts from nothing that is known but what the first one learned."""
    source, selection, answers = in_memory(file.data), request.selection, []
    while True:
        answers.append(read_window(source, request._replace(selection=selection, form=file.form), no_progress))
        cursor = answers[-1].next_cursor
        if cursor is None:
            return answers
        selection = decode_cursor(encode_cursor(cursor))


def text_of(answers: list[Window]) -> str:
    return "".join(answer.content for answer in answers)


patient = settings(deadline=None)
"""Some examples start a process."""


@given(files(), LIMITS)
def test_pages_put_together_are_the_text(file: File, limits: tuple[int | None, int | None]) -> None:
    answers = pages(file, WindowRequest(max_lines=limits[0], max_bytes=limits[1]))
    assert text_of(answers) == file.text
    assert answers[0].facts.line_count == len(file.lines)
    assert answers[0].facts.encoding == (file.form.encoding and file.form.encoding.name)
    assert answers[-1].facts.ends_with_newline == file.ends_with_newline
    for answer in answers:
        assert limits[1] is None or len(answer.content) <= 1 or len(answer.content.encode()) <= limits[1]


@given(files(), PLACES, LIMITS)
def test_a_range_is_those_lines(file: File, place: tuple[int, int], limits: tuple[int | None, int | None]) -> None:
    first, last = place[0], place[0] + place[1] - 1
    answers = pages(file, WindowRequest(Lines(first, last), max_lines=limits[0], max_bytes=limits[1]))
    assert text_of(answers) == "".join(file.terminated[first - 1 : last])
    assert answers[0].start_line == first


@given(files(), st.integers(1, 9), st.booleans())
def test_a_tail_is_the_last_lines_whether_lines_are_counted_or_not(file: File, number: int, counted: bool) -> None:
    request = WindowRequest(LastLines(number), count_lines_up_to=1 << 20 if counted else -1)
    assert text_of(pages(file, request)) == "".join(file.terminated[-number:])


@given(files(), PLACES, st.integers(1, 5))
def test_columns_are_code_points(file: File, place: tuple[int, int], max_lines: int) -> None:
    start, number = place
    answers = pages(file, WindowRequest(max_lines=max_lines, columns=Columns(start - 1, number)))
    parts = [line[start - 1 : start - 1 + number] for line in file.lines]
    assert text_of(answers) == "\n".join(parts) + "\n" * file.ends_with_newline
    clipped = {each.line for answer in answers for each in answer.clipped_lines or ()}
    assert clipped == {row for row, line in enumerate(file.lines, 1) if len(line) > start - 1 + number}


@given(files(), PLACES, st.integers(1, 5), st.sampled_from(["a", "é", "日"]))
def test_columns_of_the_lines_that_match(file: File, place: tuple[int, int], max_lines: int, literal: str) -> None:
    start, number = place
    line_filter = LineFilter(Filter(literal))
    wanted = Columns(start - 1, number)
    answers = pages(file, WindowRequest(max_lines=max_lines, columns=wanted, line_filter=line_filter))
    matching = [(row, line) for row, line in enumerate(file.terminated, 1) if literal in line]
    parts = [
        line.removesuffix("\n")[start - 1 : start - 1 + number] + "\n" * line.endswith("\n") for _, line in matching
    ]
    assert text_of(answers) == "".join(parts)
    clipped = {each.line for answer in answers for each in answer.clipped_lines or ()}
    assert clipped == {row for row, line in matching if len(line.removesuffix("\n")) > start - 1 + number}


@given(files())
def test_lines_are_counted(file: File) -> None:
    assert count_lines(in_memory(file.data), no_progress, form=file.form) == len(file.lines)


SearchFor = Callable[..., Search]


@pytest.fixture(scope="module")
def search_for() -> Iterator[SearchFor]:
    """Each search is opened once."""
    opened: dict[tuple[str, bool, bool], Search] = {}

    def search_for(pattern: str, *, regex: bool, ignore_case: bool) -> Search:
        key = (pattern, regex, ignore_case)
        if key not in opened:
            opened[key] = open_search(pattern, regex=regex, ignore_case=ignore_case)
        return opened[key]

    yield search_for
    for search in opened.values():
        search.__exit__()


@contextmanager
def long_lines(longest: int | None) -> Iterator[None]:
    """Lines that are longer are too long to be searched as a whole."""
    with pytest.MonkeyPatch.context() as patch:
        for module in (line_search, filtered_lines):
            patch.setattr(module, "LONGEST_LINE", longest or line_search.LONGEST_LINE)
        yield


class Wanted(NamedTuple):
    pattern: str
    regex: bool
    ignore_case: bool

    @property
    def expression(self) -> re.Pattern[str]:
        flags = re.IGNORECASE if self.ignore_case else 0
        return re.compile(self.pattern if self.regex else re.escape(self.pattern), flags)

    @property
    def longest_line(self) -> int | None:
        """In a line of any length literals are found."""
        return None if self.regex or not LiteralSearch.fits(self.pattern) else 16


WANTED = st.one_of(
    st.builds(Wanted, st.sampled_from(LITERALS), st.just(False), st.booleans()),
    st.builds(Wanted, st.sampled_from(EXPRESSIONS), st.just(True), st.booleans()),
)


@patient
@given(files(), WANTED, PLACES, st.booleans())
def test_a_match_is_where_the_text_has_it(
    search_for: SearchFor, file: File, wanted: Wanted, place: tuple[int, int], backward: bool
) -> None:
    found = []
    for row, line in enumerate(file.lines, 1):
        for start in range(len(line) + 1):
            if matched := wanted.expression.match(line, start):
                found.append((row, start + 1, matched.end(), line))
    if backward:
        expected = max((each for each in found if each[:2] < place), default=None)
    else:
        expected = min((each for each in found if each[:2] >= place), default=None)
    search = search_for(*wanted[:1], regex=wanted.regex, ignore_case=wanted.ignore_case)
    with long_lines(wanted.longest_line):
        finding = find(in_memory(file.data), FindRequest(*place, backward, file.form), search, no_progress)
    assert finding.match == expected


@patient
@given(files(), WANTED, st.booleans(), st.sampled_from([None, Lines(2, 3), LastLines(2)]), LIMITS, st.booleans())
def test_a_filter_lets_the_lines_through_that_match(
    file: File,
    wanted: Wanted,
    invert: bool,
    selection: Selection,
    limits: tuple[int | None, int | None],
    counted: bool,
) -> None:
    line_filter = LineFilter(Filter(*wanted, invert=invert))
    matching = [
        (row, line)
        for row, line in enumerate(file.terminated, 1)
        if bool(wanted.expression.search(line.removesuffix("\n"))) != invert
    ]
    with long_lines(wanted.longest_line):
        assert count_lines(in_memory(file.data), no_progress, line_filter, file.form) == len(matching)
    if isinstance(selection, Lines):
        matching = matching[selection.first - 1 : selection.last]
    elif isinstance(selection, LastLines):
        matching = matching[-selection.number :]
    up_to = 1 << 20 if counted else -1
    request = WindowRequest(selection, limits[0], limits[1], line_filter=line_filter, count_lines_up_to=up_to)
    with long_lines(wanted.longest_line):
        answers = pages(file, request)
    assert text_of(answers) == "".join(line for _, line in matching)
    if counted and limits[1] is None:
        assert [row for answer in answers for row in answer.line_numbers or ()] == [row for row, _ in matching]
