"""`forge-read describe`: what a log has in it, on one screen."""

from argparse import Namespace
from collections.abc import Iterator

import attrs

from forge_daemon.requests.describe import describe as describe_file
from forge_daemon.requests.text_form import AUTO
from forge_daemon.rpc.json_text import encode
from forge_protocol.conversion import unstructure
from forge_protocol.describe import DescribeParams, DescribeResult, LevelCounts

from .files import for_each, locate
from .output import Output
from .parser import require
from .progress import Progress

_BAR_WIDTH = 20
"""Fits a terminal of 40 columns."""


def describe(options: Namespace) -> int:
    require(options.paths, "PATH")
    output = Output()

    def print_description(word: str) -> None:
        with locate(word) as (name, reader, path), Progress() as progress:
            params = DescribeParams(
                path=path, scan=options.scan, encoding=options.encoding or AUTO, ansi="strip", rotated=options.rotated
            )
            result = describe_file(reader, params, progress)
        if options.json:
            output.write_json(encode(unstructure(result)))
        else:
            for label, value in _rows(name, result):
                output.write(f"{label:<9}{output.named(value)}\n")
            output.write("\n" * (word != options.paths[-1]))
        output.flush()

    return for_each(options.paths, print_description)


def _rows(name: str, result: DescribeResult) -> Iterator[tuple[str, str]]:
    packed = f", {result.compression}" if result.compression else ""
    yield "file", name
    yield "size", f"{result.byte_length:,} bytes{packed}"
    if members := result.members:
        yield "files", f"{len(members):,}" + f", from {members[0].path} to {members[-1].path}" * (len(members) > 1)
        for member in members:
            if member.reason is not None:
                yield "left out", f"{member.path}: {member.reason}"
    yield "text", f"{result.encoding}, format {result.format}"
    if result.line_count is not None:
        yield "lines", f"{result.line_count:,}"
    if result.record_count is not None and result.record_count != result.line_count:
        yield "records", f"{result.record_count:,}"
    if result.first_time is not None:
        yield "from", result.first_time
    if result.last_time is not None:
        yield "to", result.last_time
    if result.levels is not None:
        yield from _bars(result.levels)


def _bars(levels: LevelCounts) -> Iterator[tuple[str, str]]:
    """The most serious level first. Each that occurs has a bar, however few there are."""
    counts = [(name, number) for name, number in reversed(attrs.asdict(levels).items()) if number and name != "none"]
    if not counts:
        return
    if levels.none:
        counts.append(("none", levels.none))
    most = max(number for _, number in counts)
    width = len(f"{most:,}")
    for name, number in counts:
        yield name, f"{number:>{width},} {'#' * max(1, _BAR_WIDTH * number // most)}"
