"""Takes as many lines from a view as fit into an answer, and turns them into text."""

from collections.abc import Sequence
from typing import Literal, NamedTuple

from forge_daemon.reading.lines import utf8
from forge_daemon.reading.lines.columns import Columns as LineColumns
from forge_daemon.reading.lines.index import LineIndex
from forge_daemon.reading.lines.newlines import first_newlines
from forge_daemon.reading.match.run import Place, Room, Run, View, line_by_line
from forge_daemon.reading.texts.text import Text

from .window import ClippedLine, Columns, Eol

WIDEST_REPLACEMENT = 3
"""One malformed byte may become this many bytes of content."""
UNLIMITED = 2**62
_LONG_LINE = 64 * 1024


class Decoded(NamedTuple):
    text: str
    """Lines end in newline alone."""
    errors: int
    """Malformed sequences, each shown as U+FFFD."""
    eol: Eol


def decode(piece: bytes) -> Decoded:
    eol: Eol = "lf" if b"\n" in piece else "none"
    # Looking for one byte is many times faster than for two, and most texts hold no carriage return.
    if b"\r" in piece and b"\r\n" in piece:
        eol = "crlf" if piece.count(b"\n") == piece.count(b"\r\n") else "mixed"
        piece = piece.replace(b"\r\n", b"\n")
    text, errors = utf8.decode(piece)
    return Decoded(text, errors, eol)


class Page(NamedTuple):
    decoded: Decoded
    lines: int
    end: Place
    """Where the view continues."""
    stopped_by: Literal["lines", "bytes"] | None
    """None: the view ends here."""
    numbered: list[range]
    """The numbers of its lines."""
    context: list[range]
    """Those of lines that are shown only as context."""
    clipped_lines: tuple[ClippedLine, ...] | None = None


class _Taken:
    """The lines of a page that is being filled."""

    def __init__(self, place: Place) -> None:
        self.pieces: list[bytes] = []
        self.lines = 0
        self.bytes = 0
        self._start = place
        self._last: tuple[Run, int, int, bool] | None = None
        self.numbered: list[range] = []
        self.context: list[range] = []

    def add(self, run: Run, piece: bytes, lines: int, *, end: int | None = None, inside_line: bool = False) -> None:
        """`end`: the offset after these lines, if more was taken than the piece."""
        first = run.place.line
        numbers = range(first, first + lines)
        self.numbered.append(numbers)
        if run.is_context:
            self.context.append(numbers)
        self.pieces.append(piece)
        self.lines += lines
        self.bytes += len(piece)
        self._last = run, run.place.offset + len(piece) if end is None else end, lines - inside_line, inside_line

    @property
    def end(self) -> Place:
        """Where the view continues."""
        if self._last is None:
            return self._start
        (place, *_), offset, whole, inside_line = self._last
        return Place(offset, place.number + whole, place.line + whole, inside_line)

    def page(self, decoded: Decoded, stopped_by: Literal["lines", "bytes"] | None) -> Page:
        return Page(decoded, self.lines, self.end, stopped_by, self.numbered, self.context)


def take_page(view: View, place: Place, room: Room, *, of_content: bool) -> Page:
    """`of_content`: bytes are counted as they are shown, not as they are in the text."""
    page = _take(view, place, room)
    if of_content and page.decoded.errors and len(page.decoded.text.encode()) > room.bytes:
        return _take_by_content(view, place, room)
    return page


def _take(view: View, place: Place, room: Room) -> Page:
    taken = _Taken(place)
    stopped_by: Literal["lines", "bytes"] | None = None
    for run in view.runs(place, room):
        lines_left, bytes_left = room.lines - taken.lines, room.bytes - taken.bytes
        if run.lines <= lines_left and len(run.data) <= bytes_left and not run.is_cut:
            taken.add(run, run.data, run.lines)
            if run.lines < lines_left:
                continue
            stopped_by = "lines"
            break
        newlines, length = first_newlines(run.data[:bytes_left], lines_left)
        stopped_by = "lines" if newlines == lines_left else "bytes"
        if length:
            taken.add(run, run.data[:length], newlines)
        elif not taken.lines:
            _add_part(taken, run, room.bytes)
        break
    return taken.page(decode(b"".join(taken.pieces)), stopped_by)


def _add_part(taken: _Taken, run: Run, max_bytes: int) -> None:
    """The start of a line that is longer than an answer may be."""
    part = run.data[: utf8.boundary(run.data, max_bytes)]
    taken.add(run, part, 1, inside_line=not part.endswith(b"\n"))


def _take_by_content(view: View, place: Place, room: Room) -> Page:
    """Malformed text grows when it is shown: lines are measured one by one."""
    taken, size = _Taken(place), 0
    stopped_by: Literal["lines", "bytes"] | None = None
    for run in line_by_line(view.runs(place, room), room.bytes):
        shown = len(decode(run.data).text.encode())
        if run.is_cut or size + shown > room.bytes:
            stopped_by = "bytes"
            if not taken.lines:
                _add_part(taken, run, max(1, room.bytes // WIDEST_REPLACEMENT))
            break
        size += shown
        taken.add(run, run.data, 1)
        if taken.lines == room.lines:
            stopped_by = "lines"
            break
    return taken.page(decode(b"".join(taken.pieces)), stopped_by)


def take_columns(text: Text, index: LineIndex, view: View, place: Place, room: Room, wanted: Columns) -> Page:
    """A page with a range of characters of each line. It ends after a line, whatever its length."""
    if wanted.start == 0 and _fits_columns(page := _take(view, place, room), wanted):
        return page._replace(clipped_lines=())
    columns = LineColumns(text)
    taken, left = _Taken(place), room.bytes
    parts: list[str] = []
    clipped: list[ClippedLine] = []
    errors = returns = newlines = 0
    stopped_by: Literal["lines", "bytes"] | None = None
    # Of a long line only the part that is shown has to be read.
    for run in line_by_line(view.runs(place, Room(room.lines, _LONG_LINE)), _LONG_LINE):
        if run.is_cut:
            run = run._replace(end=index.end_of_line_at(run.place.offset))
        part = _part_of_line(text, columns, run, wanted, room.bytes)
        size = len(part.text.encode())
        if taken.lines and size > left:
            stopped_by = "bytes"
            break
        left -= size
        if part.omitted_bytes:
            clipped.append(ClippedLine(run.place.line, part.omitted_bytes))
        parts.append(part.text)
        errors += part.errors
        newlines += part.text.endswith("\n")
        returns += part.ends_in_return
        taken.add(run, b"", 1, end=run.end)
        if taken.lines == room.lines:
            stopped_by = "lines"
            break
    eol: Eol = "none" if not newlines else "lf" if not returns else "crlf" if returns == newlines else "mixed"
    page = taken.page(Decoded("".join(parts), errors, eol), stopped_by)
    return page._replace(clipped_lines=tuple(clipped))


def _fits_columns(page: Page, wanted: Columns) -> bool:
    """Whether no line of a page is longer than the columns asked for, as on most pages."""
    is_exact = page.stopped_by != "bytes" and not page.decoded.errors
    return is_exact and max(map(len, page.decoded.text.split("\n"))) <= wanted.number


class _Part(NamedTuple):
    text: str
    """With the newline, if the line has one."""
    errors: int
    omitted_bytes: int
    ends_in_return: bool


def _part_of_line(text: Text, columns: LineColumns, run: Run, wanted: Columns, max_bytes: int) -> _Part:
    start = run.place.offset
    ending = run.data[-2:] if not run.is_cut else text.read_at(max(start, run.end - 2), 2)
    newline = b"\r\n" if ending == b"\r\n" else b"\n" if ending.endswith(b"\n") else b""
    line_end = run.end - len(newline)
    if run.is_cut:
        first = columns.offset_of(start, wanted.start)
        shown, errors, after = columns.part(first, min(wanted.number, max_bytes))
        fitting = _fitting(shown, max_bytes)
        if len(fitting) < len(shown):
            _, errors, after = columns.part(first, len(fitting))
    else:
        data = run.data[: len(run.data) - len(newline)]
        head = utf8.offset_of(data, wanted.start)
        rest = data[head:]
        shown, errors = utf8.decode(rest[: utf8.offset_of(rest, wanted.number)])
        fitting = _fitting(shown, max_bytes)
        after = start + head + utf8.offset_of(rest, len(fitting))
    return _Part(fitting + "\n" * bool(newline), errors, line_end - after, newline == b"\r\n")


def _fitting(text: str, max_bytes: int) -> str:
    """As many characters as fit beside a newline, but at least one."""
    if len(text) * 4 < max_bytes:
        return text
    return text.encode()[: max(0, max_bytes - 1)].decode(errors="ignore") or text[:1]


def number_lines(content: str, numbers: Sequence[int]) -> str:
    """Line numbers in front of lines: right-aligned to the widest number shown, then `| `, then the line.

    With one number for each line, in ascending order. Nothing may be shown of a last line without newline.
    """
    if not numbers:
        return ""
    lines = content.split("\n")
    is_terminated = len(lines) > len(numbers)
    if is_terminated:
        lines.pop()
    width = max(len(str(numbers[0])), len(str(numbers[-1])))
    numbered = "\n".join([f"{number:>{width}}| {line}" for number, line in zip(numbers, lines, strict=True)])
    return numbered + "\n" if is_terminated else numbered
