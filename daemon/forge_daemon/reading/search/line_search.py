"""Regular expressions, bounded in time.

Python's cannot be interrupted and let no other thread run meanwhile, so a pattern that runs away would take
the whole daemon with it. It is given a process of its own, which ends itself when a step takes too long.
"""

from collections.abc import Iterator
from typing import Any

from forge_daemon.reading.columns import Position, Span
from forge_daemon.reading.lines.newlines import after_newline
from forge_daemon.reading.sources.source import Progress, Source
from forge_protocol.errors import ReadError, invalid_argument

from . import line_matching
from .letter_case import case_of
from .required_literal import required_literals

_STEP = 256 * 1024
LONGEST_LINE = 4 * 1024 * 1024
"""A line is searched as a whole, so there must be an end to it."""


class LineSearch:
    """One expression, applied to line after line that may match it."""

    def __init__(self, expression: str, *, ignore_case: bool) -> None:
        import subprocess
        import sys

        required = required_literals(expression)
        self._case = case_of("".join(required), ignored=ignore_case)
        self._required = [self._case.fold(literal.encode()) for literal in required]
        self._process = subprocess.Popen(
            [sys.executable, "-I", "-S", line_matching.__file__],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
        try:
            fault = self._ask(expression, ignore_case, self._required[0])
            if fault is not None:
                raise invalid_argument(f"pattern: not a regular expression: {fault}")
        except BaseException:
            self.__exit__()
            raise

    def __enter__(self) -> "LineSearch":
        return self

    def __exit__(self, *_: object) -> None:
        import contextlib

        self._process.kill()
        # What was being written when it died cannot be flushed any more.
        with contextlib.suppress(BrokenPipeError):
            self._process.__exit__(None, None, None)

    def first(self, source: Source, start: Position, _floor: int, progress: Progress) -> Span | None:
        """The first match at or after `start`."""
        column = start.column
        for offset, block in _lines_from(source, start.line_start):
            progress(offset, source.size)
            if (found := self._match(block, False, column)) is not None:
                return _span(offset, block, *found)
            column = 0
        return None

    def last(self, source: Source, start: Position, floor: int, progress: Progress) -> Span | None:
        """The last match before `start`."""
        end, before = start.line_start, None
        if start.column > 0 and end < source.size:
            end, before = _line_end(source, start.offset), start.column
        for offset, block in _lines_before(source, end, floor):
            progress(source.size - offset, source.size)
            if (found := self._match(block, True, before)) is not None:
                return _span(offset, block, *found)
            before = None
        return None

    def _match(self, block: bytes, backward: bool, column: int | None) -> Any:
        folded = self._case.fold(block)
        if any(literal not in folded for literal in self._required):
            return None
        return self._ask(block, folded, backward, column)

    def _ask(self, *question: Any) -> Any:
        import marshal  # both ends are the same interpreter, and it costs nothing to import

        assert self._process.stdin is not None
        assert self._process.stdout is not None
        try:
            self._process.stdin.write(marshal.dumps(question))
            self._process.stdin.flush()
            return marshal.load(self._process.stdout)
        except (BrokenPipeError, EOFError):
            raise invalid_argument(
                f"pattern: took longer than {line_matching.SECONDS} seconds, and was stopped",
                hint="nested repetitions take for ever; search for a literal, or for something more specific",
            ) from None


def _span(offset: int, block: bytes, row: int, start: int, end: int) -> Span:
    return Span(offset + (after_newline(block, row) if row else 0), start, end)


def _lines_from(source: Source, offset: int) -> Iterator[tuple[int, bytes]]:
    """Whole lines, some at a time, with the offset of the first."""
    length = _STEP
    while offset < source.size:
        block = source.read_at(offset, length)
        if offset + len(block) < source.size:
            block = block[: block.rfind(b"\n") + 1]
        if not block:
            length = _more(length, "start behind it to go on")
            continue
        yield offset, block
        offset += len(block)
        length = _STEP


def _lines_before(source: Source, end: int, floor: int) -> Iterator[tuple[int, bytes]]:
    """The same, from the last line to the first."""
    length = _STEP
    while end > floor:
        start = max(floor, end - length - 1)
        block = source.read_at(start, end - start)
        if start > floor:
            # The newline at the end belongs to the last line; what stands before the first may be half a line.
            skipped = block.find(b"\n", 0, -1) + 1
            if not skipped:
                length = _more(length, "start before it to go on")
                continue
            start, block = start + skipped, block[skipped:]
        yield start, block
        end = start
        length = _STEP


def _more(length: int, hint: str) -> int:
    if length >= LONGEST_LINE:
        raise _too_long(hint)
    return min(4 * length, LONGEST_LINE)


def _too_long(hint: str) -> ReadError:
    return invalid_argument(
        f"a line is longer than {LONGEST_LINE >> 20} MiB: only a literal is found there",
        hint=hint,
    )


def _line_end(source: Source, offset: int) -> int:
    """Where the next line starts, or the file ends."""
    while offset < source.size:
        block = source.read_at(offset, _STEP)
        newline = block.find(b"\n")
        if newline >= 0:
            return offset + newline + 1
        offset += len(block)
    return source.size
