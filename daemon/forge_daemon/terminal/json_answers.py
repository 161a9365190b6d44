"""`--json`: the answers of the protocol, one a line."""

from argparse import Namespace
from collections.abc import Callable, Iterable

from forge_daemon.reading.match.filter import FilterSpec
from forge_daemon.reading.window.selection import Selectors
from forge_daemon.requests.count_lines import count_lines
from forge_daemon.requests.describe import describe
from forge_daemon.requests.read_file import read_file
from forge_daemon.requests.text_form import AUTO
from forge_daemon.rpc.json_text import encode
from forge_protocol.conversion import unstructure
from forge_protocol.count_lines import CountLinesParams, CountLinesResult
from forge_protocol.describe import DescribeParams, DescribeResult
from forge_protocol.filter import FilterParams, TermParams
from forge_protocol.read_file import Around, Columns, ReadFileParams, ReadFileResult

from .files import for_each, locate
from .matching import filter_to_read
from .output import Output
from .progress import Progress
from .read import check_options, is_filtered, split_line_number, strips_ansi
from .windows import AROUND

MAX_LINES = 10_000
"""As many as one answer may hold."""


def read_json(options: Namespace) -> int:
    check_options(options)

    def answer(word: str, progress: Progress) -> ReadFileResult:
        path, selectors = split_line_number(word, options)
        with locate(path) as (_, reader, absolute):
            return read_file(reader, _read_params(absolute, selectors), progress)

    return _print_answers(options.paths, answer)


def count_json(options: Namespace) -> int:
    def answer(word: str, progress: Progress) -> CountLinesResult:
        with locate(word) as (_, reader, path):
            params = CountLinesParams(path=path, encoding=options.encoding or AUTO, rotated=options.rotated)
            return count_lines(reader, params, progress)

    return _print_answers(options.paths, answer)


def describe_json(options: Namespace) -> int:
    def answer(word: str, progress: Progress) -> DescribeResult:
        with locate(word) as (_, reader, path):
            return describe(reader, describe_params(path, options), progress)

    return _print_answers(options.paths, answer)


def describe_params(path: str, options: Namespace) -> DescribeParams:
    return DescribeParams(
        path=path, scan=options.scan, encoding=options.encoding or AUTO, ansi="strip", rotated=options.rotated
    )


def _read_params(path: str, options: Namespace) -> ReadFileParams:
    return ReadFileParams(
        path=path,
        **{name: getattr(options, name) for name in Selectors._fields},
        around=Around(line=options.around, before=AROUND, after=AROUND) if options.around else None,
        max_lines=MAX_LINES,
        filter=_filter_params(filter_to_read(options)) if is_filtered(options) else None,
        encoding=options.encoding or AUTO,
        rotated=options.rotated,
        ansi="strip" if strips_ansi(options) else "keep",
        columns=Columns(start=options.columns[0], count=options.columns[1]) if options.columns else None,
        show_line_numbers=options.line_numbers is True,
    )


def _filter_params(spec: FilterSpec) -> FilterParams:
    return FilterParams(
        all=[TermParams(**term._asdict()) for term in spec.terms.all],
        none=[TermParams(**term._asdict()) for term in spec.terms.none],
        level=None if spec.level is None else spec.level.name.lower(),  # type: ignore[arg-type]
        since=spec.since,
        until=spec.until,
        records=spec.records,
        before=spec.before,
        after=spec.after,
    )


def _print_answers(words: Iterable[str], answer: Callable[[str, Progress], object]) -> int:
    output = Output()

    def print_answer(word: str) -> None:
        with Progress() as progress:
            encoded = encode(unstructure(answer(word, progress)))
        output.write_json(encoded)
        output.flush()

    return for_each(words, print_answer)
