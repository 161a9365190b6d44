"""Searches lines as they are shown where that differs from their bytes: in encodings other than UTF-8, and without
terminal escape sequences.

Blocks of whole lines are converted to UTF-8 and searched; a match is mapped back by its line. Blocks whose bytes
show that they cannot match are skipped.
"""

import re

from forge_daemon.light_typing import TYPE_CHECKING
from forge_daemon.reading.columns import Position, Span, offset_of_column
from forge_daemon.reading.decoding import decode, searchable
from forge_daemon.reading.encodings.encoding import UTF_8, Encoding, SingleByte
from forge_daemon.reading.lines.newlines import after_newline
from forge_daemon.reading.sources.source import Progress, Source

from .line_search import LineSearch, LineTooLong, blocks_before, blocks_from, line_end
from .literal_search import LiteralSearch, line_start
from .long_line import first_in_line, last_in_line, shown_source
from .regions import line_starts

if TYPE_CHECKING:
    from .matching_processes import Proceed

_ESC = b"\x1b"
LEAVE_OUT = "leave it out: first_line {next}, or last_line before it"

Search = LiteralSearch | LineSearch


def as_shown(search: Search, source: Source) -> "Search | ShownLines":
    """The search that sees the source's lines as they are shown."""
    if source.encoding is UTF_8 and not source.strip_ansi:
        return search
    return ShownLines(search, source)


class ShownLines:
    """A search of blocks of whole lines, as they are shown."""

    def __init__(self, search: Search, source: Source) -> None:
        self._search = search
        self._source = source
        literal = search.exact_literal if isinstance(search, LiteralSearch) else None
        self._needle = _bytes_of(literal, source.encoding) if literal else b""

    def first(self, source: Source, start: Position, floor: int, progress: Progress) -> Span | None:
        """The first match at or after `start`."""
        if isinstance(self._search, LiteralSearch) and source.encoding is UTF_8 and _ESC not in self._needle:
            # As long as there is no sequence, a line is shown as it is.
            span, reached = self._search.first_before(source, start, floor, progress, _ESC)
            if span is not None or not source.has_more_at(reached):
                return span
            if (line := line_start(source, reached, floor, progress)) > start.line_start:
                start = Position(line, 0, line)
        column = start.column
        for offset, block in blocks_from(source, start.line_start, progress):
            progress(offset, source.size)
            if block is None:
                if not isinstance(self._search, LiteralSearch):
                    raise LineTooLong(source, offset, progress, "start_line {next} continues after it")
                if (found := first_in_line(self._search, source, offset, column, progress)) is not None:
                    return found
            elif self._may_match(block):
                shown = self._shown(block)
                position = Position(0, column, offset_of_column(shown, 0, column, progress))
                if (found := self._search.first(shown, position, 0, progress)) is not None:
                    return _mapped(offset, block, shown, found)
            column = 0
        return None

    def last(self, source: Source, start: Position, floor: int, progress: Progress) -> Span | None:
        """The last match before `start`."""
        end, before = start.line_start, 0
        if start.column > 0 and source.has_more_at(end):
            end, before = line_end(source, start.offset, progress), start.column
        for offset, block in blocks_before(source, end, floor, progress):
            progress(source.size - offset, source.size)
            if block is None:
                if not isinstance(self._search, LiteralSearch):
                    raise LineTooLong(source, offset, progress, "start_line {line} continues before it")
                if (found := last_in_line(self._search, source, offset, before or None, progress)) is not None:
                    return found
            elif self._may_match(block):
                shown = self._shown(block)
                position = Position(shown.size, 0, shown.size)
                if before:
                    last_line = shown.read_at(0, max(0, shown.size - 1)).rfind(b"\n") + 1
                    position = Position(last_line, before, offset_of_column(shown, last_line, before, progress))
                if (found := self._search.last(shown, position, 0, progress)) is not None:
                    return _mapped(offset, block, shown, found)
            before = 0
        return None

    def matching_lines(self, block: bytes, proceed: "Proceed") -> list[int]:
        """Where in a block of whole lines those start that match."""
        if not self._may_match(block):
            return []
        shown = self._shown(block).read_at(0, len(block) * 4)
        found = self._search.matching_lines(shown, proceed)
        if shown is block or not found:
            return found
        row_of = {start: row for row, start in enumerate(line_starts(shown))}
        starts = line_starts(block)
        return [starts[row_of[start]] for start in found]

    def count(self, block: bytes, proceed: "Proceed") -> int:
        """How many lines of a block match."""
        if self._source.encoding is UTF_8 and _ESC not in block:
            return self._search.count(block, proceed)
        return len(self.matching_lines(block, proceed))

    def is_in_line(self, source: Source, line_start: int, progress: Progress) -> bool:
        """Whether a line matches that is too long for a block."""
        if not isinstance(self._search, LiteralSearch):
            raise LineTooLong(source, line_start, progress, LEAVE_OUT)
        return first_in_line(self._search, source, line_start, 0, progress) is not None

    def _may_match(self, block: bytes) -> bool:
        return self._needle in block or (self._source.strip_ansi and _ESC in block)

    def _shown(self, block: bytes) -> Source:
        source = self._source
        if source.encoding is not UTF_8 or _ESC in block:
            block = searchable(decode(block, source.encoding, strip_ansi=source.strip_ansi).text)
        return shown_source(block)


def _bytes_of(literal: str, encoding: Encoding) -> bytes:
    """Bytes that occur wherever the literal does; empty if it can be written in several ways."""
    if encoding is UTF_8:
        return literal.encode()
    if isinstance(encoding, SingleByte):
        return literal.encode(encoding.codec, "ignore") if _has_one_byte_each(literal, encoding) else b""
    if encoding.stateful:
        return b""  # it may switch character sets between any two characters
    return literal.encode() if _SAME_EVERYWHERE.fullmatch(literal) else b""


def _has_one_byte_each(literal: str, encoding: Encoding) -> bool:
    """Some Macintosh encodings have two bytes for a space."""
    table = encoding.decode(bytes(range(256)))[0]
    return all(table.count(each) <= 1 for each in set(literal))


_SAME_EVERYWHERE = re.compile(r"[A-Za-z0-9 !-/:-?_]*")
"""Letters that have one code, and the same one, in every encoding."""


def _mapped(offset: int, block: bytes, shown: Source, found: Span) -> Span:
    """A match in a block as it is shown, as one of the file."""
    row = shown.read_at(0, found.line_start).count(b"\n")
    return found._replace(line_start=offset + (after_newline(block, row) if row else 0))
