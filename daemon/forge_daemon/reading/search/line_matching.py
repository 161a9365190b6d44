"""A regular expression and lines: run as a script, in a process of its own, by `line_search`.

It has nothing but the standard library, and imports as little of that as it can: somebody waits for it.
"""

import re
import sys
from collections.abc import Sequence
from typing import Any, BinaryIO

SECONDS = 2
"""For the pattern to compile, and for each request."""

Span = tuple[int, int, int]
"""Row, start and end, counted from 0."""

Line = str | None
"""Its text, unless it cannot match."""


def first_match(pattern: re.Pattern[str], lines: Sequence[Line], start: int) -> Span | None:
    """The first match, in the first line no earlier than `start`."""
    for row, line in enumerate(lines):
        if line is not None and start <= len(line) and (found := pattern.search(line, start)) is not None:
            return row, *found.span()
        start = 0
    return None


def last_match(pattern: re.Pattern[str], lines: Sequence[Line], before: int | None) -> Span | None:
    """The match that starts last, in the last line earlier than `before`."""
    for row in range(len(lines) - 1, -1, -1):
        line = lines[row]
        if line is not None and (found := _last_in(pattern, line, before)) is not None:
            return row, *found.span()
        before = None
    return None


def _last_in(pattern: re.Pattern[str], line: str, before: int | None) -> re.Match[str] | None:
    end = len(line) if before is None else min(len(line), before - 1)
    found, position = None, 0
    while position <= end:
        later = pattern.search(line, position)
        if later is None or later.start() > end:
            break
        found, position = later, later.start() + 1
    return found


def lines_of(block: bytes) -> list[str]:
    """The texts of whole lines; the last one may lack its newline."""
    text = block.decode(errors="replace").replace("\r\n", "\n")
    return text.removesuffix("\n").split("\n")


def compiled(expression: str, ignore_case: bool) -> re.Pattern[str] | str:
    """The pattern, or what is wrong with it."""
    try:
        return re.compile(expression, re.IGNORECASE if ignore_case else 0)
    except re.error as error:
        return str(error)
    except (OverflowError, RecursionError):
        return "too large or too deeply nested"


def candidate_lines(block: bytes, folded: bytes, literal: bytes) -> list[Line]:
    """The lines that hold a literal every match needs. The case of its letters is folded as theirs is."""
    # One character for each byte: Python looks into a short text much faster than into short bytes.
    wanted, folded_lines = literal.decode("latin-1"), folded.decode("latin-1").split("\n")
    return [line if wanted in each else None for line, each in zip(lines_of(block), folded_lines, strict=False)]


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """The pattern first, with a literal that every match needs, then blocks of lines, until the other end closes.

    Nothing can interrupt Python's regular expressions, but a watchdog that needs nothing of the interpreter
    can end the process, even when nobody is left to kill it.
    """
    import faulthandler
    import marshal

    def receive() -> Any:
        message = marshal.load(asked)
        faulthandler.dump_traceback_later(SECONDS, exit=True)
        return message

    def send(message: Any) -> None:
        faulthandler.cancel_dump_traceback_later()
        answers.write(marshal.dumps(message))
        answers.flush()

    expression, ignore_case, literal = receive()
    pattern = compiled(expression, ignore_case)
    send(pattern if isinstance(pattern, str) else None)
    while isinstance(pattern, re.Pattern):
        block, folded, backward, column = receive()
        lines = candidate_lines(block, folded, literal)
        send(last_match(pattern, lines, column) if backward else first_match(pattern, lines, column or 0))


if __name__ == "__main__":
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except (EOFError, BrokenPipeError):
        sys.exit()
