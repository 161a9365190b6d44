"""Counts the lines that match without an index of them, which would take several times as long to build."""

from collections.abc import Callable
from functools import partial

from forge_daemon.reading.sources.source import Progress, Source

from .line_filter import LineFilter
from .line_search import LineTooLong, blocks_from, line_end


def count_once(
    text: Source, line_filter: LineFilter, progress: Progress, pass_over: Callable[[LineTooLong], None]
) -> int:
    """How many lines of a whole text, whose end is known, pass the filter. `pass_over` gets lines it cannot judge."""
    line_filter = line_filter.for_text(text)
    number = 0
    for offset, block in blocks_from(text, text.bom, progress):
        proceed = partial(progress, offset, text.size)
        proceed()
        if block is not None:
            number += line_filter.count(block, proceed)
        else:
            try:
                number += line_filter.lets_through(text, offset, line_end(text, offset, progress), progress)
            except LineTooLong as error:
                pass_over(error)
    return number
