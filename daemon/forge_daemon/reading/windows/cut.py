"""Cut whole lines, or a part of a line that is too long, from where a selection starts."""

from forge_daemon.light_typing import Literal, NamedTuple
from forge_daemon.reading.ansi import ESC, LONGEST_SEQUENCE, end_of_finished, end_of_first
from forge_daemon.reading.decoding import WIDEST_REPLACEMENT, Decoded, decode
from forge_daemon.reading.encodings.encoding import UTF_8
from forge_daemon.reading.lines.newlines import first_newlines
from forge_daemon.reading.sources.source import Source, note

from .locate import Start
from .window import ClippedLine, WindowRequest

_BYTES_PER_LINE = 96
"""A guess, for the first read."""
_LOOK_AHEAD = 8
"""A cut on a character boundary needs to see the character after it."""
_NEXT_READ = 64 * 1024


class Cut(NamedTuple):
    decoded: Decoded
    length: int
    """In the file."""
    lines: int
    stopped_by: Literal["lines", "bytes"] | None
    """None: the end of the selection."""
    inside_line: bool = False
    at_end: bool = False
    """It ends with the text, not with the selection."""
    clipped_lines: tuple[ClippedLine, ...] | None = None
    """Of a window of some columns."""


def cut_lines(source: Source, start: Start, request: WindowRequest) -> Cut:
    selected = None if start.last is None else max(0, start.last - start.line + 1)
    page = smaller(selected, request.max_lines)
    budget = max(1, start.stop - start.offset)
    if request.max_bytes is not None:
        # An escape sequence is not cut, and takes no room in the answer.
        budget = min(budget, max(request.max_bytes, 4 * LONGEST_SEQUENCE if source.strip_ansi else 0))
    if budget == 1 and source.read_at(start.offset, 2) == b"\r\n":
        budget = 2  # One character: it is never cut, and with it the line ends.
    piece, newlines, length = _read_lines(source, start.offset, page, budget)
    state = source.encoding.state_at(source.read_at, start.offset) if source.encoding.stateful else b""
    at_end = False
    stopped_by: Literal["lines", "bytes"] | None
    if newlines == page:
        lines, inside_line = page, False
        stopped_by = None if selected == page else "lines"
    elif len(piece) <= budget:
        stopped_by, inside_line, at_end = None, False, True
        if request.whole_lines:
            lines = newlines
        else:
            length, lines = len(piece), newlines + (piece[-1:] not in (b"", b"\n"))
    else:
        stopped_by, lines, inside_line = "bytes", newlines, length == 0
        if inside_line:
            length, lines = cut_inside(source, piece, budget, state), 1
    cut = Cut(decode_shown(source, piece[:length], state), length, lines, stopped_by, inside_line, at_end)
    may_have_grown = cut.decoded.errors or source.encoding is not UTF_8 or source.strip_ansi
    if may_have_grown and request.max_bytes is not None and request.max_bytes_of == "content":
        return _shrink(source, piece, cut, request.max_bytes, state)
    return cut


def decode_shown(source: Source, piece: bytes, state: bytes = b"") -> Decoded:
    return decode(piece, source.encoding, state, strip_ansi=source.strip_ansi)


def cut_inside(source: Source, piece: bytes, at_most: int, state: bytes) -> int:
    """How much to take of a longer line: whole characters, and whole escape sequences where these matter."""
    length = source.encoding.boundary(piece, at_most, state)
    if source.strip_ansi:
        text = source.encoding.decode(piece[:length], state)[0]
        finished = end_of_finished(text)
        if text.startswith(ESC):
            finished = max(finished, end_of_first(source.encoding.decode(piece, state)[0]))
        if finished != len(text):
            length = source.encoding.offset_of(piece, finished, state)
    return length


def smaller(one: int | None, other: int | None) -> int | None:
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)


def _read_lines(source: Source, offset: int, page: int | None, budget: int) -> tuple[bytes, int, int]:
    """As many bytes as the page needs, and a few more if the budget ends first.

    Also returns how many of their newlines belong to the page, and where the last of these ends.
    """
    findings = source.findings
    if findings and page is not None and (known := findings.pages.get((offset, page, budget))) is not None:
        return source.read_at(offset, known), page, known
    wanted = min(source.size - offset, budget + _LOOK_AHEAD)
    piece = source.read_at(offset, wanted if page is None else min(wanted, page * _BYTES_PER_LINE))
    while True:
        newlines, length = first_newlines(piece[:budget], page)
        if newlines == page or len(piece) == wanted:
            if findings and newlines == page:
                note(findings.pages, (offset, page, budget), length)
            return piece, newlines, length
        length_of_more = min(wanted - len(piece), max(_NEXT_READ, 3 * len(piece)))
        more = source.read_at(offset + len(piece), length_of_more)
        if len(more) < length_of_more:
            wanted = len(piece) + len(more)  # here it ends
        piece += more


def _shrink(source: Source, piece: bytes, cut: Cut, max_bytes: int, state: bytes) -> Cut:
    """Malformed or non-UTF-8 text may grow when it is decoded: take fewer lines if it grew too much."""
    if len(cut.decoded.text.encode()) <= max_bytes:
        return cut
    length = lines = taken = 0
    while True:
        line_end = piece.find(b"\n", length, cut.length) + 1 or cut.length
        taken += len(decode_shown(source, piece[length:line_end], b"" if length else state).text.encode())
        if taken > max_bytes:
            break
        length, lines = line_end, lines + 1
    inside_line = length == 0
    if inside_line:
        length, lines = cut_inside(source, piece, max_bytes // WIDEST_REPLACEMENT, state), 1
    return Cut(decode_shown(source, piece[:length], state), length, lines, "bytes", inside_line)
