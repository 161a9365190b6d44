"""Colours the matches in the lines that are printed."""

import re

from forge_daemon.reading.search.line_filter import Filter

from .output import Output

_LONGEST_LINE = 10_000
"""In characters. A longer line is printed as it is: searching it again could take long."""


class Highlight:
    def __init__(self, wanted: Filter, output: Output) -> None:
        self._output = output
        pattern = wanted.pattern if wanted.regex else re.escape(wanted.pattern)
        self._pattern = re.compile(pattern, re.IGNORECASE if wanted.ignore_case else 0)

    def __call__(self, line: str) -> str:
        """The line as it is shown, with its matches coloured."""
        shown = self._output.shown
        if len(line) > _LONGEST_LINE:
            return shown(line)
        parts, end = [], 0
        for match in self._pattern.finditer(line.removesuffix("\n")):
            if match.end() > match.start():
                parts += [shown(line[end : match.start()]), self._output.marked(shown(match[0]))]
                end = match.end()
        return "".join([*parts, shown(line[end:])])


def highlight_of(wanted: Filter | None, output: Output) -> Highlight | None:
    """None where nothing is coloured: an inverted filter leaves lines without a match."""
    if wanted is None or wanted.invert or not output.coloured:
        return None
    return Highlight(wanted, output)
