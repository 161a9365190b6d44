"""Applies a regular expression to lines, in each of the `matching_processes`.

Imports as little as possible, even of the standard library: a request waits for the process to start.
"""

import re
import sys
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, BinaryIO

if TYPE_CHECKING:
    from .superset import Superset

SECONDS = 2
"""The processor time for each question."""
MEMORY = 160 * 1024 * 1024
"""Bytes of address space, the interpreter's own 30 MiB included."""
MOST_REPEATS = (64, 8, 1)
"""For RE2 patterns from exact and large to loose and small: the first one that RE2 accepts is used."""
OUT_OF_MEMORY = 3
"""The exit code of a process that has reached `MEMORY`."""
_CLOCK_SECONDS = 5
"""Wall-clock seconds allowed for each second of processor time, where only wall-clock time can be limited."""

_LOOK_SECONDS = 0.25

Span = tuple[int, int, int]
"""Row, start and end, counted from 0."""


def first_match(pattern: re.Pattern[str], lines: Sequence[str], start: int) -> Span | None:
    """The first match, in the first line no earlier than `start`."""
    for row, line in enumerate(lines):
        if start <= len(line) and (found := pattern.search(line, start)) is not None:
            return row, *found.span()
        start = 0
    return None


def last_match(pattern: re.Pattern[str], lines: Sequence[str], before: int | None) -> Span | None:
    """The match that starts last, in the last line earlier than `before`."""
    for row in range(len(lines) - 1, -1, -1):
        if (found := _last_in(pattern, lines[row], before)) is not None:
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


def matching_rows(pattern: re.Pattern[str], lines: Sequence[str]) -> list[int]:
    """The rows of all lines that match."""
    return [row for row, line in enumerate(lines) if pattern.search(line) is not None]


def compiled(expression: str, ignore_case: bool) -> re.Pattern[str] | str:
    """The pattern, or what is wrong with it."""
    try:
        return re.compile(expression, re.IGNORECASE if ignore_case else 0)
    except (re.error, ValueError) as error:
        return str(error)
    except (OverflowError, RecursionError):
        return "too large or too deeply nested"


def supersets(expression: str, ignore_case: bool) -> "list[Superset]":
    """RE2 patterns that match every line the expression matches; none if Python's parser differs from the known one."""
    try:
        from .superset import superset, utf8_form

        return [
            superset(expression, ignore_case=ignore_case, most_repeats=most, encode=utf8_form) for most in MOST_REPEATS
        ]
    except Exception:
        return []


def answer_to(kind: str, expression: str, ignore_case: bool, text: str = "", column: int | None = None) -> Any:
    """The answer to one question; a string is what is wrong with the expression."""
    pattern = compiled(expression, ignore_case)
    if isinstance(pattern, str):
        return pattern
    if kind == "check":
        return supersets(expression, ignore_case)
    lines = text.split("\n")
    if kind == "first":
        return first_match(pattern, lines, column or 0)
    if kind == "last":
        return last_match(pattern, lines, column)
    return matching_rows(pattern, lines)


def serve(asked: BinaryIO, answers: BinaryIO) -> None:
    """Answer one question after the other, until the other end closes.

    Nothing can interrupt Python's regular expressions, but the system can end the process, even when the daemon
    is gone and cannot kill it.
    """
    import marshal

    while True:
        question = marshal.load(asked)
        _start_clock(SECONDS)
        try:
            answer = answer_to(*question)
        except MemoryError:
            _start_clock(0)  # an interpreter that is ending no longer handles signals
            sys.exit(OUT_OF_MEMORY)
        except SystemError as error:
            # Python's own faults, such as "The span of capturing group is wrong".
            answer = str(error)
        _start_clock(0)
        answers.write(marshal.dumps(answer))
        answers.flush()


if sys.platform == "win32":  # pragma: no cover - not run on the machines we test on

    def _start_clock(seconds: int) -> None:
        """Windows has no signal for processor time, so wall-clock time is limited, more generously."""
        import faulthandler

        if seconds:
            faulthandler.dump_traceback_later(seconds * _CLOCK_SECONDS, exit=True)
        else:
            faulthandler.cancel_dump_traceback_later()

    def _end_with(_daemon: int) -> None:
        pass

    def _limit_memory() -> None:
        pass

else:

    def _start_clock(seconds: int) -> None:
        """The system's timer of processor time: SIGPROF ends the process, whatever the interpreter is doing.

        On a busy machine that may be long after the daemon has ended, so that is checked regularly as well.
        """
        import signal

        signal.setitimer(signal.ITIMER_PROF, seconds)
        look_seconds = min(seconds, _LOOK_SECONDS)
        signal.setitimer(signal.ITIMER_REAL, look_seconds, look_seconds)

    def _end_with(daemon: int) -> None:
        import os
        import signal

        def look(*_: object) -> None:
            if os.getppid() != daemon:
                os._exit(0)

        signal.signal(signal.SIGALRM, look)  # Python's `re` lets signals be handled now and then

    def _limit_memory() -> None:
        import resource

        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))


def main(daemon: int) -> None:
    _end_with(daemon)
    _limit_memory()
    try:
        serve(sys.stdin.buffer, sys.stdout.buffer)
    except (EOFError, BrokenPipeError, KeyboardInterrupt):
        sys.exit()
