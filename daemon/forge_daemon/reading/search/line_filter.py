"""Which lines pass a filter."""

from copy import copy

from forge_daemon.light_typing import NamedTuple
from forge_daemon.reading.digest import digest
from forge_daemon.reading.encodings.encoding import UTF_8
from forge_daemon.reading.sources.source import Progress, Source

from .find import Search, open_search
from .line_search import LONGEST_LINE, LineTooLong
from .literal_search import LiteralSearch
from .matching_processes import Proceed
from .regions import line_starts
from .shown_lines import LEAVE_OUT, ShownLines, as_shown

_LONG_LINE_STEP = 1024 * 1024
_NAME_BYTES = 6


class Filter(NamedTuple):
    """Only the lines that match, or, inverted, only those that do not; optionally only in a part of the file."""

    pattern: str
    regex: bool = False
    ignore_case: bool = False
    invert: bool = False
    first_line: int | None = None
    last_line: int | None = None

    @property
    def name(self) -> str:
        """Identifies the filter in cursors."""
        return digest(repr(tuple(self)).encode(), size=_NAME_BYTES).hex()


class LineFilter:
    """Matches lines against a filter. Raises `INVALID_ARGUMENT` if the pattern is not valid."""

    def __init__(self, wanted: Filter, proceed: Proceed = lambda: None) -> None:
        self._search: Search | ShownLines = open_search(
            wanted.pattern, regex=wanted.regex, ignore_case=wanted.ignore_case, proceed=proceed
        )
        self._invert = wanted.invert
        self.name = wanted.name
        self.first_line, self.last_line = wanted.first_line, wanted.last_line
        self.key: object = wanted._replace(first_line=None, last_line=None)
        """The same for filters that let the same lines through."""

    @property
    def is_limited(self) -> bool:
        """Whether only a part of the file counts."""
        return self.first_line is not None or self.last_line is not None

    @property
    def asks_others(self) -> bool:
        """Whether lines are matched by another process."""
        return not isinstance(self._search, LiteralSearch)

    def for_text(self, text: Source) -> "LineFilter":
        """The same filter for the lines of a text as they are shown."""
        if (text.encoding is UTF_8 and not text.strip_ansi) or isinstance(self._search, ShownLines):
            return self
        shown = copy(self)
        shown._search = as_shown(self._search, text)
        shown.key = (self.key, text.encoding.name, text.strip_ansi)
        return shown

    def covers(self, line: int) -> bool:
        """Whether a line lies in the part of the file that counts."""
        return (self.first_line or 1) <= line and (self.last_line is None or line <= self.last_line)

    def matching_lines(self, block: bytes, proceed: Proceed) -> list[int]:
        """Where the lines of a block start that pass the filter. The last line may lack its newline."""
        matching = self._search.matching_lines(block, proceed)
        if not self._invert:
            return matching
        starts = line_starts(block)
        if starts[-1] == len(block):
            starts.pop()
        dropped = set(matching)
        return [start for start in starts if start not in dropped] if dropped else starts

    def count(self, block: bytes, proceed: Proceed) -> int:
        """How many lines of a block of whole lines pass the filter."""
        matching = self._search.count(block, proceed)
        return len(line_starts(block)) - block.endswith(b"\n") - matching if self._invert else matching

    def lets_line_through(self, source: Source, offset: int, end: int, progress: Progress) -> bool:
        """Whether one line passes. No expression matches a line that is too long for it."""
        if end - offset <= LONGEST_LINE:
            return bool(
                self.matching_lines(source.read_at(offset, end - offset), lambda: progress(offset, source.size))
            )
        try:
            return self.lets_through(source, offset, end, progress)
        except LineTooLong:
            return self._invert

    def lets_through(self, source: Source, offset: int, end: int, progress: Progress) -> bool:
        """Whether one line passes that is too long for a block."""
        if isinstance(self._search, ShownLines):
            return self._search.is_in_line(source, offset, progress) != self._invert
        if not isinstance(self._search, LiteralSearch):
            raise LineTooLong(source, offset, progress, LEAVE_OUT)
        for start in range(offset, end, _LONG_LINE_STEP):
            progress(start, source.size)
            piece = source.read_at(start, min(_LONG_LINE_STEP + self._search.overlap, end - start))
            if self._search.matching_lines(piece.removesuffix(b"\n"), lambda: None):
                return not self._invert
        return self._invert
