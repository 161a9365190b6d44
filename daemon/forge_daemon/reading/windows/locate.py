"""Where in a text a selection starts, and how far it may reach."""

from forge_daemon.light_typing import NamedTuple
from forge_daemon.reading.cursor import Cursor
from forge_daemon.reading.lines.newlines import after_newline
from forge_daemon.reading.selection import Lines
from forge_daemon.reading.sources.source import Progress, Source

from .facts import ends_with_newline, number_of_lines
from .window import MAX_CONTENT_BYTES, Facts, ScanLimitExceeded, WindowRequest

_TAIL_BLOCK = 64 * 1024


class Start(NamedTuple):
    offset: int
    line: int
    last: int | None
    stop: int
    """No byte from here on belongs to the answer, though the file may continue."""


def locate(source: Source, request: WindowRequest, facts: Facts, progress: Progress) -> Start:
    selection, bom = request.selection, source.bom
    if selection is None:
        return Start(bom, 1, None, source.size)
    if isinstance(selection, Cursor):
        line = selection.line if selection.line > 0 else selection.line - _lines_since(source, selection.size, progress)
        # What was an empty file may have got a byte order mark since.
        return Start(max(selection.offset, bom), line, selection.last, source.size)
    if isinstance(selection, Lines):
        return _locate_line(source, selection, request.reach, bom, progress)
    line_count = facts.line_count
    if line_count is None and source.derived is None:
        return _locate_from_the_end(source, selection.number, request.reach, facts, bom, progress)
    if line_count is None:
        # Its end is only found by reading all of it.
        line_count = number_of_lines(source, progress)
    lines = Lines(max(1, line_count - selection.number + 1), None)
    return _locate_line(source, lines, None, bom, progress)


def _lines_since(source: Source, size: int, progress: Progress) -> int:
    """How many lines were added since the file had `size` bytes."""
    if size == source.size:
        return 0
    index = source.line_index
    newlines = index.count(source.read_at, progress) - (index.newlines_before(size, source.read_at) or 0)
    was_unfinished = size > 0 and source.read_at(size - 1, 1) != b"\n"
    return newlines + (not ends_with_newline(source)) - was_unfinished


def _locate_line(source: Source, lines: Lines, reach: int | None, bom: int, progress: Progress) -> Start:
    stop = source.size if reach is None else min(reach, source.size)
    offset = bom if lines.first == 1 else source.line_index.line_start(lines.first, source.read_at, progress, stop)
    # The first line starts where the file does, whatever a byte order mark takes.
    if lines.first > 1 and stop < source.size and (offset is None or offset >= stop):
        found = source.line_index.newlines_before(stop, source.read_at) or 0
        raise ScanLimitExceeded(
            f"line {lines.first:,} lies beyond the first {stop:,} bytes, the furthest a selection may reach; "
            f"they hold {found:,} lines",
            max(1, found),
        )
    return Start(source.size if offset is None else offset, lines.first, lines.last, stop)


def _locate_from_the_end(
    source: Source, count: int, reach: int | None, facts: Facts, bom: int, progress: Progress
) -> Start:
    """Search backwards, so that a large file is not read for its last lines."""
    furthest = bom if reach is None else max(bom, source.size - reach)
    # A newline just before it still makes a line start on it.
    floor = max(bom, furthest - 1)
    missing = count
    # The newline that ends the file ends its last line; it does not start another.
    position = source.size - facts.ends_with_newline
    block_size = _TAIL_BLOCK
    while position > floor:
        progress(source.size - position, source.size - floor)
        start = max(floor, position - block_size)
        block = source.read_at(start, position - start)
        found = block.count(b"\n")
        if found >= missing:
            return Start(start + after_newline(block, found - missing + 1), -count, None, source.size)
        missing -= found
        position = start
        block_size = min(block_size * 4, MAX_CONTENT_BYTES)
    found = count - missing
    if furthest > bom:
        raise ScanLimitExceeded(
            f"the last {count:,} lines reach further than {reach:,} bytes from the end; "
            f"those hold {found:,} whole line{'s' * (found != 1)}",
            found,
        )
    return Start(bom, -(found + 1), None, source.size)
