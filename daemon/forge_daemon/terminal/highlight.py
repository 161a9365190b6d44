"""Colours the matches in the lines that are printed."""

import re
import signal
import sys
import warnings

from forge_daemon.reading.search.line_filter import Filter

from .output import Output

_LONGEST_LINE = 10_000
"""In characters. A longer line is printed as it is: searching it again could take long."""

_SECONDS = 0.5
"""Of processor time for each line: nothing else ends an expression that has found one match and runs away after it."""


class Highlight:
    def __init__(self, wanted: Filter, output: Output) -> None:
        self._output = output
        pattern = wanted.pattern if wanted.regex else re.escape(wanted.pattern)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # that a later Python may understand the pattern differently
            self._pattern = re.compile(pattern, re.IGNORECASE if wanted.ignore_case else 0)
        self._is_trusted = not wanted.regex
        self._has_run_away = False

    def __call__(self, line: str) -> str:
        """The line as it is shown, with its matches coloured."""
        shown = self._output.shown
        if len(line) > _LONGEST_LINE or self._has_run_away:
            return shown(line)
        parts, end = [], 0
        for start, match_end in self._matches(line.removesuffix("\n")):
            if match_end > start:
                parts += [shown(line[end:start]), self._output.marked(shown(line[start:match_end]))]
                end = match_end
        return "".join([*parts, shown(line[end:])])

    def _matches(self, line: str) -> list[tuple[int, int]]:
        if self._is_trusted:
            return _spans(self._pattern, line)
        try:
            return _spans_in_time(self._pattern, line)
        except TimeoutError:
            self._has_run_away = True
            return []


def _spans(pattern: re.Pattern[str], line: str) -> list[tuple[int, int]]:
    return [match.span() for match in pattern.finditer(line)]


if sys.platform == "win32":
    _spans_in_time = _spans  # there is no timer; CTRL-C ends it

else:

    def _spans_in_time(pattern: re.Pattern[str], line: str) -> list[tuple[int, int]]:
        """Raises `TimeoutError` if it takes too long: Python's `re` checks for signals regularly."""
        signal.signal(signal.SIGVTALRM, _end_search)
        signal.setitimer(signal.ITIMER_VIRTUAL, _SECONDS)
        spans = _spans(pattern, line)
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        return spans


def _end_search(*_: object) -> None:
    raise TimeoutError


def highlight_of(wanted: Filter | None, output: Output) -> Highlight | None:
    """None if nothing is to be coloured: with an inverted filter no line has a match."""
    if wanted is None or wanted.invert or not output.coloured:
        return None
    return Highlight(wanted, output)
