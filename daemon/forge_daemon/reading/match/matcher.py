"""Which lines of a block match a term. A block is whole UTF-8 lines in memory; the last may lack its newline.

A `\\r` before the newline belongs to the line's ending and is not searched.
"""

import threading
import time
from abc import ABC, abstractmethod
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cached_property, lru_cache
from itertools import islice
from typing import Any, TypeVar

from forge_protocol.errors import ReadError, invalid_argument

from .expression import compile_lines, compile_run, compile_source, source_of
from .required_literal import required_literal
from .term import Term

try:
    from stringzilla import find as _find
except ImportError:

    def _find(block: "Block", literal: bytes, start: int, end: int) -> int:
        return block.find(literal, start, end)


Block = bytes | bytearray
Span = tuple[int, int]
Proceed = Callable[[], None]
"""Called now and then during a long search; raises to stop it."""
T = TypeVar("T")

PIECE = 64 * 1024
"""Even a slow expression takes only seconds for so much. A longer line is searched on a thread of its own."""
MAX_SECONDS = 10.0
"""For a line longer than a piece. RE2 cannot be interrupted, so the thread is abandoned then."""
_POLL_SECONDS = 0.1
_MAX_CACHED = 8
"""Each may take some megabytes."""
_MIN_RUN = 8
"""After so many matching lines in a row, the rest of the run is matched at once, if possible."""
_BYTES_PER_CANDIDATE = 8 * 1024
"""Where a required literal is more frequent than this, RE2 alone is faster."""
_MATCHES_AT_ONCE = 256


def keep_going() -> None:
    """For a search that is not cancelled."""


class LineMatcher(ABC):
    """Selects lines of a block. Thread-safe. The block must not change while an iterator over it is in use."""

    @abstractmethod
    def runs(self, block: Block, start: int, end: int, proceed: Proceed = keep_going) -> Iterator[Span]:
        """Start and end of runs of one or more consecutive lines that all pass, in order."""

    def records(self, block: Block, bounds: Sequence[int], proceed: Proceed = keep_going) -> Iterator[Span]:
        """The records that pass. A term matches a record if it matches one of its lines.

        `bounds`: where each record of the block begins, in order, and where the last one ends.
        """
        return widen(self.runs(block, bounds[0], bounds[-1], proceed), bounds)


def widen(runs: Iterable[Span], bounds: Sequence[int]) -> Iterator[Span]:
    """The stretches between two neighbouring bounds that a run touches, each once."""
    done = 0
    for start, end in runs:
        first, done = max(done, bisect_right(bounds, start) - 1), bisect_left(bounds, end)
        for index in range(first, done):
            yield bounds[index], bounds[index + 1]


class Matcher(LineMatcher):
    """Matches one term."""

    @abstractmethod
    def spans(self, line: bytes, start: int = 0, proceed: Proceed = keep_going) -> Iterator[Span]:
        """The matches in a line without its ending, from an offset on. They do not overlap."""


class LiteralMatcher(Matcher):
    """A literal in its own case is searched for as bytes: those of a UTF-8 character are never part of others."""

    def __init__(self, literal: str) -> None:
        self._literal = literal.encode()

    def runs(self, block: Block, start: int, end: int, proceed: Proceed = keep_going) -> Iterator[Span]:
        literal, line_start, line_end = self._literal, block.rfind, block.find
        while (found := _find(block, literal, start, end)) >= 0:
            # As `_line_around`, but a call takes as long as the search.
            first, start = line_start(b"\n", start, found) + 1 or start, line_end(b"\n", found, end) + 1 or end
            yield first, start

    def spans(self, line: bytes, start: int = 0, proceed: Proceed = keep_going) -> Iterator[Span]:
        while (found := line.find(self._literal, start)) >= 0:
            start = found + len(self._literal)
            yield found, start


class ExpressionMatcher(Matcher):
    """An expression, or a literal that is searched for as one: case-insensitive, or as a whole word."""

    def __init__(self, source: str, required: str = "") -> None:
        self._source = source
        self._required = required.encode()
        self._lines = compile_lines(source)
        self._abandoned: threading.Thread | None = None

    @cached_property
    def _expression(self) -> Any:
        return compile_source(self._source)

    @cached_property
    def _run(self) -> Any | None:
        return compile_run(self._source, 1)

    @cached_property
    def _crlf_run(self) -> Any | None:
        return compile_run(self._source, 2)

    def runs(self, block: Block, start: int, end: int, proceed: Proceed = keep_going) -> Iterator[Span]:
        candidates = 1 + (end - start) // _BYTES_PER_CANDIDATE if self._required else 0
        for _ in range(candidates):
            if (found := _find(block, self._required, start, end)) < 0:
                return
            line_start, start = _line_around(block, found, start, end)
            if self._matches(block, line_start, start, proceed):
                yield line_start, start
        while start < end:
            proceed()
            piece_start, start = start, _piece_end(block, start, end)
            if start - piece_start > PIECE:
                if self._matches(block, piece_start, start, proceed):
                    yield piece_start, start
            else:
                for run_start, run_end in self._runs_in(bytes(block[piece_start:start])):
                    yield piece_start + run_start, piece_start + run_end

    def spans(self, line: bytes, start: int = 0, proceed: Proceed = keep_going) -> Iterator[Span]:
        spans = self._all_spans(line, start)
        while found := self._bounded(len(line), lambda: list(islice(spans, _MATCHES_AT_ONCE)), proceed):
            yield from found

    def _all_spans(self, line: bytes, start: int) -> Iterator[Span]:
        last = (-1, -1)
        for match in self._expression.finditer(line, start):
            span = match.span()
            # RE2 reports some empty matches twice, and others inside of characters.
            if span != last and (span[0] < span[1] or not _is_inside_character(line, span[0])):
                yield span
            last = span

    def _matches(self, block: Block, start: int, end: int, proceed: Proceed) -> bool:
        """Whether one line matches."""
        line = bytes(block[start:end])
        if line.endswith(b"\n"):
            line = line[:-2] if line.endswith(b"\r\n") else line[:-1]
        return self._bounded(len(line), lambda: self._lines.search(line) is not None, proceed)

    def _runs_in(self, piece: bytes) -> Iterator[Span]:
        # The newline comes right after the text of a line then, at the cost of an empty line after it.
        text = piece.replace(b"\r\n", b"\n\n") if b"\r" in piece else piece
        position, min_run = 0, _MIN_RUN
        while position < len(piece):
            in_a_row = 0
            for start, end in self._lines_in(piece, text, position):
                yield start, end
                in_a_row = in_a_row + 1 if start == position else 0
                position = end
                if in_a_row == min_run:
                    break
            else:
                return
            run_end = self._run_end(piece, text, position)
            if run_end > position:
                yield position, run_end
                position = run_end
            else:
                min_run *= 2

    def _lines_in(self, piece: bytes, text: bytes, position: int) -> Iterator[Span]:
        end = len(piece)
        for match in self._lines.finditer(text, position):
            start = match.start()
            if start < position:
                continue  # in a line that was found already: malformed bytes end a match early
            if text is not piece and piece[start - 1 : start + 1] == b"\r\n":
                continue  # the empty line that is not one of the piece
            if start == end and (position == end or piece.endswith(b"\n")):
                return  # nothing follows the last line
            line_start, line_end = _line_around(piece, start, position, end)
            yield line_start, line_end
            position = line_end

    def _run_end(self, piece: bytes, text: bytes, start: int) -> int:
        """Where a run of matching lines ends."""
        expression = self._run
        if text is not piece:
            expression = self._crlf_run if piece.count(b"\r\n") == piece.count(b"\n") else None
        run = expression.match(text, start) if expression is not None else None
        return run.end() if run is not None else start

    def _bounded(self, length: int, search: Callable[[], T], proceed: Proceed) -> T:
        """Does a search in a line, on a thread if the line is so long that it may take minutes."""
        if length <= PIECE:
            return search()
        if self._abandoned is not None and self._abandoned.is_alive():
            raise _too_slow()  # rather than a further thread that takes all of a core
        found: list[T] = []
        thread = threading.Thread(target=lambda: found.append(search()), daemon=True)
        thread.start()
        end = time.monotonic() + MAX_SECONDS
        try:
            while thread.is_alive() and time.monotonic() < end:
                thread.join(_POLL_SECONDS)
                proceed()
        finally:
            if thread.is_alive():
                self._abandoned = thread
        if not found:
            raise _too_slow()
        return found[0]


@lru_cache(_MAX_CACHED)
def compile_term(term: Term) -> Matcher:
    """The matcher of a term; `INVALID_ARGUMENT` if its pattern is not valid."""
    term = term.checked()
    literal = required_literal(term.pattern) if term.regex else term.pattern
    if not (term.regex or term.ignore_case or term.whole_word or "\r" in literal):
        return LiteralMatcher(literal)
    return ExpressionMatcher(source_of(term), "" if term.ignore_case else literal)


def _line_around(block: Block, offset: int, start: int, end: int) -> Span:
    """The line that has an offset, in a part of a block."""
    return max(start, block.rfind(b"\n", start, offset) + 1), block.find(b"\n", offset, end) + 1 or end


def _piece_end(block: Block, start: int, end: int) -> int:
    """The end of as many whole lines as fit into a piece, or of one line that does not."""
    if end - start <= PIECE:
        return end
    return block.rfind(b"\n", start, start + PIECE) + 1 or block.find(b"\n", start, end) + 1 or end


def _is_inside_character(line: bytes, offset: int) -> bool:
    return offset < len(line) and 0x80 <= line[offset] < 0xC0


def _too_slow() -> ReadError:
    return invalid_argument(
        "pattern: the expression is too slow for this text",
        hint="it has a line of more than 64 KiB; use smaller repetitions, or literals",
    )
