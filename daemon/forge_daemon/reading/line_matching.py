"""A regular expression and lines: run as a script, in a process of its own, by `line_search`.

It has nothing but the standard library, and imports as little of that as it can: somebody waits for it.
"""

import re
import sys
from typing import Any, BinaryIO

SECONDS = 2
"""For the pattern to compile, and for each request."""

Span = tuple[int, int, int]
"""Row, start and end, counted from 0."""


def first_match(pattern: re.Pattern[str], lines: list[str], start: int) -> Span | None:
    """The first match, in the first line no earlier than `start`."""
    for row, line in enumerate(lines):
        if start <= len(line) and (found := pattern.search(line, start)) is not None:
            return row, *found.span()
        start = 0
    return None


def last_match(pattern: re.Pattern[str], lines: list[str], before: int | None) -> Span | None:
    """The match that starts last, in the last line earlier than `before`."""
    for row in range(len(lines) - 1, -1, -1):
        line, found, position = lines[row], None, 0
        end = len(line) if before is None else min(len(line), before - 1)
        while position <= end:
            later = pattern.search(line, position)
            if later is None or later.start() > end:
                break
            found, position = later, later.start() + 1
        if found is not None:
            return row, *found.span()
        before = None
    return None


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


def answer(pattern: re.Pattern[str], block: bytes, backward: bool, column: int | None) -> Span | None:
    lines = lines_of(block)
    return last_match(pattern, lines, column) if backward else first_match(pattern, lines, column or 0)


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """The pattern first, then blocks of lines, until the other end closes.

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

    pattern = compiled(*receive())
    send(pattern if isinstance(pattern, str) else None)
    while isinstance(pattern, re.Pattern):
        send(answer(pattern, *receive()))


if __name__ == "__main__":
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except (EOFError, BrokenPipeError):
        sys.exit()
