"""A window of the lines that match: every selector, page and cursor counts those alone."""

from collections.abc import Callable, Iterable, Iterator
from functools import partial
from itertools import chain
from threading import Lock

from forge_daemon.light_typing import Literal, NamedTuple
from forge_daemon.reading.ansi import LONGEST_SEQUENCE
from forge_daemon.reading.cursor import Cursor, FilteredPlace, cursor_at
from forge_daemon.reading.decoding import WIDEST_REPLACEMENT, Decoded, Eol, decode
from forge_daemon.reading.encodings.encoding import UTF_8
from forge_daemon.reading.selection import LastLines, Lines, Selection
from forge_daemon.reading.sources.source import Progress, Source
from forge_daemon.reading.text import require_whole
from forge_daemon.reading.windows.cut import cut_inside, smaller
from forge_daemon.reading.windows.cut_columns import LinePart, lines_in_part
from forge_daemon.reading.windows.facts import ends_with_newline
from forge_daemon.reading.windows.read import is_at_end, unfinished_at_end
from forge_daemon.reading.windows.window import (
    MAX_CONTENT_BYTES,
    ClippedLine,
    Columns,
    Facts,
    Window,
    WindowRequest,
)

from .filter_index import FilterIndex
from .filtered_lines import FilteredLines, Matches, MatchingLine, is_short_stretch, matches_of
from .line_filter import LineFilter
from .line_search import line_end
from .literal_search import line_start

_MOST_INDEXES = 8
"""Of one file."""
_choosing = Lock()
_LOOK_AHEAD = 8
"""A cut on a character boundary needs to see the character after it."""
_NOTHING = LinePart("", 0, 0, False, 0)
"""The rest of a last line that was delivered whole, as far as it went."""


class FilteredWindow:
    """One window. `facts.line_count` is None where the file is too large to be counted for a window."""

    def __init__(
        self,
        source: Source,
        request: WindowRequest,
        line_filter: LineFilter,
        facts: Facts,
        progress: Progress,
    ) -> None:
        bom = source.bom
        if source.unpacked is not None:
            facts = facts._replace(ends_with_newline=ends_with_newline(source))  # its end is known by now
        line_filter = line_filter.for_text(source)
        self._source = source
        self._request = request
        self._filter = line_filter
        self._progress = progress
        self._end = source.size
        if request.whole_lines and not facts.ends_with_newline:
            self._end = line_start(source, source.size, bom, progress)
        start, end = _part(source, line_filter, bom, progress)
        self._part = start, max(start, min(end, self._end))
        self._lines = _filtered_lines(source, line_filter, bom, self._part, progress)
        self._end_line = (line_filter.last_line or 0) if end < source.size else 0
        """How many lines precede the end of the part, where that is known without counting them."""
        self.facts = facts if facts.line_count is None else facts._replace(line_count=self._lines.count())

    def read(self) -> Window:
        request = self._request
        first, last, matches = self._selected(request.selection)
        selected = None if last is None else max(0, last - first + 1)
        most = smaller(selected, request.max_lines)
        page = self._cut(matches(most))
        self._lines.require_matches(page.known)
        is_full = most is not None and len(page.lines) == most
        stopped_by: Literal["lines", "bytes"] | None = page.stopped_by
        if stopped_by is None and is_full and most != selected:
            stopped_by = "lines"
        end = page.end if page.lines and (stopped_by or is_full) else self._part[1]
        truncated = stopped_by is not None and end < self._part[1]
        next_number = first + len(page.lines)
        content = "".join(text for text, *_ in page.texts)
        has_more = not isinstance(request.selection, Cursor) or request.selection.offset < self._source.size
        lines = page.lines if has_more else []
        next_cursor = self._next_cursor(page, next_number, last) if truncated else None
        ends_early = self._ends_early(end) and not (is_full and most == selected)
        if ends_early:
            # The text up to here was returned; continuing from here is an error that says why.
            if (isinstance(request.selection, Cursor) and not content) or is_at_end(request.selection, self._source):
                require_whole(self._source)
            truncated, stopped_by, next_cursor = True, "bytes", self._end_cursor(page, next_number)
        return Window(
            self.facts,
            first,
            content=content,
            returned_line_count=len(lines),
            eol=_eol(page.texts),
            decode_errors=sum(decoded.errors for decoded in page.texts),
            truncated_by=stopped_by if truncated else None,
            next_start_line=next_number if truncated and first > 0 and lines else None,
            next_cursor=next_cursor,
            ends_early=ends_early,
            end_cursor=self._end_cursor(page, next_number) if end == self._end and not truncated else None,
            line_numbers=list(map(_from_1, lines)),
            clipped_lines=page.clipped_lines,
        )

    def _ends_early(self, end: int) -> bool:
        """Whether the compressed data is damaged or cut off here."""
        return end == self._part[1] == self._source.size and self._source.failure is not None

    def _cut(self, matches: Iterator[Matches]) -> "_Page":
        columns, max_bytes = self._request.columns, self._request.max_bytes
        if columns is None:
            return _cut(self._source, matches, max_bytes)
        return _cut_columns(self._source, matches, columns, max_bytes or MAX_CONTENT_BYTES, self._progress)

    def _selected(self, selection: Selection) -> tuple[int, int | None, "_Take"]:
        """The number of the first match that is selected, that of the last, and what takes some from the first on."""
        if isinstance(selection, Cursor):
            return self._from_cursor(selection)
        if isinstance(selection, LastLines):
            if self.facts.line_count is None:
                found = self._lines.last(selection.number, self._end_line)
                return -len(found), None, partial(_first_of, found)
            first = max(1, self.facts.line_count - selection.number + 1)
            return first, None, partial(self._lines.from_number, first - 1)
        first, last = selection or Lines(1, None)
        return first, last, partial(self._lines.from_number, first - 1)

    def _from_cursor(self, place: Cursor) -> tuple[int, int | None, "_Take"]:
        # A cursor of the whole file, as following uses it, lies before the first match that it asks for.
        _, number, last, inside_line = place.filtered or FilteredPlace("", 1, None, False)
        offset = line_end(self._source, place.offset, self._progress) if inside_line else place.offset
        if offset < self._part[0]:
            # The file was too short for `first_line`.
            offset = self._part[0]
            if number > 0:
                return number, last, partial(self._lines.from_number, number - 1)
        if number <= 0:
            # Counted from the end, which may have moved since.
            found, line = self._lines.counted_from_the_end(offset, self._end_line)
            rest = [MatchingLine(-len(found) - 1, line - 1, place.offset, offset, None)] * inside_line
            return -len(found) - inside_line, None, partial(_first_of, rest + found)
        rest = [MatchingLine(number - 1, place.line - 1, place.offset, offset, None)] * inside_line

        def take(most: int | None) -> Iterator[Matches]:
            yield from _first_of(rest, most)
            line, following = place.line - 1 + inside_line, number - 1 + inside_line
            yield from self._lines.from_offset(offset, line, following, None if most is None else most - inside_line)

        return number, last, take

    def _next_cursor(self, page: "_Page", next_number: int, last: int | None) -> Cursor:
        line = page.lines[-1] + (not page.inside_line)
        return self._cursor(page.end, _from_1(line), next_number - page.inside_line, last, page.inside_line)

    def _end_cursor(self, page: "_Page", next_number: int) -> Cursor:
        """An incomplete last line is matched again once it is complete, unless it was already returned."""
        source, size = self._source, self._source.size
        last_line = _from_1(page.lines[-1]) if page.lines and page.end == size else None
        if not page.lines and isinstance(self._request.selection, Lines):
            # Past the end, whatever match was asked for: nothing before it is new.
            next_number = self._lines.count() + 1
            if any(match.end == size for match in self._lines.last(1, 0)):
                last_line = source.line_index.line_at(size, source.read_at, self._progress)
        if not self.facts.ends_with_newline and last_line is not None:
            return self._cursor(size - unfinished_at_end(source), last_line, next_number - 1, None, True)
        offset = size if self.facts.ends_with_newline else line_start(source, size, 0, self._progress)
        line = 0
        if next_number > 0:
            line = source.line_index.line_at(offset, source.read_at, self._progress)
        return self._cursor(offset, line, next_number, None, False)

    def _cursor(self, offset: int, line: int, number: int, last: int | None, inside_line: bool) -> Cursor:
        place = FilteredPlace(self._filter.name, number, last, inside_line)
        return cursor_at(self._source, offset, line, None)._replace(filtered=place)


def is_quick(source: Source, request: WindowRequest, line_filter: LineFilter) -> bool:
    """Whether the window of a file that was searched before can be cut from one block, without another process."""
    selection, most = request.selection or Lines(1, None), request.max_lines
    if not isinstance(selection, Lines) or most is None or not source.stable:
        return False
    indexes = source.line_index.marks.filters
    with _choosing:  # others put the one that they use last
        is_known = (line_filter.key, source.bom) in indexes
    if not is_known:
        return False
    index = _index(indexes, line_filter, source.bom)  # the one used last is kept
    if (
        request.columns
        or request.whole_lines
        or line_filter.is_limited
        or line_filter.for_text(source) is not line_filter
    ):
        return False
    if source.size <= request.count_lines_up_to and not (
        index.covered == source.size and source.line_index.is_counted()
    ):
        return False  # matches are counted first
    if selection.last is not None:
        most = min(most, selection.last - selection.first + 1)
    return is_short_stretch(index, selection.first - 1, most, source.etag, judged=line_filter.asks_others)


def count_matches(source: Source, line_filter: LineFilter, progress: Progress) -> int:
    line_filter, bom = line_filter.for_text(source), source.bom
    part = _part(source, line_filter, bom, progress)
    return _filtered_lines(source, line_filter, bom, part, progress).count()


def _filtered_lines(
    source: Source, line_filter: LineFilter, bom: int, part: tuple[int, int], progress: Progress
) -> FilteredLines:
    """The filtered lines of a part of the text, with their index."""
    indexes = source.line_index.marks.filters
    index = _index(indexes, line_filter, bom)
    if part[0] > index.covered:
        # An index from the start on would have to search all that is before the part.
        index = _index(indexes, line_filter, part[0])
    return FilteredLines(source, line_filter, index, part, progress)


def _index(indexes: dict[tuple[object, int], FilterIndex], line_filter: LineFilter, floor: int) -> FilterIndex:
    key = (line_filter.key, floor)
    with _choosing:
        index = indexes.pop(key, None) or FilterIndex(floor)
        indexes[key] = index  # the one used last comes last
        for unused in list(indexes)[:-_MOST_INDEXES]:
            del indexes[unused]
    return index


def _part(source: Source, line_filter: LineFilter, bom: int, progress: Progress) -> tuple[int, int]:
    """The start and end offset of the part in which lines count."""
    first, last = line_filter.first_line, line_filter.last_line
    size = max(bom, source.size)
    start: int | None = bom
    if first is not None and first > 1:
        start = source.line_index.line_start(first, source.read_at, progress)
    end: int | None = size
    if last is not None:
        end = source.line_index.line_start(last + 1, source.read_at, progress)
    return (size if start is None else start), (size if end is None else end)


_Take = Callable[[int | None], Iterator[Matches]]
"""Gives so many matches, or all."""


def _first_of(lines: list[MatchingLine], most: int | None) -> Iterator[Matches]:
    return matches_of(lines[:most])


class _Page(NamedTuple):
    lines: list[int]
    """How many lines precede each one that is shown."""
    texts: list[Decoded]
    end: int
    """In the file."""
    known: list[bytes]
    """Lines that were not searched again."""
    stopped_by: Literal["bytes"] | None = None
    inside_line: bool = False
    clipped_lines: tuple[ClippedLine, ...] | None = None


def _cut(source: Source, matches: Iterator[Matches], max_bytes: int | None) -> _Page:
    if source.encoding is not UTF_8 or source.strip_ansi:
        return _cut_line_by_line(source, matches, max_bytes)
    # Most pages are short, and sure to fit: one text is decoded much faster than its lines are.
    taken: list[Matches] = []
    contents: list[bytes] = []
    room = None if max_bytes is None else max_bytes // WIDEST_REPLACEMENT
    for some in matches:
        taken.append(some)
        if some.contents is None or (room is not None and (room := room - sum(map(len, some.contents))) < 0):
            return _cut_line_by_line(source, chain(taken, matches), max_bytes)
        contents += some.contents
    return _Page(
        [line for some in taken for line in some.lines],
        [decode(b"".join(contents))],
        taken[-1].ends[-1] if taken else 0,
        [content for some in taken if not some.judged for content in some.contents or ()],
    )


def _cut_line_by_line(source: Source, matches: Iterable[Matches], max_bytes: int | None) -> _Page:
    lines: list[int] = []
    texts: list[Decoded] = []
    known: list[bytes] = []
    size, end, inside_line = 0, 0, False
    stopped_by: Literal["bytes"] | None = None
    for judged, match in _one_by_one(matches):
        content = match.content
        if content is None:
            most = match.end - match.offset
            if max_bytes is not None:
                most = min(most, max(max_bytes, 4 * LONGEST_SEQUENCE if source.strip_ansi else 0) + _LOOK_AHEAD)
            content = source.read_at(match.offset, most)
        state = source.encoding.state_at(source.read_at, match.offset) if source.encoding.stateful else b""
        decoded = decode(content, source.encoding, state, strip_ansi=source.strip_ansi)
        size += len(decoded.text.encode())
        line_end = match.end
        if max_bytes is not None and (size > max_bytes or match.offset + len(content) < match.end):
            stopped_by = "bytes"
            if lines:
                break
            length, inside_line = _fitting(source, content, max_bytes, state), True
            decoded = decode(content[:length], source.encoding, state, strip_ansi=source.strip_ansi)
            line_end = match.offset + length
        lines.append(match.line)
        texts.append(decoded)
        end = line_end
        if not judged and match.content is not None:
            known.append(match.content)
        if inside_line:
            break
    return _Page(lines, texts, end, known, stopped_by, inside_line)


def _cut_columns(source: Source, matches: Iterable[Matches], columns: Columns, room: int, progress: Progress) -> _Page:
    """Cut the selected columns of each line."""
    lines: list[int] = []
    texts: list[Decoded] = []
    known: list[bytes] = []
    clipped: list[ClippedLine] = []
    end = 0
    stopped_by: Literal["bytes"] | None = None
    most_bytes = room
    for judged, match in _one_by_one(matches):
        part = next(lines_in_part(source, match.offset, columns, most_bytes, progress), _NOTHING)
        size = len(part.text.encode())
        if lines and size > room:
            stopped_by = "bytes"
            break
        room -= size
        if part.omitted_bytes:
            clipped.append(ClippedLine(_from_1(match.line), part.omitted_bytes))
        eol: Eol = "none" if not part.text.endswith("\n") else "crlf" if part.ends_in_return else "lf"
        lines.append(match.line)
        texts.append(Decoded(part.text, part.errors, eol))
        end = match.end
        if not judged and match.content is not None:
            known.append(match.content)
    return _Page(lines, texts, end, known, stopped_by, clipped_lines=tuple(clipped))


def _one_by_one(matches: Iterable[Matches]) -> Iterator[tuple[bool, MatchingLine]]:
    return ((some.judged, match) for some in matches for match in some.each())


def _eol(texts: list[Decoded]) -> Eol:
    eols: set[Eol] = {decoded.eol for decoded in texts} - {"none"}
    return "mixed" if len(eols) > 1 else next(iter(eols), "none")


def _fitting(source: Source, content: bytes, max_bytes: int, state: bytes) -> int:
    """Where to cut a line so that no more than so many bytes of text are left of it."""
    length = cut_inside(source, content, min(max_bytes, len(content) - 1), state)
    shown = decode(content[:length], source.encoding, state, strip_ansi=source.strip_ansi)
    if len(shown.text.encode()) > max_bytes:
        # Malformed bytes grow when they are shown as U+FFFD. One character is taken in any case.
        return cut_inside(source, content, max_bytes // WIDEST_REPLACEMENT, state)
    return length


def _from_1(line: int) -> int:
    """Lines are counted from 1; those before the end are negative already: -1 is the last one."""
    return line + 1 if line >= 0 else line
